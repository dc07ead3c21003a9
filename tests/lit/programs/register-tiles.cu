// Each thread has 4 x 4 elements, a block's width apart, as the kernels around a matrix product do. Its row ends where a guard
// of the sum says, which tells the threads of two rows apart.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --orders=2 %s -- 70 50
// CHECK: 4 launches -> 3
// CHECK-NEXT: kfuse_scale_shift = 'scale', 'shift'
// CHECK: left: 2 NeverHolds
// OUT: static __global__ void kfuse_scale_shift(
// OUT: {{^ *}}scale_stage(
// OUT-NEXT: {{^ *}}shift_stage(
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define TILE 16

__global__ void scale(const float *A, float *B, int rows, int columns) {
  int row = blockIdx.y * TILE * 4 + threadIdx.y;
  int column = blockIdx.x * TILE * 4 + threadIdx.x;
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n)
      if (row + m * TILE < rows && column + n * TILE < columns) {
        int i = (row + m * TILE) * columns + column + n * TILE;
        B[i] = A[i] * 1.5f;
      }
}

__global__ void shift(const float *B, float *C, int rows, int columns) {
  int row = blockIdx.y * TILE * 4 + threadIdx.y;
  int column = blockIdx.x * TILE * 4 + threadIdx.x;
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n)
      if (row + m * TILE < rows && column + n * TILE < columns) {
        int i = (row + m * TILE) * columns + column + n * TILE;
        C[i] = B[i] + 0.25f;
      }
}

// The last column of a row is the first one of the next, which another thread
// has.
__global__ void past(const float *C, float *D, int rows, int columns) {
  int row = blockIdx.y * TILE * 4 + threadIdx.y;
  int column = blockIdx.x * TILE * 4 + threadIdx.x;
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n)
      if (row + m * TILE < rows - 1 && column + n * TILE <= columns) {
        int i = (row + m * TILE) * columns + column + n * TILE;
        D[i] = C[i] * 0.5f;
      }
}

__global__ void after(const float *D, float *E, int rows, int columns) {
  int row = blockIdx.y * TILE * 4 + threadIdx.y;
  int column = blockIdx.x * TILE * 4 + threadIdx.x;
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n)
      if (row + m * TILE < rows - 1 && column + n * TILE <= columns) {
        int i = (row + m * TILE) * columns + column + n * TILE;
        E[i] = D[i] + 1.0f;
      }
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? atoi(argv[1]) : 70;
  const int columns = argc > 2 ? atoi(argv[2]) : 50;
  const size_t bytes = rows * columns * sizeof(float);
  std::vector<float> h(rows * columns);
  for (int i = 0; i < rows * columns; ++i)
    h[i] = i % 37 / 8.0f;
  float *A, *B, *C, *D, *E;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMalloc(&D, bytes);
  cudaMalloc(&E, bytes);
  cudaMemset(D, 0, bytes);
  cudaMemset(E, 0, bytes);
  cudaMemcpy(A, h.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + 4 * TILE - 1) / (4 * TILE),
                  (rows + 4 * TILE - 1) / (4 * TILE));
  scale<<<grid, block>>>(A, B, rows, columns);
  shift<<<grid, block>>>(B, C, rows, columns);
  past<<<grid, block>>>(C, D, rows, columns);
  after<<<grid, block>>>(D, E, rows, columns);
  cudaMemcpy(h.data(), E, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : h)
    sum += value;
  printf("%a\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
  cudaFree(E);
  return 0;
}
