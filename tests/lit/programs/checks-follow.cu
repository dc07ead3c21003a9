// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Checks of the last error and waits between launches follow the launch that
// these become: before it they would miss its errors.

// CHECK: remark: fused 'first', 'second', 'third'
// CHECK-DAG: note: 'CHECK();' now follows the fused launch
// CHECK-DAG: note: 'cudaError_t error = cudaGetLastError();' now follows the fused launch
// CHECK-DAG: note: 'if (error != cudaSuccess) { ...' now follows the fused launch
// CHECK-DAG: note: 'check("second");' now follows the fused launch
// CHECK-DAG: note: 'cudaDeviceSynchronize();' now follows the fused launch
// CHECK-DAG: note: 'cudaPeekAtLastError();' now follows the fused launch

// OUT:      {{^}}int main() {
// OUT:      {{^}}  cudaMemcpy(A, host
// OUT-NEXT: const int blocks = (n + 127) / 128;
// OUT-NEXT: kfuse_first_second_third<<<
// OUT-NEXT: CHECK();
// OUT-NEXT: cudaError_t error = cudaGetLastError();
// OUT-NEXT: if (error != cudaSuccess) {
// OUT-NEXT:   printf("%s\n", cudaGetErrorString(error));
// OUT-NEXT:   return 1;
// OUT-NEXT: }
// OUT-NEXT: check("second");
// OUT-NEXT: cudaDeviceSynchronize();
// OUT-NEXT: cudaPeekAtLastError();
// OUT-NEXT: CHECK();
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK()                                                                \
  do {                                                                         \
    cudaError_t found = cudaGetLastError();                                    \
    if (found != cudaSuccess) {                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                       \
              cudaGetErrorString(found));                                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static void check(const char *what) {
  cudaDeviceSynchronize();
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    printf("%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

__global__ void third(const float *C, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = C[i] - 3;
}

int main() {
  const int n = 1000;
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C, *D;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  const int blocks = (n + 127) / 128;
  first<<<blocks, 128>>>(A, B, n);
  CHECK();
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  const int again = blocks;
  second<<<again, 128>>>(B, C, n);
  check("second");
  cudaDeviceSynchronize();
  cudaPeekAtLastError();
  third<<<blocks, 128>>>(C, D, n);
  CHECK();
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
}
