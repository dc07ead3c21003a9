// RUN: not %kfuse verify %s 2>&1 | grep "not verified: what ran leaves equal traces and output"
//
// Between the launches the count of the second one changes, under another name:
// a choice of two variables, a reference, a member or a captured variable.

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

struct Pair {
  int m, other;
};
struct Refers {
  int &m;
};

static void choice() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  const bool chosen = atoi("1") == 1;
  int m = n, other = 7;
  inc<<<8, 128>>>(A, B, m);
  (chosen ? m : other) = 500;
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

static void referenceToChoice() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  const bool chosen = atoi("1") == 1;
  int m = n, other = 7;
  int &changed = chosen ? m : other;
  inc<<<8, 128>>>(A, B, m);
  changed = 500;
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

static void binding() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  Pair pair{n, 3};
  auto &[m, other] = pair;
  inc<<<8, 128>>>(A, B, pair.m);
  m = 500;
  dbl<<<8, 128>>>(B, B, pair.m);
  show("B", B);
}

static void referenceMember() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  int m = n;
  Refers refers{m};
  inc<<<8, 128>>>(A, B, m);
  refers.m = 500;
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

static void pointerToMember() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  Pair pair{n, 3};
  int Pair::*member = &Pair::m;
  inc<<<8, 128>>>(A, B, pair.m);
  pair.*member = 500;
  dbl<<<8, 128>>>(B, B, pair.m);
  show("B", B);
}

static void captured() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  int m = n;
  auto change = [&changed = m](int value) { changed = value; };
  inc<<<8, 128>>>(A, B, m);
  change(500);
  dbl<<<8, 128>>>(B, B, m);
  show("B", B);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {choice,          referenceToChoice, binding,
                       referenceMember, pointerToMember,   captured};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
