// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Kernels that loop over the whole range become one loop. In another range
// other work-items would do their work: such launches stay apart.
//
// CHECK: : fused 'k1' (line {{[0-9]+}}) and 'k2' into 'kfuse_k1_k2': c in registers and stored
// CHECK: 'k2' and 'k1' not fused: DifferentShape: 'k2' and 'k1' (line {{[0-9]+}}) have different ranges
// CHECK: 3 launches -> 2
// SAME: verified: original and fused leave equal traces
// OUT: __kernel void kfuse_k1_k2(
// OUT: for (int i = get_global_id(0); i < n;
// OUT-NEXT: i += get_global_size(0)) {
// OUT-NEXT: float c_value = 0;
// OUT-NEXT: k1_stage(
#include "Inputs/two-kernels.h"

static const char *source =
    "__kernel void k1(__global const float *a, __global float *c, int n) {\n"
    "  int stride = get_global_size(0);\n"
    "  for (int i = get_global_id(0); i < n; i += stride)\n"
    "    c[i] = a[i] + 1;\n"
    "}\n"
    "__kernel void k2(__global const float *c, __global float *d, int n) {\n"
    "  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "    float twice = c[i] * 2;\n"
    "    d[i] = twice;\n"
    "  }\n"
    "}\n";

int main(void) {
  HANDLES();
  SET_UP;
  cl_int n = 1000;
  size_t size = 256, half = 128, part = 64;
  err |= clSetKernelArg(k1, 0, sizeof(a), &a);
  err |= clSetKernelArg(k1, 1, sizeof(c), &c);
  err |= clSetKernelArg(k1, 2, sizeof(n), &n);
  err |= clSetKernelArg(k2, 0, sizeof(c), &c);
  err |= clSetKernelArg(k2, 1, sizeof(d), &d);
  err |= clSetKernelArg(k2, 2, sizeof(n), &n);
  err |= clEnqueueNDRangeKernel(q, k1, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  err |= clEnqueueNDRangeKernel(q, k2, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  err |= clSetKernelArg(k1, 0, sizeof(d), &d);
  err |= clSetKernelArg(k1, 1, sizeof(e), &e);
  err |= clEnqueueNDRangeKernel(q, k1, 1, NULL, &half, &part, 0, NULL,
                                NULL);
  check(err, "launches");
  SHOW;
  return 0;
}
