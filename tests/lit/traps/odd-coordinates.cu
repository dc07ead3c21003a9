// RUN: %kfuse %s -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s
//
// Stages that get coordinates, and some that can't: where the kernel looks at
// its block or thread otherwise, where a macro does, or where what the
// coordinate is named means something else before it. Returns in the middle of
// kernels keep them from being one body.
//
// CHECK: void twoNames_at(
// CHECK-NEXT: const unsigned i, const unsigned j, const float *x,
// CHECK: if (i < n)
// CHECK: void shadowed_at(
// CHECK-NEXT: size_t i, const float *x,
// CHECK: const int last = n - 1;
// CHECK: void kfuse_twoNames_shadowed(
// CHECK: unsigned [[I:.+]] = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT: size_t [[WIDE:.+]] = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK: twoNames_at([[I]], [[I]], x,
// CHECK: shadowed_at([[WIDE]],
// CHECK: void looksAtThread_stage(
// CHECK: void ofMacro_stage(
// CHECK: void laterName_stage(
// CHECK: void commented_stage(
// CHECK: /* the element */
#include <cstdio>
#include <cuda_runtime.h>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

const int k = 1;

__global__ void twoNames(const float *x, const float *y, float *out, float a,
                         int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x,
                 j = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n)
    out[j] = a * x[i] + y[j];
}

__global__ void shadowed(const float *x, const float *y, float *out, float a,
                         int n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const int last = n - 1;
  if (i <= last) {
    out[i] = a * x[i] + y[i];
    if (last == 0) {
      int i = last;
      out[i] = 0;
    }
  }
}

__global__ void looksAtThread(const float *x, const float *y, float *out,
                              float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a * x[i] + y[i] + (threadIdx.x % 2);
  else
    return;
}

__global__ void ofMacro(const float *x, const float *y, float *out, float a,
                        int n) {
  int i = INDEX;
  if (i < n)
    out[i] = a * x[i] + y[i];
  else
    return;
}

__global__ void laterName(const float *x, const float *y, float *out, float a,
                          int n) {
  const int before = k;
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n)
    out[k - 1 + before] = a * x[k] + y[k];
  else
    return;
}

__global__ void commented(const float *x, const float *y, float *out, float a,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // of all
  int j = /* the element */ blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[j] = a * x[i] + y[i];
  else
    return;
}

int main() {
  const int n = 1000;
  static float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = 1.0f / (i + 1);
  float *x, *y, *one, *two;
  for (float **each : {&x, &y, &one, &two})
    cudaMalloc(each, sizeof(h));
  for (float *each : {x, y})
    cudaMemcpy(each, h, sizeof(h), cudaMemcpyHostToDevice);
  const float a = 0.3f;
  twoNames<<<8, 128>>>(x, y, one, a, n);
  shadowed<<<8, 128>>>(x, y, two, a, n);
  cudaMemcpy(h, one, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[10]);
  cudaMemcpy(h, two, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[11]);
  looksAtThread<<<8, 128>>>(x, y, one, a, n);
  ofMacro<<<8, 128>>>(x, y, two, a, n);
  cudaMemcpy(h, one, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[12]);
  cudaMemcpy(h, two, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[13]);
  laterName<<<8, 128>>>(x, y, one, a, n);
  commented<<<8, 128>>>(x, y, two, a, n);
  cudaMemcpy(h, one, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[14]);
  cudaMemcpy(h, two, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[15]);
}
