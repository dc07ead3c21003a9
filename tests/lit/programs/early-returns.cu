// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet && %code %t.cu | FileCheck %s --check-prefix=TEXT
// CHECK: 6 launches -> 3
// CHECK: verified: original and fused
//
// What returns early after it has stored something is the arm of a branch, so
// that each way through the kernel stores one value.
//
// TEXT:      void kfuse_tone_shift(
// TEXT:        if (i >= n)
// TEXT-NEXT:     return;
// TEXT-NEXT:   float b = {};
// TEXT:        if (in[i] <= 0) {
// TEXT-NEXT:     out[i] = b = 0;
// TEXT-NEXT:   } else {
// TEXT-NEXT:     // Too bright.
// TEXT-NEXT:     if (in[i] > 4) {
// TEXT-NEXT:       out[i] = b = 4;
// TEXT-NEXT:     } else {
// TEXT-NEXT:       float level = in[i] / 2;
// TEXT-NEXT:       out[i] = b = level;
// TEXT-NEXT:     }
// TEXT-NEXT:   }
// TEXT:        c[i] = __fadd_rn(b, 1);

#include <cstdio>
#include <cuda_runtime.h>

__global__ void tone(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] <= 0) { out[i] = 0; return; }
  // Too bright.
  if (in[i] > 4) {
    out[i] = 4;
    return;
  }
  float level = in[i] / 2;
  out[i] = level;
}

__global__ void shift(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}

// Threads that return don't wait, and a comment behind the return stays.
__global__ void turned(const float *in, float *out, int n) {
  __shared__ float part[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 7) {
    if (i < n)
      out[i] = in[i];
    return;
  }
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n)
    out[i] = part[127 - threadIdx.x];
}
__global__ void noted(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] > 2) {
    out[i] = 2;
    return; // that's all
  }
  out[i] = in[i];
}

int main() {
  const int n = 1000;
  static float host[n];
  float *a, *b, *c;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i % 13 - 6;
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  const auto show = [&](const float *from) {
    cudaMemcpy(host, from, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[0], host[8], host[n - 1]);
  };
  tone<<<8, 128>>>(a, b, n);
  shift<<<8, 128>>>(b, c, n);
  show(c);
  turned<<<8, 128>>>(a, b, n);
  shift<<<8, 128>>>(b, c, n);
  show(c);
  noted<<<8, 128>>>(a, b, n);
  shift<<<8, 128>>>(b, c, n);
  show(c);
}
