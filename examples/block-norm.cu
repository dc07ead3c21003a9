// The norm of a weighted vector: weights and squares are pointwise, the sum is
// a reduction in shared memory, one partial sum a block, and the last kernel
// needs them all. The pointwise part may join the reduction; what divides by
// the total may not, because blocks can't wait for each other.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 128

__global__ void weigh(const float *x, const float *w, float *y, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n)
    y[i] = x[i] * w[i];
}

__global__ void square(const float *y, float *squares, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n)
    squares[i] = y[i] * y[i];
}

__global__ void sumBlocks(const float *squares, float *partial, int n) {
  __shared__ float cache[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  cache[threadIdx.x] = i < n ? squares[i] : 0;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = cache[0];
}

__global__ void normalise(float *y, const float *partial, int blocks, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float total = 0;
  for (int b = 0; b < blocks; ++b)
    total += partial[b];
  if (i < n)
    y[i] /= sqrtf(total);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 5000;
  const int blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<float> x(n), w(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (i % 19) / 19.0f;
    w[i] = (i % 23) / 23.0f;
  }
  float *d_x, *d_w, *d_y, *d_squares, *d_partial;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_w, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMalloc(&d_squares, n * sizeof(float));
  cudaMalloc(&d_partial, blocks * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_w, w.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  weigh<<<blocks, BLOCK>>>(d_x, d_w, d_y, n);
  square<<<blocks, BLOCK>>>(d_y, d_squares, n);
  sumBlocks<<<blocks, BLOCK>>>(d_squares, d_partial, n);
  normalise<<<blocks, BLOCK>>>(d_y, d_partial, blocks, n);
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);

  double total = 0, checksum = 0;
  for (int i = 0; i < n; ++i)
    total += double(x[i] * w[i]) * (x[i] * w[i]);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += !(fabs(y[i] - x[i] * w[i] / sqrt(total)) < 1e-5);
    checksum += y[i];
  }
  printf("block-norm: %d elements, checksum %.4f, %d wrong\n", n, checksum,
         wrong);
  cudaFree(d_x);
  cudaFree(d_w);
  cudaFree(d_y);
  cudaFree(d_squares);
  cudaFree(d_partial);
  return wrong != 0;
}
