// A remark says what would let a tile pass the values: a block of constant size, or a border that a thread can name.
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// CHECK: 'scale' and 'ahead' not fused: CrossThreadFlow: 'ahead' reads b at
// CHECK: note: launch with a block of constant size, so that a tile can hold what its threads write: one kernel would
// CHECK: 'scale' and 'around' not fused: CrossThreadFlow: 'around' reads b at
// CHECK: note: read b at a constant distance, and the border under a condition: one kernel would
// CHECK: 'scale' and 'mirrored' not fused: CrossThreadFlow: 'mirrored' reads b at
// CHECK: note: keep the place near the thread's own and inside b for all sizes, as min(max(i - 1, 0), n - 1) is: one kernel would
#include <cuda_runtime.h>

__global__ void scale(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * 3;
}

__global__ void ahead(const int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    c[i] = b[i + 1];
}

__global__ void around(const int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[(i + 1) % n];
}

// If n is 1, the neighbour is outside.
__global__ void mirrored(const int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i == 0 ? 1 : i - 1];
}

void variable(const int *a, int *b, int *c, int n, int threads) {
  scale<<<(n + threads - 1) / threads, threads>>>(a, b, n);
  ahead<<<(n + threads - 1) / threads, threads>>>(b, c, n);
}

void constant(const int *a, int *b, int *c, int n) {
  scale<<<(n + 255) / 256, 256>>>(a, b, n);
  around<<<(n + 255) / 256, 256>>>(b, c, n);
}

void small(const int *a, int *b, int *c, int n) {
  scale<<<(n + 255) / 256, 256>>>(a, b, n);
  mirrored<<<(n + 255) / 256, 256>>>(b, c, n);
}
