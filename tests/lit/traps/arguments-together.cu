// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// One macro may stand for several arguments: its name is none of them. A list in
// braces is an argument, but no expression that a test can name.

// CHECK: 'plus' and 'clip' not fused: LaunchNotEditable: a macro stands for several arguments
// CHECK: the same keeps apart 'plus' and 'plus'
// CHECK: kfuse_plus_limit = 'plus', 'limit'; under

#include <cstdio>
#include <cuda_runtime.h>

__global__ void plus(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + 1;
}

__global__ void clip(float *c, float top, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = fminf(c[i], top);
}

struct Bound {
  float top;
  int n;
};
__global__ void limit(float *c, Bound bound) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bound.n)
    c[i] = fminf(c[i], bound.top);
}

#define TO_SEVEN b, 7, n
#define SHAPE (n + 127) / 128, 128

// OUT:      void together(
// OUT-NEXT: plus<<<(n + 127) / 128, 128>>>(b, a, n);
// OUT-NEXT: clip<<<(n + 127) / 128, 128>>>(TO_SEVEN);
// OUT-NEXT: }
void together(const float *a, float *b, float *, int n) {
  plus<<<(n + 127) / 128, 128>>>(b, a, n);
  clip<<<(n + 127) / 128, 128>>>(TO_SEVEN);
}

// OUT:      void shapes(
// OUT-NEXT: plus<<<SHAPE>>>(b, a, n);
void shapes(const float *a, float *b, float *c, int n) {
  plus<<<SHAPE>>>(b, a, n);
  plus<<<(n + 127) / 128, 128>>>(c, b, n);
}

// OUT: void inBraces(
// OUT: Bound{7.0f, m}.n
void inBraces(const float *a, float *b, int n, int m) {
  plus<<<(n + 127) / 128, 128>>>(b, a, n);
  limit<<<(n + 127) / 128, 128>>>(b, {7.0f, m});
}

int main() {
  const int n = 1000;
  static float host[n];
  float *a, *b, *c;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i % 17;
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(c, host, sizeof(host), cudaMemcpyHostToDevice);
  void (*const calls[])(const float *, float *, float *, int) = {together,
                                                                 shapes};
  for (auto *call : calls)
    call(a, b, c, n);
  inBraces(a, b, n, n);
  for (float *each : {b, c}) {
    cudaMemcpy(host, each, sizeof(host), cudaMemcpyDeviceToHost);
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 13);
    printf("%a\n", sum);
  }
}
