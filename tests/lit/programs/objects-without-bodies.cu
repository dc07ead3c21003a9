// A kernel may make an object by a constructor that has no body.

// RUN: %kfuse %s -o %t.cu --nvcc=none -Rkfuse-missed 2>&1 | FileCheck %s
// CHECK: 'blend' and 'scale' not fused: AmbiguousContraction
// CHECK: 2 launches -> 2
// RUN: cmp %s %t.cu

#include <cuda_runtime.h>
struct Blend {
  __device__ float of(float x, float y) const { return x * 3 + y; }
};
__global__ void blend(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = Blend().of(A[i], A[i + 1]);
}
__global__ void scale(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 3;
}
static float host[1001];
int main() {
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, 4000);
  cudaMalloc(&C, 4000);
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  blend<<<8, 128>>>(A, B, 1000);
  scale<<<8, 128>>>(B, C, 1000);
  cudaMemcpy(host, C, 4000, cudaMemcpyDeviceToHost);
}
