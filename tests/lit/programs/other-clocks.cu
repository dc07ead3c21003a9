// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %kfuse %s --clock=seconds -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=TIMED
// RUN: %kfuse %s --clock=timing::now,seconds --ignore-timing -o %t.cu 2>&1 | FileCheck %s
// RUN: not %kfuse %s --clock=second -o %t.cu 2>&1 | FileCheck %s --check-prefix=MISSING
//
// A function of another file may do anything, unless the user promises that it
// only looks at a clock.
//
// UNKNOWN: '*first += seconds() - start;' stands between 'twice' {{.*}} and 'addOne' {{.*}} and depends on what they do
// UNKNOWN: note: move it before or after both; --clock and --ignore-timing promise that it only looks at a clock
// UNKNOWN: 'twice' {{.*}} and 'addOne' {{.*}} both get 'arrays->b', which may be another pointer the second time
// UNKNOWN: :[[@LINE+52]]:3: note: this may change it
// UNKNOWN: note: keep it in a local variable before both launches; --clock and --ignore-timing promise that a call only looks at a clock
// TIMED: stands between 'twice' {{.*}} and 'addOne' {{.*}} and times them
// CHECK: 6 launches -> 3
// MISSING: error: --clock=second: the input has no function of this name

#include <cuda_runtime.h>

double seconds();
namespace timing {
void now(double *time);
}

__global__ void twice(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2.0f * a[i];
}

__global__ void addOne(float *c, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1.0f;
}

struct Arrays {
  float *a, *b, *c;
};

void step(const Arrays *arrays, int n, double *first, double *second) {
  float *a = arrays->a, *b = arrays->b, *c = arrays->c;
  double start = seconds();
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
  *first += seconds() - start;
  start = seconds();
  addOne<<<(n + 255) / 256, 256>>>(c, b, n);
  *second += seconds() - start;
}

double other(Arrays *arrays, int n) {
  float *a = arrays->a, *b = arrays->b, *c = arrays->c;
  double times[3];
  timing::now(times);
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
  timing::now(times + 1);
  addOne<<<(n + 255) / 256, 256>>>(c, b, n);
  timing::now(times + 2);
  return times[2] - times[0];
}

void again(const Arrays *arrays, int n, double *time) {
  twice<<<(n + 255) / 256, 256>>>(arrays->b, arrays->a, n);
  *time = seconds();
  addOne<<<(n + 255) / 256, 256>>>(arrays->c, arrays->b, n);
}
