// RUN: %kfuse %s --elements-per-thread=1 -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=1
//
// A kernel reads back what it has stored. Where its sums are clear these values
// are no products, and a register may keep them; through another pointer to the
// same array they may be, and come back from memory.
//
// CHECK: void kfuse_drift_reflect(
// CHECK: // drift
// CHECK-NEXT: height_value = (height[i] += speed[i] * dt);
// CHECK: // reflect
// CHECK-NEXT: height[i] = height_value = height_value - 3;
// CHECK-NEXT: if (height_value < 0)
// CHECK-NEXT: height[i] = height_value = -height_value;
// CHECK: void kfuse_drift_twoNames(
// CHECK: twoNames_at(i, {{.*}}kfuseIsolate(
#include <cstdio>
#include <cuda_runtime.h>

__global__ void drift(float *height, const float *speed, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    height[i] += speed[i] * dt;
}

__global__ void reflect(float *height, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    height[i] = height[i] - 3;
    if (height[i] < 0)
      height[i] = -height[i];
  }
}

__global__ void twoNames(const float *in, float *out, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] * 1.1f;
    sum[i] = in[i] + 1;
  }
}

int main() {
  const int n = 1000;
  static float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = 1.0f / (i + 1);
  float *height, *speed, *sum;
  cudaMalloc(&height, sizeof(h));
  cudaMalloc(&speed, sizeof(h));
  cudaMalloc(&sum, sizeof(h));
  cudaMemcpy(height, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemcpy(speed, h, sizeof(h), cudaMemcpyHostToDevice);
  drift<<<8, 128>>>(height, speed, 0.1f, n);
  reflect<<<8, 128>>>(height, n);
  cudaMemcpy(h, height, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[10]);
  drift<<<8, 128>>>(height, speed, 0.1f, n);
  twoNames<<<8, 128>>>(height, height, sum, n);
  cudaMemcpy(h, sum, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[11]);
}
