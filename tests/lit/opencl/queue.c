// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// Two queues, each in order, and a clFinish wherever the work passes from one
// to the other: nothing else orders the launches of both.
//
// CHECK: remark: 'halve' and 'accumulate' not fused: DifferentStream
#include "Inputs/host.h"

static const char source[] =
    "__kernel void halve(__global const float *in, __global float *out) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = 0.5f * in[i];\n"
    "}\n"
    "__kernel void accumulate(__global const float *in, __global float *sum) "
    "{\n"
    "  int i = get_global_id(0);\n"
    "  sum[i] += in[i];\n"
    "}\n";

static cl_mem bufferOf(cl_context context, float *content, size_t bytes) {
  cl_int error;
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                     content, &error);
  check(error, "buffer");
  return buffer;
}

int main(void) {
  enum { n = 4096 };
  static float host[n];
  cl_device_id device = anyDevice();
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue left = clCreateCommandQueue(context, device, 0, &error);
  check(error, "left");
  cl_command_queue right = clCreateCommandQueue(context, device, 0, &error);
  check(error, "right");
  const char *text = source;
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel halve = clCreateKernel(program, "halve", &error);
  check(error, "halve");
  cl_kernel accumulate = clCreateKernel(program, "accumulate", &error);
  check(error, "accumulate");

  for (int i = 0; i < n; ++i)
    host[i] = 0.1f * (i % 77);
  cl_mem a = bufferOf(context, host, sizeof(host));
  cl_mem b = bufferOf(context, host, sizeof(host));
  cl_mem sum = bufferOf(context, host, sizeof(host));

  const size_t global = n;
  error = clSetKernelArg(halve, 0, sizeof(cl_mem), &a); // b = a / 2
  error |= clSetKernelArg(halve, 1, sizeof(cl_mem), &b);
  error |= clEnqueueNDRangeKernel(left, halve, 1, NULL, &global, NULL, 0, NULL,
                                  NULL);
  error |= clFinish(left);
  error |= clSetKernelArg(accumulate, 0, sizeof(cl_mem), &b); // sum += b
  error |= clSetKernelArg(accumulate, 1, sizeof(cl_mem), &sum);
  error |= clEnqueueNDRangeKernel(right, accumulate, 1, NULL, &global, NULL, 0,
                                  NULL, NULL);
  error |= clFinish(right);
  check(error, "launches");

  check(clEnqueueReadBuffer(left, sum, CL_TRUE, 0, sizeof(host), host, 0, NULL,
                            NULL),
        "read");
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += host[i];
  printf("%a %a %a %a\n", total, host[1], host[76], host[n - 1]);
  return 0;
}
