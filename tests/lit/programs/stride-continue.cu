// RUN: %kfuse verify %s
//
// Grid-stride loops with `continue`, with other bounds, and with a nested loop
// that has a `continue` and a `break` of its own.
#include <cstdio>

__global__ void skip(const int *A, int *B, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    if (A[i] % 3 == 0)
      continue;
    int sum = 0;
    for (int k = 0; k < 10; ++k) {
      if (k == i % 4)
        continue;
      if (k > 6)
        break;
      sum += k;
    }
    B[i] = A[i] + sum;
  }
}

__global__ void add(const int *A, int *C, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    C[i] = A[i] + 1;
}

__global__ void join(const int *C, int *D, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    D[i] = C[i] * 2;
}

int main() {
  const int n = 1700;
  static int host[n];
  int *A, *B, *C, *D, sum = 0;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(B, 0, sizeof(host));
  cudaMemset(D, 0, sizeof(host));
  skip<<<4, 64>>>(A, B, n);
  add<<<4, 64>>>(A, C, n);
  join<<<4, 64>>>(C, D, n - 500);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i];
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%d\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
}
