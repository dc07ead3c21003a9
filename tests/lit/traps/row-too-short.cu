// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The index `y * width + x` is the same in both kernels, but x runs beyond the
// width: two threads share an element, so the index alone proves nothing.

// CHECK: remark: 'put' and 'get' not fused: NotInjective: {{.+}} [-Rkfuse-missed]
// OUT: put<<<
// OUT: get<<<
const int n = 1024;
static float host[n];
#include "Inputs/arrays.h"

__global__ void put(const float *A, float *B, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 * width && y < height)
    B[y * width + x] = A[y * width + x] + 1;
}

__global__ void get(const float *B, float *C, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 * width && y < height)
    C[y * width + x] = 2 * B[y * width + x];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  const dim3 block(8, 8), grid(8, 4);
  put<<<grid, block>>>(A, B, 30, 31);
  get<<<grid, block>>>(B, C, 30, 31);

  printSum(A, B, C);
}
