// Unsigned indices with the grid in them, which an int makes: whether they wrap
// is one test of the host for each launch, of the largest index.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s < %t.cu
// RUN: %kfuse verify %s
// SUMMARY: 2 launches -> 1
// SUMMARY: under 1 condition tested at run time
// CHECK: if (4294967296 >= 1152 * (long long)blocks.x) {
// CHECK-NEXT: kfuse_ratesOf_sum<<<
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CELLS (blockDim.x * gridDim.x)
#define CELL (blockDim.x * blockIdx.x + threadIdx.x)
#define OF(species) ((species) * CELLS + CELL)

__global__ void ratesOf(const float *x, float *rates) {
  rates[OF(0)] = x[OF(0)] + x[OF(7)];
  rates[OF(1)] = x[OF(1)] + x[OF(8)];
  rates[OF(2)] = x[OF(2)] + x[OF(5)];
}

__global__ void sum(const float *rates, float *total) {
  total[CELL] = rates[OF(0)] + rates[OF(1)] + rates[OF(2)];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1024;
  dim3 blocks(n / 128, 1, 1), threads(128, 1, 1);
  float *x, *rates, *total;
  cudaMalloc(&x, 9 * n * sizeof(float));
  cudaMalloc(&rates, 3 * n * sizeof(float));
  cudaMalloc(&total, n * sizeof(float));
  std::vector<float> host(9 * n);
  for (int i = 0; i < 9 * n; ++i)
    host[i] = i % 13 * 0.1f;
  cudaMemcpy(x, host.data(), 9 * n * sizeof(float), cudaMemcpyHostToDevice);
  ratesOf<<<blocks, threads>>>(x, rates);
  sum<<<blocks, threads>>>(rates, total);
  cudaMemcpy(host.data(), total, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 37)
    printf("%a\n", host[i]);
  cudaFree(x);
  cudaFree(rates);
  cudaFree(total);
}
