// RUN: %kfuse %s -o %t.cu -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// With another macro the second launch counts otherwise: it stays as it is, and
// so does what stands around it.
//
// CHECK: remark: launch left alone: a preprocessing directive is in it
// CHECK: 2 launches -> 2
// OUT: second<<<4, 256>>>(B, C,
// OUT-NEXT: #ifdef HALF
// SAME: verified: nothing was fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1.0f;
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 2.0f;
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i * 0.5f;
  float *A, *B, *C, *D;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  first<<<4, 256>>>(A, B, n);
  second<<<4, 256>>>(B, C,
#ifdef HALF
                     n / 2
#else
                     n
#endif
  );
  first<<<4, 256>>>(C, D, n);
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%a %a\n", host[1], host[n - 1]);
}
