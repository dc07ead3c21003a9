// The blocks are variables at file scope, each of which the program sets once:
// a test whether they are equal would never hold. A kernel that knows its
// global index alone runs in the shape of the other, under a test that holds;
// two that know their blocks stay apart, and a remark says which values
// differ. Values that may be equal are tested.
// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -DOWN_BLOCK -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %kfuse %s -o %t.cu -DOWN_BLOCK -DWIDE=192 2>&1 | FileCheck %s --check-prefix=MAYBE
// RUN: %kfuse %s -o %t.cu -DOWN_BLOCK "-DWIDE=argc * 64" 2>&1 | FileCheck %s --check-prefix=MAYBE

// CHECK: 2 launches -> 1
// OUT: if ((long long)(unsigned)narrow * (unsigned)narrowBlocks >= {{.*}}700
// NEVER: remark: 'lift' and 'sums' not fused: NeverHolds: the fused kernel could only run where
// NEVER-SAME: 'lift' and 'sums' have equal grids (wideBlocks == narrowBlocks), which is never so:
// NEVER-SAME: wideBlocks is never anything but 2
// NEVER-SAME: narrowBlocks is never anything but 3, 4, 11 and 13
// NEVER: note: launch both with one shape
// MAYBE: 2 launches -> 1
#include <cstdio>
#include <cuda_runtime.h>
#ifndef WIDE
#define WIDE 512
#endif

constexpr int Count = 700;

__global__ void lift(const int *A, int *B) {
#ifdef OWN_BLOCK
  __shared__ int first;
  if (threadIdx.x == 0)
    first = blockIdx.x;
  __syncthreads();
#else
  const int first = 0;
#endif
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Count)
    B[i] = A[i] + first;
}

__global__ void sums(const int *B, int *S) {
  __shared__ int part[512];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < Count ? B[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int k = 0; k < blockDim.x; ++k)
      all += part[k];
    S[blockIdx.x] = all;
  }
}

int wide, narrow = 64, wideBlocks, narrowBlocks;

static void choose(int argc) {
  wide = WIDE;
  if (argc > 7)
    narrow = 3 * 64;
  wideBlocks = (Count + wide - 1) / wide;
  narrowBlocks = (Count + narrow - 1) / narrow;
}

int main(int argc, char **) {
  static int host[Count];
  int *A, *B, *S;
  choose(argc);
  cudaMalloc(&A, sizeof host);
  cudaMalloc(&B, sizeof host);
  cudaMalloc(&S, sizeof host);
  for (int i = 0; i < Count; ++i)
    host[i] = i % 13;
  cudaMemcpy(A, host, sizeof host, cudaMemcpyHostToDevice);
  lift<<<wideBlocks, wide>>>(A, B);
  sums<<<narrowBlocks, narrow>>>(B, S);
  cudaMemcpy(host, S, narrowBlocks * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < narrowBlocks; ++i)
    printf("%d\n", host[i]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(S);
}
