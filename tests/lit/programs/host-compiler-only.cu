// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: not %kfuse %s -o %t2.cu -DTOUCHES 2>&1 | FileCheck %s --check-prefix=TOUCHES
// RUN: not test -e %t2.cu
//
// nvcc only warns of narrowed values in braces, of `register` and the like. Its
// host compiler takes pointers to arrays of variable length, Clang doesn't: a
// function of the host alone is read as one of another file. One that names a
// variable of the file could change what a launch is given.

// CHECK: host-compiler-only.cu:[[@LINE+14]]:{{.*}}: warning: cannot initialize
// CHECK-NOT: error
// CHECK: 2 launches -> 1
// TOUCHES: host-compiler-only.cu:[[@LINE+11]]:{{.*}}: error: cannot initialize
#include <cuda_runtime.h>
int blocks = 32;
#ifdef TOUCHES
#define COUNT blocks++
#else
#define COUNT 0
#endif
#define square(x) ((x) * (x))
static double weight(int i) { return square(i) + 0.5; }
static double reference(double *cells, int rows, int columns) {
  double (*grid)[rows][columns] = (double (*)[rows][columns])cells;
  return (*grid)[1][2] * weight(rows) + COUNT;
}

__global__ void raise(const float *in, float *up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = in[i] + 1;
}
__global__ void lower(const float *up, float *down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    down[i] = up[i] - 2;
}

double run(const float *in, float *up, float *down, double *cells, int n) {
  size_t sizes[2] = {n, n / 2};
  register unsigned most{-1};
  int scratch[n];
  scratch[0] = sizes[1] < most;
  raise<<<blocks, 128>>>(in, up, n);
  lower<<<blocks, 128>>>(up, down, n);
  return reference(cells, n, scratch[0]);
}
