// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// `divide` needs the sum that `accumulate` collects with atomics over the
// whole grid: no block may go on before the last has added its part.

// CHECK: remark: 'accumulate' and 'divide' not fused: AtomicConflict: {{.+}} [-Rkfuse-missed]
// OUT: accumulate<<<
// OUT: divide<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void accumulate(const float *A, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum[0], A[i]);
}

__global__ void divide(float *A, const float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] = A[i] / sum[0];
}

int main() {
  float *A = filled(), *S = filled();

  cudaMemset(S, 0, sizeof(host));
  accumulate<<<(n + 127) / 128, 128>>>(A, S, n);
  divide<<<(n + 127) / 128, 128>>>(A, S, n);

  printSum(A, S);
}
