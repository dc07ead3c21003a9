// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Wrappers with timers of another build, defined behind their calls, or with a
// variable of the file that the caller's parameter hides.

// CHECK: fused 'add', 'add', 'add', 'top', 'add', 'add':
// SAME: verified: original and fused
// TEXT: {{^  .*}}-::step: ::step, n, b, step
// TEXT: {{^}}int main() {
// TEXT: {{^  }}// From raise():
// TEXT-NEXT: {{^}}#ifdef TIMED
// TEXT-NEXT: {{^}}  start(1);
// TEXT-NEXT: {{^}}#endif
// TEXT: kfuse_add_add_add_top_add_add<<<
// TEXT: {{^}}#ifdef TIMED
// TEXT-NEXT: {{^}}  stop(1);
// TEXT-NEXT: {{^}}#endif
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(const float *a, float *b, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + by;
}
__global__ void top(const float *a, float *b, float most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = fminf(a[i], most);
}

float step = 0.5f;
static void raise(const float *a, float *b, int n);

static void lower(const float *a, float *b, int n) {
  add<<<(n + 127) / 128, 128>>>(a, b, n > 9 ? -step:step, n);
}
void limit(const float *a, float *b, int n, float step) {
  lower(a, b, n); top<<<(n + 127) / 128, 128>>>(b, b, step, n);
}

int main() {
  const int n = 1000;
  static float host[n];
  float *a, *b, *c;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  for (int i = 0; i < n; ++i)
    host[i] = i % 7;
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  raise(a, b, n); raise(b, c, n);
  limit(c, b, n, 5);
  raise(b, c, n);
  raise(c, b, n);
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 5);
  printf("%g\n", sum);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

static void raise(const float *a, float *b, int n) {
#ifdef TIMED
  start(1);
#endif
  add<<<(n + 127) / 128, 128>>>(a, b, 1.5f, n);
#ifdef TIMED
  stop(1);
#endif
}
