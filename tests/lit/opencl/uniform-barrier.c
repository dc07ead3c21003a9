// RUN: %kfuse %s -o %t.c -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Work-items that leave the first kernel early still come to the barriers of
// the others, one of which stands under a condition that all of them share. The
// size that a kernel requires of its work-groups stays. A further barrier ends
// the branch for PoCL, whose version 3.1 mistakes conditions that follow it.
//
// CHECK: : fused 'k1' (line {{[0-9]+}}), 'k2' and 'k1' (line {{[0-9]+}}) into 'kfuse_k1_k2_k1'
// SAME: verified: original and fused leave equal traces
// OUT: if (both) {
// OUT-NEXT: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// OUT: __kernel __attribute__((reqd_work_group_size(64, 1, 1))) void kfuse_k1_k2_k1(
// OUT: k2_stage(c,
// OUT-NEXT: barrier(CLK_LOCAL_MEM_FENCE);
// OUT-NEXT: k1_stage2(
#include "Inputs/two-kernels.h"

static const char *source =
    "__kernel void k1(__global const float *a, __global float *c, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= n)\n"
    "    return;\n"
    "  c[i] = a[i] + 1;\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void\n"
    "k2(__global const float *c, __global float *d, int n, int both) {\n"
    "  local float t[64];\n"
    "  int l = get_local_id(0), i = get_global_id(0);\n"
    "  t[l] = i < n ? c[i] : 0;\n"
    "  if (both) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (i < n)\n"
    "      d[i] = t[63 - l];\n"
    "  } else if (i < n) {\n"
    "    d[i] = 0;\n"
    "  }\n"
    "}\n";

int main(void) {
  HANDLES();
  SET_UP;
  cl_int n = 1000, both = 1;
  size_t size = N, part = 64;
  err |= clSetKernelArg(k1, 0, sizeof(a), &a);
  err |= clSetKernelArg(k1, 1, sizeof(c), &c);
  err |= clSetKernelArg(k1, 2, sizeof(n), &n);
  err |= clSetKernelArg(k2, 0, sizeof(c), &c);
  err |= clSetKernelArg(k2, 1, sizeof(d), &d);
  err |= clSetKernelArg(k2, 2, sizeof(n), &n);
  err |= clSetKernelArg(k2, 3, sizeof(both), &both);
  err |= clEnqueueNDRangeKernel(q, k1, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  err |= clEnqueueNDRangeKernel(q, k2, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  err |= clSetKernelArg(k1, 0, sizeof(d), &d);
  err |= clSetKernelArg(k1, 1, sizeof(e), &e);
  err |= clEnqueueNDRangeKernel(q, k1, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  check(err, "launches");
  SHOW;
  return 0;
}
