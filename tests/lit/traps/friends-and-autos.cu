// RUN: %kfuse verify %s --std=c++20 2>&1 | FileCheck %s
// CHECK: 4 launches -> 4
// RUN: %kfuse %s --std=c++20 -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: it is a friend of a class
// WHY: `auto` makes it a template
//
// Copies of a class's friends aren't its friends, and those of kernels that
// `auto` makes templates would need its arguments' types.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 96;

class Box {
  int factor;

public:
  explicit Box(int factor) : factor(factor) {}
  friend __global__ void inside(int *a, Box box, int n);
};

__global__ void inside(int *a, Box box, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = box.factor * i;
}

__global__ void twice(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= 2;
}

__global__ void next(auto *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += 1;
}

int main() {
  int *a, host[n];
  cudaMalloc(&a, sizeof(host));
  inside<<<3, 32>>>(a, Box(3), n);
  twice<<<3, 32>>>(a, n);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[7]);
  twice<<<3, 32>>>(a, n);
  next<<<3, 32>>>(a, n);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[7]);
  cudaFree(a);
}
