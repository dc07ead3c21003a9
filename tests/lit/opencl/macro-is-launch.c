// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// All of the launch but its kernel is in a macro.
//
// CHECK-COUNT-2: launch left alone: a part of it comes from a macro
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

#define L(k) clEnqueueNDRangeKernel(q, k, 1, NULL, &g, NULL, 0, NULL, NULL)

int main(void) {
  HANDLES();
  SET_UP;
  size_t g = N;
  float f = 2.25f, f2 = 0.7f;
  clSetKernelArg(k1, 0, sizeof(a), &a);
  clSetKernelArg(k1, 1, sizeof(b), &b);
  clSetKernelArg(k1, 2, sizeof(f), &f);
  clSetKernelArg(k2, 0, sizeof(b), &b);
  clSetKernelArg(k2, 1, sizeof(c), &c);
  clSetKernelArg(k2, 2, sizeof(f2), &f2);
  L(k1);
  L(k2);
  printf("%d", L(k1));
  SHOW;
  return 0;
}
