// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// The host prints the text of its kernels: it must stay what it is.
//
// CHECK-COUNT-2: the host does more with the text of the kernels than to make the program
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
  float f = 2.25f, f2 = 0.7f;
  clSetKernelArg(k1, 0, sizeof(a), &a);
  clSetKernelArg(k1, 1, sizeof(b), &b);
  clSetKernelArg(k1, 2, sizeof(f), &f);
  clSetKernelArg(k2, 0, sizeof(b), &b);
  clSetKernelArg(k2, 1, sizeof(c), &c);
  clSetKernelArg(k2, 2, sizeof(f2), &f2);
  clEnqueueNDRangeKernel(q, k1, 1, NULL, &g, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, k2, 1, NULL, &g, NULL, 0, NULL, NULL);
  SHOW;
  printf("%s", source);
  return 0;
}
