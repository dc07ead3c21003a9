// RUN: %kfuse %s -o %t.kernel.cu -DAROUND_KERNELS -Rkfuse-analysis \
// RUN:   -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: %kfuse %s -o %t.host.cu -DAROUND_HOST -Rkfuse-analysis 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: sed 's/^EMPTY$/namespace empty { END/' %s > %t.half.cu
// RUN: %kfuse %t.half.cu -o %t.out.cu -Rkfuse-analysis 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// A macro opens a scope that the text doesn't show: what is written beside a
// kernel, or in front of a function that launches it, would be in that scope,
// and a template can't be in `extern "C"`.

// KERNEL: a macro opens or closes a namespace there
// KERNEL: 2 launches -> 2
// HOST: launch left alone: a macro opens or closes a namespace there
// HOST: left as it is
// CHECK: 2 launches -> 1
#include <cstdio>
#include <cuda_runtime.h>

#define BEGIN_C extern "C" {
#define END }
#ifdef AROUND_HOST
#define BEGIN_GRID namespace grid {
#define END_GRID }
#else
#define BEGIN_GRID
#define END_GRID
#endif

namespace grid {}
using namespace grid;

#define EMPTY
EMPTY

#ifdef AROUND_KERNELS
BEGIN_C
#endif

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 2;
}

#ifdef AROUND_KERNELS
END
#endif

BEGIN_GRID

void run(const float *A, float *B, float *C, int n) {
  first<<<8, 128>>>(A, B, n);
  second<<<8, 128>>>(B, C, n);
}

END_GRID

int main() {
  const int n = 1000;
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  run(A, B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}
