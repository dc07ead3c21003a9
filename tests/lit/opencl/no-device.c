// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// That there is no such device is no error: the launch before the jump has run.
//
// CHECK: remark: 'k1' and 'k2' not fused: HostDependence: 'if (n != CL_SUCCESS) ...'
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
  cl_platform_id platform;
  clGetPlatformIDs(1, &platform, NULL);
  cl_device_id d2;
  cl_int n = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &d2, NULL);
  clEnqueueNDRangeKernel(q, k1, 1, NULL, &g, NULL, 0, NULL, NULL);
  if (n != CL_SUCCESS)
    goto out;
  clEnqueueNDRangeKernel(q, k2, 1, NULL, &g, NULL, 0, NULL, NULL);
out:;
  SHOW;
  return 0;
}
