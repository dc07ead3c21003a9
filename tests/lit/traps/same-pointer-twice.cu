// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// One pointer is passed for two parameters: `blur` reads neighbours of the
// array that `add` writes through another name.

// CHECK: remark: fused 'add', 'blur'
// OUT: x_tile[0] + x_tile[1]
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(const float *x, const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = x[i] + y[i];
}

__global__ void blur(const float *x, const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    z[i] = x[i] + y[i + 1];
}

int main() {
  const int n = 1000;
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);

  add<<<(n + 127) / 128, 128>>>(A, A, B, n);
  blur<<<(n + 127) / 128, 128>>>(B, B, C, n);

  double sum = 0;
  cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
