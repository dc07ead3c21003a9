// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s
//
// Parts of one array that never meet: a guard bounds the sum of thread and
// counter that is the index, or planes are n apart, where n itself is a sum. Where one
// thread alone runs both it doesn't matter which elements they are.

// CHECK-DAG: remark: fused 'low', 'high'
// CHECK-DAG: remark: fused 'density', 'energy'
// CHECK-DAG: remark: fused 'start', 'finish'
#include <cstdio>
#include <cuda_runtime.h>

__global__ void low(const float *a, float *pool, int n) {
  for (int k = 0; k < 4; ++k) {
    int j = threadIdx.x + k * blockDim.x;
    if (j < n)
      pool[j] = a[j] + 1;
  }
}

__global__ void high(const float *pool, float *b, int n) {
  for (int k = 0; k < 4; ++k) {
    int j = threadIdx.x + k * blockDim.x;
    if (j < n)
      b[j] = pool[2 * n - 1 - j] + 2;
  }
}

__global__ void density(const float *a, float *planes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    planes[i] = a[i] * 3;
}

__global__ void energy(const float *planes, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = planes[5 * n - 1 - i];
}

__global__ void start(float *ends, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    ends[n] = 7;
}

__global__ void finish(const float *ends, float *b, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    b[1] = ends[n + k - 1] + 1;
}

float sumOf(const float *array) {
  static float host[2560];
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < 2560; ++i)
    sum += host[i] * (i % 7);
  return sum;
}

int main(int argc, char **) {
  static float host[2560];
  for (int i = 0; i < 2560; ++i)
    host[i] = i % 37;
  float *a, *b, *c;
  for (float **array : {&a, &b, &c}) {
    cudaMalloc(array, sizeof(host));
    cudaMemcpy(*array, host, sizeof(host), cudaMemcpyHostToDevice);
  }
  const int inner = 399 + argc, border = 99 + argc, n = inner + border;
  low<<<1, 128>>>(a, c, inner);
  high<<<1, 128>>>(c, b, inner);
  printf("%f %f\n", sumOf(b), sumOf(c));
  density<<<(n + 127) / 128, 128>>>(a, c, n);
  energy<<<(n + 127) / 128, 128>>>(c, b, n);
  printf("%f %f\n", sumOf(b), sumOf(c));
  start<<<2, 128>>>(c, inner);
  finish<<<2, 128>>>(c, b, inner, argc);
  printf("%f %f\n", sumOf(b), sumOf(c));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
