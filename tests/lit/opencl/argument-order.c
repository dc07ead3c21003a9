// RUN: %kfuse %s -o %t.c -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// One argument of a launch changes what another one names, and C leaves open
// which comes first; or what the launch is told is only set by an argument.
//
// CHECK: remark: launch left alone: an argument changes what another one names
// CHECK: remark: launch left alone: its queue or its sizes do more than to name values
#include "Inputs/host.h"

static const char *source =
    "__kernel void raise(__global const float *from, __global float *to) {\n"
    "  int i = get_global_id(0);\n"
    "  to[i] = from[i] + 1;\n"
    "}\n";

int main(void) {
  enum { size = 1000 };
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
  cl_kernel raise = clCreateKernel(program, "raise", &error);
  check(error, "raise");

  static float values[size];
  const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem a = clCreateBuffer(context, copied, sizeof(values), values, &error);
  check(error, "a");
  cl_mem b = clCreateBuffer(context, copied, sizeof(values), values, &error);
  check(error, "b");

  size_t global = size;
  cl_uint dimensions = 1;
  error = clSetKernelArg(raise, 0, sizeof(cl_mem), &a);
  error |= clSetKernelArg(raise, 1, sizeof(cl_mem), &b);
  check(error, "arguments");
  error = clEnqueueNDRangeKernel(queue, raise, (global = size / 2, dimensions),
                                 NULL, &global, NULL, 0, NULL, NULL);
  check(error, "first");
  error = clEnqueueNDRangeKernel(queue, raise, 1, NULL,
                                 (dimensions = 2, &global), NULL, 0, NULL,
                                 NULL);
  check(error, "second");
  check(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof(values), values, 0,
                            NULL, NULL),
        "read");
  printf("%a %a\n", values[1], values[size - 1]);
  return 0;
}
