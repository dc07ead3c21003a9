// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
//
// `static` on either side, a macro before the name, a host function that has
// the kernel's name, a kernel in a namespace, a name that a local variable
// hides elsewhere.
#include <cstdio>

#define KERNEL __global__ void

static __global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

void scale(float *host, int n) {
  for (int i = 0; i < n; ++i)
    host[i] *= 2;
}

namespace filter {
namespace {
__global__ static void shift(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}
} // namespace
} // namespace filter

KERNEL finish(const float *C, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = C[i] * C[i];
}

static int shadow(int scale) {
  int shift = scale + 1;
  return shift;
}

// CHECK: remark: fused 'scale', 'shift'
int main() {
  const int n = 700;
  float host[n], *A, *B, *C, *D;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  scale(host, n);
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<6, 128>>>(A, B, n);
  filter::shift<<<6, 128>>>(B, C, n);
  finish<<<6, 128>>>(C, D, n);
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f %d\n", host[699], shadow(1));
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
}
