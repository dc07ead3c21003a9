// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -DPLAIN 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -DPLAIN
//
// All launches are on one stream, but a copy on the default stream may still
// read B when `copy` is reached. Were the pointers swapped, `turn` would write
// what that copy reads.

// CHECK: 3 launches -> 3
// OUT: {{^}}int main() {
// OUT-NOT: kfuseSwap
// OUT: copy<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void make(float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 3.0f * i;
}
__global__ void copy(float *A, const float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] = B[i];
}
__global__ void turn(float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[n - 1 - i] = 1.0f;
}

int main() {
  const int n = 1000;
  static float result[1000];
  float *A, *B, *C, *pinned;
  cudaMallocHost(&pinned, sizeof(result));
  cudaMalloc(&A, sizeof(result));
  cudaMalloc(&B, sizeof(result));
  cudaMalloc(&C, sizeof(result));
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  make<<<(n + 127) / 128, 128, 0, own>>>(B, n);
  cudaDeviceSynchronize();
#ifdef PLAIN
  cudaMemcpy2D(C, 400, B, 400, 400, 10, cudaMemcpyDeviceToDevice);
#else
  cudaMemcpyAsync(pinned, B, sizeof(result), cudaMemcpyDeviceToHost);
#endif
  copy<<<(n + 127) / 128, 128, 0, own>>>(A, B, n);
  turn<<<(n + 127) / 128, 128, 0, own>>>(A, n);
  cudaDeviceSynchronize();
#ifdef PLAIN
  cudaMemcpy(pinned, C, sizeof(result), cudaMemcpyDeviceToHost);
#endif
  cudaMemcpy(result, A, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%f %f\n", pinned[5], result[5]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
