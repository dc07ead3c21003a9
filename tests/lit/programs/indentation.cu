// RUN: %kfuse %s -o - --quiet | FileCheck %s --strict-whitespace --match-full-lines
//
// What is written for launches stands in as the text around it does: by two
// columns here, though these launches begin in the fourth.

// CHECK:    {
// CHECK-NEXT:      const dim3 kfuseGrid = (n + 127) / 128;
// CHECK-NEXT:      const dim3 kfuseBlocks((kfuseGrid.x + 3) / 4, kfuseGrid.y, kfuseGrid.z);
// CHECK-NEXT:      kfuse_shift_shift<<<kfuseBlocks, 128>>>(A, n, C, kfuseGrid);
#include <cuda_runtime.h>

__global__ void shift(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

int main(int argc, char **) {
  const int n = 1000 * argc;
  static float host[1000];
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int step = 0; step < 3; ++step) {
    if (step == 1) {
      cudaDeviceSynchronize();
    }
    shift<<<(n + 127) / 128, 128>>>(A, B, n);
    shift<<<(n + 127) / 128, 128>>>(B, C, n);
  }
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return host[17] > 0 ? 0 : 1;
}
