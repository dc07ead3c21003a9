// RUN: %kfuse %s -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %kfuse verify %s
// RUN: %kfuse verify %s -- 2
//
// A kernel divides where its guard lets it, by what the program leaves at 0.
// The host, which asks whether the shapes fit before any thread has looked at
// the guard, must not.
#include <cstdio>
#include <cstdlib>

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

// CHECK: >= (((long long)parts) != 0 ? {{.*}} : 0)
__global__ void first(const float *B, float *C, int n, int parts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (parts > 0 && i < n / parts)
    C[i] = B[i] * 2;
}

int main(int argc, char **argv) {
  const int n = 1000, parts = argc > 1 ? atoi(argv[1]) : 0;
  float host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(C, 0, sizeof(host));
  const int blocks = (n + 127) / 128 + parts;
  scale<<<blocks, 128>>>(A, B, n);
  first<<<8 + parts, 64>>>(B, C, n, parts);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[7]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
