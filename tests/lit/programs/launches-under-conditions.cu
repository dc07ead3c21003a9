// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -- 0 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 2 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 3 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// Launches that a condition of the host decides on are stages that are told
// whether to run, any number of them.

// CHECK: remark: fused 'twice', 'lift', 'hide', 'lift', 'hide', 'plus', 'plus'
// CHECK: 'lift' was launched here
// CHECK: 7 launches -> 1
// CHECK-NEXT: kfuse_twice_to_plus_7 = 'twice', 'lift', 'hide', 'lift', 'hide', 'plus', 'plus'; never stored: b

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + a[i];
}

// Not below a bound.
__global__ void lift(float *b, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = b[i];
  b[i] = x < by ? by : x;
}

template <typename T> __global__ void hide(T *b, const T *mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // Where the mask is set.
    if (mask[i] > 0)
      b[i] = 0;
    else
      b[i] = -b[i];
  }
}

__global__ void plus(float *c, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1;
}

// OUT:      kfuse_twice_to_plus_7(
// OUT:      if (i < n) {
// OUT-NEXT: // twice
// OUT-NEXT: float b = a[i] + a[i];
// OUT-EMPTY:
// OUT-NEXT: if (lifts) {
// OUT-NEXT: // lift
// OUT-NEXT: // Not below a bound.
// OUT-NEXT: float x = b;
// OUT-NEXT: b = x < by ? by : x;
// OUT-NEXT: }
// OUT-EMPTY:
// OUT-NEXT: if (runs) {
// OUT-NEXT: // hide
// OUT-NEXT: // Where the mask is set.
// OUT-NEXT: if (mask[i] > 0)
// OUT-NEXT: b = 0;
// OUT-NEXT: else
// OUT-NEXT: b = -b;
// OUT-EMPTY:
// OUT-NEXT: // lift
// OUT-NEXT: // Not below a bound.
// OUT-NEXT: float x_lift = b;
// OUT-NEXT: b = x_lift < by_lift ? by_lift : x_lift;
// OUT-NEXT: }
// OUT:      // plus
// OUT-NEXT: float c_value = b + 1;

struct Settings {
  bool lifts;
  float by;
};
static float host[1000], masks[1000];

int main(int argc, char **argv) {
  const int n = 1000, mode = argc > 1 ? std::atoi(argv[1]) : 3;
  const Settings settings = {(mode & 1) != 0, 3.0f};
  float *a, *b, *c, *mask = nullptr;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  if (mode & 2) {
    cudaMalloc(&mask, sizeof(host));
    for (int i = 0; i < n; ++i)
      masks[i] = i % 3;
    cudaMemcpy(mask, masks, sizeof(host), cudaMemcpyHostToDevice);
  }
  for (int i = 0; i < n; ++i)
    host[i] = i % 7;
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int step = 0; step < 3; ++step) {
    twice<<<(n + 255) / 256, 256>>>(b, a, n);
    if (settings.lifts)
      lift<<<(n + 255) / 256, 256>>>(b, settings.by, n);
    if (mask) {
      hide<<<(n + 255) / 256, 256>>>(b, mask, n);
      lift<<<(n + 255) / 256, 256>>>(b, -5, n);
    }
    if (step % 2 == 0)
      hide<float><<<(n + 255) / 256, 256>>>(b, a, n);
    plus<<<(n + 255) / 256, 256>>>(c, b, n);
    plus<<<(n + 255) / 256, 256>>>(a, c, n);
  }
  for (float *each : {a, c}) {
    cudaMemcpy(host, each, sizeof(host), cudaMemcpyDeviceToHost);
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 13);
    printf("%a\n", sum);
  }
}
