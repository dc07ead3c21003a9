// RUN: %kfuse %s -o /dev/null -Rkfuse-missed 2>&1 | FileCheck %s --match-full-lines
//
// Pairs of kernels that one thing keeps apart have one remark. The most costly
// reason comes first.
//
// CHECK: {{.*}}: remark: 'scale' and 'shift' not fused: HostDependence: 'show(large, n);' stands between 'scale' (line 45) and 'shift' (line 47) and depends on what they do [-Rkfuse-missed]
// CHECK: {{.*}}: note: it stands here
// CHECK: {{.*}}: note: move it before or after both: one kernel would read 4.2 MB less, {{.*}} us with the launch; the same keeps apart 'fill' and 'shift', 'fill' and 'scale', 'scale' and 'scale'
// CHECK: {{.*}}: remark: 'scale' and 'shift' not fused: HostDependence: 'show(small, few);' stands between 'scale' (line 51) and 'shift' (line 53) and depends on what they do [-Rkfuse-missed]
// CHECK: {{.*}}: note: move it before or after both: one kernel would read 0.0 MB less, {{.*}} us with the launch; the same keeps apart 'fill' and 'shift', 'fill' and 'scale', 'scale' and 'scale'
// CHECK-NOT: remark:
// CHECK: {{ *}}left: 8 HostDependence (pairs, for 2 reasons; -Rkfuse-missed tells each)
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 1;
}
__global__ void scale(float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * a;
}
__global__ void shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + 1;
}

void show(const float *x, int n) {
  float first;
  cudaMemcpy(&first, x + n - 1, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%g\n", first);
}

int main() {
  const int few = 1000, n = 1 << 20;
  float *small, *large;
  cudaMalloc(&small, few * sizeof(float));
  cudaMalloc(&large, n * sizeof(float));

  fill<<<4096, 256>>>(large, n);
  scale<<<4096, 256>>>(large, 2, n);
  show(large, n);
  shift<<<4096, 256>>>(large, n);
  scale<<<4096, 256>>>(large, 2, n);

  fill<<<4, 256>>>(small, few);
  scale<<<4, 256>>>(small, 2, few);
  show(small, few);
  shift<<<4, 256>>>(small, few);
  scale<<<4, 256>>>(small, 2, few);
}
