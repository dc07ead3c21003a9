// The memset reaches one element more than the kernel has blocks: to run its
// elements in the kernel's blocks would take a test that never holds. With as
// many blocks as elements there is nothing to test.
// RUN: %kfuse %s -o %t.cu -DBLOCKS=n-1 -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -DBLOCKS=n-1
// RUN: %kfuse %s -o %t.cu -DBLOCKS=n -Rkfuse 2>&1 | FileCheck %s --check-prefix=ENOUGH
// CHECK: not fused: NeverHolds: {{.*}} >= {{.*}} which is never so
// ENOUGH: remark: {{.*}}fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void marks(const int *A, int *F, int length) {
  __shared__ int part[32];
  int most = 0;
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    most = max(most, A[blockIdx.x * length + i]);
  part[threadIdx.x] = most;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 32; ++i)
      most = max(most, part[i]);
    if (most > 20)
      F[blockIdx.x] = most;
  }
}

static void run(int n, const int *A, int *F) {
  cudaMemsetAsync(F, 0, n * sizeof(int));
  marks<<<BLOCKS, 32>>>(A, F, 96);
}

int main(int argc, char **) {
  static int host[16 * 96];
  int *A, *F;
  cudaMalloc(&A, sizeof host);
  cudaMalloc(&F, 16 * sizeof(int));
  for (int i = 0; i < 16 * 96; ++i)
    host[i] = i % 11 + i / 100;
  cudaMemcpy(A, host, sizeof host, cudaMemcpyHostToDevice);
  run(15 + argc, A, F);
  cudaMemcpy(host, F, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i)
    printf("%d ", host[i]);
  cudaFree(A);
  cudaFree(F);
}
