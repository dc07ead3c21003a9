// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// A product in one kernel, a sum in the next: joined carelessly the compiler
// makes one operation of them, which rounds once instead of twice. The product
// is kept apart from the sum on its way. So is an integer, which may be the bits
// of a floating-point number.

// CHECK: remark: fused 'product', 'sum':
// CHECK: remark: fused 'count', 'twice':
// OUT:      static __global__ void kfuse_product_sum(
// OUT:      float T = __fmul_rn(A[i], B[i]);
// OUT:      D[i] = T + C[i];
// OUT:      static __global__ void kfuse_count_twice(
// OUT:      int Q = P[i] + i;
// OUT:      R[i] = Q * 2;
#include <cstdio>

__global__ void product(const float *A, const float *B, float *T, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    T[i] = A[i] * B[i];
}

__global__ void sum(const float *T, const float *C, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = T[i] + C[i];
}

__global__ void count(const int *P, int *Q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    Q[i] = P[i] + i;
}

__global__ void twice(const int *Q, int *R, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    R[i] = Q[i] * 2;
}

int main() {
  const int n = 5000;
  static float host[n];
  static int whole[n];
  float *A, *B, *C, *D, *T;
  int *P, *Q, *R;
  for (int i = 0; i < n; ++i) {
    host[i] = 1.0f / (i + 3);
    whole[i] = i;
  }
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&T, sizeof(host));
  cudaMalloc(&P, sizeof(whole));
  cudaMalloc(&Q, sizeof(whole));
  cudaMalloc(&R, sizeof(whole));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(P, whole, sizeof(whole), cudaMemcpyHostToDevice);
  product<<<50, 100>>>(A, B, T, n);
  sum<<<50, 100>>>(T, C, D, n);
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  count<<<50, 100>>>(P, Q, n);
  twice<<<50, 100>>>(Q, R, n);
  cudaMemcpy(whole, R, sizeof(whole), cudaMemcpyDeviceToHost);
  printf("%.9g %d\n", host[4999], whole[4999]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
  cudaFree(T);
  cudaFree(P);
  cudaFree(Q);
  cudaFree(R);
}
