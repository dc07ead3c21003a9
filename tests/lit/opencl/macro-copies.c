// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// Behind its launch a macro copies: the kernel has written what it copies.
//
// CHECK: launch left alone: its statement does more than to launch
static const char source[] = "kernel void k1(global float *y, float f) {\n"
                             "  int i = get_global_id(0);\n"
                             "  y[i] = y[i] * f + 1.5f;\n"
                             "}\n"
                             "kernel void k2(global float *y, float f) {\n"
                             "  int i = get_global_id(0);\n"
                             "  y[i] = y[i] - f;\n"
                             "}\n";
#include "Inputs/two-kernels.h"

HANDLES(static);

#define C(x)                                                                   \
  do {                                                                         \
    cl_int e_ = (x);                                                           \
    if (e_)                                                                    \
      exit(1);                                                                 \
  } while (0)
#define M(x)                                                                   \
  do {                                                                         \
    cl_int e_ = (x);                                                           \
    e_ |= clEnqueueCopyBuffer(q, b, d, 0, 0, 4 * N, 0, NULL, NULL);            \
    if (e_)                                                                    \
      exit(1);                                                                 \
  } while (0)
static void launch(void) {
  size_t g = N;
  float f = 1, f2 = 3;
  clSetKernelArg(k1, 0, sizeof(b), &b);
  clSetKernelArg(k1, 1, sizeof(f), &f);
  clSetKernelArg(k2, 0, sizeof(b), &b);
  clSetKernelArg(k2, 1, sizeof(f2), &f2);
  M(clEnqueueNDRangeKernel(q, k1, 1, NULL, &g, NULL, 0, NULL, NULL));
  C(clEnqueueNDRangeKernel(q, k2, 1, NULL, &g, NULL, 0, NULL, NULL));
}

int main(void) {
  SET_UP;
  launch();
  SHOW;
  return 0;
}
