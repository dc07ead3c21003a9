// RUN: %kfuse %s -o %t.cu -Rkfuse-analysis 2>&1 | FileCheck %s
//
// Launches by functions of the runtime whose arguments aren't listed aren't
// followed, and it is told.
//
// CHECK: remark: launch left alone: launched by 'cudaLaunchKernel' instead of <<<...>>> [-Rkfuse-analysis]
// CHECK: cudaLaunchKernel((void *)shift
// CHECK: 2 launches -> 1
// CHECK: 1 launches left alone; -Rkfuse-analysis says why

#include <cuda_runtime.h>

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

__global__ void shift(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1;
}

void run(float *a, float *b, float *c, int n) {
  scale<<<n / 256, 256>>>(a, b, n);
  shift<<<n / 256, 256>>>(b, c, n);
  void *arguments[3];
  arguments[0] = &c, arguments[1] = &a, arguments[2] = &n;
  cudaLaunchKernel((void *)shift, dim3(n / 256), dim3(256), arguments, 0, 0);
}
