// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// A header that isn't there is a warning as long as the launches can still be
// followed: on a machine without the CUDA toolkit many are missing.

// CHECK: missing-header.cu:[[@LINE+1]]:10: warning: {{.*}}not_on_this_machine.h
#include "not_on_this_machine.h"

__global__ void first(const float *A, float *B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  C[i] = B[i] * 2;
}

int main() {
  float *A, *B, *C, host[4096];
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  first<<<32, 128>>>(A, B);
  second<<<32, 128>>>(B, C);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
}
// CHECK: 2 launches -> 1
// OUT: #include "not_on_this_machine.h"
// OUT: kfuse_first_second<<<
