// RUN: %kfuse verify %s
// RUN: %kfuse verify %s -DBEFORE
//
// Functions whose heads stand where no definition can: in a lambda that a
// variable of the namespace holds, or in one of two branches.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
static float start[n], host[n];

__global__ void twice(const float *A, float *B, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    B[i] = 2 * A[i];
}

__global__ void sides(const float *B, float *C, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < count - 1)
    C[i] = B[i - 1] + B[i + 1];
}

static auto held = [](const float *a, float *b, float *c) {
  twice<<<4, 256>>>(a, b, n);
  sides<<<4, 256>>>(b, c, n);
};

#if 0
Braces that nothing closes: {
#endif

#ifdef BEFORE
static void branch(const float *a, float *b, float *c, int = 0) {
#else
static void branch(const float *a, float *b, float *c) {
#endif
  twice<<<4, 256>>>(a, b, n);
  sides<<<4, 256>>>(b, c, n);
}

static void behind(const float *a, float *b, float *c) {
  twice<<<4, 256>>>(a, b, n);
  sides<<<4, 256>>>(b, c, n);
}

#ifdef BEFORE
namespace before {
#else
namespace otherwise {
#endif
static void inside(const float *a, float *b, float *c) {
  twice<<<4, 256>>>(a, b, n);
  sides<<<4, 256>>>(b, c, n);
}
}

#ifdef BEFORE
using before::inside;
#else
using otherwise::inside;
#endif

int main() {
  float *a, *b, *c;
  for (float **each : {&a, &b, &c})
    cudaMalloc(each, sizeof(start));
  for (int i = 0; i < n; ++i)
    start[i] = i % 17 + 1;
  cudaMemcpy(a, start, sizeof(start), cudaMemcpyHostToDevice);
  for (int way = 0; way < 4; ++way) {
    cudaMemset(c, 0, sizeof(start));
    if (way == 0)
      held(a, b, c);
    else if (way == 1)
      branch(a, b, c);
    else if (way == 2)
      behind(a, b, c);
    else
      inside(a, b, c);
    cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%d %g %g\n", way, host[4], host[900]);
  }
}
