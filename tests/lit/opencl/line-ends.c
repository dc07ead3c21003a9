// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %clang --driver-mode=gcc -std=gnu11 -Wall -Wextra -Werror -I%S -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// The text of the kernels has CR LF at its lines' ends.
//
// CHECK: : fused 'k1' and 'k2' into 'kfuse_k1_k2'
// SAME: verified: original and fused leave equal traces
static const char source[] =
    "kernel void k1(global const float *x, global float *y, float f) {\r\n"
    "  int i = get_global_id(0);\r\n"
    "  y[i] = x[i] * f + 1.5f;\r\n"
    "}\r\n"
    "kernel void k2(global const float *x, global float *y, float f) {\r\n"
    "  int i = get_global_id(0);\r\n"
    "  y[i] = x[i] - f;\r\n"
    "}\r\n";
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
  return 0;
}
