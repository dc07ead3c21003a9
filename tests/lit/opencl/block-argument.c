// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// An argument was set from a variable of a block that has ended.
//
// CHECK: argument 'f' was set from a variable that has no name here
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

int main(void) {
  HANDLES();
  SET_UP;
  size_t g = N;
  float t = 9.f, f2 = 0.7f;
  clSetKernelArg(k1, 0, sizeof(a), &a);
  clSetKernelArg(k1, 1, sizeof(b), &b);
  clSetKernelArg(k1, 2, sizeof(t), &t);
  clSetKernelArg(k2, 0, sizeof(b), &b);
  clSetKernelArg(k2, 1, sizeof(c), &c);
  clSetKernelArg(k2, 2, sizeof(f2), &f2);
  {
    float t = 3.5f;
    clSetKernelArg(k1, 2, sizeof(t), &t);
  }
  clEnqueueNDRangeKernel(q, k1, 1, NULL, &g, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, k2, 1, NULL, &g, NULL, 0, NULL, NULL);
  SHOW;
  return 0;
}
