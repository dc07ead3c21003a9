// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// A function that kfuse can't see is called between the launches; it may do
// anything to the device.

// CHECK: remark: 'first' and 'second' not fused: HostDependence: {{.+}} [-Rkfuse-missed]
// OUT: first<<<
// OUT: second<<<
extern "C" void checkpoint();

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
  checkpoint();
  second<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
