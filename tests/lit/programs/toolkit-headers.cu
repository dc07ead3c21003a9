// REQUIRES: nvcc
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
//
// Headers of CUDA's libraries are those of the toolkit whose nvcc is on the PATH,
// without --cuda-path. A kernel that uses them may stay apart; others fuse.

// CHECK-NOT: error
// CHECK: kfuse_raise_lower = 'raise', 'lower'
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <thrust/device_vector.h>

__global__ void raise(const float *in, float *up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = in[i] + 1;
}
__global__ void lower(const float *up, float *down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    down[i] = up[i] - 2;
}
__global__ void total(const float *down, float *sum, int n) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  float own = 0;
  for (int i = threadIdx.x; i < n; i += 128)
    own += down[i];
  own = Reduce(storage).Sum(own);
  if (threadIdx.x == 0)
    *sum = own;
}

void run(const float *in, float *up, float *down, float *sum, int n, cublasHandle_t handle, curandGenerator_t numbers) {
  thrust::device_vector<float> zeros(n);
  curandGenerateUniform(numbers, up, n);
  raise<<<(n + 127) / 128, 128>>>(in, up, n);
  lower<<<(n + 127) / 128, 128>>>(up, down, n);
  total<<<1, 128>>>(down, sum, n);
  cublasSscal(handle, n, up, down, 1);
}
