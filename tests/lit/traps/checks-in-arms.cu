// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -- 0 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// Checks in the arm of a branch that do more than report an error: they may run
// only where the branch is taken.

// CHECK: 14 launches -> 9
// CHECK-COUNT-5: kfuse_scale_relu = 'scale', 'relu'
// CHECK-NEXT: global traffic

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct Counter {
  int value = 0;
};

static void report(cudaError_t error, int) {
  if (error != cudaSuccess)
    exit(1);
}
static void say(cudaError_t error, const char *name) {
  if (error != cudaSuccess)
    exit(1);
  printf("%s\n", name);
}

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * by;
}

__global__ void relu(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = fmaxf(x[i], 0.0f);
}

static void show(const float *x, float *h, int n) {
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
}

// OUT-LABEL: int main(
int main(int, char **argv) {
  const int d = atoi(argv[1]), n = 1000;
  static float h[n];
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = i % 11 - 5;
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaError_t error = cudaErrorUnknown;
  int done = 0;
  Counter *counter = d ? new Counter : nullptr;

  scale<<<8, 128>>>(x, 0.5f, n);
  report(cudaGetLastError(), 0);
  if (d) {
    relu<<<8, 128>>>(x, n);
    error = cudaGetLastError();
  }
  show(x, h, n);

  scale<<<8, 128>>>(x, 0.5f, n);
  report(cudaGetLastError(), 0);
  if (d) {
    relu<<<8, 128>>>(x, n);
    if (cudaGetLastError() == cudaSuccess)
      done++;
  }
  show(x, h, n);

  scale<<<8, 128>>>(x, 0.5f, n);
  report(cudaGetLastError(), 0);
  if (d) {
    relu<<<8, 128>>>(x, n);
    report(cudaGetLastError(), n / d);
  }
  show(x, h, n);

  scale<<<8, 128>>>(x, 0.5f, n);
  report(cudaGetLastError(), 0);
  if (counter) {
    relu<<<8, 128>>>(x, n);
    report(cudaGetLastError(), counter->value);
  }
  show(x, h, n);

  scale<<<8, 128>>>(x, 0.5f, n);
  report(cudaGetLastError(), 0);
  if (d) {
    relu<<<8, 128>>>(x, n);
    say(cudaGetLastError(), "relu");
  }
  show(x, h, n);

  // One that has done more behind the launch keeps it there, too.
  scale<<<8, 128>>>(x, 0.5f, n);
  report(cudaGetLastError(), 0);
  if (d)
    relu<<<8, 128>>>(x, ++done);
  show(x, h, n);

  // This one may run in any case. The second assignment of an error would lose
  // what the first one found.
  // OUT: what the first one found.
  // OUT-NEXT: kfuse_scale_relu<<<
  // OUT-NEXT: error = cudaGetLastError();
  // OUT-NEXT: if (error == cudaErrorUnknown)
  scale<<<8, 128>>>(x, 0.5f, n);
  error = cudaGetLastError();
  relu<<<8, 128>>>(x, n);
  error = cudaGetLastError();
  if (error == cudaErrorUnknown)
    printf("unknown\n");
  show(x, h, n);
  printf("%d %d\n", (int)error, done);
}
