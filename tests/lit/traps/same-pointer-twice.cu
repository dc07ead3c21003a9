// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// One pointer is passed for two parameters: `blur` reads neighbours of the
// array that `add` writes through another name.

// CHECK: remark: fused 'add', 'blur'
// OUT: x_tile[0] + x_tile[1]
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void add(const float *x, const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = x[i] + y[i];
}

__global__ void blur(const float *x, const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    z[i] = x[i] + y[i + 1];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  add<<<(n + 127) / 128, 128>>>(A, A, B, n);
  blur<<<(n + 127) / 128, 128>>>(B, B, C, n);

  printSum(A, B, C);
}
