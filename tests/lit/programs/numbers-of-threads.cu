// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s
//
// Planes lie as many elements apart as the launch has threads. Launches with
// other blocks read the same elements if they have as many threads, which is
// tested. 'fill' and 'blocks' know more of their shapes than that.
#include <cstdio>

#define COUNT (blockDim.x * gridDim.x)
#define AT(p, k) p[(k) * COUNT + threadIdx.x + blockIdx.x * blockDim.x]

__global__ void fill(float *a) {
  AT(a, 0) = threadIdx.x + blockIdx.x * blockDim.x + gridDim.x;
  AT(a, 1) = AT(a, 0) + 1;
  AT(a, 2) = AT(a, 0) - 1;
}

__global__ void sum(const float *a, float *b) {
  AT(b, 0) = AT(a, 0) + AT(a, 2);
  AT(b, 1) = AT(a, 1) + AT(a, 2);
}

__global__ void blocks(const float *b, float *c) {
  AT(c, 0) = AT(b, 0) + AT(b, 1) + gridDim.x;
}

// REMARK: fused 'fill' and 'sum' into 'kfuse_fill_sum': {{.*}} run-time test
// REMARK: 'fill' and 'blocks' have different blocks
// CHECK: if (128 * (long long)(unsigned)few >= 64 * (long long)(unsigned)many &&
// CHECK: kfuse_fill_sum<<<few, 128>>>
int main(int argc, char **argv) {
  const int n = 1024 + 64 * (argc - 1);
  static float host[4096];
  float *a, *b, *c;
  cudaMalloc(&a, 3 * n * sizeof(float));
  cudaMalloc(&b, 2 * n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  const int few = n / 128, many = n / 64;
  fill<<<few, 128>>>(a);
  sum<<<many, 64>>>(a, b);
  blocks<<<many, 64>>>(b, c);
  cudaMemcpy(host, c, 1024 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f %f %f\n", host[0], host[63], host[1000]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
