// RUN: %kfuse %s -Rkfuse-missed -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The arguments of a launch may do anything on the host: here they overwrite
// what the kernel before made. Both launches stay where they are; what comes
// behind them fuses.

// CHECK: 'shift' and 'lower' not fused: LaunchNotEditable: the launch of 'lower' does more on the host than launch
// CHECK: note: compute its arguments before the launch
// OUT: {{^ *}}shift<<<4, 256>>>(x, y, n);
// OUT-NEXT: {{^ *}}lower<<<4, 256>>>(y, z, n, amount());
// OUT-NEXT: {{^ *}}kfuse_raise_halve<<<
#include <cstdio>
#include <vector>

__global__ void shift(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void lower(const float *y, float *z, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = y[i] - by;
}

__global__ void raise(const float *z, float *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    w[i] = z[i] + 3;
}

__global__ void halve(const float *w, float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = w[i] / 2;
}

float *shifted;
const int n = 1000;

int clear() {
  cudaMemset(shifted, 0, n * sizeof(float));
  return 5;
}

int (*amount)() = clear;

int main() {
  std::vector<float> h(n, 2);
  float *x, *y, *z, *w;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  shifted = y;
  cudaMalloc(&z, n * sizeof(float));
  cudaMalloc(&w, n * sizeof(float));
  cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  shift<<<4, 256>>>(x, y, n);
  lower<<<4, 256>>>(y, z, n, amount());
  raise<<<4, 256>>>(z, w, n);
  halve<<<4, 256>>>(w, x, n);
  cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[n / 2]);
}
