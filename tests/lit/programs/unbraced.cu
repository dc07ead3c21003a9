// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu && %code %t.cu | FileCheck %s
//
// Launches that are the only statement of a loop or a branch.
#include <cstdio>

__global__ void add(float *A, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] += value;
}

__global__ void multiply(float *A, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] *= value;
}

int main(int argc, char **) {
  const int n = 700;
  float host[n], *A;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  // CHECK: for (int step = 0; step < 3; ++step)
  // CHECK-NEXT: add<<<6, 128>>>(A, 1, n);
  for (int step = 0; step < 3; ++step)
    add<<<6, 128>>>(A, 1, n);
  // CHECK: if (argc > 1)
  // CHECK-NEXT: multiply<<<6, 128>>>(A, 2, n);
  // CHECK-NEXT: else
  // CHECK-NEXT: add<<<6, 128>>>(A, 5, n);
  if (argc > 1)
    multiply<<<6, 128>>>(A, 2, n);
  else
    add<<<6, 128>>>(A, 5, n);
  cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[699]);
  cudaFree(A);
}
