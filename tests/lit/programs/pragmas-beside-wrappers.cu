// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Wrappers' statements stand for their calls in functions with pragmas of other
// statements. They don't where the pragma is the call's, or means all that
// follows.

// CHECK-DAG: calls of 'doubled' {{.*}}stay calls: a pragma stands before a call of it
// CHECK-DAG: calls of 'tripled' {{.*}}stay calls: its caller 'contracted' has a pragma
// CHECK: launches -> 5
// OUT: void plain(
// OUT: {{^ *}}kfuse_
// OUT: #pragma omp parallel for
// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

const int n = 1000;
static float host[n];

__global__ void scale(const float *from, float *to, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * by;
}
__global__ void shift(const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + 1;
}

void halved(const float *from, float *to) {
  scale<<<8, 128>>>(from, to, 0.5f);
}
void doubled(const float *from, float *to) {
  scale<<<8, 128>>>(from, to, 2);
}
void tripled(const float *from, float *to) {
  scale<<<8, 128>>>(from, to, 3);
}

void plain(float *a, float *b, float *c) {
  halved(a, b);
  shift<<<8, 128>>>(b, c);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    host[i] = host[i] + i % 3;
}
void critical(float *a, float *b, float *c) {
#pragma omp critical
  // The pragma's statement follows its comment.
  doubled(a, b);
  shift<<<8, 128>>>(b, c);
}
void contracted(float *a, float *b, float *c) {
#pragma STDC FP_CONTRACT OFF
  tripled(a, b);
  shift<<<8, 128>>>(b, c);
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i % 23;
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  plain(a, b, c);
  critical(c, b, a);
  contracted(a, b, c);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%g\n", sum);
}
