// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// nvcc warns of a barrier that is named and not called, and of a macro's too;
// it does nothing. One that is called is a barrier.

// CHECK: 3 launches -> 2
// OUT: {{^ *}}kfuse_raise_lower<<<
// OUT: {{^ *}}reverse<<<
// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

#define WAIT __syncthreads
#define DO_NOT_WAIT { __syncthreads; }

__global__ void raise(const float *in, float *up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = in[i] + 1;
  __syncthreads;
}
__global__ void lower(const float *up, float *down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    __syncthreads ;
  else
    down[i] = up[i] - 2;
  DO_NOT_WAIT
}
__global__ void reverse(const float *from, float *to, int n) {
  __shared__ float values[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < n ? from[i] : 0;
  __syncthreads();
  if (i < n)
    to[i] = values[127 - threadIdx.x];
  WAIT();
}

int main() {
  const int n = 1024;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 23;
  float *in, *up, *down, *to;
  for (float **each : {&in, &up, &down, &to})
    cudaMalloc(each, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  raise<<<n / 128, 128>>>(in, up, n);
  lower<<<n / 128, 128>>>(up, down, n);
  cudaDeviceSynchronize();
  reverse<<<n / 128, 128>>>(down, to, n);
  cudaMemcpy(host, to, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%g\n", sum);
}
