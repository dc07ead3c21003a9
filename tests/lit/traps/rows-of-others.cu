// A block may only make what no other block reads or writes: rows that begin later, overlap or lie across them aren't
// its own.
// RUN: %kfuse %s -o %t.cu -DAT=row*length+k+1 -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -DAT=row*(length-1)+k -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -DAT=k*rows+row -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -DAT=(row+1)*length+k -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -DAT=row*length+k+1
// CHECK: remark: 'raise' and 'sum' not fused: CrossThreadFlow
//
// As they are, they are.
// RUN: %kfuse verify %s -DAT=row*length+k -DMORE=0 --cost-without=memory,L2,issue,flops,starts,L1 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: 2 launches -> 1
// OWN: verified
#include <cstdio>
#include <cuda_runtime.h>

__global__ void raise(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + 1;
}

__global__ void sum(const int *b, int *c, int rows, int length) {
  int row = blockIdx.x;
  int all = 0;
  if (threadIdx.x == 0)
    for (int k = 0; k < length; ++k)
      all += b[AT];
  if (threadIdx.x == 0)
    c[row] = all;
}

#ifndef MORE
#define MORE 1
#endif

static int host[2000];

int main(int argc, char **argv) {
  const int rows = 19 + argc, length = 44 + argc, n = rows * length + MORE;
  int *a, *b, *c;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  for (int i = 0; i < 2000; ++i)
    host[i] = i * 7 % 23;
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
  raise<<<(n + 127) / 128, 128>>>(a, b, n);
  sum<<<rows, 32>>>(b, c, rows, length);
  cudaMemcpy(host, c, rows * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[rows / 2]);
  cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[1000]);
}
