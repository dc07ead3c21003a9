// RUN: %kfuse verify %s
// RUN: %kfuse verify %s --elements-per-thread=1
//
// The size of the grid is the stride of the array: launching another number of
// blocks would change which element is meant.
#include <cstdio>

__global__ void fill(float *planes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  for (int p = 0; p < 3; ++p)
    planes[p * stride + i] = 10 * p + i % 7;
}

__global__ void first(const float *planes, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  sum[i] = planes[i] + planes[stride + i];
}

__global__ void second(const float *planes, float *sum, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  out[i] = sum[i] * planes[2 * stride + i];
}

int main() {
  const int n = 640;
  float host[n], *planes, *sum, *out;
  cudaMalloc(&planes, 3 * sizeof(host));
  cudaMalloc(&sum, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  fill<<<10, 64>>>(planes);
  first<<<10, 64>>>(planes, sum);
  second<<<10, 64>>>(planes, sum, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[77]);
  cudaFree(planes);
  cudaFree(sum);
  cudaFree(out);
}
