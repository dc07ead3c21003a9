// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
//
// Calls that launch and give an object, or are a part of a statement, stay
// calls. It is told why the launches in them stay apart.
//
// CHECK: 'relu' not fused: DifferentRegion: calls of 'applied' beside other launches stay calls: it returns an object or a reference
// CHECK: 'count' not fused: DifferentRegion: calls of 'counted' beside other launches stay calls: a call of it isn't a statement of its own
#include <cstdio>
#include <cuda_runtime.h>

struct Array {
  int *p;
  int n;
};

__global__ void relu(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] > 0 ? x[i] : 0;
}
__global__ void count(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + i;
}

Array applied(const Array &x, int *y) {
  relu<<<(x.n + 127) / 128, 128>>>(x.p, y, x.n);
  return {y, x.n};
}
int counted(const int *x, int *y, int n) {
  count<<<(n + 127) / 128, 128>>>(x, y, n);
  return n;
}

int main() {
  const int n = 1000;
  int h[n], *a, *b, *c;
  for (int i = 0; i < n; ++i)
    h[i] = i % 9 - 4;
  cudaMalloc(&a, sizeof(h));
  cudaMalloc(&b, sizeof(h));
  cudaMalloc(&c, sizeof(h));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  Array x = {a, n};
  Array y = applied(x, b);
  Array z = applied(y, c);
  printf("%d\n", z.n);
  printf("%d\n", counted(b, a, n));
  printf("%d\n", counted(a, b, n));
}
