// RUN: %kfuse verify %s
//
// A check for errors decides what runs next, although nothing went wrong. A
// launch below the check must not move above it: it would run where the check
// has ended the loop or the function.

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

static void errorOrLast() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  for (int it = 0; it < 3; ++it) {
    inc<<<8, 128>>>(A, B, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || it == 2) {
      printf("stop %d\n", it);
      break;
    }
    dbl<<<8, 128>>>(B, A, n);
  }
  show("A", A);
}

static void successAndLast() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  for (int it = 0; it < 3; ++it) {
    inc<<<8, 128>>>(A, B, n);
    if (cudaGetLastError() == cudaSuccess && it == 2)
      break;
    dbl<<<8, 128>>>(B, A, n);
  }
  show("A", A);
}

static bool step(const float *A, float *B, float *C, int n) {
  inc<<<8, 128>>>(A, B, n);
  if (cudaPeekAtLastError() == cudaSuccess && n == 1000)
    return true;
  dbl<<<8, 128>>>(B, C, n);
  return false;
}

static void successReturns() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  printf("step %d\n", step(A, B, C, n));
  show("C", C);
}

static bool fine(cudaError_t error) { return error == cudaSuccess; }

static void successInHelper() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  for (int it = 0; it < 3; ++it) {
    inc<<<8, 128>>>(A, B, n);
    if (fine(cudaGetLastError()) && it == 2)
      break;
    dbl<<<8, 128>>>(B, A, n);
  }
  show("A", A);
}

static void errorContinues() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  for (int it = 0; it < 3; ++it) {
    inc<<<8, 128>>>(A, B, n);
    cudaError_t error = cudaPeekAtLastError();
    if (error || it == 1)
      continue;
    dbl<<<8, 128>>>(B, A, n);
  }
  show("A", A);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {errorOrLast, successAndLast, successReturns,
                       successInHelper, errorContinues};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
