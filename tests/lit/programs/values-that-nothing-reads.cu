// RUN: %kfuse %s -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s
//
// Nothing reads 'b'. Its store is in a loop, where it can't be left out, and its
// variable would make compilers warn.
#include <cstdio>

__global__ void fill(float *out, const float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; ++k)
    out[i + k * n] = values[k] + i;
}

// CHECK: {{\[\[}}maybe_unused]] float b = {};
// CHECK: b = values[
int main() {
  static float host[3 * 1024];
  float *a, *b, *values;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&values, 3 * sizeof(float));
  for (int i = 0; i < 3; ++i)
    host[i] = i + 1;
  cudaMemcpy(values, host, 3 * sizeof(float), cudaMemcpyHostToDevice);
  fill<<<8, 128>>>(a, values, 1024);
  fill<<<8, 128>>>(b, values, 1024);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f %f\n", host[7], host[2000]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(values);
}
