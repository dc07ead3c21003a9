// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
//
// Lambdas in kernels are followed if calls of them find in what they capture
// what the variables hold then.
//
// CHECK-DAG: remark: {{.*}}'changes'{{.*}} not fused: KernelUnsupported
// CHECK-DAG: remark: {{.*}}'changedLater'{{.*}} not fused: KernelUnsupported
// CHECK-DAG: remark: {{.*}}'ofItsOwn'{{.*}} not fused: KernelUnsupported
// CHECK-DAG: remark: {{.*}}'nested'{{.*}} not fused: KernelUnsupported
// CHECK: 16 launches -> 12
// CHECK-DAG: = 'byReference', 'finish'
// CHECK-DAG: = 'byCopy', 'finish'
// CHECK-DAG: = 'given', 'finish'
// CHECK-DAG: = 'called', 'finish'
// VERIFY: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void byReference(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int far = i;
  auto at = [&](int k) { return x[k + far] > 1 ? x[k] : x[far]; };
  if (i < n / 2)
    y[i] = at(i);
  far = 0; // from here on it reads other elements
  if (i >= n / 2 && i < n)
    y[i] = at(i);
}
__global__ void byCopy(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto at = [=](int k) { return x[(k + i) / 2]; };
  if (i < n)
    y[i] = at(i);
}
template <typename F> __device__ float twice(F f, int i) {
  return f(i) + f(i);
}
__global__ void given(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = twice([&](auto k) { return x[k]; }, i);
}
__global__ void called(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto more = [n](float v) { return v + n; };
  if (i < n)
    y[i] = more([&] { return x[i]; }());
}
__global__ void changes(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = i;
  auto next = [&] { ++k; };
  next();
  if (k < n)
    y[k] = x[k];
}
__global__ void changedLater(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = i;
  auto at = [k](const float *p) { return p[k]; };
  k = 0;
  if (i < n)
    y[i] = at(x) + k;
}
__global__ void ofItsOwn(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto at = [k = 0](const float *p) mutable { return p[k++]; };
  if (i < n) {
    at(x);
    y[i] = at(x);
  }
}
__global__ void nested(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = i;
  auto at = [&](const float *p) {
    auto next = [&] { return k++; };
    next();
    return p[k];
  };
  if (i < n - 1)
    y[i] = at(x);
}
__global__ void finish(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] < 2 ? y[i] : 2;
}

int main() {
  const int n = 3000;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = 0.5f * (i % 7);
  float *x, *y;
  cudaMalloc(&x, 2 * n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  for (int half = 0; half < 2; ++half)
    cudaMemcpy(x + half * n, h.data(), n * sizeof(float),
               cudaMemcpyHostToDevice);
  const auto show = [&] {
    std::vector<float> r(n);
    cudaMemcpy(r.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 331)
      std::printf("%g ", r[i]);
    std::printf("\n");
  };
  const int grid = (n + 127) / 128;
  byReference<<<grid, 128>>>(x, y, n);
  finish<<<grid, 128>>>(y, n);
  show();
  byCopy<<<grid, 128>>>(x, y, n);
  finish<<<grid, 128>>>(y, n);
  show();
  given<<<grid, 128>>>(x, y, n);
  finish<<<grid, 128>>>(y, n);
  show();
  called<<<grid, 128>>>(x, y, n);
  finish<<<grid, 128>>>(y, n);
  show();
  changes<<<grid, 128>>>(x, y, n);
  finish<<<grid, 128>>>(y, n);
  show();
  changedLater<<<grid, 128>>>(x, y, n);
  finish<<<grid, 128>>>(y, n);
  show();
  ofItsOwn<<<grid, 128>>>(x, y, n);
  finish<<<grid, 128>>>(y, n);
  show();
  nested<<<grid, 128>>>(x, y, n);
  finish<<<grid, 128>>>(y, n);
  show();
}
