// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Row and column of a number, put together in rows that are too short by one,
// with another number's column, or with a guard that bounds another sum.

// CHECK-DAG: remark: 'put' and 'get' not fused: NotInjective
// CHECK-DAG: remark: 'mix' and 'take' not fused: NotInjective
// CHECK-DAG: remark: 'low' and 'high' not fused: CrossThreadFlow
// OUT: put<<<
// OUT: get<<<
// OUT: mix<<<
// OUT: take<<<
// OUT: low<<<
// OUT: high<<<
#include <cstdio>
#include <cuda_runtime.h>

constexpr int Width = 60, Count = 3000;

__global__ void put(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Count && i % Width != 17)
    b[i / Width * (Width - 1) + i % Width] = a[i];
}

__global__ void get(const int *b, int *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Count)
    c[i] = b[i / Width * (Width - 1) + i % Width];
}

__global__ void mix(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Count && a[i] == 3)
    b[i / Width * Width + (i + 1) % (Width / 2)] = a[i];
}

__global__ void take(const int *b, int *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Count)
    c[i] = b[i / Width * Width + (i + 1) % (Width / 2)];
}

__global__ void low(const int *a, int *b, int n) {
  for (int k = 0; k < 4; ++k)
    if (int j = threadIdx.x + k * blockDim.x; j <= n)
      b[j] = a[j];
}

__global__ void high(const int *b, int *c, int n) {
  for (int k = 0; k < 4; ++k)
    if (int j = threadIdx.x + k * blockDim.x; j < n)
      c[j] = b[2 * n - 1 - j];
}

int sumOf(const int *array) {
  static int host[Count];
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < Count; ++i)
    sum += host[i] * (i % 7);
  return sum;
}

int main(int argc, char **) {
  static int host[Count];
  for (int i = 0; i < Count; ++i)
    host[i] = i % 37;
  int *a, *b, *c;
  for (int **array : {&a, &b, &c}) {
    cudaMalloc(array, sizeof(host));
    cudaMemcpy(*array, host, sizeof(host), cudaMemcpyHostToDevice);
  }
  cudaMemset(b, 0, sizeof(host));
  put<<<24, 128>>>(a, b);
  get<<<24, 128>>>(b, c);
  printf("%d\n", sumOf(b) > 0);
  mix<<<24, 128>>>(a, b);
  take<<<24, 128>>>(b, c);
  printf("%d\n", sumOf(a));
  const int n = 399 + argc;
  low<<<1, 128>>>(a, b, n);
  high<<<1, 128>>>(b, c, n);
  printf("%d\n", sumOf(a));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
