// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// The second kernel reads a part of what the first wrote, by another handle: a
// sub-buffer of its output, from the middle on.
//
// CHECK: 2 launches -> 2
#include "Inputs/host.h"

static const char source[] =
    "__kernel void triple(__global const float *in, __global float *out)   \n\
{                                                                          \n\
  int i = get_global_id(0);                                                \n\
  out[i] = 3.0f * in[i];                                                   \n\
}                                                                          \n\
__kernel void lower(__global const float *in, __global float *out)         \n\
{                                                                          \n\
  int i = get_global_id(0);                                                \n\
  out[i] = in[i] - 0.7f;                                                   \n\
}                                                                          \n";

int main(void) {
  enum { n = 2048, half = n / 2 };
  static float host[n];
  cl_device_id device = anyDevice();
  cl_uint alignment;
  cl_int error;
  check(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                        sizeof(alignment), &alignment, NULL),
        "alignment");
  if (half * sizeof(float) % (alignment / 8) != 0)
    check(CL_MISALIGNED_SUB_BUFFER_OFFSET, "the device's alignment");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  const char *text = source;
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel triple = clCreateKernel(program, "triple", &error);
  check(error, "triple");
  cl_kernel lower = clCreateKernel(program, "lower", &error);
  check(error, "lower");

  for (int i = 0; i < n; ++i)
    host[i] = 0.01f * i;
  const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem in = clCreateBuffer(context, copied, sizeof(host), host, &error);
  check(error, "in");
  cl_mem out = clCreateBuffer(context, copied, sizeof(host), host, &error);
  check(error, "out");
  cl_mem last = clCreateBuffer(context, copied, sizeof(host), host, &error);
  check(error, "last");
  const cl_buffer_region region = {half * sizeof(float), half * sizeof(float)};
  cl_mem upper = clCreateSubBuffer(
      out, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  check(error, "upper");

  const size_t global = n, part = half;
  check(clSetKernelArg(triple, 0, sizeof(cl_mem), &in), "triple 0");
  check(clSetKernelArg(triple, 1, sizeof(cl_mem), &out), "triple 1");
  check(clEnqueueNDRangeKernel(queue, triple, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "triple");
  check(clSetKernelArg(lower, 0, sizeof(cl_mem), &upper), "lower 0");
  check(clSetKernelArg(lower, 1, sizeof(cl_mem), &last), "lower 1");
  check(
      clEnqueueNDRangeKernel(queue, lower, 1, NULL, &part, NULL, 0, NULL, NULL),
      "lower");
  check(clEnqueueReadBuffer(queue, last, CL_TRUE, 0, sizeof(host), host, 0,
                            NULL, NULL),
        "read");
  clReleaseMemObject(upper);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%a %a %a %a\n", sum, host[0], host[half - 1], host[half]);
  return 0;
}
