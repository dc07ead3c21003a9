// RUN: %kfuse verify %s
//
// A library function throws between the launches: those below don't run, and
// what was swapped or stored until then is what the program goes on with.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <stdexcept>
#include <vector>

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

static void skipped() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  std::vector<int> values(3);
  try {
    inc<<<8, 128>>>(A, B, n);
    values.at(9) = 3;
    dbl<<<8, 128>>>(B, C, n);
  } catch (const std::out_of_range &) {
    printf("caught\n");
  }
  show("B", B);
}

static void swapped() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  std::vector<int> values(2);
  try {
    for (int it = 0; it < 3; ++it) {
      spread<<<8, 128>>>(A, B, n);
      same<<<8, 128>>>(B, A, n);
      values.at(it) = 1;
      spread<<<8, 128>>>(A, B, n);
    }
  } catch (const std::out_of_range &) {
    printf("caught\n");
  }
  cudaMemcpy(host, B, bytes, cudaMemcpyDeviceToHost);
  printf("B %g %g\n", host[1], host[700]);
}

static void cleared() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  std::vector<int> values(1);
  try {
    for (int it = 0; it < 3; ++it) {
      inc<<<8, 128>>>(A, B, n);
      values.at(it) = 3;
      cudaMemset(B, 0, bytes);
    }
  } catch (const std::out_of_range &) {
    printf("caught\n");
  }
  show("B", B);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {skipped, swapped, cleared};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
