// RUN: not %kfuse verify %s 2>&1 | grep "not verified: what ran leaves equal traces and output"
//
// An argument is an object that becomes a number only in the launch, and it
// changes before the next one. A copy of the object isn't a copy of the number:
// it refers to the same bit, can't be made, or isn't equal.

#include <atomic>
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

__global__ void add(const float *A, float *B, int n, bool ten) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + (ten ? 10 : 1);
}

struct Count {
  int value;
  operator int() { return value; }
};

struct Single {
  int value;
  explicit Single(int value) : value(value) {}
  Single(const Single &) = delete;
  operator int() const { return value; }
};

struct Talking {
  int value, copies = 0;
  explicit Talking(int value) : value(value) {}
  Talking(const Talking &other) : value(other.value) { printf("copied\n"); }
  operator int() const { return value; }
};

static void bitOfVector() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  std::vector<bool> bits(2, true);
  add<<<8, 128>>>(A, B, n, bits[0]);
  bits[0] = false;
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void atomicCount() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  std::atomic<int> m{n};
  inc<<<8, 128>>>(A, B, m);
  m = 500;
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void converted() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  Count m{n};
  inc<<<8, 128>>>(A, B, m);
  m.value = 500;
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

static void notCopied() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  Single m(n);
  inc<<<8, 128>>>(A, B, m);
  m.value = 500;
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

static void talking() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  Talking m(n);
  inc<<<8, 128>>>(A, B, m);
  m.value = 500;
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {bitOfVector, atomicCount, converted, notCopied, talking};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
