// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Arrays that file-scope variables, a namespace's and a class's know. Launches
// that use them fuse; who else knows them isn't followed, so all is stored and
// no pointers are swapped.

// CHECK: remark: fused 'scale', 'shift', 'copy'
// CHECK-NOT: becomes a swap
// OUT:     {{^ *}}kfuse_scale_shift_copy<<<
// OUT-NOT: kfuseSwap(
// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
float *a, *b;
namespace state {
static float *c;
}
struct Buffers {
  static float *d;
};
float *Buffers::d;

__global__ void scale(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * 0.5f;
}
__global__ void shift(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + 1;
}
__global__ void copy(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

void allocate() {
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&state::c, n * sizeof(float));
  cudaMalloc(&Buffers::d, n * sizeof(float));
}

void show(const float *array) {
  static float host[n];
  cudaMemcpy(host, array, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%g\n", sum);
}

int main() {
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 23;
  allocate();
  cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<4, 256>>>(a, b, n);
  shift<<<4, 256>>>(b, state::c, n);
  copy<<<4, 256>>>(state::c, Buffers::d, n);
  show(b);
  show(state::c);
  show(Buffers::d);
  cudaFree(a);
  cudaFree(b);
  cudaFree(state::c);
  cudaFree(Buffers::d);
}
