// RUN: not %kfuse verify %s 2>&1 | grep "not verified: what ran leaves equal traces and output"
//
// An unsigned count below zero or a product too large for its type wraps round.
// And an int of -1 equals the largest unsigned, but not once both are long
// long.

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

__global__ void incWide(const float *A, float *B, long long m) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m && i < 1000)
    B[i] = A[i] + 1;
}

__global__ void incUnsigned(const float *A, float *B, unsigned m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m && i < 1000)
    B[i] = A[i] + 1;
}

__global__ void incFrom(const float *A, float *B, long long m) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m && i < 1000)
    B[i] = A[i] + 1;
}

__global__ void reversed(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[n - 1 - i];
}

static void signedAndUnsigned() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  int small = atoi("-1");
  unsigned large = strtoul("4294967295", nullptr, 10);
  cudaMemcpy(B, start, bytes, cudaMemcpyHostToDevice);
  incWide<<<8, 128>>>(A, B, small);
  incWide<<<8, 128>>>(B, C, large);
  show("C", C);
}

static void difference() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  unsigned three = 3, five = 5, m = three - five;
  incUnsigned<<<8, 128>>>(A, B, m);
  reversed<<<8, 128>>>(B, C, n);
  show("C", C);
}

static void product() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  unsigned side = 65536;
  long long m = side * side;
  incFrom<<<8, 128>>>(A, B, m);
  reversed<<<8, 128>>>(B, C, n);
  show("C", C);
}

static void updated() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  float *D;
  cudaMalloc(&D, 2 * bytes);
  cudaMemset(D, 0, 2 * bytes);
  unsigned zero = 4294967290u;
  zero += 6;
  inc<<<8, 128>>>(A, D, n);
  dbl<<<8, 128>>>(D + 1, B, 999 - zero);
  inc<<<8, 128>>>(D + zero, D + zero, n);
  dbl<<<8, 128>>>(D + 1, A, 999);
  show("A", A);
}

static void quotient() {
  float *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(C, start, bytes, cudaMemcpyHostToDevice);
  unsigned m = 3;
  m -= 5;
  incUnsigned<<<8, 128>>>(A, B, m / 2);
  reversed<<<8, 128>>>(B, C, n);
  show("C", C);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {signedAndUnsigned, difference, product, updated,
                       quotient};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
