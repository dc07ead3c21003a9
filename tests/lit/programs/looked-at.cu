// RUN: %kfuse %s -Rkfuse -o %t.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// The program's own functions are given pointers and keep none: what they
// compare, print and pass on has no other name afterwards, and isn't stored.

// CHECK-COUNT-4: t in registers, never stored
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>

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


struct Statistics {
  int arrays = 0;
} statistics;

bool isThere(const float *array) { return array != nullptr; }
void count(Statistics &statistics, const float *array) {
  if (isThere(array))
    ++statistics.arrays;
}
int place(float *array, int at) {
  float *end = array + at;
  while (end != array && at > 2)
    at -= 2;
  return at;
}
void *allocated(float *array) {
  if (!array)
    exit(1);
  return nullptr;
}
void shown(int times, const float *array) {
  for (int i = 0; i < times; ++i)
    printf("%d", array == nullptr);
}

float *filled() {
  float *array;
  cudaMalloc(&array, n * sizeof(float));
  cudaMemset(array, 0, n * sizeof(float));
  return array;
}
void show(const float *array) {
  static float host[n];
  cudaMemcpy(host, array, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[7]);
}

void lookedCompared(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  count(statistics, t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  cudaFree(t);
}
void lookedMoved(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  statistics.arrays += place(t, 4);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  cudaFree(t);
}
void lookedTested(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  allocated(t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  cudaFree(t);
}
void lookedPrinted(const float *a, float *b, int n) {
  float *t;
  cudaMalloc(&t, n * sizeof(float));
  shown(2, t);
  first<<<blocks, 128>>>(a, t, n);
  second<<<blocks, 128>>>(t, b, n);
  cudaFree(t);
}

int main() {
  float *a = filled(), *b = filled();
  lookedCompared(a, b, n);
  show(b);
  lookedMoved(b, a, n);
  show(a);
  lookedTested(a, b, n);
  show(b);
  lookedPrinted(b, a, n);
  show(a);
  printf("%d\n", statistics.arrays);
}
