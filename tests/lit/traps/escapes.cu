// RUN: %kfuse verify %s
//
// T is read where no launch names it: it is returned or thrown in an object,
// kept in a global one, or shown by the destructor of an object that refers to
// it. So the launches must store it.

#include <array>
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

struct Two {
  float *arrays[2];
};
struct Base {
  float *array;
};
struct Derived : Base {
  int length;
};
struct Guard {
  float *&array;
  ~Guard() {
    show("T", array);
    cudaFree(array);
  }
};

static Two makeTwo() {
  float *A, *B, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, T, n);
  dbl<<<8, 128>>>(T, B, n);
  return Two{{T, B}};
}
static void structOfArrays() { show("T", makeTwo().arrays[0]); }

static std::array<float *, 1> makeArray() {
  float *A, *B, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, T, n);
  dbl<<<8, 128>>>(T, B, n);
  return {T};
}
static void standardArray() { show("T", makeArray()[0]); }

static Derived makeDerived() {
  float *A, *B, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, T, n);
  dbl<<<8, 128>>>(T, B, n);
  return {{T}, n};
}
static void baseOfResult() { show("T", makeDerived().array); }

static Two kept;
static void keep(Two two) { kept = two; }
static void globalStruct() {
  float *A, *B, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  keep(Two{{T, A}});
  inc<<<8, 128>>>(A, T, n);
  dbl<<<8, 128>>>(T, B, n);
  show("T", kept.arrays[0]);
}

static void throwTwo() {
  float *A, *B, *T;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, T, n);
  dbl<<<8, 128>>>(T, B, n);
  throw Two{{T, B}};
}
static void thrown() {
  try {
    throwTwo();
  } catch (const Two &two) {
    show("T", two.arrays[0]);
  }
}

static void guarded() {
  float *A, *B, *T;
  Guard guard{T};
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&T, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, T, n);
  dbl<<<8, 128>>>(T, B, n);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {structOfArrays, standardArray, baseOfResult,
                       globalStruct,   thrown,        guarded};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
