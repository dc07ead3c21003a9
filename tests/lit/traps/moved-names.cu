// RUN: %kfuse verify %s
//
// A name means something else at the second launch than at the first. A launch
// that moves over a declaration must not take its arguments' names along.

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

static const int rows = n;
namespace half {
static const int rows = 500;
}
namespace whole {
static const int rows = n;
}
enum { columns = n };

static void variable() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  int m = n;
  {
    inc<<<8, 128>>>(A, B, m);
    int m = 500;
    dbl<<<8, 128>>>(B, C, m);
  }
  show("B", B);
}

static void usingName() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, B, rows);
  using half::rows;
  dbl<<<8, 128>>>(B, C, rows);
  show("B", B);
}

static void enumerator() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, B, columns);
  enum { columns = 500 };
  dbl<<<8, 128>>>(B, C, columns);
  show("B", B);
}

static void typeName() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  using T = float;
  {
    inc<<<8, 128>>>(A, B, 4000 / sizeof(T));
    using T = double;
    dbl<<<8, 128>>>(B, C, 4000 / sizeof(T));
  }
  show("B", B);
}

static void namespaceName() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, B, whole::rows);
  namespace whole = half;
  dbl<<<8, 128>>>(B, C, whole::rows);
  show("B", B);
}

static void macroName() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
#define COUNT 1000
  inc<<<8, 128>>>(A, B, COUNT);
#undef COUNT
#define COUNT 500
  dbl<<<8, 128>>>(B, C, COUNT);
  show("B", B);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {variable, usingName,     enumerator,
                       typeName, namespaceName, macroName};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
