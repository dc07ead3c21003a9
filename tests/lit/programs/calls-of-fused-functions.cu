// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// Launches that fuse in their function stay in a call of it. Its statements
// stand for a call only where they fuse with others, or otherwise: for arrays
// that are one, the function's test would never hold.

// CHECK: remark: fused 'scale', 'bias': {{.*}} into 'kfuse_scale_bias':
// CHECK: remark: fused 'scale', 'bias', 'square': {{.*}} into 'kfuse_scale_bias_square':
// CHECK: remark: fused 'scale', 'bias': {{.*}} into '[[OWN:kfuse_scale_bias_[0-9]+]]':
// CHECK-NOT: remark: fused
// CHECK: {{^[^ ]*}}calls-of-fused-functions.cu: 9 launches -> 4
// CHECK-NEXT: kfuse_scale_bias = 'scale', 'bias'; under 2 conditions
// CHECK-NEXT: kfuse_scale_bias_square = 'scale', 'bias', 'square'; under 3 conditions
// CHECK-NEXT: [[OWN]] = 'scale', 'bias'
// CHECK-NEXT: global traffic

#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * by;
}

__global__ void bias(float *y, const float *x, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + b[i];
}

__global__ void square(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] * y[i];
}

// OUT-LABEL: static void step(
// OUT-NEXT: if (kfuseDisjoint(
// OUT: kfuse_scale_bias<<<
static void step(float *y, float *x, const float *b, int n) {
  scale<<<(n + 255) / 256, 256>>>(x, 0.5f, n);
  bias<<<(n + 255) / 256, 256>>>(y, x, b, n);
}

// OUT-LABEL: static void whole(
// OUT-NEXT: // From step():
// OUT-NEXT: if (kfuseDisjoint(
// OUT: kfuse_scale_bias_square<<<
static void whole(float *y, float *x, const float *b, int n) {
  step(y, x, b, n);
  square<<<(n + 255) / 256, 256>>>(y, n);
}

static void show(const float *from, float *h, int n) {
  cudaMemcpy(h, from, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[63]);
}

// OUT-LABEL: int main(
int main(int argc, char **) {
  const int n = 5000;
  static float h[n];
  float *x, *b, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = i % 11 - 5;
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, h, n * sizeof(float), cudaMemcpyHostToDevice);

  // OUT: {{^}}  step(y, x, b, n);
  // OUT-NEXT: show(y, h, n);
  // OUT-NEXT: // From step():
  // OUT-NEXT: kfuse_scale_bias_{{.*}}<<<(n + 255) / 256, 256>>>(x, 0.5f, n, b);
  // OUT-NEXT: show(x, h, n);
  // OUT-NEXT: whole(y, x, b, n);
  // OUT-NEXT: show(y, h, n);
  // OUT-NEXT: for (int t = 0; t < argc; ++t) {
  // OUT-NEXT: step(y, x, b, n);
  // OUT-NEXT: show(y, h, n);
  step(y, x, b, n);
  show(y, h, n);
  step(x, x, b, n);
  show(x, h, n);
  whole(y, x, b, n);
  show(y, h, n);
  for (int t = 0; t < argc; ++t) {
    step(y, x, b, n);
    show(y, h, n);
  }
}
