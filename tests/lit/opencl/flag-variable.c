// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// A variable that is 0 or -1 by the program's own choice is no error of OpenCL.
//
// CHECK: remark: 'k1' and 'k2' not fused: HostBetween: 'if (st) ...'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 1024
static const char source[] =
    "kernel void k1(global const float *x, global float *y, float f) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = x[i] * f + 1.5f;\n"
    "}\n"
    "kernel void k2(global const float *x, global float *y, float f) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = x[i] - f;\n"
    "}\n";
static cl_context context;
static cl_command_queue q;
static cl_kernel k1;
static cl_kernel k2;
static cl_mem a;
static cl_mem b;
static cl_mem c;
static cl_mem d;
static cl_mem e;
static float h[N];
static void stage(cl_mem x, cl_mem y, int skip) {
  (void)y;
  float f = 2.f, f2 = 3.f;
  size_t g = N;
  clSetKernelArg(k1, 0, sizeof(x), &x);
  clSetKernelArg(k1, 1, sizeof(x), &x);
  clSetKernelArg(k1, 2, sizeof(f), &f);
  clSetKernelArg(k2, 0, sizeof(x), &x);
  clSetKernelArg(k2, 1, sizeof(x), &x);
  clSetKernelArg(k2, 2, sizeof(f2), &f2);
  clEnqueueNDRangeKernel(q, k1, 1, NULL, &g, NULL, 0, NULL, NULL);
  int st = 0;
  if (skip > 3)
    st = -1;
  if (st)
    return;
  clEnqueueNDRangeKernel(q, k2, 1, NULL, &g, NULL, 0, NULL, NULL);
}
int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int err;
  cl_program program;
  const char *text = source;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  q = clCreateCommandQueue(context, device, 0, &err);
  program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
  if (clBuildProgram(program, 1, &device, NULL, NULL, NULL) != CL_SUCCESS) {
    printf("build failed\n");
    return 1;
  }
  k1 = clCreateKernel(program, "k1", &err);
  k2 = clCreateKernel(program, "k2", &err);
  for (int i = 0; i < N; i++)
    h[i] = (float)((i * 7 % 31 + 1) / 3.7 + 0);
  a = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     sizeof(h), h, &err);
  for (int i = 0; i < N; i++)
    h[i] = (float)((i * 9 % 37 + 1) / 3.7 + 1);
  b = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     sizeof(h), h, &err);
  for (int i = 0; i < N; i++)
    h[i] = (float)((i * 11 % 43 + 1) / 3.7 + 2);
  c = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     sizeof(h), h, &err);
  for (int i = 0; i < N; i++)
    h[i] = (float)((i * 13 % 49 + 1) / 3.7 + 3);
  d = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     sizeof(h), h, &err);
  for (int i = 0; i < N; i++)
    h[i] = (float)((i * 15 % 55 + 1) / 3.7 + 4);
  e = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     sizeof(h), h, &err);
  size_t g = N;
  stage(a, b, 0);
  stage(c, d, 7);
  clEnqueueReadBuffer(q, a, CL_TRUE, 0, sizeof(h), h, 0, NULL, NULL);
  {
    unsigned s = 0;
    for (size_t i = 0; i < sizeof(h); i++)
      s = s * 31 + ((unsigned char *)h)[i];
    printf("a %08x\n", s);
  }
  clEnqueueReadBuffer(q, b, CL_TRUE, 0, sizeof(h), h, 0, NULL, NULL);
  {
    unsigned s = 0;
    for (size_t i = 0; i < sizeof(h); i++)
      s = s * 31 + ((unsigned char *)h)[i];
    printf("b %08x\n", s);
  }
  clEnqueueReadBuffer(q, c, CL_TRUE, 0, sizeof(h), h, 0, NULL, NULL);
  {
    unsigned s = 0;
    for (size_t i = 0; i < sizeof(h); i++)
      s = s * 31 + ((unsigned char *)h)[i];
    printf("c %08x\n", s);
  }
  clEnqueueReadBuffer(q, d, CL_TRUE, 0, sizeof(h), h, 0, NULL, NULL);
  {
    unsigned s = 0;
    for (size_t i = 0; i < sizeof(h); i++)
      s = s * 31 + ((unsigned char *)h)[i];
    printf("d %08x\n", s);
  }
  clEnqueueReadBuffer(q, e, CL_TRUE, 0, sizeof(h), h, 0, NULL, NULL);
  {
    unsigned s = 0;
    for (size_t i = 0; i < sizeof(h); i++)
      s = s * 31 + ((unsigned char *)h)[i];
    printf("e %08x\n", s);
  }
  return 0;
}
