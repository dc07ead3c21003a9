// RUN: %kfuse verify %s
//
// Arguments that change what they read, or read what changes between the
// launches: each is evaluated once, where it stood.
#include <cstdio>

__global__ void first(const int *A, int *B, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + value;
}

__global__ void second(const int *B, int *C, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * value;
}

static int calls = 0;
static int next() { return ++calls; }

int main() {
  const int n = 700;
  int host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);

  int count = 1;
  first<<<6, 128>>>(A, B, count++, n);
  second<<<6, 128>>>(B, C, count++, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", count, host[699]);

  int step = 10;
  first<<<6, 128>>>(A, B, step, n);
  step = 20;
  second<<<6, 128>>>(B, C, step, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[699]);

  first<<<6, 128>>>(A, B, next(), n);
  printf("between\n");
  second<<<6, 128>>>(B, C, next(), n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", calls, host[699]);

  int table[2] = {3, 4};
  first<<<6, 128>>>(A, B, table[0], n);
  table[0] = 5;
  second<<<6, 128>>>(B, C, table[0], n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[699]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
