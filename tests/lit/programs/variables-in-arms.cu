// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
//
// Branches that ask a member of a structure, and declare variables before they
// launch: each way through them is written out and fused. Not so if what the
// branch asks may change between.
//
// CHECK: = 'scale', 'bias', 'relu'; under
// CHECK-NEXT: = 'scale', 'relu'
// CHECK-NOT: = 'scale'
// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

struct Options {
  int n;
  bool bias;
  int rounds;
};

__global__ void scale(const int *x, int *y, int s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * s;
}
__global__ void bias(int *y, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += b[i & 63];
}
__global__ void relu(int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] > 0 ? y[i] : 0;
}

static Options parsed(int argc) {
  Options o = {2000, true, 3};
  if (argc > 1)
    o.bias = false;
  return o;
}
static void change(Options &o) { o.bias = !o.bias; }

int main(int argc, char **) {
  Options o = parsed(argc), changing = parsed(argc);
  static int h[2000];
  for (int i = 0; i < 2000; ++i)
    h[i] = i - 1000;
  int *x, *y, *b;
  cudaMalloc(&x, o.n * sizeof(int));
  cudaMalloc(&y, o.n * sizeof(int));
  cudaMalloc(&b, 64 * sizeof(int));
  cudaMemcpy(x, h, o.n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, 64 * sizeof(int), cudaMemcpyHostToDevice);
  const int grid = (o.n + 255) / 256;
  for (int round = 0; round < o.rounds; ++round) {
    scale<<<grid, 256>>>(x, y, 3, o.n);
    if (o.bias) {
      int blocks = (o.n + 255) / 256;
      bias<<<blocks, 256>>>(y, b, o.n);
    }
    relu<<<grid, 256>>>(y, o.n);
    int *t = x;
    x = y;
    y = t;
  }
  cudaMemcpy(h, x, o.n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);

  scale<<<grid, 256>>>(x, y, 5, o.n);
  change(changing);
  if (changing.bias) {
    int blocks = (o.n + 255) / 256;
    bias<<<blocks, 256>>>(y, b, o.n);
  }
  cudaMemcpy(h, y, o.n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
}
