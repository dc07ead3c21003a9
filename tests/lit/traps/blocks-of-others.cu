// RUN: %kfuse %s -o %t.cu --cost-without=memory,L2,issue,flops,starts,L1 -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s --cost-without=memory,L2,issue,flops,starts,L1
//
// Threads wait for those of their own block alone. Here a later kernel reads
// what another block stored: the next row's value, a row of another length, the
// first element of the next row; or threads of one row are in two blocks.
//
// CHECK-DAG: 'total' and 'beside' not fused: CrossThreadFlow
// CHECK-DAG: 'row' and 'wider' not fused: CrossThreadFlow
// CHECK-DAG: 'row' and 'beyond' not fused: CrossThreadFlow
// CHECK-DAG: 'half' and 'halves' not fused: CrossThreadFlow
//
// Nor does one follow a warp operation that some lanes don't come to: these
// would go on, although the mask names them.
//
// CHECK-DAG: 'guarded' and 'own' not fused: KernelUnsupported: 'guarded' uses a warp operation that some threads may not come to (__shfl_xor_sync), and another kernel would follow it
// CHECK-DAG: 'firstOfRows' and 'ownOfRows' not fused: KernelUnsupported
// CHECK: 12 launches -> 12
#include <cstdio>
#include <cuda_runtime.h>

__global__ void total(const int *x, int *sums) {
  __shared__ int all[64];
  all[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += all[i];
    sums[blockIdx.x] = sum;
  }
}

__global__ void beside(const int *sums, int *y) {
  y[blockIdx.x * 64 + threadIdx.x] = sums[blockIdx.x + 1];
}

__global__ void row(const int *x, int *y, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    y[blockIdx.x * width + i] = x[blockIdx.x * width + i] + 1;
}

__global__ void wider(const int *y, int *z, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    z[blockIdx.x * width + i] = y[blockIdx.x * width + width - 1 - i];
}

__global__ void beyond(const int *y, int *z, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    z[blockIdx.x * width + i] = y[blockIdx.x * width + i + 1];
}

__global__ void half(const int *x, int *y) {
  y[blockIdx.x * 32 + threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
}

__global__ void halves(const int *y, int *z) {
  z[blockIdx.x * 64 + threadIdx.x] = y[blockIdx.x * 32 + 31 - threadIdx.x % 32];
}

__global__ void guarded(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __shfl_xor_sync(0xffffffff, x[i], 1);
}

__global__ void own(const int *y, int *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = y[i] * 3;
}

// Rows of 16 threads: half a warp is in the first row.
__global__ void firstOfRows(const int *x, int *y) {
  int i = (blockIdx.x * 4 + threadIdx.y) * 16 + threadIdx.x;
  int value = x[i];
  if (threadIdx.x < 32)
    value = __shfl_xor_sync(0xffffffff, value, 1);
  y[i] = value;
}

__global__ void ownOfRows(const int *y, int *z) {
  int i = (blockIdx.x * 4 + threadIdx.y) * 16 + threadIdx.x;
  z[i] = y[i] * 5;
}

static int host[4096];
static void show(const int *z) {
  cudaMemcpy(host, z, sizeof(host), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < 4096; ++i)
    sum += host[i] * (i % 13LL);
  printf("%lld\n", sum);
}

int main() {
  int *x, *y, *z;
  for (int **each : {&x, &y, &z}) {
    cudaMalloc(each, 2 * sizeof(host));
    cudaMemset(*each, 1, 2 * sizeof(host));
  }
  for (int i = 0; i < 4096; ++i)
    host[i] = i * 7 % 1009;
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  total<<<64, 64>>>(x, y);
  beside<<<64, 64>>>(y, z);
  show(z);
  row<<<40, 64>>>(x, y, 100);
  wider<<<40, 64>>>(y, z, 101);
  show(z);
  row<<<40, 64>>>(x, y, 100);
  beyond<<<40, 64>>>(y, z, 100);
  show(z);
  half<<<64, 64>>>(x, y);
  halves<<<64, 64>>>(y, z);
  show(z);
  guarded<<<16, 256>>>(x, y, 4000);
  own<<<16, 256>>>(y, z, 4000);
  show(z);
  firstOfRows<<<64, dim3(16, 4)>>>(x, y);
  ownOfRows<<<64, dim3(16, 4)>>>(y, z);
  show(z);
}
