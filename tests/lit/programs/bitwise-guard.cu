// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
//
// The same guard written three ways: `&`, `&&`, an early return. Pointers that
// nothing uses any more leave a declaration of other things, too.
//
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// OUT: float host[w * h], *A, *D;
#include <cstdio>

__global__ void first(const float *A, float *B, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if ((x < w) & (y < h))
    B[y * w + x] = A[y * w + x] + 1;
}

__global__ void second(const float *B, float *C, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    C[x + w * y] = 2 * B[x + w * y];
}

__global__ void third(const float *C, float *D, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w)
    return;
  if (!(h > y))
    return;
  D[y * w + x] = C[y * w + x] - 3;
}

// CHECK: remark: fused 'first', 'second', 'third'
int main() {
  const int w = 30, h = 21;
  float host[w * h], *A, *B, *C, *D;
  for (int i = 0; i < w * h; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  dim3 block(8, 8), grid(4, 3);
  first<<<grid, block>>>(A, B, w, h);
  second<<<grid, block>>>(B, C, w, h);
  third<<<grid, block>>>(C, D, w, h);
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[w * h - 1]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
}
