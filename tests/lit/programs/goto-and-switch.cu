// RUN: %kfuse verify %s
//
// Host control flow in all its spellings around related launches.
#include <cstdio>

__global__ void first(const int *A, int *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const int *B, int *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 2;
}

static int work(int mode, int *A, int *B, int *C, int n) {
  int rounds = 0;
again:
  first<<<6, 128>>>(A, B, n);
  if (mode == 3)
    return -1;
  second<<<6, 128>>>(B, C, n);
  if (++rounds < mode)
    goto again;
  switch (mode) {
  case 0:
    first<<<6, 128>>>(C, A, n);
  case 1:
    second<<<6, 128>>>(A, B, n);
    break;
  default:
    first<<<6, 128>>>(B, C, n);
  }
  do {
    first<<<6, 128>>>(A, B, n);
    if (rounds > 100)
      break;
    second<<<6, 128>>>(B, C, n);
    rounds += 60;
  } while (rounds < 200);
  return rounds;
}

int main() {
  const int n = 700;
  int host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  for (int mode = 0; mode < 4; ++mode) {
    cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemset(B, 0, sizeof(host));
    cudaMemset(C, 0, sizeof(host));
    int rounds = work(mode, A, B, C, n);
    int b, c;
    cudaMemcpy(&b, B + 5, sizeof(b), cudaMemcpyDeviceToHost);
    cudaMemcpy(&c, C + 5, sizeof(c), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", rounds, b, c);
  }
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
