// RUN: %kfuse verify %s
//
// What is stored, swapped or printed around a check for errors that finds none.
// An array is read after the loop that the check ended, or in the check itself.

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

__global__ void add(float *__restrict__ A, const float *__restrict__ B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] += B[i];
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

static void managedPrint() {
  float *A, *M;
  cudaMalloc(&A, bytes);
  cudaMallocManaged(&M, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, M, n);
  show("A", A);
  if (cudaGetLastError() == cudaSuccess)
    printf("M %g\n", M[3]);
  dbl<<<8, 128>>>(A, M, n);
  cudaDeviceSynchronize();
  printf("M %g\n", M[3]);
}

static void swappedArrays() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  for (int it = 0; it < 3; ++it) {
    spread<<<8, 128>>>(A, B, n);
    same<<<8, 128>>>(B, A, n);
    if (cudaGetLastError() == cudaSuccess && it == 1)
      break;
    spread<<<8, 128>>>(A, B, n);
  }
  cudaMemcpy(host, B, bytes, cudaMemcpyDeviceToHost);
  printf("B %g %g\n", host[1], host[700]);
}

static void newIntoOther() {
  const int m = atoi("1000"), blocks = (m + 127) / 128;
  float *A, *B;
  cudaMalloc(&A, m * sizeof(float));
  cudaMalloc(&B, m * sizeof(float));
  cudaMemcpy(A, start, m * sizeof(float), cudaMemcpyHostToDevice);
  for (int it = 0; it < 3; ++it) {
    spread<<<blocks, 128>>>(A, B, m);
    add<<<blocks, 128>>>(A, B, m);
    if (cudaPeekAtLastError() == cudaSuccess && it == 1)
      break;
    spread<<<blocks, 128>>>(A, B, m);
    add<<<blocks, 128>>>(A, B, m);
    cudaMemset(B, 0, m * sizeof(float));
  }
  cudaMemcpy(host, B, m * sizeof(float), cudaMemcpyDeviceToHost);
  printf("B %g %g\n", host[1], host[700]);
  cudaMemcpy(host, A, m * sizeof(float), cudaMemcpyDeviceToHost);
  printf("A %g %g\n", host[1], host[700]);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {managedPrint, swappedArrays, newIntoOther};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
