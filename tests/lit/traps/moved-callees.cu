// RUN: %kfuse verify %s
//
// Between the launches, a local variable takes the name of what the first
// launch needs: a function in its grid, its kernel, or an array that a swap
// would exchange.

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

__global__ void same(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i];
}

__global__ void spread(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + A[i > 0 ? i - 1 : n - 1];
}

static int blocks(int m) { return (m + 127) / 128; }

static void functionName() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  inc<<<blocks(n), 128>>>(A, B, n);
  int blocks = 4;
  dbl<<<blocks, 128>>>(B, C, 500);
  show("B", B);
}

static void both(const float *A, float *B, float *C, int n) {
  inc<<<8, 128>>>(A, B, n);
  int inc = 500;
  dbl<<<8, 128>>>(B, C, inc);
}

static void kernelName() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  both(A, B, C, n);
  show("B", B);
}

static void arrayName() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  {
    spread<<<8, 128>>>(A, B, n);
    same<<<8, 128>>>(B, A, n);
    float *A = C;
    dbl<<<8, 128>>>(A, A, n);
    spread<<<8, 128>>>(A, B, n);
  }
  cudaMemcpy(host, B, bytes, cudaMemcpyDeviceToHost);
  printf("B %g %g\n", host[1], host[700]);
  cudaMemcpy(host, A, bytes, cudaMemcpyDeviceToHost);
  printf("A %g %g\n", host[1], host[700]);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {functionName, kernelName, arrayName};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
