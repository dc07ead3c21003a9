// RUN: %kfuse %s -Rkfuse -o %t.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// The program's own functions keep the pointers that they are given, each in
// its way. What is read by another name is stored.

// CHECK-NOT: never stored
// CHECK: 22 launches -> 11
// CHECK-NOT: never stored
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr int n = 1000, blocks = (n + 127) / 128;

__global__ void first(const float *a, float *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    t[i] = a[i] + 1;
}
__global__ void second(const float *t, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * t[i];
}

const float *kept;
std::vector<const float *> everything;

void show(const float *array) {
  static float host[n];
  cudaMemcpy(host, array, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[7]);
}
void showKept() { show(kept); }

void inGlobal(const float *array) { kept = array; }
void inLoop(const float *array, int times) {
  while (times-- > 0) {
    kept = array - 1;
    ++array;
  }
}
void inCallee(const float *array) { inGlobal(array); }
void inList(const float *array) {
  everything.push_back(array);
  kept = everything.back();
}
void inVariable(const float *array) {
  const float *copy = array;
  for (int i = 0; i < 2; ++i) {
    kept = copy;
    copy = array;
  }
}
void behindLabel(const float *array) {
  int times = 0;
again:
  kept = array;
  if (++times < 2)
    goto again;
}
void byAddress(const float *array) {
  const float **there = &array;
  kept = *there;
}
void byAddressAndWait(const float *array) {
  const float **there = &array;
  cudaDeviceSynchronize();
  kept = *there;
}
void byNumber(const float *array) {
  unsigned long number = (unsigned long)array;
  kept = (const float *)number;
}
const float *returned(const float *array, int by) { return array + by; }
void exchanged(const float *array) { std::swap(kept, array); }

float *filled() {
  float *array;
  cudaMalloc(&array, n * sizeof(float));
  cudaMemset(array, 0, n * sizeof(float));
  return array;
}

void keptGlobal(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  inGlobal(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptLoop(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  inLoop(t + 1, 1);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptCallee(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  inCallee(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptList(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  inList(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptVariable(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  inVariable(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptLabel(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  behindLabel(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptAddress(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  byAddress(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptAddressAndWait(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  byAddressAndWait(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptNumber(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  byNumber(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptResult(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  kept = returned(t, 0);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}
void keptExchange(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  exchanged(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  showKept();
  cudaFree(t);
}

int main() {
  float *a = filled(), *b = filled();
  keptGlobal(a, b, n);
  show(b);
  keptLoop(b, a, n);
  show(a);
  keptCallee(a, b, n);
  show(b);
  keptList(b, a, n);
  show(a);
  keptVariable(a, b, n);
  show(b);
  keptLabel(b, a, n);
  show(a);
  keptAddress(a, b, n);
  show(b);
  keptAddressAndWait(a, b, n);
  show(b);
  keptNumber(b, a, n);
  show(a);
  keptResult(a, b, n);
  show(b);
  keptExchange(b, a, n);
  show(a);
}
