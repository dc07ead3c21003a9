// The record: every access of device code to the device's memory, and no other.
// RUN: %kfuse-cpu --record %s -o %t
// RUN: env KFUSE_CPU_ACCESSES=%t.accesses KFUSE_CPU_BYTES=%t.bytes %t
// RUN: FileCheck %s --check-prefix=ACCESSES < %t.accesses
// RUN: FileCheck %s --check-prefix=BYTES < %t.bytes
// RUN: env KFUSE_CPU_ORDER=reverse KFUSE_CPU_BYTES=%t.reverse %t
// RUN: diff %t.bytes %t.reverse
// The header is the precompiled one, also for kernels without shared memory.
// RUN: rm -f %t.options
// RUN: env CC_PRINT_OPTIONS=1 CC_PRINT_OPTIONS_FILE=%t.options %kfuse-cpu --record %S/vector-add.cu -o %t
// RUN: FileCheck %s --check-prefix=HEADER < %t.options
// HEADER-NOT: "-include" "cuda_runtime.h"
// HEADER: "-include-pch"
// HEADER-NOT: "-include" "cuda_runtime.h"
// RUN: not %kfuse-cpu --record --sanitize %s -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: a program is recorded or sanitized, not both
#include <cuda_fp16.h>

struct Particle {
  float x, y, z;
  int tags[5];
};
__device__ int counter;
__constant__ float weights[2];

// The load counts though nothing uses most of it.
__forceinline__ __device__ void put(float4 *p, float4 v) {
  float4 old = *p;
  *p = v;
  p->w = old.w;
}

// A thread's accesses are in its order; others may come between.
__global__ void touch(float4 *a, Particle *p, double *d, __half *h) {
  __shared__ float values[8];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  float4 local = a[i];
  put(&a[i + 8], local);
  p[i + 8] = p[i];
  values[threadIdx.x] = d[i] * weights[0];
  __syncthreads();
  d[i] += values[3 - threadIdx.x];
  h[i] = __ldg(h + i);
  atomicAdd(&counter, 1);
  if (p[i].tags[4] == 1)
    a[i].x = 0;
}
// ACCESSES: array [[V:[0-9]+]] {{[0-9]+}} variables
// ACCESSES-NEXT: array [[A:[0-9]+]] 256 main:a#0
// ACCESSES-NEXT: array [[P:[0-9]+]] 512 main:p#0
// ACCESSES-NEXT: array [[D:[0-9]+]] 64 main:d#0
// ACCESSES-NEXT: array [[H:[0-9]+]] 16 main:h#0
// ACCESSES-NEXT: host-write [[P]] 0 512
// ACCESSES-NEXT: host-write [[P]] 28 4
// ACCESSES-NEXT: launch 0 [[@LINE+49]] 2 1 1 4 1 1 touch
// ACCESSES-NEXT: r 0 [[A]] 0 16
// ACCESSES-NEXT: r 0 [[A]] 128 16
// ACCESSES-NEXT: w 0 [[A]] 128 16
// ACCESSES-NEXT: w 0 [[A]] 140 4
// ACCESSES-NEXT: r 0 [[P]] 0 32
// ACCESSES-NEXT: w 0 [[P]] 256 32
// ACCESSES-NEXT: r 0 [[D]] 0 8
// ACCESSES-NEXT: r 0 [[V]] [[WEIGHTS:[0-9]+]] 4
// ACCESSES-NEXT: r 1 [[A]] 16 16
// ACCESSES: r 0 [[D]] 0 8
// ACCESSES-NEXT: w 0 [[D]] 0 8
// ACCESSES-NEXT: r 0 [[H]] 0 2
// ACCESSES-NEXT: w 0 [[H]] 0 2
// ACCESSES-NEXT: atomicAdd 0 [[V]] [[COUNTER:[0-9]+]] 4
// ACCESSES-NEXT: r 0 [[P]] 28 4
// ACCESSES-NEXT: w 0 [[A]] 0 4
// ACCESSES-NEXT: r 1 [[D]] 8 8
// ACCESSES: r 7 [[P]] 252 4
// ACCESSES-NEXT: launch 1 [[@LINE+31]] 1 1 1 1 1 1 again
// ACCESSES-NEXT: r 0 [[H]] 0 2
// ACCESSES-NEXT: w 0 [[H]] 14 2
// ACCESSES-NEXT: host-read [[V]] [[COUNTER]] 4
// ACCESSES-NEXT: host-read [[D]] 0 32
// ACCESSES-NOT: {{.}}

template <class T> __global__ void again(T *p) { p[7] = p[0]; }

// BYTES: {"host": "write", "array": "main:p#0", "bytes": 512}
// BYTES: {"launch": 0, "kernel": "touch", "line": [[@LINE+20]], "grid": [2, 1, 1], "block": [4, 1, 1], "bytesRead": 600, "bytesWritten": 472,
// BYTES-SAME: "requestedRead": 752, "requestedWritten": 532,
// BYTES-SAME: {"array": "main:h#0", "bytesRead": 16, "bytesWritten": 16}
// BYTES: {"launch": 1, "kernel": "again<__half>",
// BYTES-SAME: "bytesRead": 2, "bytesWritten": 2, "sectorsRead": 1, "sectorsWritten": 1,
// BYTES: {"array": "main:d#0", "bytes": 64, "inputs": 64, "outputs": 32, "left": 32}
int main() {
  float4 *a;
  Particle *p;
  double *d;
  __half *h;
  cudaMalloc(&a, 256);
  cudaMalloc(&p, 16 * sizeof(Particle));
  cudaMalloc(&d, 64);
  cudaMalloc(&h, 16);
  const int one = 1;
  int count;
  double back[4];
  cudaMemset(p, 0, 16 * sizeof(Particle));
  cudaMemcpy(&p->tags[4], &one, sizeof(one), cudaMemcpyHostToDevice);
  touch<<<2, 4>>>(a, p, d, h);
  again<__half><<<1, 1>>>(h);
  cudaMemcpyFromSymbol(&count, counter, sizeof(count));
  cudaMemcpy(back, d, sizeof(back), cudaMemcpyDeviceToHost);
  return count != 8;
}
