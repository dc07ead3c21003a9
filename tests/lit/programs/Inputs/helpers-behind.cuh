// Kernels that call functions which are defined behind them.
#pragma once

__device__ float wrap(float x, float limit);
__device__ float scaled(float x);
__device__ float by(float x, float y);

__global__ void move(float *x, const float *v, float limit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = wrap(x[i] + v[i], limit);
}
__global__ void stretch(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = scaled(x[i]);
}
__global__ void times(const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = by(y[i], 3.0f);
}

__device__ float wrap(float x, float limit) {
  return x > limit ? x - limit : x;
}
__device__ float scaled(float x) { return x * 0.5f; }
// Behind it 'scaled(x)' could mean this one too.
__device__ float scaled(float x, int by) { return x * by; }
// 'by(y)' may be called in a new way from here on.
__device__ float by(float x, float y = 2.0f) { return x * y; }
