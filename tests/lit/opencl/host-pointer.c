// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// The buffer between the kernels is the host's own memory, which the host maps
// and changes in the middle.
//
// CHECK: remark: launch left alone: argument 'x' isn't known to be the value of a variable
#include "Inputs/host.h"

static const char *source =
    "__kernel void fill(__global float *x, float step) {\n"
    "  int i = get_global_id(0);\n"
    "  x[i] = i * step;\n"
    "}\n"
    "__kernel void invert(__global float *x, __global float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  x[i] = 1.0f - x[i];\n"
    "  y[i] = x[i] * 0.5f;\n"
    "}\n";

int main(void) {
  enum { n = 1024 };
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
  cl_kernel fill = clCreateKernel(program, "fill", &error);
  check(error, "fill");
  cl_kernel invert = clCreateKernel(program, "invert", &error);
  check(error, "invert");

  static float own[n] __attribute__((aligned(4096)));
  cl_mem x = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                            sizeof(own), own, &error);
  check(error, "x");
  cl_mem y =
      clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(own), NULL, &error);
  check(error, "y");
  const float step = 0.01f;
  const size_t global = n;
  error = clSetKernelArg(fill, 0, sizeof(cl_mem), &x);
  error |= clSetKernelArg(fill, 1, sizeof(float), &step);
  error |= clSetKernelArg(invert, 0, sizeof(cl_mem), &x);
  error |= clSetKernelArg(invert, 1, sizeof(cl_mem), &y);
  check(error, "arguments");

  check(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "fill");
  float *mapped =
      (float *)clEnqueueMapBuffer(queue, x, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                  0, sizeof(own), 0, NULL, NULL, &error);
  check(error, "map");
  double before = 0;
  for (int i = 0; i < n; ++i) {
    before += own[i]; // a mapped host pointer is the memory itself
    mapped[i] = i % 2 ? mapped[i] : -3.0f;
  }
  check(clEnqueueUnmapMemObject(queue, x, mapped, 0, NULL, NULL), "unmap");
  check(clEnqueueNDRangeKernel(queue, invert, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "invert");

  // The host's memory is the buffer's content while it is mapped.
  cl_event ready;
  mapped = (float *)clEnqueueMapBuffer(queue, x, CL_FALSE, CL_MAP_READ, 0,
                                       sizeof(own), 0, NULL, &ready, &error);
  check(error, "map again");
  static float result[n];
  check(clEnqueueReadBuffer(queue, y, CL_TRUE, 0, sizeof(result), result, 0,
                            NULL, NULL),
        "read");
  check(clWaitForEvents(1, &ready), "wait");
  double sums[2] = {0, 0};
  for (int i = 0; i < n; ++i) {
    sums[0] += own[i];
    sums[1] += result[i];
  }
  printf("%a %a %a %a %a\n", before, sums[0], sums[1], own[1], own[n - 2]);
  check(clEnqueueUnmapMemObject(queue, x, mapped, 0, NULL, NULL), "unmap");
  check(clFinish(queue), "finish");
  return 0;
}
