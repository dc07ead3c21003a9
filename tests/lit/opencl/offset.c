// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// Two ranges of the same size: the first begins at 0, the second, by its global
// work offset, in the middle. And so does the third, of another kernel.
//
// CHECK-COUNT-3: remark: launch left alone: its work-items begin at an offset
#include "Inputs/host.h"

static const char *source =
    "__kernel void twice(__global float *x) {\n"
    "  size_t i = get_global_id(0);\n"
    "  x[i] = 2 * x[i] + 0.1f;\n"
    "}\n"
    "__kernel void less(__global float *x, __global float *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = x[i] - 0.3f * get_global_offset(0);\n"
    "}\n";

static cl_command_queue queue;

int main(void) {
  enum { n = 1600 };
  const size_t half = n / 2, middle = n / 2;
  float host[n];
  cl_device_id device = anyDevice();
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_program program =
      clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel twice = clCreateKernel(program, "twice", &error);
  check(error, "twice");
  cl_kernel less = clCreateKernel(program, "less", &error);
  check(error, "less");

  for (int i = 0; i < n; ++i)
    host[i] = i * 0.01f;
  cl_mem x = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            sizeof(host), host, &error);
  check(error, "x");
  cl_mem y = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            sizeof(host), host, &error);
  check(error, "y");
  check(clSetKernelArg(twice, 0, sizeof x, &x), "x of twice");
  check(clSetKernelArg(less, 0, sizeof x, &x), "x of less");
  check(clSetKernelArg(less, 1, sizeof y, &y), "y of less");
  check(
      clEnqueueNDRangeKernel(queue, twice, 1, NULL, &half, NULL, 0, NULL, NULL),
      "twice");
  check(clEnqueueNDRangeKernel(queue, twice, 1, &middle, &half, NULL, 0, NULL,
                               NULL),
        "twice");
  check(clEnqueueNDRangeKernel(queue, twice, 1, &middle, &half, NULL, 0, NULL,
                               NULL),
        "twice");
  check(clEnqueueNDRangeKernel(queue, less, 1, &middle, &half, NULL, 0, NULL,
                               NULL),
        "less");

  static float result[2][n];
  check(clEnqueueReadBuffer(queue, x, CL_TRUE, 0, sizeof(host), result[0], 0,
                            NULL, NULL),
        "read of x");
  check(clEnqueueReadBuffer(queue, y, CL_TRUE, 0, sizeof(host), result[1], 0,
                            NULL, NULL),
        "read of y");
  for (int k = 0; k < 2; ++k) {
    double sums[2] = {0, 0};
    for (int i = 0; i < n; ++i)
      sums[i / (n / 2)] += result[k][i];
    printf("%a %a %a %a\n", sums[0], sums[1], result[k][1], result[k][n - 1]);
  }
  return 0;
}
