// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Atomics onto neighbours' cells, then every thread reads its own cell: what a
// neighbour adds may still be missing.

// CHECK: remark: 'deposit' and 'field' not fused: AtomicConflict: {{.+}} [-Rkfuse-missed]
// OUT: deposit<<<
// OUT: field<<<
const int n = 1000;
static int host[n];
#include "Inputs/arrays.h"

__global__ void deposit(const int *charge, int *cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) {
    atomicAdd(&cells[i], charge[i]);
    atomicAdd(&cells[i + 1], charge[i]);
  }
}

__global__ void field(const int *cells, int *force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    force[i] = 3 * cells[i];
}

int main() {
  int *A = filled(), *B = filled(), *C = filled();

  deposit<<<(n + 127) / 128, 128>>>(A, B, n);
  field<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
