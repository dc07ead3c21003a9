// RUN: %kfuse verify %s
// RUN: %kfuse %s -o - | FileCheck %s
//
// The kernels are in a header: their stages stand behind the directive that
// includes it, and only the input is rewritten.

// CHECK: {{^}}#include "Inputs/kernels.cuh" // and helpers
// CHECK-EMPTY:
// CHECK-NEXT: // kfuse: the body of 'scale', which leaves B in a register.
// CHECK-NEXT: static __device__ __forceinline__ void scale_at(
// CHECK: {{^}}namespace app {
// CHECK-NEXT: namespace {
// CHECK-NEXT: // kfuse: the body of 'shift', which takes B from a register.
// CHECK-NEXT: template <typename T>
// CHECK-NEXT: static __device__ __forceinline__ void shift_at(
// CHECK: {{^}}    C[i] = B_value + by(T(OFFSET))
// CHECK: {{^}}} // namespace{{$}}
// CHECK-NEXT: } // namespace app
// CHECK: {{^}}// kfuse: 'scale' (line {{[0-9]+}} of kernels.cuh) and 'shift' (line {{[0-9]+}} of kernels.cuh)
// CHECK: {{^}} ::app::shift_at<float>(i, 
// CHECK: {{^}}  kfuse_scale_shift<<<
#include "Inputs/kernels.cuh" // and helpers
#include <cstdio>

int main() {
  const int n = 700;
  float host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<6, 128>>>(A, B, n);
  app::shift<<<6, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[699]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
