// RUN: %kfuse verify %s -- both 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %kfuse verify %s -- 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %kfuse verify %s -- none 2>&1 | FileCheck %s --check-prefix=NONE
//
// Which of the fused kernels ran is told by their names.
//
// BOTH: verified: original and fused leave equal traces
// BOTH-NOT: not run
// ONE: verified: original and fused leave equal traces
// ONE-NEXT: not run: 'kfuse_k2_k1' of 'k2' and 'k1' at {{.*}}never-run.c:[[# @LINE + 35]]:5: the program never came to it
// NONE: kfuse: error: nothing was verified: the program came to no fused launch
#include <string.h>
static const char source[] =
    "kernel void k1(global const float *x, global float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = x[i] + 1;\n"
    "}\n"
    "\n"
    "kernel void k2(global const float *x, global float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = x[i] * 2;\n"
    "}\n";
#include "Inputs/two-kernels.h"

int main(int argc, char **argv) {
  HANDLES();
  SET_UP;
  size_t g = N;
  if (argc > 1 && strcmp(argv[1], "none") == 0) {
    SHOW;
    return 0;
  }
  clSetKernelArg(k1, 0, sizeof(a), &a);
  clSetKernelArg(k1, 1, sizeof(b), &b);
  clSetKernelArg(k2, 0, sizeof(b), &b);
  clSetKernelArg(k2, 1, sizeof(c), &c);
  clEnqueueNDRangeKernel(q, k1, 1, NULL, &g, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(q, k2, 1, NULL, &g, NULL, 0, NULL, NULL);
  if (argc > 1 && strcmp(argv[1], "both") == 0) {
    clSetKernelArg(k2, 0, sizeof(c), &c);
    clSetKernelArg(k2, 1, sizeof(d), &d);
    clSetKernelArg(k1, 0, sizeof(d), &d);
    clSetKernelArg(k1, 1, sizeof(e), &e);
    clEnqueueNDRangeKernel(q, k2, 1, NULL, &g, NULL, 0, NULL, NULL);
    clEnqueueNDRangeKernel(q, k1, 1, NULL, &g, NULL, 0, NULL, NULL);
  }
  SHOW;
  return 0;
}
