// RUN: %kfuse %s -o %t.c -Rkfuse 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: sed 's/twice(c/work_group_reduce_add(c/' %s > %t.sum.c
// RUN: %kfuse %t.sum.c -I%S -o %t.c -Rkfuse-analysis 2>&1 | FileCheck %s --check-prefix=APART
// RUN: cmp %t.sum.c %t.c
//
// Barriers of OpenCL 2.0. Of its functions for whole work-groups nothing is
// known.
//
// CHECK: : fused 'k1' and 'k2' into 'kfuse_k1_k2'
// SAME: verified: original and fused leave equal traces
// APART: launch left alone
#define CL_TARGET_OPENCL_VERSION 200
#include "Inputs/two-kernels.h"
static const char *source =
    "float twice(float x) { return 2 * x; }\n"
    "__kernel void k1(__global const float *a, __global float *c) {\n"
    "  __local float t[64];\n"
    "  t[get_local_id(0)] = a[get_global_id(0)];\n"
    "  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);\n"
    "  c[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];\n"
    "  work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "}\n"
    "__kernel void k2(__global const float *c, __global float *d) {\n"
    "  d[get_global_id(0)] = twice(c[get_global_id(0)]);\n"
    "}\n";
int main(void) {
  cl_context context;
  cl_command_queue q;
  cl_kernel k1, k2;
  cl_mem a, b, c, d, e;
  static float h[N];
  const char *text = source;
  cl_device_id device = anyDevice();
  cl_int err;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  q = clCreateCommandQueueWithProperties(context, device, NULL, &err);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
  if (clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL) !=
      CL_SUCCESS) {
    printf("build failed\n");
    return 1;
  }
  k1 = clCreateKernel(program, "k1", &err);
  k2 = clCreateKernel(program, "k2", &err);
  BUFFER(a, 0);
  BUFFER(b, 1);
  BUFFER(c, 2);
  BUFFER(d, 3);
  BUFFER(e, 4);
  size_t size = N, part = 64;
  err |= clSetKernelArg(k1, 0, sizeof(a), &a);
  err |= clSetKernelArg(k1, 1, sizeof(c), &c);
  err |= clSetKernelArg(k2, 0, sizeof(c), &c);
  err |= clSetKernelArg(k2, 1, sizeof(d), &d);
  err |= clEnqueueNDRangeKernel(q, k1, 1, NULL, &size, &part, 0, NULL, NULL);
  err |= clEnqueueNDRangeKernel(q, k2, 1, NULL, &size, &part, 0, NULL, NULL);
  SHOW;
  return 0;
}
