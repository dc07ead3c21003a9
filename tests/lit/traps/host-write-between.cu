// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The host writes the intermediate array between the launches.

// CHECK: remark: 'first' and 'second' not fused: HostDependence: {{.+}} [-Rkfuse-missed]
// OUT: first<<<
// OUT: second<<<
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

  first<<<(n + 127) / 128, 128>>>(A, B, n);
  cudaMemcpy(B, host, 100 * sizeof(float), cudaMemcpyHostToDevice);
  second<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
