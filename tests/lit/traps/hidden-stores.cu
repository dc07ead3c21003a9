// RUN: not %kfuse verify %s 2>&1 | grep "not verified: what ran leaves equal traces and output"
//
// Between the launches a library function changes an argument of the second one
// through a pointer or a reference to it.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
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

static void swappedChoice() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  const bool chosen = atoi("1") == 1;
  float *first = A, *second = A, *other = C;
  dbl<<<8, 128>>>(C, C, n);
  inc<<<8, 128>>>(first, B, n);
  std::swap(chosen ? first : second, other);
  dbl<<<8, 128>>>(first, C, n);
  show("B", B);
}

static void copiedFromDevice() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  int m = n, half = 500, *address = &m, *count;
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(count, &half, sizeof(int), cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, B, m);
  cudaMemcpy(address, count, sizeof(int), cudaMemcpyDeviceToHost);
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

static void scanned() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  int m = n, *address = &m;
  inc<<<8, 128>>>(A, B, m);
  sscanf("500", "%d", address);
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

static void resized() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  std::vector<float> values(n), *address = &values;
  inc<<<8, 128>>>(A, B, values.size());
  address->resize(500);
  dbl<<<8, 128>>>(B, B, values.size());
  show("B", B);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {swappedChoice, copiedFromDevice, scanned, resized};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
