// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// In some iterations the host reads the intermediate array, so its store stays
// alive although most iterations don't need it.

// CHECK: remark: fused 'first', 'second'
// CHECK-NOT: never stored: B
// OUT: kfuse_first_second<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  for (int step = 0; step < 4; ++step) {
    first<<<(n + 127) / 128, 128>>>(A, B, n);
    second<<<(n + 127) / 128, 128>>>(B, C, n);
    if (step == 2) {
      cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
      printf("%f\n", host[9]);
    }
  }

  printSum(C);
  cudaFree(A);
  cudaFree(B);
}
