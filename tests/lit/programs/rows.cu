// Rows that an element-wise kernel made, or takes: a block makes its own rows' elements, whether a row has a thread, a
// warp or a block. Where the rows end before the elements do the original kernels run.
// RUN: %kfuse %s -o %t.cu --relaxed-rounding --cost-without=memory,L2,issue,flops,starts,L1 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --relaxed-rounding --cost-without=memory,L2,issue,flops,starts,L1 %s
// RUN: %kfuse verify --relaxed-rounding --cost-without=memory,L2,issue,flops,starts,L1 --assume=grid-covers-data %s
// CHECK: 15 launches -> 6
// CHECK-NEXT: kfuse_residual_threadRow = 'residual', 'threadRow'
// CHECK-NEXT: kfuse_scale_threadRow_lastOfRow = 'scale', 'threadRow', 'lastOfRow'
// CHECK-NEXT: kfuse_residual_scale_warpRow = 'residual', 'scale', 'warpRow'
// CHECK-NEXT: kfuse_residual_blockRow = 'residual', 'blockRow'
// CHECK-NEXT: kfuse_residual_blockRow_scale = 'residual', 'blockRow', 'scale'
// CHECK-NEXT: kfuse_blockRow_residual = 'blockRow', 'residual'
// RUN: %kfuse %s -o %t.cu --relaxed-rounding --cost-without=memory,L2,issue,flops,starts,L1 --dot=%t.dots
// RUN: FileCheck %s --check-prefix=DOT < %t.dots/data-dependency.dot
// DOT: stored, and loaded by the same block
// OUT: // kfuse: 'residual' (line {{[0-9]+}}) and 'threadRow' (line {{[0-9]+}}) as one kernel. A block
// OUT-NEXT: // runs 'residual' for the elements that it has in common with 'threadRow'. Its
// OUT-NEXT: // grid and block are those of 'threadRow'.
// OUT-NEXT: static __global__ void kfuse_residual_threadRow(
// OUT: const long long share = 32 * (long long)length;
// OUT-NEXT: int row = blockIdx.x * blockDim.x + threadIdx.x;
// OUT-NEXT: for (long long i = blockIdx.x * share + threadIdx.x;
// OUT-NEXT: i < (blockIdx.x + 1) * share; i += blockDim.x) {
// OUT-NEXT: residual_at(i, out, a, b, n);
// OUT: __syncthreads();
// OUT-NEXT: threadRow_at(row, 
// What a block reads before others of its threads write it is no restricted pointer's.
// OUT: static __global__ void kfuse_residual_scale_warpRow(
// OUT-NEXT: float *out, const float *a, float *b, int n, const float *y,
// OUT: if (1073741824 >= 32 * (long long)(unsigned)((some + 31) / 32) * length &&
// OUT-NEXT: 32 * (long long)(unsigned)((some + 31) / 32) * length >= (long long)(rows * length)) {
// OUT: kfuse_residual_threadRow<<<(some + 31) / 32, 32>>>(
#include <cstdio>
#include <cuda_runtime.h>

__global__ void residual(float *out, const float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + b[i];
}

__global__ void scale(float *x, const float *y, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * s - y[i];
}

__global__ void threadRow(float *out, float *mean, const float *x, int rows, int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float *mine = x + row * length;
  float sum = 0;
  for (int i = 0; i < length; ++i)
    sum += mine[i];
  mean[row] = sum / length;
  for (int i = 0; i < length; ++i)
    out[row * length + i] = mine[i] - sum / length;
}

__global__ void lastOfRow(int few, const float *x, float *last, int rows, int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  last[row] = few;
  for (int i = 0; i < length; ++i)
    last[row] += x[row * length + i];
}

__global__ void warpRow(float *out, const float *x, int rows, int length) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float most = 0;
  for (int i = lane; i < length; i += 32)
    most = fmaxf(most, x[row * length + i]);
  for (int k = 16; k > 0; k /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, k));
  for (int i = lane; i < length; i += 32)
    out[row * length + i] = x[row * length + i] - most;
}

__global__ void blockRow(float *out, const float *x, int length) {
  __shared__ float most[128];
  const float *mine = x + blockIdx.x * length;
  most[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    most[threadIdx.x] = fmaxf(most[threadIdx.x], mine[i]);
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k)
      most[threadIdx.x] = fmaxf(most[threadIdx.x], most[threadIdx.x + k]);
    __syncthreads();
  }
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    out[blockIdx.x * length + i] = mine[i] - most[0];
}

constexpr int SIZE = 20000;
static float host[SIZE];

static void show(const float *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < SIZE; ++i)
    sum += host[i] * (i % 11);
  std::printf("%a\n", sum);
}

int main(int argc, char **argv) {
  float *a, *b, *r, *o, *m, *l;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&r, sizeof(host));
  cudaMalloc(&o, sizeof(host));
  cudaMalloc(&m, sizeof(host));
  cudaMalloc(&l, sizeof(host));
  for (int i = 0; i < SIZE; ++i)
    host[i] = i * 7 % 23 - 5;
  for (float *array : {a, b, r, o, m, l})
    cudaMemcpy(array, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int length = 45; length > 0; length -= 22) {
    const int rows = 36 + argc;
    // Fewer rows than there are elements for, once.
    const int some = length == 23 ? rows / 4 : rows;
    const int n = rows * length;
    residual<<<(rows * length + 127) / 128, 128>>>(r, a, b, rows * length);
    threadRow<<<(some + 31) / 32, 32>>>(o, m, r, some, length);
    show(o);
    show(m);
    // The length of rows is told by the kernels in different places.
    scale<<<(n + 127) / 128, 128>>>(r, a, 0.25f, n);
    threadRow<<<(rows + 31) / 32, 32>>>(o, m, r, rows, length);
    lastOfRow<<<(rows + 31) / 32, 32>>>(2, r, l, rows, length);
    show(o);
    show(l);
    residual<<<(n + 127) / 128, 128>>>(r, b, o, n);
    scale<<<(n + 127) / 128, 128>>>(r, a, 0.5f, n);
    warpRow<<<(some + 3) / 4, 128>>>(o, r, some, length);
    show(o);
    residual<<<(n + 63) / 64, 64>>>(r, b, o, n);
    blockRow<<<some, 128>>>(o, r, length);
    show(o);
    residual<<<(n + 63) / 64, 64>>>(r, b, o, n);
    blockRow<<<rows, 128>>>(m, r, length);
    scale<<<(n + 63) / 64, 64>>>(m, r, 0.5f, n);
    show(m);
    blockRow<<<some, 128>>>(r, o, length);
    residual<<<(n + 127) / 128, 128>>>(o, r, b, n);
    show(o);
  }
  show(r);
  for (float *array : {a, b, r, o, m, l})
    cudaFree(array);
}
