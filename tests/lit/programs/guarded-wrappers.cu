// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet && %code %t.cu | FileCheck %s --check-prefix=TEXT
// CHECK: 4 launches -> 1
// CHECK: verified: original and fused
//
// A wrapper that returns early launches under a condition, which the fused
// kernel is told. Its parameters, declared between the launches, change nothing.
//
// TEXT:      int main(
// TEXT:      // From shifted():
// TEXT-NEXT: bool shifted_isWanted = argc > 1;
// TEXT-NOT:  shifted(
// TEXT:      kfuse_{{.*}}<<<
// TEXT:      {{[^!]}}shifted_isWanted);

#include <cstdio>
#include <cuda_runtime.h>
__global__ void tone(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] / 2;
}
__global__ void shift(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}
void shifted(const float *in, float *out, int n, bool isWanted) {
  if (!isWanted)
    return;
  shift<<<(n + 127) / 128, 128>>>(in, out, n);
}
int main(int argc, char **) {
  const int n = 1000;
  static float host[1000];
  float *a, *b, *c;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  cudaMemset(a, 0, sizeof(host));
  cudaMemset(c, 0, sizeof(host));
  tone<<<8, 128>>>(a, b, n);
  shifted(b, c, n, argc > 1);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
}
