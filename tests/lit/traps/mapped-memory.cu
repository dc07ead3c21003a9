// RUN: %kfuse verify %s
//
// The launches work on memory of the host, by the address that it has on the
// device. Between them the host reads or writes it under its own name.

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

static void mappedRead() {
  static float mapped[n];
  float *A, *M;
  cudaMalloc(&A, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaHostRegister(mapped, bytes, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&M, mapped, 0);
  inc<<<8, 128>>>(A, M, n);
  cudaMemcpy(host, A, sizeof(float), cudaMemcpyDeviceToHost);
  printf("mapped %g\n", mapped[3]);
  dbl<<<8, 128>>>(M, M, n);
  cudaDeviceSynchronize();
  printf("mapped %g\n", mapped[3]);
  cudaHostUnregister(mapped);
}

static void mappedWrite() {
  static float mapped[n];
  float *M, *B, *C;
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaHostRegister(mapped, bytes, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&M, mapped, 0);
  mapped[1] = 5;
  inc<<<8, 128>>>(M, B, n);
  cudaDeviceSynchronize();
  mapped[1] = 99;
  dbl<<<8, 128>>>(B, C, n);
  show("C", C);
  cudaHostUnregister(mapped);
}

static void mappedAllocation() {
  float *mapped = (float *)calloc(n, sizeof(float)), *M, *B, *C;
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaHostRegister(mapped, bytes, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&M, mapped, 0);
  mapped[1] = 5;
  inc<<<8, 128>>>(M, B, n);
  cudaDeviceSynchronize();
  mapped[1] = 99;
  dbl<<<8, 128>>>(B, C, n);
  show("C", C);
  cudaHostUnregister(mapped);
  free(mapped);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {mappedRead, mappedWrite, mappedAllocation};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
