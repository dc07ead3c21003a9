// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
//
// One product a sum, but compilers move it: out of the loop, when what it is
// made of stays in a register ('spread'); into the branch on which a factor
// isn't zero, where a block's own threads do it otherwise than its halo
// ('accumulate'); to the value that both stages choose ('weigh', 'reweigh').
// A sum is then contracted in one kernel and not in the other.

// CHECK-DAG: remark: 'raise' and 'spread' not fused: AmbiguousContraction
// CHECK-DAG: remark: 'accumulate' and 'blur' not fused: AmbiguousContraction
// CHECK-DAG: remark: 'weigh' and 'reweigh' not fused: AmbiguousContraction
#include <cstdio>
#include <cuda_runtime.h>

__global__ void raise(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1.0f;
}

__global__ void spread(const float *A, const float *B, float *C, float a, int n,
                       int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; ++k)
      C[k * n + i] = a * B[i] + A[k];
}

__global__ void accumulate(const float *A, float *B, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int k = 0; k < m; ++k)
      s += A[k];
    B[i] = 0.1f * s + A[i];
  }
}

__global__ void blur(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    C[i] = B[i - 1] + B[i + 1];
}

__global__ void weigh(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w = i & 1 ? 0.3f : 0.1f, v = i & 2 ? 0.7f : 0.9f;
  if (i < n)
    B[i] = w * v + A[i];
}

__global__ void reweigh(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w = i & 1 ? 0.3f : 0.1f, v = i & 2 ? 0.7f : 0.9f;
  if (i < n)
    C[i] = B[i] + sqrtf(w * v);
}

int main() {
  const int n = 700, m = 5;
  static float host[n * m];
  float *A, *B, *C, *D;
  for (int i = 0; i < n; ++i)
    host[i] = 1.0f + i * 0.0001f;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&B, n * sizeof(float));
  cudaMalloc(&C, n * sizeof(float));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, n * sizeof(float), cudaMemcpyHostToDevice);
  double sum = 0;

  raise<<<3, 256>>>(A, B, n);
  spread<<<3, 256>>>(A, B, D, 0.3f, n, m);
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n * m; ++i)
    sum += host[i] * (i % 7 + 1);

  accumulate<<<3, 256>>>(A, B, n, m);
  blur<<<3, 256>>>(B, C, n);
  cudaMemcpy(host, C, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 1; i < n - 1; ++i)
    sum += host[i] * (i % 7 + 1);

  weigh<<<3, 256>>>(A, B, n);
  reweigh<<<3, 256>>>(B, C, n);
  cudaMemcpy(host, C, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7 + 1);
  std::printf("%.17g\n", sum);
  cudaFree(A), cudaFree(B), cudaFree(C), cudaFree(D);
}
