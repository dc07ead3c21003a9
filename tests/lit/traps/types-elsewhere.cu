// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// Types that a fused kernel has of its members may be others where these are
// launched. It stands behind its members; if they are in several namespaces it
// stands before the launch, and names the types from the global scope.
//
// CHECK: 4 launches -> 2
// CHECK: verified: original and fused
//
// OUT:      namespace wave {
// OUT:      {{^}}static __global__ void kfuse_smooth_slope(
// OUT-NEXT: const real *__restrict__ in, real *smoothed, real scale,
// OUT:      {{^}}} // namespace wave
// OUT:      namespace app {
// OUT:      kfuse_weigh_shift(
// OUT:        ::wave::Weight by
// OUT:      ::wave::weigh_at(
// OUT:      ::wave::kfuse_smooth_slope<<<
#include <cstdio>
#include <cuda_runtime.h>

namespace wave {
using real = double;
struct Weight {
  float value;
};

__global__ void smooth(const real *in, real *smoothed, real scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    smoothed[i] = (in[i - 1] + in[i] + in[i + 1]) / scale;
}

__global__ void slope(const real *smoothed, real *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 1 && i < n - 2)
    out[i] = smoothed[i + 1] - smoothed[i - 1];
}

__global__ void weigh(const float *in, float *weighed, Weight by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    weighed[i] = in[i] * by.value;
}
} // namespace wave

__global__ void shift(const float *weighed, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = fmaxf(weighed[i], 1.0f);
}

namespace app {
using real = float;
namespace wave {
struct Weight {
  int value;
};
} // namespace wave

void run(const double *in, double *smoothed, double *out, const float *from,
         float *weighed, float *to, int n) {
  ::wave::smooth<<<8, 128>>>(in, smoothed, 3.0, n);
  ::wave::slope<<<8, 128>>>(smoothed, out, n);
  ::wave::weigh<<<8, 128>>>(from, weighed, {0.75f}, n);
  shift<<<8, 128>>>(weighed, to, n);
}
} // namespace app

int main() {
  const int n = 1000;
  double host[n], *in, *smoothed, *out;
  float floats[n], *from, *weighed, *to;
  for (int i = 0; i < n; ++i) {
    host[i] = i % 7 * 0.1;
    floats[i] = i % 5;
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&smoothed, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&from, sizeof(floats));
  cudaMalloc(&weighed, sizeof(floats));
  cudaMalloc(&to, sizeof(floats));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(smoothed, 0, sizeof(host));
  cudaMemset(out, 0, sizeof(host));
  cudaMemcpy(from, floats, sizeof(floats), cudaMemcpyHostToDevice);
  app::run(in, smoothed, out, from, weighed, to, n);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  cudaMemcpy(floats, to, sizeof(floats), cudaMemcpyDeviceToHost);
  printf("%.17g %g\n", host[500], floats[499]);
  cudaFree(in);
  cudaFree(smoothed);
  cudaFree(out);
  cudaFree(from);
  cudaFree(weighed);
  cudaFree(to);
}
