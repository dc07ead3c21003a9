// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu && %code %t.cu | FileCheck %s
//
// The kernels' bodies are macros that name the parameters: what stands in the
// text isn't what the compiler sees, so their text must stay as it is.

// CHECK: scale_stage(
// CHECK-NEXT: const float *in, float *out, int n) { BODY(2 * in[i]) }
// CHECK: shift_stage(
// CHECK-NEXT: const float *in, float *out, int n) { BODY(in[i] + 1) }
#include <cstdio>

#define BODY(expression)                                                       \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (i < n)                                                                   \
    out[i] = expression;

__global__ void scale(const float *in, float *out, int n) { BODY(2 * in[i]) }

__global__ void shift(const float *in, float *out, int n) { BODY(in[i] + 1) }

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
  shift<<<6, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[699]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
