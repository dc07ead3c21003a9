// RUN: %kfuse %s -o %t.cu -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
//
// Macros that launch, directly or by another one, also with a check in a loop
// that runs once. Their text stands for them if that makes something fuse.
//
// CHECK-COUNT-2: launch left alone: the launch comes from a macro
// CHECK: 9 launches -> 5
// OUT: {{^}}  kfuse_add_twice<<<DIV_UP(n, 128), 128>>>(d, 3, n);
// OUT: {{^}}  kfuse_add_twice<<<DIV_UP(n, 128), 128>>>(d, 3, n);
// A sign doesn't become a part of another token.
// OUT: {{^}}  kfuse_add_add<<<DIV_UP(n, 128), 128>>>(d, - -2, n, -MINUS);
// OUT: {{^}}  kfuse_less_less<<<DIV_UP(n, 128), 128>>>(d, -1, n);
// An argument that becomes two of them is another one in the text.
// OUT: {{^}}  RUN(twice, PAIR);
// What doesn't fuse stays as it was.
// OUT: {{^}}  LAUNCH(add, 8, 128, d, 9, n);
// VERIFY: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define DIV_UP(a, b) (((a) + (b)-1) / (b))
#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess) {                                                    \
      printf("%s\n", cudaGetErrorString(e));                                   \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define LAUNCH(kernel, grid, block, ...)                                       \
  do {                                                                         \
    kernel<<<grid, block>>>(__VA_ARGS__);                                      \
    CHECK(cudaGetLastError());                                                 \
  } while (0)
#define LAUNCH_1D(kernel, n, ...) LAUNCH(kernel, DIV_UP(n, 128), 128, __VA_ARGS__)
#define NEXT(a) less<<<DIV_UP(n, 128), 128>>>(a, -1, n)
#define MINUS -1
#define PAIR d, n
#define RUN(kernel, args) kernel<<<8, 128>>>(args)

__global__ void add(int *d, int v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] += v;
}
__global__ void twice(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] *= 2;
}
__global__ void less(int *d, int v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] -= v;
}
#define NEGATED(v, n) add<<<DIV_UP(n, 128), 128>>>(d, -v, n)

int main() {
  const int n = 1000;
  int h[n];
  for (int i = 0; i < n; ++i)
    h[i] = i % 9;
  int *d;
  CHECK(cudaMalloc(&d, n * sizeof(int)));
  CHECK(cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice));
  LAUNCH(add, DIV_UP(n, 128), 128, d, 3, n);
  LAUNCH(twice, DIV_UP(n, 128), 128, d, n);
  CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", h[7]);
  LAUNCH_1D(add, n, d, 3, n);
  LAUNCH_1D(twice, n, d, n);
  CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", h[7]);
  NEGATED(-2, n);
  NEGATED(MINUS, n);
  CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", h[7]);
  NEXT(d);
  NEXT(d);
  CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", h[7]);
  RUN(twice, PAIR);
  RUN(twice, PAIR);
  CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", h[7]);
  LAUNCH(add, 8, 128, d, 9, n);
  CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", h[7]);
  CHECK(cudaFree(d));
}
