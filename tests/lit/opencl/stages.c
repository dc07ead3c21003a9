// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Scale, offset and clamp: three pointwise kernels along one chain of buffers,
// with a local size, the global size rounded up and a guard.
//
// CHECK: : fused 'scale', 'offset' and 'limit' into 'kfuse_scale_offset_limit': second and third in registers, never stored
// SAME: verified: original and fused leave equal traces
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] =
    "__kernel void scale(__global const float *in, __global float *out,"
    "                    float factor, float bias, int n) {"
    "  int i = get_global_id(0);"
    "  if (i < n)"
    "    out[i] = in[i] * factor + bias;"
    "}\n"
    "__kernel void offset(__global const float *in, __global float *out,"
    "                     float by, int n) {"
    "  int i = get_global_id(0);"
    "  if (i < n) {"
    "    float value = in[i] * 0.75f;"
    "    out[i] = value + by;"
    "  }"
    "}\n"
    "__kernel void limit(__global const float *in, __global float *out,"
    "                    float low, float high, int n) {"
    "  int i = get_global_id(0);"
    "  if (i < n)"
    "    out[i] = clamp(in[i], low, high) - 0.1f;"
    "}\n";

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS)
    return;
  printf("%s failed: %d\n", what, (int)error);
  exit(1);
}

int main(void) {
  enum { n = 3000, local = 64 };
  cl_platform_id platforms[4];
  cl_device_id device = NULL;
  cl_uint platformCount;
  cl_int error;
  check(clGetPlatformIDs(4, platforms, &platformCount), "clGetPlatformIDs");
  for (cl_uint i = 0; i < platformCount && !device; ++i)
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  const char *text = source;
  cl_program program = clCreateProgramWithSource(
      context, 1, &text, (size_t[]){sizeof(source) - 1}, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel scale = clCreateKernel(program, "scale", &error);
  check(error, "scale");
  cl_kernel offset = clCreateKernel(program, "offset", &error);
  check(error, "offset");
  cl_kernel limit = clCreateKernel(program, "limit", &error);
  check(error, "limit");

  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = (i * 37 % 101) * 0.03f - 1.0f;
  const size_t bytes = sizeof(host);
  cl_mem first = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_mem second = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_mem third = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_mem fourth = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  error = clEnqueueWriteBuffer(queue, first, CL_TRUE, 0, bytes, host, 0, NULL,
                               NULL);
  check(error, "clEnqueueWriteBuffer");

  const int size = n;
  const float factor = 1.7f, bias = 0.3f, by = -0.4f, low = -1.0f, high = 1.5f;
  int arg = 0;
  check(clSetKernelArg(scale, arg++, sizeof(first), &first), "scale 0");
  check(clSetKernelArg(scale, arg++, sizeof(second), &second), "scale 1");
  check(clSetKernelArg(scale, arg++, sizeof(factor), &factor), "scale 2");
  check(clSetKernelArg(scale, arg++, sizeof(bias), &bias), "scale 3");
  check(clSetKernelArg(scale, arg++, sizeof(size), &size), "scale 4");
  arg = 0;
  check(clSetKernelArg(offset, arg++, sizeof(second), &second), "offset 0");
  check(clSetKernelArg(offset, arg++, sizeof(third), &third), "offset 1");
  check(clSetKernelArg(offset, arg++, sizeof(by), &by), "offset 2");
  check(clSetKernelArg(offset, arg++, sizeof(size), &size), "offset 3");
  arg = 0;
  check(clSetKernelArg(limit, arg++, sizeof(third), &third), "limit 0");
  check(clSetKernelArg(limit, arg++, sizeof(fourth), &fourth), "limit 1");
  check(clSetKernelArg(limit, arg++, sizeof(low), &low), "limit 2");
  check(clSetKernelArg(limit, arg++, sizeof(high), &high), "limit 3");
  check(clSetKernelArg(limit, arg++, sizeof(size), &size), "limit 4");

  const size_t block = local, global = (n + block - 1) / block * block;
  error |= clEnqueueNDRangeKernel(queue, scale, 1, NULL, &global, &block, 0,
                                  NULL, NULL);
  error |= clEnqueueNDRangeKernel(queue, offset, 1, NULL, &global, &block, 0,
                                  NULL, NULL);
  error |= clEnqueueNDRangeKernel(queue, limit, 1, NULL, &global, &block, 0,
                                  NULL, NULL);
  check(error, "clEnqueueNDRangeKernel");
  error = clEnqueueReadBuffer(queue, fourth, CL_TRUE, 0, bytes, host, 0, NULL,
                              NULL);
  check(error, "clEnqueueReadBuffer");
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("sum %a\n%a %a %a\n", sum, host[0], host[50], host[n - 1]);
  return 0;
}
