// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The index `y * width + x` is the same in both kernels, but x runs beyond the
// width: two threads share an element, so the index alone proves nothing.

// CHECK: remark: 'put' and 'get' not fused: NotInjective: {{.+}} [-Rkfuse-missed]
// OUT: put<<<
// OUT: get<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void put(const float *A, float *B, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 * width && y < height)
    B[y * width + x] = A[y * width + x] + 1;
}

__global__ void get(const float *B, float *C, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 * width && y < height)
    C[y * width + x] = 2 * B[y * width + x];
}

int main() {
  const int n = 1024;
  static float host[1024];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);

  const dim3 block(8, 8), grid(8, 4);
  put<<<grid, block>>>(A, B, 30, 31);
  get<<<grid, block>>>(B, C, 30, 31);

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
