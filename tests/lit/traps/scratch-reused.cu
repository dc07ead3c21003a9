// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// One scratch array serves two chains in turn: the second chain's write must
// not overtake the first chain's read by a neighbour.

// CHECK-DAG: remark: fused 'load', 'blur'
// CHECK-DAG: remark: fused 'reload', 'finish'
// CHECK-DAG: remark: 'blur' and 'reload' not fused: CrossThreadAntiDependence:
// OUT: kfuse_load_blur<<<
// OUT: kfuse_reload_finish<<<

#include <cstdio>
#include <cuda_runtime.h>

__global__ void load(const float *A, float *T, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    T[i] = A[i] + 1;
}

__global__ void blur(const float *T, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = T[i - 1] + T[i + 1];
}

__global__ void reload(const float *C, float *T, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    T[i] = C[i] * 3;
}

__global__ void finish(const float *T, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = T[i] - 1;
}

int main() {
  const int n = 1000;
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C, *D, *T;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&T, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(D, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(T, host, sizeof(host), cudaMemcpyHostToDevice);

  load<<<(n + 127) / 128, 128>>>(A, T, n);
  blur<<<(n + 127) / 128, 128>>>(T, B, n);
  reload<<<(n + 127) / 128, 128>>>(C, T, n);
  finish<<<(n + 127) / 128, 128>>>(T, D, n);

  double sum = 0;
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
  cudaFree(T);
}
