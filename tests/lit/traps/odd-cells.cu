// RUN: %kfuse %s -o %t.cu
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// `x % 2` of a plane and `i % 2` of a line: the same text of the same sums, in
// blocks of the same width, but another condition in every other row. What the
// plane didn't write, the line must take from memory.

// OUT: B_written ? B_value : B[i]
#include <cstdio>
#include <cuda_runtime.h>

__global__ void plane(const float *A, float *B, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny && x % 2 == 1)
    B[y * nx + x] = A[y * nx + x] + 0.5f;
}

__global__ void line(const float *B, float *C, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 2 == 1)
    C[i] = B[i] * 3;
}

int main() {
  const int nx = 41, ny = 30, n = nx * ny;
  static float host[nx * ny];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);

  plane<<<dim3((nx + 31) / 32, (ny + 3) / 4), dim3(32, 4)>>>(A, B, nx, ny);
  line<<<(n + 31) / 32, 32>>>(B, C, n);

  double sum = 0;
  for (float *array : {A, B, C}) {
    cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 7);
  }
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
