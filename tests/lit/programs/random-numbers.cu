// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// CHECK: 3 launches -> 1
// CHECK: verified: original and fused
//
// cuRAND's functions change the state that they get a pointer to, and nothing
// else.

#include <cstdio>
#include <cuda_runtime.h>
#include <curand_kernel.h>

__global__ void seed(curandState *states, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    curand_init(1234ULL, i, 0, &states[i]);
}

__global__ void paths(curandState *states, float *price, float drift, float vol,
                      int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  curandState state = states[i];
  float s = 100.0f;
  for (int k = 0; k < steps; ++k)
    s *= expf(fmaf(vol, curand_normal(&state), drift));
  price[i] = s;
  states[i] = state;
}

__global__ void payoff(const float *price, float *value, float strike, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    value[i] = fmaxf(price[i] - strike, 0.0f);
}

int main() {
  const int n = 5000;
  static float h[n];
  curandState *states;
  float *price, *value;
  cudaMalloc(&states, n * sizeof(curandState));
  cudaMalloc(&price, n * sizeof(float));
  cudaMalloc(&value, n * sizeof(float));
  seed<<<(n + 255) / 256, 256>>>(states, n);
  paths<<<(n + 255) / 256, 256>>>(states, price, 0.01f, 0.2f, 8, n);
  payoff<<<(n + 255) / 256, 256>>>(price, value, 95.0f, n);
  cudaMemcpy(h, value, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i];
  printf("%.9g\n", sum / n);
}
