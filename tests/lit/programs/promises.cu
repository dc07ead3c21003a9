// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=TESTED
// RUN: %kfuse %s -o %t.cu --assume=no-overlap,equal-grids,no-wrap --no-runtime-checks -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse %s --assume=no-overlap,equal-grids,no-wrap --emit=plan | FileCheck %s --check-prefix=PLAN
// RUN: %kfuse %s --assume=no-overlap,no-wrap --no-runtime-checks -Rkfuse-missed -o %t.cu 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not %kfuse %s --assume=luck -o %t.no.cu 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %kfuse %s --assume=no-overlap,equal-grids --no-runtime-checks -Rkfuse-missed -o %t.cu 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: %kfuse verify --assume=no-overlap,equal-grids,no-wrap %s
//
// What would be tested at run time, the user can promise.

// TESTED:      {{^ *}}if (blocks == others &&
// TESTED-NEXT: 2147483647 >= 64 * (long long)(unsigned)blocks &&
// TESTED-NEXT: kfuseDisjoint({C}, {A, B}, 0, 4 * (long long)n)) {
// CHECK: fused 'one', 'two': {{.*}}as --assume promises
// OUT:      {{^}}void both(
// OUT-NEXT: kfuse_one_two<<<
// PLAN: promised: 'one' and 'two' have equal grids
// PLAN: promised: {{.*}} doesn't overlap
// GRID: 'one' and 'two' not fused: RequiresRuntimeCheck
// ROOM: 'one' and 'two' not fused: RequiresRuntimeCheck: {{.*}} the indices of 'one' fit into their types
// BAD: luck
#include <cstdio>
#include <cuda_runtime.h>

__global__ void one(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

// Its threads need to know their block.
__global__ void two(const float *B, float *C, int n) {
  __shared__ float last[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
  last[threadIdx.x] = blockIdx.x;
  if (i < n && last[threadIdx.x] > 3)
    C[i] += gridDim.x;
}

void both(const float *A, float *B, float *C, int n, int blocks, int others) {
  one<<<blocks, 64>>>(A, B, n);
  two<<<others, 64>>>(B, C, n);
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  both(A, B, C, n, 16, 16);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[1], host[n - 1]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
