// RUN: %kfuse %s -o %t.c -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -I%S -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Two kernels with local memory: arrays of one and two dimensions, and a
// variable. Only kernels can declare it, so stages are given pointers. Each
// keeps its own, so that none is overwritten while others still read it.
//
// CHECK: : fused 'k1' and 'k2' into 'kfuse_k1_k2': c in registers and stored
// SAME: verified: original and fused leave equal traces
// OUT: void k1_stage(__global const float *a, __global float *c, float *c_value,
// OUT-NEXT: __local float *row) {
// OUT-NEXT: // of the group
// OUT-NEXT: int l =
// OUT: c[i] = c_value[0] = row[T * T - 1 - l] + row[l];
// OUT: void k2_stage(__global const float *c, const float *c_value, __global float *d,
// OUT-NEXT: __local float (*tile)[8], __local float *row,
// OUT-NEXT: __local float *total) {
// OUT-NEXT: int x =
// OUT: total[0] = 0;
// OUT: total[0] += tile[k][k];
// OUT: __kernel void kfuse_k1_k2(
// OUT: __local float row[64];
// OUT-NEXT: __local float tile[8][8];
// OUT-NEXT: __local float row_k2[8];
// OUT-NEXT: __local float total;
// OUT: k1_stage(a, c, &c_value, row);
// OUT: k2_stage(c, &c_value, d, tile, row_k2, &total);
#include "Inputs/two-kernels.h"

static const char *source =
    "#define T 8\n"
    "__kernel void k1(__global const float *a, __global float *c) {\n"
    "  __local float row[T * T]; // of the group\n"
    "  int l = get_local_id(1) * T + get_local_id(0);\n"
    "  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  row[l] = a[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  c[i] = row[T * T - 1 - l] + row[l];\n"
    "}\n"
    "__kernel void k2(__global const float *c, __global float *d) {\n"
    "  __local float tile[T][T], row[T];\n"
    "  __local float total;\n"
    "  int x = get_local_id(0), y = get_local_id(1);\n"
    "  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  tile[y][x] = c[i];\n"
    "  if (y == 0)\n"
    "    row[x] = x * 0.5f;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (x == 0 && y == 0) {\n"
    "    total = 0;\n"
    "    for (int k = 0; k < T; ++k)\n"
    "      total += tile[k][k];\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  d[i] = tile[x][y] + row[y] + total;\n"
    "}\n";

int main(void) {
  HANDLES();
  SET_UP;
  size_t size[2] = {32, 32}, part[2] = {8, 8};
  err |= clSetKernelArg(k1, 0, sizeof(a), &a);
  err |= clSetKernelArg(k1, 1, sizeof(c), &c);
  err |= clSetKernelArg(k2, 0, sizeof(c), &c);
  err |= clSetKernelArg(k2, 1, sizeof(d), &d);
  err |= clEnqueueNDRangeKernel(q, k1, 2, NULL, size, part, 0, NULL,
                                NULL);
  err |= clEnqueueNDRangeKernel(q, k2, 2, NULL, size, part, 0, NULL,
                                NULL);
  check(err, "launches");
  SHOW;
  return 0;
}
