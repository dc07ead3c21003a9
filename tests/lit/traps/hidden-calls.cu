// RUN: %kfuse verify %s
//
// Between the launches a library function calls back code that reads the array
// that both launches write: an object, a function, or an operator.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
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

static const float *watched;

struct Reader {
  const float *array;
  void operator()(int) const { show("between", array); }
};
static void read(int) { show("between", watched); }

struct Key {
  int value;
};
static bool operator<(const Key &left, const Key &right) {
  show("between", watched);
  return left.value < right.value;
}

static void object() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  int values[2] = {10, 20};
  inc<<<8, 128>>>(A, B, n);
  std::for_each(values, values + 2, Reader{B});
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void functionPointer() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  watched = B;
  int values[2] = {10, 20};
  void (*reader)(int) = read;
  inc<<<8, 128>>>(A, B, n);
  std::for_each(values, values + 2, reader);
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void compared() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  watched = B;
  std::vector<Key> keys = {{2}, {1}};
  inc<<<8, 128>>>(A, B, n);
  std::sort(keys.begin(), keys.end());
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {object, functionPointer, compared};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
