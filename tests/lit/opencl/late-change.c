// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// An argument is copied when it is set: n changes between clSetKernelArg and
// the launch, and the kernel still sees the old one.
//
// CHECK: remark: launch left alone: argument 'by' was set before its variable changed
#include "Inputs/host.h"

static const char *source =
    "__kernel void scale(__global const float *in, __global float *out,\n"
    "                    float factor, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n)\n"
    "    out[i] = factor * in[i];\n"
    "}\n"
    "__kernel void shift(__global const float *in, __global float *out,\n"
    "                    float by, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n)\n"
    "    out[i] = in[i] + by;\n"
    "}\n";

int main(void) {
  enum { size = 2000 };
  cl_device_id device = anyDevice();
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_program program =
      clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel scale = clCreateKernel(program, "scale", &error);
  check(error, "scale");
  cl_kernel shift = clCreateKernel(program, "shift", &error);
  check(error, "shift");

  static float values[size];
  for (int i = 0; i < size; ++i)
    values[i] = i * 0.3f;
  const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem a = clCreateBuffer(context, copied, sizeof(values), values, &error);
  check(error, "a");
  cl_mem b = clCreateBuffer(context, copied, sizeof(values), values, &error);
  check(error, "b");
  cl_mem c = clCreateBuffer(context, copied, sizeof(values), values, &error);
  check(error, "c");

  int n = size;
  float factor = 1.5f, by = 0.1f;
  const size_t global = size;
  error = clSetKernelArg(scale, 0, sizeof(cl_mem), &a);
  error |= clSetKernelArg(scale, 1, sizeof(cl_mem), &b);
  error |= clSetKernelArg(scale, 2, sizeof(float), &factor);
  error |= clSetKernelArg(scale, 3, sizeof(int), &n);
  check(error, "arguments of scale");
  check(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "scale");

  error = clSetKernelArg(shift, 0, sizeof(cl_mem), &b);
  error |= clSetKernelArg(shift, 1, sizeof(cl_mem), &c);
  error |= clSetKernelArg(shift, 2, sizeof(float), &by);
  error |= clSetKernelArg(shift, 3, sizeof(int), &n);
  check(error, "arguments of shift");
  n = n / 2;
  by = 1000;
  check(clEnqueueNDRangeKernel(queue, shift, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "shift");
  check(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, sizeof(values), values, 0,
                            NULL, NULL),
        "read");
  double halves[2] = {0, 0};
  for (int i = 0; i < size; ++i)
    halves[i >= n] += values[i];
  printf("%a %a %a %a\n", halves[0], halves[1], values[1], values[size - 1]);
  return 0;
}
