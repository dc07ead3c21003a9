// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -- 0 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 6 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 7 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// Checks for errors beside launches under conditions, and in their arms. A
// launch before a check evaluates what later ones evaluate: `gridFor(m, 256)`,
// which may overflow.

// CHECK: 5 launches -> 2
// CHECK-DAG: kfuse_scale_bias_relu = 'scale', 'bias', 'relu'
// CHECK-DAG: kfuse_bias_scale = 'bias', 'scale'

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      printf("%s\n", cudaGetErrorString(error));                               \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static int gridFor(int n, int block) { return (n + block - 1) / block; }

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * by;
}

__global__ void bias(float *x, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + b[i];
}

__global__ void relu(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = fmaxf(x[i], 0.0f);
}

// A check that may find errors of a launch that nothing else checks keeps its
// condition.
// OUT-LABEL: void unchecked(
// OUT: kfuse_bias_scale<<<{{.*}}>>>(x, b, m, 2.0f, wanted, kfuseGrid);
// OUT: if (wanted) scale<<<gridFor(m, 128), 128>>>(x, 2.0f, m);
// OUT-NEXT: }
// OUT-NEXT: if (wanted) CHECK(cudaGetLastError());
// OUT-NEXT: }
static void unchecked(float *x, const float *b, int m, bool wanted) {
  bias<<<gridFor(m, 128), 128>>>(x, b, m);
  if (wanted) {
    scale<<<gridFor(m, 128), 128>>>(x, 2.0f, m);
    CHECK(cudaGetLastError());
  }
}

// OUT-LABEL: int main(
int main(int argc, char **argv) {
  const int flags = argc > 1 ? atoi(argv[1]) : 7;
  const bool hasBias = flags & 1, hasRelu = flags & 2;
  const int n = 5000, m = 1000 + argc;
  static float h[n];
  float *x, *b;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    h[i] = i % 11 - 5;
  CHECK(cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice));

  // OUT: kfuse_scale_bias_relu<<<{{.*}}>>>(
  // OUT-NEXT: x, 0.5f, m, b, hasBias, hasRelu, kfuseGrid);
  // OUT: CHECK(cudaGetLastError());
  // OUT-NEXT: CHECK(cudaMemcpy(h
  scale<<<gridFor(m, 256), 256>>>(x, 0.5f, m);
  CHECK(cudaGetLastError());
  if (hasBias) {
    bias<<<gridFor(m, 256), 256>>>(x, b, m);
    CHECK(cudaGetLastError());
  }
  if (hasRelu)
    relu<<<gridFor(m, 256), 256>>>(x, m);
  CHECK(cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%g %g\n", h[0], h[63]);
  unchecked(x, b, m, flags & 4);
  CHECK(cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%g %g\n", h[0], h[63]);
}
