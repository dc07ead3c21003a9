// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// A variable that is 0 or -1 by the program's own choice is no error of OpenCL.
//
// CHECK: remark: 'k1' and 'k2' not fused: HostDependence: 'if (st) ...'
static const char source[] =
    "kernel void k1(global const float *x, global float *y, float f) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = x[i] * f + 1.5f;\n"
    "}\n"
    "kernel void k2(global const float *x, global float *y, float f) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = x[i] - f;\n"
    "}\n";
#include "Inputs/two-kernels.h"

HANDLES(static);

static void stage(cl_mem x, cl_mem y, int skip) {
  (void)y;
  float f = 2.f, f2 = 3.f;
  size_t g = N;
  clSetKernelArg(k1, 0, sizeof(x), &x);
  clSetKernelArg(k1, 1, sizeof(x), &x);
  clSetKernelArg(k1, 2, sizeof(f), &f);
  clSetKernelArg(k2, 0, sizeof(x), &x);
  clSetKernelArg(k2, 1, sizeof(x), &x);
  clSetKernelArg(k2, 2, sizeof(f2), &f2);
  clEnqueueNDRangeKernel(q, k1, 1, NULL, &g, NULL, 0, NULL, NULL);
  int st = 0;
  if (skip > 3)
    st = -1;
  if (st)
    return;
  clEnqueueNDRangeKernel(q, k2, 1, NULL, &g, NULL, 0, NULL, NULL);
}

static void launch(void) {
  stage(a, b, 0);
  stage(c, d, 7);
}

int main(void) {
  SET_UP;
  launch();
  SHOW;
  return 0;
}
