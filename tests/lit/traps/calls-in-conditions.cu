// RUN: %kfuse %s -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2 2>&1 | FileCheck %s --check-prefix=SAME
//
// A call that sets memory or launches becomes a launch before its statement
// only where the statement evaluates it first, and always. One in an arm, after
// an `&&`, after an assignment, or under a macro's own condition stays.
//
// SAME: verified: original and fused
//
// CHECK: int main(
// CHECK: error = argc > 1 ? cudaMemset(a, 0, bytes) : cudaSuccess;
// CHECK: argc > 2 && cudaMemset(b, 0, bytes) == cudaSuccess;
// CHECK: UNLESS(argc > 1, cudaMemset(c, 0, bytes));
// CHECK: error = argc > 1 ? cudaLaunchKernel(
// CHECK: argc > 2 && cudaLaunchKernel(
// CHECK: UNLESS(argc > 1, cudaLaunchKernel(
// CHECK: m = 7, cudaLaunchKernel(
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define UNLESS(given, call)                                                    \
  do {                                                                         \
    if (!(given))                                                              \
      call;                                                                    \
  } while (0)

__global__ void add(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += b[i] + 1;
}

__global__ void scale(float *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= m;
}

int main(int argc, char **argv) {
  int n = 1000, m = 3;
  const int blocks = (n + 127) / 128;
  const size_t bytes = n * sizeof(float);
  float *host = (float *)malloc(bytes);
  for (int i = 0; i < n; ++i)
    host[i] = i % 13;
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  for (float *array : {a, b, c})
    cudaMemcpy(array, host, bytes, cudaMemcpyHostToDevice);
  cudaError_t error = cudaSuccess;
  error = argc > 1 ? cudaMemset(a, 0, bytes) : cudaSuccess;
  add<<<blocks, 128>>>(a, b, n);
  argc > 2 && cudaMemset(b, 0, bytes) == cudaSuccess;
  add<<<blocks, 128>>>(b, c, n);
  UNLESS(argc > 1, cudaMemset(c, 0, bytes));
  add<<<blocks, 128>>>(c, a, n);
  void *first[] = {&a, &n, &m};
  void *second[] = {&b, &n, &m};
  void *third[] = {&c, &n, &m};
  void *fourth[] = {&a, &n, &m};
  error = argc > 1 ? cudaLaunchKernel((const void *)scale, dim3(blocks),
                                      dim3(128), first, 0, 0)
                   : cudaSuccess;
  argc > 2 && cudaLaunchKernel((const void *)scale, dim3(blocks), dim3(128),
                               second, 0, 0) == cudaSuccess;
  UNLESS(argc > 1, cudaLaunchKernel((const void *)scale, dim3(blocks),
                                    dim3(128), third, 0, 0));
  m = 7, cudaLaunchKernel((const void *)scale, dim3(blocks), dim3(128), fourth,
                          0, 0);
  add<<<blocks, 128>>>(a, b, n);
  add<<<blocks, 128>>>(b, c, n);
  double sum = error;
  for (float *array : {a, b, c}) {
    cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 7);
  }
  printf("%.9g\n", sum);
}
