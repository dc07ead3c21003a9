// A guard may be right for the threads that its kernel has, and wrong for others: `4 * i` becomes negative. Threads that
// a kernel hadn't are kept out by their number.
// RUN: %kfuse %s -o %t.cu --cost-without=memory,L2,issue,flops,starts,L1 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --cost-without=memory,L2,issue,flops,starts,L1 %s
// CHECK: 2 launches -> 1
// OUT: if (i < 1ull * gather_grid.x * gather_block.x) {
#include <cstdio>
#include <cuda_runtime.h>

constexpr int STEP = 1024, LENGTH = 1024;

__global__ void gather(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * STEP < n)
    b[i] = a[i * STEP];
}

__global__ void sum(const int *b, long long *c, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  c[row] = 0;
  for (int k = 0; k < LENGTH; ++k)
    c[row] += b[row * LENGTH + k];
}

static int host[2080 * LENGTH];

int main(int argc, char **argv) {
  const int n = 100000 * argc, rows = 2080 * argc;
  int *a, *b;
  long long *c;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, rows * sizeof(long long));
  for (int i = 0; i < rows * LENGTH; ++i)
    host[i] = i % 7;
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
  gather<<<(n + 127) / 128, 128>>>(a, b, n);
  sum<<<(rows + 31) / 32, 32>>>(b, c, rows);
  static long long sums[2080];
  cudaMemcpy(sums, c, rows * sizeof(long long), cudaMemcpyDeviceToHost);
  std::printf("%lld %lld\n", sums[0], sums[rows - 1]);
}
