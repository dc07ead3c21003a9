// RUN: %kfuse %s -o %t.c -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -I%S -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Sums of work-groups, in a loop of barriers that all work-items run alike, in
// local memory that the host asks for: each argument has its own.
//
// CHECK: : fused 'k1' and 'k2' into 'kfuse_k1_k2': c in registers and stored
// SAME: verified: original and fused leave equal traces
// OUT: clSetKernelArg(kernel, {{[0-9]}}, t, NULL);
// OUT: clSetKernelArg(kernel, {{[0-9]}}, sums, NULL);
// OUT: launch_kfuse_k1_k2(q, k2, 1, &size, &part, a, c, 256, d, 512);
#include "Inputs/two-kernels.h"

static const char *source =
    "__kernel void k1(__global const float *a, __global float *c,\n"
    "                 __local float *t) {\n"
    "  t[get_local_id(0)] = a[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  c[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];\n"
    "}\n"
    "__kernel void k2(__global const float *c, __global float *d,\n"
    "                 __local float *sums) {\n"
    "  int l = get_local_id(0);\n"
    "  sums[l] = c[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
    "    if (l < s)\n"
    "      sums[l] += sums[l + s];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (l == 0)\n"
    "    d[get_group_id(0)] = sums[0];\n"
    "}\n";

int main(void) {
  HANDLES();
  SET_UP;
  size_t size = N, part = 64;
  err |= clSetKernelArg(k1, 0, sizeof(a), &a);
  err |= clSetKernelArg(k1, 1, sizeof(c), &c);
  err |= clSetKernelArg(k1, 2, part * sizeof(cl_float), NULL);
  err |= clSetKernelArg(k2, 0, sizeof(c), &c);
  err |= clSetKernelArg(k2, 1, sizeof(d), &d);
  err |= clSetKernelArg(k2, 2, 2 * part * sizeof(cl_float), NULL);
  err |= clEnqueueNDRangeKernel(q, k1, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  err |= clEnqueueNDRangeKernel(q, k2, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  check(err, "launches");
  SHOW;
  return 0;
}
