// RUN: %kfuse verify %s
//
// Only the condition of a loop or of a branch reads T, so T must be stored in
// every pass. The counts are there to end the loops in any case.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static const int n = 1000;
static const size_t bytes = n * sizeof(float);
static float start[n], host[n];

__global__ void inc(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void dbl(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

static void show(const char *name, const float *array) {
  cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
  printf("%s %g %g\n", name, host[1], host[700]);
}

static float first(const float *array) {
  float value;
  cudaMemcpy(&value, array, sizeof(float), cudaMemcpyDeviceToHost);
  return value;
}

static void whileLoop() {
  float *A, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemset(T, 0, bytes);
  int passes = 0;
  while (first(T) < 10 && passes < 5) {
    inc<<<8, 128>>>(A, T, n);
    dbl<<<8, 128>>>(T, A, n);
    ++passes;
  }
  show("A", A);
  cudaFree(T);
}

static void doLoop() {
  float *A, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemset(T, 0, bytes);
  int passes = 0;
  do {
    inc<<<8, 128>>>(A, T, n);
    dbl<<<8, 128>>>(T, A, n);
    ++passes;
  } while (first(T) < 10 && passes < 5);
  show("A", A);
  cudaFree(T);
}

static void forLoop() {
  float *A, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemset(T, 0, bytes);
  int passes = 0;
  for (float sum = 0; sum < 10 && passes < 5; sum += first(T)) {
    inc<<<8, 128>>>(A, T, n);
    dbl<<<8, 128>>>(T, A, n);
    ++passes;
  }
  show("A", A);
  cudaFree(T);
}

static void branch() {
  float *A, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemset(T, 0, bytes);
  for (int pass = 0; pass < 5; ++pass)
    if (first(T) < 10) {
      inc<<<8, 128>>>(A, T, n);
      dbl<<<8, 128>>>(T, A, n);
    }
  show("A", A);
  cudaFree(T);
}

static void cases() {
  float *A, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemset(T, 0, bytes);
  for (int pass = 0; pass < 5; ++pass)
    switch (int(first(T))) {
    case 0:
    case 1: {
      inc<<<8, 128>>>(A, T, n);
      dbl<<<8, 128>>>(T, A, n);
    }
    }
  show("A", A);
  cudaFree(T);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {whileLoop, doLoop, forLoop, branch, cases};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
