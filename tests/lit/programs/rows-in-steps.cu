// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
// RUN: %kfuse verify %s -- 3 1
//
// A block works on its row in four kernels. Threads read what others of their
// block stored: the row's value, of one thread, and elements in the opposite
// order. They wait for each other between the stages.
//
// CHECK: fused 'mean', 'centre', 'most' and 'scale' into 'kfuse_mean_centre_most_scale': {{.*}}through memory
// CHECK: 4 launches -> 1
// OUT: void kfuse_mean_centre_most_scale(
// OUT-NEXT: const float *x, float *average, int width, float *y, float *peak,
// OUT-NEXT: float *__restrict__ z) {
// OUT-NEXT: mean_stage(x, average, width);
// OUT-NEXT: __syncthreads();
// OUT-NEXT: centre_stage(x, average, y, width);
// OUT-NEXT: __syncthreads();
// OUT-NEXT: most_stage(y, peak, width);
// OUT-NEXT: __syncthreads();
// OUT-NEXT: scale_stage(y, peak, z, width);
// OUT-NEXT: }
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ float sumOfWarp(float value) {
  for (int lanes = 16; lanes > 0; lanes /= 2)
    value += __shfl_down_sync(0xffffffff, value, lanes);
  return value;
}

// All warps come to the first operation, and one to the second.
__device__ float sumOfBlock(float value) {
  __shared__ float parts[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  value = sumOfWarp(value);
  if (lane == 0)
    parts[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / warpSize ? parts[lane] : 0.0f;
  if (warp == 0)
    value = sumOfWarp(value);
  return value;
}

__global__ void mean(const float *__restrict__ x, float *__restrict__ average,
                     int width) {
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    sum += x[blockIdx.x * width + i];
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0)
    average[blockIdx.x] = sum / width;
}

__global__ void centre(const float *__restrict__ x,
                       const float *__restrict__ average,
                       float *__restrict__ y, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    y[blockIdx.x * width + i] = x[blockIdx.x * width + i] - average[blockIdx.x];
}

__global__ void most(const float *__restrict__ y, float *__restrict__ peak,
                     int width) {
  __shared__ float all[128];
  float most = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    most = fmaxf(most, fabsf(y[blockIdx.x * width + i]));
  all[threadIdx.x] = most;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      all[threadIdx.x] = fmaxf(all[threadIdx.x], all[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    peak[blockIdx.x] = all[0];
}

__global__ void scale(const float *__restrict__ y,
                      const float *__restrict__ peak, float *__restrict__ z,
                      int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    z[blockIdx.x * width + i] = y[blockIdx.x * width + i] / peak[blockIdx.x];
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? atoi(argv[1]) : 37;
  const int width = argc > 2 ? atoi(argv[2]) : 300;
  const int count = rows * width;
  float *host = new float[count], *x, *y, *z, *average, *peak;
  for (int i = 0; i < count; ++i)
    host[i] = 1.0f / (i % 61 + 1);
  cudaMalloc(&x, count * sizeof(float));
  cudaMalloc(&y, count * sizeof(float));
  cudaMalloc(&z, count * sizeof(float));
  cudaMalloc(&average, rows * sizeof(float));
  cudaMalloc(&peak, rows * sizeof(float));
  cudaMemcpy(x, host, count * sizeof(float), cudaMemcpyHostToDevice);
  mean<<<rows, 128>>>(x, average, width);
  centre<<<rows, 128>>>(x, average, y, width);
  most<<<rows, 128>>>(y, peak, width);
  scale<<<rows, 128>>>(y, peak, z, width);
  cudaMemcpy(host, z, count * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += host[i] * (i % 7);
  printf("%a\n", sum);
  delete[] host;
}
