// RUN: %kfuse %s -o %t.c -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Local memory of many types, which functions and macros reach too.
//
// CHECK: : fused 'k1' and 'k2' into 'kfuse_k1_k2'
// SAME: verified: original and fused leave equal traces
// OUT: point[0].y = 3;
// OUT: atomic_inc(&hits[0]);
// OUT: __kernel void kfuse_k1_k2(
// OUT: __local int rows[8][8];
// OUT-NEXT: __local int4 quads[64];
// OUT-NEXT: __local Point point;
// OUT-NEXT: __local Point points[64];
// OUT-NEXT: __local volatile int hits;
// OUT-NEXT: __local int cube[2][4][8];
#include "Inputs/two-kernels.h"

static const char *source =
    "typedef int row_t[8];\n"
    "typedef struct { short x; int y; } Point;\n"
    "void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "int around(__local const Point *t, int l) { return t[l ^ 2].x - t[63 - l].y; }\n"
    "void put(__local int (*t)[4][8], int l, int v) {\n"
    "  t[l / 32][l / 8 % 4][l % 8] = v;\n"
    "}\n"
    "#define QUAD(i) quads[i]\n"
    "__kernel void k1(__global const int *a, __global int *c) {\n"
    "  __local row_t rows[8]; __local int4 quads[64]; /* both */\n"
    "  __local Point point, points[64];\n"
    "  __local volatile int hits;\n"
    "  local int cube[2][4][8];\n"
    "  int l = get_local_id(0), i = get_global_id(0);\n"
    "  if (l == 0) {\n"
    "    hits = 0;\n"
    "    point.x = 7;\n"
    "    point.y = 3;\n"
    "  }\n"
    "  meet();\n"
    "  atomic_inc(&hits);\n"
    "  rows[l / 8][l % 8] = a[i];\n"
    "  QUAD(l) = (int4)(a[i], 1, 2, 3);\n"
    "  points[l].x = a[i] * 2;\n"
    "  points[l].y = l;\n"
    "  put(cube, l, a[i]);\n"
    "  meet();\n"
    "  __local int *p = &rows[7][0];\n"
    "  c[i] = p[-l + 7] + QUAD(63 - l).x - quads[l ^ 1].y + around(points, l) +\n"
    "         hits + point.x * point.y + cube[1 - l / 32][0][l % 8];\n"
    "}\n"
    "__kernel void k2(__global const int *c, __global int *d) {\n"
    "  int i = get_global_id(0);\n"
    "  d[i] = c[i] * 2;\n"
    "}\n";

int main(void) {
  HANDLES();
  SET_UP;
  size_t size = N, part = 64;
  err |= clSetKernelArg(k1, 0, sizeof(a), &a);
  err |= clSetKernelArg(k1, 1, sizeof(c), &c);
  err |= clSetKernelArg(k2, 0, sizeof(c), &c);
  err |= clSetKernelArg(k2, 1, sizeof(d), &d);
  err |= clEnqueueNDRangeKernel(q, k1, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  err |= clEnqueueNDRangeKernel(q, k2, 1, NULL, &size, &part, 0, NULL,
                                NULL);
  check(err, "launches");
  SHOW;
  return 0;
}
