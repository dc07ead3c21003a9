// RUN: %kfuse verify %s
//
// No call is written between the launches, but one happens: a destructor or a
// constructor that reads the array that both launches write.

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

struct Reader {
  const float *array;
  ~Reader() { show("between", array); }
};

static const float *watched;
static int watch() {
  show("between", watched);
  return 1;
}
static void cleanUp(int *) { watch(); }

struct Base {
  Base() { watch(); }
};
struct Derived : Base {};
struct Member {
  int value = watch();
};

static void temporary() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, B, n);
  Reader{B};
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void endOfBlock() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  inc<<<8, 128>>>(A, B, n);
  { Reader reader{B}; }
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void deleted() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  Reader *reader = new Reader{B};
  inc<<<8, 128>>>(A, B, n);
  delete reader;
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void cleanedUp() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  watched = B;
  inc<<<8, 128>>>(A, B, n);
  { __attribute__((cleanup(cleanUp))) int unused = 0; }
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void baseConstructor() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  watched = B;
  inc<<<8, 128>>>(A, B, n);
  Derived derived;
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void defaultMember() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  watched = B;
  inc<<<8, 128>>>(A, B, n);
  Member member;
  dbl<<<8, 128>>>(B, B, n);
  show("B", B);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {temporary, endOfBlock,      deleted,
                       cleanedUp, baseConstructor, defaultMember};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
