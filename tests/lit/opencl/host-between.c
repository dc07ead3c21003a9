// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// The host reads the first kernel's result, changes it and writes it back
// before the second kernel is enqueued.
//
// CHECK: remark: 'square' and 'plus' not fused: HostDependence:
#include "Inputs/host.h"

static const char source[] =
    "__kernel void square(__global const float *x, __global float *squared) {"
    "  int i = get_global_id(0);"
    "  squared[i] = x[i] * x[i];"
    "}\n"
    "__kernel void plus(__global const float *x, __global const float *y,"
    "                   __global float *sum) {"
    "  int i = get_global_id(0);"
    "  sum[i] = x[i] + y[i];"
    "}\n";

int main(void) {
  enum { n = 512 };
  static float x[n], between[n], sum[n];
  for (int i = 0; i < n; ++i)
    x[i] = 0.2f * (i - n / 2);

  cl_int error;
  cl_device_id device = anyDevice();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  const char *text = source;
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel square = clCreateKernel(program, "square", &error);
  check(error, "square");
  cl_kernel plus = clCreateKernel(program, "plus", &error);
  check(error, "plus");
  cl_mem xs = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             sizeof(x), x, &error);
  check(error, "xs");
  cl_mem squares =
      clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(x), NULL, &error);
  check(error, "squares");
  cl_mem sums =
      clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(x), NULL, &error);
  check(error, "sums");

  size_t global = n;
  check(clSetKernelArg(square, 0, sizeof(cl_mem), &xs), "square 0");
  check(clSetKernelArg(square, 1, sizeof(cl_mem), &squares), "square 1");
  check(clSetKernelArg(plus, 0, sizeof(cl_mem), &xs), "plus 0");
  check(clSetKernelArg(plus, 1, sizeof(cl_mem), &squares), "plus 1");
  check(clSetKernelArg(plus, 2, sizeof(cl_mem), &sums), "plus 2");

  check(clEnqueueNDRangeKernel(queue, square, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "square");
  check(clEnqueueReadBuffer(queue, squares, CL_TRUE, 0, sizeof(between),
                            between, 0, NULL, NULL),
        "read of the squares");
  for (int i = 0; i < n; ++i)
    if (between[i] > 100)
      between[i] = 100 - i % 3;
  check(clEnqueueWriteBuffer(queue, squares, CL_FALSE, 0, sizeof(between),
                             between, 0, NULL, NULL),
        "write");
  check(clEnqueueNDRangeKernel(queue, plus, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "plus");
  check(clEnqueueReadBuffer(queue, sums, CL_TRUE, 0, sizeof(sum), sum, 0, NULL,
                            NULL),
        "read of the sums");
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += sum[i];
  printf("total %a, %a %a %a\n", total, sum[0], sum[n / 2], sum[n - 1]);
  return 0;
}
