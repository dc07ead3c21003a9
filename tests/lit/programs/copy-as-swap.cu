// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
// RUN: %kfuse verify %s -- 5
// RUN: %kfuse %s -o %t.cu --save-plan=%t.json
// RUN: FileCheck %s --check-prefix=PLAN < %t.json
// RUN: %kfuse %s -o - --plan=%t.json --quiet | FileCheck %s --check-prefix=OUT
//
// Kernels that copy a whole array back at the end of a step, whose source the
// next step overwrites: the host swaps pointers instead. The result is read
// under the name that the original has it.

// CHECK: remark: 'copyBack' becomes a swap of A with B of the pointers on the host [-Rkfuse]
// CHECK: remark: 'shift' becomes a swap of first with second and second with third of the pointers on the host [-Rkfuse]
// CHECK: remark: 'keepBoth' becomes a swap of P with Q of the pointers on the host [-Rkfuse]
// PLAN: "schedule": "swap"
// OUT: template <typename T> static inline void kfuseSwap(T *&first, T *&second)
// OUT: {{^ *}}jacobi<<<(n + 127) / 128, 128>>>(A, B, n);
// OUT-NEXT: {{^ *}}kfuseSwap(A, B);
// OUT: {{^ *}}leap<<<
// OUT-NEXT: {{^ *}}kfuseSwap(first, second);
// OUT-NEXT: {{^ *}}kfuseSwap(second, third);
// OUT: {{^ *}}kfuseSwap(P, Q);
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void jacobi(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i > 0 && i < n - 1)
    B[i] = 0.5f * (A[i - 1] + A[i + 1]);
  else
    B[i] = A[i];
}

__global__ void copyBack(float *A, const float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] = B[i];
}

// Two dimensions, and a rotation of three time levels.
__global__ void leap(const int *first, const int *second, int *third, int nx,
                     int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny) {
    int left = x > 0 ? second[y * nx + x - 1] : 0;
    third[y * nx + x] = left + second[y * nx + x] - first[y * nx + x];
  }
}

__global__ void shift(int *first, int *second, const int *third, int nx,
                      int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  const int at = y * nx + x;
  first[at] = second[at];
  second[at] = third[at];
}

// Both contents live on.
__global__ void keepBoth(double *P, double *Q, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    double kept = P[i];
    P[i] = Q[i];
    Q[i] = kept;
  }
}

int main(int argc, char **argv) {
  cudaSetDevice(0);
  const int steps = argc > 1 ? atoi(argv[1]) : 4;
  const int n = 1000, nx = 40, ny = 25;
  static float floats[n];
  static int ints[n], more[n];
  static double doubles[n];
  for (int i = 0; i < n; ++i) {
    floats[i] = (float)(i % 37);
    ints[i] = i % 11;
    doubles[i] = i;
  }
  float *A, *B;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&B, n * sizeof(float));
  cudaMemcpy(A, floats, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int step = 0; step < steps; ++step) {
    jacobi<<<(n + 127) / 128, 128>>>(A, B, n);
    copyBack<<<(n + 127) / 128, 128>>>(A, B, n);
  }
  cudaMemcpy(floats, A, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(A);
  cudaFree(B);

  int *first, *second, *third;
  cudaMalloc((void **)&first, sizeof(int) * nx * ny);
  cudaMalloc((void **)&second, sizeof(int) * nx * ny);
  cudaMalloc((void **)&third, sizeof(int) * nx * ny);
  cudaMemcpy(first, ints, nx * ny * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(second, 0, nx * ny * sizeof(int));
  dim3 block(16, 8), grid((nx + 15) / 16, (ny + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    leap<<<grid, block>>>(first, second, third, nx, ny);
    shift<<<grid, block>>>(first, second, third, nx, ny);
  }
  cudaMemcpy(ints, first, nx * ny * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(more, second, nx * ny * sizeof(int), cudaMemcpyDeviceToHost);

  double *P, *Q;
  cudaMalloc(&P, sizeof(doubles));
  cudaMalloc(&Q, sizeof(doubles));
  cudaMemcpy(P, doubles, sizeof(doubles), cudaMemcpyHostToDevice);
  cudaMemset(Q, 0, sizeof(doubles));
  for (int step = 0; step < steps; ++step) {
    keepBoth<<<2, 64>>>(P, Q, n);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += floats[i] * (i % 7) + ints[i] * (i % 5) + more[i] * (i % 3);
  cudaMemcpy(doubles, P, sizeof(doubles), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += doubles[i];
  cudaMemcpy(doubles, Q, sizeof(doubles), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum -= doubles[i] * (i % 3);
  printf("%.3f\n", sum);
  cudaFree(P);
  // The arrays of integers and Q are still alive at the end.
}
