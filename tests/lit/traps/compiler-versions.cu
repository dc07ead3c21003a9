// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Where macros of the program depend on a version, its choices do too.
// RUN: sed 's/^#define MORE/#if CUDART_VERSION < 13000\n#define MORE\n#endif/' %s > %t.macro.cu
// RUN: %kfuse %t.macro.cu -o %t.out.cu 2>&1 | FileCheck %s --check-prefix=MACRO
// MACRO: 8 launches -> 8
//
// A text that asks which compiler reads it, or which version of the toolkit, may be another one where the program is
// compiled than where kfuse reads it. A choice that the program's own macros make is the same everywhere.

// CHECK: remark: 'versioned' and 'twice' not fused: KernelUnsupported: 'versioned' uses a choice by the compiler or its version [-Rkfuse-missed]
// CHECK: remark: 'callsVersioned' and 'twice' not fused: KernelUnsupported: {{.+}} [-Rkfuse-missed]
// CHECK: 8 launches -> 7
// CHECK: kfuse_chosen_twice
// OUT: void chosen_stage(
// OUT: #ifdef MORE
#include <cstdio>
#include <cuda_runtime.h>

#define MORE

__global__ void versioned(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
#if __CUDACC_VER_MAJOR__ >= 13
    B[i] = A[i] + 2;
#else
    B[i] = A[i] + 1;
#endif
  }
}

__device__ float byVersion(const float *A, int i) {
  if (CUDART_VERSION >= 13000)
    return A[i];
  return A[i] + 1;
}

__global__ void callsVersioned(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = byVersion(A, i);
}

__device__ float byCompiler(const float *A, int i) {
#if defined(__clang__) || 1
  return A[i] + 1;
#else
  return A[i + 1];
#endif
}

__global__ void callsForCompiler(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = byCompiler(A, i);
}

__global__ void chosen(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
#ifdef MORE
    B[i] = A[i] + 2;
#else
    B[i] = A[i] + 1;
#endif
  }
}

__global__ void twice(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 2;
}

static float host[1000];

int main() {
  const int n = 1000;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i * 0.25f;
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  versioned<<<8, 128>>>(A, B, n);
  twice<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[7]);
  callsVersioned<<<8, 128>>>(A, B, n);
  twice<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[7]);
  callsForCompiler<<<8, 128>>>(A, B, n);
  twice<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[7]);
  chosen<<<8, 128>>>(A, B, n);
  twice<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[7]);
}
