// Kernels can't assign to constant variables. So no pointer leads to one, wherever it comes from, unless the program asks for the
// variable's address.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify --orders=2 %s 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed -- -DASK 2>&1 | FileCheck %s --check-prefix=ASKED
// CHECK: 2 launches -> 1
// CHECK-NEXT: kfuse_weigh_shift = 'weigh', 'shift'; under 2 conditions tested at run time
// VERIFIED: verified
// ASKED: not fused: MayAlias: weights of 'weigh' and make(n).data of 'shift' may be the same storage
#include <cstdio>
#include <cuda_runtime.h>

__constant__ int weights[4];

struct Image {
  int *data;
  int n;
};

__global__ void weigh(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * weights[1];
}

__global__ void shift(const int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + weights[2];
}

Image make(int n) {
  Image image;
  image.n = n;
#ifdef ASK
  if (n == 1) {
    cudaGetSymbolAddress((void **)&image.data, weights);
    return image;
  }
#endif
  cudaMalloc((void **)&image.data, n * sizeof(int));
  return image;
}

int main() {
  const int n = 1000;
  int values[n], given[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i)
    values[i] = i;
  cudaMemcpyToSymbol(weights, given, sizeof given);
  Image a = make(n), b = make(n), c = make(n);
  cudaMemcpy(a.data, values, n * sizeof(int), cudaMemcpyHostToDevice);
  weigh<<<4, 256>>>(a.data, b.data, n);
  shift<<<4, 256>>>(b.data, c.data, n);
  cudaMemcpy(values, c.data, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", values[7]);
}
