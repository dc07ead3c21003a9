// RUN: %kfuse %s -o %t.cu -Rkfuse
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s
//
// A kernel has one array that is sized at the launch. Kernels that ask for as
// much use it in turn, behind a barrier; of numbers the largest is enough.
#include <cstdio>

const int rows = 24, columns = 200, most = 256;

__global__ void mean(float *means, const float *in, int columns) {
  extern __shared__ float shared[];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += in[blockIdx.x * columns + i];
  shared[threadIdx.x] = sum;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride)
      shared[threadIdx.x] += shared[threadIdx.x + stride];
  }
  if (threadIdx.x == 0)
    means[blockIdx.x] = shared[0] / 256;
}

__global__ void spread(float *spreads, const float *in, const float *means,
                       int columns) {
  extern __shared__ float parts[];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += fabsf(in[blockIdx.x * columns + i] - means[blockIdx.x]);
  parts[threadIdx.x] = sum;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride)
      parts[threadIdx.x] += parts[threadIdx.x + stride];
  }
  if (threadIdx.x == 0)
    spreads[blockIdx.x] = parts[0];
}

__global__ void turned(const float *in, float *out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}

__global__ void doubled(const float *in, float *out) {
  extern __shared__ float pairs[];
  pairs[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  pairs[threadIdx.x + 128] = pairs[threadIdx.x] + 1;
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = pairs[255 - threadIdx.x];
}

// CHECK: void kfuse_mean_spread(
// CHECK: mean_stage({{.*}});
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: spread_stage({{.*}});
// CHECK: kfuse_mean_spread<<<rows, threads, threads * sizeof(float)>>>
// CHECK: kfuse_doubled_turned<<<12, 128, 2 * 128 * sizeof(float)>>>
int main(int argc, char **argv) {
  const int threads = 64 * argc;
  static float host[rows * most];
  for (int i = 0; i < rows * most; ++i)
    host[i] = i % 41;
  float *in, *means, *spreads, *other, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&means, sizeof(host));
  cudaMalloc(&spreads, sizeof(host));
  cudaMalloc(&other, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  mean<<<rows, threads, threads * sizeof(float)>>>(means, in, columns);
  spread<<<rows, threads, threads * sizeof(float)>>>(spreads, in, means,
                                                     columns);
  cudaMemcpy(host, spreads, rows * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f %f\n", host[0], host[rows - 1]);

  doubled<<<12, 128, 2 * 128 * sizeof(float)>>>(in, other);
  turned<<<12, 128, 128 * sizeof(float)>>>(in, out);
  cudaMemcpy(host, other, 12 * 128 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f %f\n", host[0], host[700]);
  cudaMemcpy(host, out, 12 * 128 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f %f\n", host[0], host[700]);
  cudaFree(in);
  cudaFree(means);
  cudaFree(spreads);
  cudaFree(other);
  cudaFree(out);
}
