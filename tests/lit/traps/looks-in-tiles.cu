// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.cu
//
// Where it isn't known what the producer leaves, consumers look whether a
// neighbour was written. Compilers contract a product with a sum in one basic block alone, so
// the look must be no branch: in a tile it chooses between two places. A value
// in a register has no place; where its look would come between a product and a
// sum, it passes through memory.
#include <cstdio>
#include <cuda_runtime.h>
#define memory kept
#define tile(a) a

// SUM: 5 launches -> 2

// OUT: {{^}}kfuseEither(bool written, const T &{{[a-z0-9_]*}}, const T &{{[a-z0-9_]*}}) {
// OUT: w[i] = (v_written[1] ? v_tile[1] : v[i + 1]) * s + (v_tile[0] + kfuseEither(v_written[-1], v_tile[-1], v[i - 1]));
// OUT: d[i] = s * a[i] + b[i];
namespace app {
template <typename T> __global__ void differ(const T *u, T *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1 && i % 7 != 2)
    v[i] = u[i + 1] - u[i - 1];
}

__global__ void smooth(const float *v, float *w, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1 && i % 5 != 3)
    w[i] = v[i + 1] * s + (v[i] + v[i - 1]);
}

template <typename T>
__global__ void again(const T *w, T *z, T s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    z[i] = s * w[i] + w[i - 1];
}
} // namespace app

__global__ void some(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3 != 0)
    b[i] = a[i] + 1;
}

__global__ void all(const float *a, const float *b, float *d, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = s * a[i] + b[i];
}

int main() {
  const int n = 1000;
  float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = 0.37f * (i * 7919 % 101);
  float *u, *v, *w, *z, *b, *d;
  for (float **each : {&u, &v, &w, &z, &b, &d}) {
    cudaMalloc(each, sizeof h);
    cudaMemset(*each, 0, sizeof h);
  }
  cudaMemcpy(u, h, sizeof h, cudaMemcpyHostToDevice);
  app::differ<<<(n + 127) / 128, 128>>>(u, v, n);
  app::smooth<<<(n + 127) / 128, 128>>>(v, w, 0.3f, n);
  app::again<<<(n + 127) / 128, 128>>>(w, z, 0.7f, n);
  cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float each : h)
    sum += each;
  some<<<(n + 127) / 128, 128>>>(u, b, n);
  all<<<(n + 127) / 128, 128>>>(u, b, d, 0.7f, n);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (float each : h)
    sum += each;
  std::printf("%g\n", sum);
}
