// A function that returns what it allocated may keep the pointer as well, or return what somebody else has: then others
// may read what a kernel stores there.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CHECK: 8 launches -> 4
// CHECK-NOT: never stored
// VERIFIED: verified: original and fused leave equal traces
#include <cstdio>
#include <cuda_runtime.h>

static float *latest;
static float *all[8];
static int count;
struct Pool {
  float *last;
};
static Pool pool;

static float *kept(int n) {
  float *storage;
  cudaMalloc(&storage, n * sizeof(float));
  latest = storage;
  return storage;
}

static float *listed(int n) {
  float *storage;
  cudaMalloc(&storage, n * sizeof(float));
  all[count++] = storage;
  return storage;
}

static float *pooled(Pool &of, int n) {
  float *storage;
  cudaMalloc(&storage, n * sizeof(float));
  of.last = storage;
  return storage;
}

static float *reused(int n) {
  static float *storage = nullptr;
  if (!storage)
    cudaMalloc(&storage, n * sizeof(float));
  return storage;
}

__global__ void twice(const float *A, float *B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2.0f;
}

__global__ void most(const float *A, float *B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = fmaxf(A[i], 3.0f);
}

static double sumOf(const float *storage, int n) {
  float host[1000];
  cudaMemcpy(host, storage, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  return sum;
}

int main() {
  const int n = 1000, blocks = (n + 127) / 128;
  float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = i % 11;
  float *A, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  double sum = 0;

  float *first = kept(n);
  twice<<<blocks, 128>>>(A, first, n);
  most<<<blocks, 128>>>(first, C, n);
  sum += sumOf(C, n) + sumOf(latest, n);

  float *second = listed(n);
  twice<<<blocks, 128>>>(A, second, n);
  most<<<blocks, 128>>>(second, C, n);
  sum += sumOf(C, n) + sumOf(all[0], n);

  float *third = pooled(pool, n);
  twice<<<blocks, 128>>>(A, third, n);
  most<<<blocks, 128>>>(third, C, n);
  sum += sumOf(C, n) + sumOf(pool.last, n);

  float *fourth = reused(n);
  twice<<<blocks, 128>>>(A, fourth, n);
  most<<<blocks, 128>>>(fourth, C, n);
  sum += sumOf(C, n) + sumOf(reused(n), n);

  printf("%.3f\n", sum);
}
