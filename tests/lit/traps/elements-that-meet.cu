// RUN: %kfuse %s --elements-per-thread=4 -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=4
//
// A thread's elements are a block apart, and so are the two loads of `near`,
// whose text has the block's size: what one element multiplies for `far` the
// next one does for `near`. The compiler would compute it once, and contract
// neither sum, if the factor weren't set apart. Where the size is `blockDim.x` it can't know.
//
// CHECK: void kfuse_near_next(
// CHECK: c_apart = kfuseIsolate(c, kfuseZero.at[0 * 4 + v])
// CHECK: void kfuse_open_next(
// CHECK-NOT: kfuseIsolate
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void near(const float *x, const float *y, float *p, float *q,
                     float c, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n - 128) {
    p[i] = c * x[i] + y[i];
    q[i] = c * x[i + 128] + y[i];
  }
}

__global__ void open(const float *x, const float *y, float *p, float *q,
                     float c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 128) {
    p[i] = c * x[i] + y[i];
    q[i] = c * x[i + 128] + y[i];
  }
}

__global__ void next(const float *p, float *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 128)
    r[i] = p[i] + 1;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4096;
  const size_t bytes = n * sizeof(float);
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = 1.0f / (i + 1);
  float *x, *y, *p, *q, *r;
  for (float **each : {&x, &y, &p, &q, &r})
    cudaMalloc(each, bytes);
  for (float *each : {x, y, p, q, r})
    cudaMemcpy(each, h.data(), bytes, cudaMemcpyHostToDevice);
  near<<<n / 128, 128>>>(x, y, p, q, 0.3f, n);
  next<<<n / 128, 128>>>(p, r, n);
  cudaMemcpy(h.data(), r, bytes, cudaMemcpyDeviceToHost);
  printf("%a\n", h[10]);
  open<<<n / 128, 128>>>(x, y, p, q, 0.3f, n);
  next<<<n / 128, 128>>>(p, r, n);
  cudaMemcpy(h.data(), q, bytes, cudaMemcpyDeviceToHost);
  printf("%a\n", h[11]);
}
