// RUN: %kfuse %s -o /dev/null -Rkfuse-missed 2>&1 | FileCheck %s
//
// Two kernels that get a pointer by one expression are told of, though it may
// be two pointers: the call between them may change what it yields.
//
// CHECK: :30:3: remark: 'twice' and 'addOne' not fused: PointerMayChange: 'twice' (line 30) and 'addOne' (line 32) both get 'arrays->b', which may be another pointer the second time [-Rkfuse-missed]
// CHECK: :32:3: note: it is evaluated again here
// CHECK: :30:3: note: keep it in a local variable before both launches
// CHECK-NOT: remark:
// CHECK: left: 1 PointerMayChange
#include <cuda_runtime.h>

double seconds();

struct Arrays {
  float *a, *b, *c;
};

__global__ void twice(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2.0f * a[i];
}
__global__ void addOne(float *c, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1.0f;
}
double step(Arrays *arrays, int n) {
  twice<<<(n + 255) / 256, 256>>>(arrays->b, arrays->a, n);
  double start = seconds();
  addOne<<<(n + 255) / 256, 256>>>(arrays->c, arrays->b, n);
  return seconds() - start;
}
// After a swap the same text is the other array for sure.
void swapped(int n) {
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  twice<<<(n + 255) / 256, 256>>>(a, c, n);
  float *t = a;
  a = b;
  b = t;
  addOne<<<(n + 255) / 256, 256>>>(a, c, n);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
