// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -- 1000 8 1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1000 8 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse-cpu %t.cu -o %t
// RUN: %t 0 0 | FileCheck %s --check-prefix=EMPTY
// SAME: {{^}}verified: original and fused leave equal traces and output
// EMPTY: , no error
// EMPTY-NEXT: , no error
//
// Of launches under conditions none may run, and what they evaluate has to be
// something that can be evaluated then.

// CHECK: 16 launches -> 9

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + a[i];
}

__global__ void lift(float *b, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = fmaxf(b[i], by);
}

struct Level {
  float by;
};
static float host[1000];
static int blocks(int n, int parts) { return n / parts + 1; }
static int calls = 0;
static bool isNext() { return ++calls % 2 == 0; }

// Where the launches run apart, it is a branch again.
// OUT:      } else {
// OUT-NEXT: twice<<<(n + 255) / 256, 256>>>(b, a, n);
// OUT-NEXT: if (lifts) lift<<<(n + 255) / 256, 256>>>(b, by /* at least */, n);
// OUT-NEXT: }
void step(float *b, const float *a, float by, int n, bool lifts) {
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
  if (lifts)
    lift<<<(n + 255) / 256, 256>>>(b, by /* at least */, n);
}

static void show(const float *b) {
  cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += host[i] * (i % 13);
  printf("%a, %s\n", sum, cudaGetErrorString(cudaGetLastError()));
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int parts = argc > 2 ? std::atoi(argv[2]) : 8;
  const Level one = {1};
  const Level *level = argc > 3 ? &one : nullptr;
  float *a, *b;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  for (int i = 0; i < 1000; ++i)
    host[i] = i % 7 - 3;
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof(host));

  // Without elements the fused kernel would have no blocks, which is an error.
  // OUT: int main(
  // OUT:      if (n > 0) {
  // OUT-NEXT: // Both need some.
  // OUT:      kfuse_twice_lift{{.*}}<<<
  // OUT:      show(b);
  if (n > 0)
    twice<<<(n + 255) / 256, 256>>>(b, a, n);
  if (n > 0) { // Both need some.
    lift<<<(n + 255) / 256, 256>>>(b, 2, n);
  }
  show(b);

  // What the launch beside it evaluates is evaluated in any case.
  // OUT:      const dim3 kfuseGrid = blocks(n, 256);
  // OUT:      show(b);
  twice<<<blocks(n, 256), 256>>>(b, a, n);
  if (level)
    lift<<<blocks(n, 256), 256>>>(b, 3, n);
  show(b);

  // Other numbers aren't.
  // OUT:      level ? level->by : 0
  // OUT:      show(b);
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
  if (level)
    lift<<<(n + 255) / 256, 256>>>(b, level->by, n);
  show(b);
  // OUT:      parts > 0 ? n / parts : 0
  // OUT:      show(b);
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
  if (parts > 0)
    lift<<<(n + 255) / 256, 256>>>(b, n / parts, n);
  show(b);

  // A grid has to be one.
  // OUT:      if (parts > 0)
  // OUT-NEXT: lift<<<blocks(n, parts), 256>>>(b, 4, n);
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
  if (parts > 0)
    lift<<<blocks(n, parts), 256>>>(b, 4, n);
  show(b);
  // Nor are calls made twice that count.
  // OUT:      if (isNext())
  // OUT-NEXT: lift<<<
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
  if (isNext())
    lift<<<(n + 255) / 256, 256>>>(b, 5, n);
  show(b);

  step(b, a, 6, n, argc > 1);
  step(b, b, 7, n, argc > 2);
  show(b);
}
