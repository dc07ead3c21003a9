// RUN: %kfuse %s --quiet --emit=plan | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// What one arm of a switch leaves in an array is overwritten behind the switch,
// but the arm that it falls through to may go on with the next iteration, where
// another arm reads the array.

// CHECK: Scratch in a register from 'make' {{.*}}, stored too
// SAME:  verified: original and fused leave equal traces

#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 1024;

__global__ void make(const float *a, float *t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[i] = a[i] + 1.0f;
}
__global__ void take(const float *t, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = t[i] * 2.0f;
}
__global__ void jump(const float *t, float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] += t[(i * 7) % N];
}

int main() {
  float *a, *b, *Scratch;
  cudaMalloc(&a, N * sizeof(float));
  cudaMalloc(&b, N * sizeof(float));
  cudaMalloc(&Scratch, N * sizeof(float));
  cudaMemset(a, 0, N * sizeof(float));
  cudaMemset(Scratch, 0, N * sizeof(float));
  for (int k = 0; k < 3; ++k) {
    switch (k) {
    case 1:
      jump<<<4, 256>>>(Scratch, a);
      break;
    case 0: {
      make<<<4, 256>>>(a, Scratch);
      take<<<4, 256>>>(Scratch, b);
    }
    case 2:
      if (k == 0)
        continue;
    }
    cudaMemset(Scratch, 0, N * sizeof(float));
  }
  float h[N];
  cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%g\n", h[5]);
  cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%g\n", h[5]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(Scratch);
}
