// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// What the second launch writes, and by what factor, depends on the command
// line: one argument is set again under a condition only.
//
// CHECK: remark: launch left alone: argument 'out' isn't known to be the value of a variable
#include "Inputs/host.h"

static const char *source =
    "__kernel void blend(__global const float *in, __global float *out,\n"
    "                    float part, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n)\n"
    "    out[i] = part * in[i] + (1 - part) * out[i];\n"
    "}\n";

static double sumOf(const float *values, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i];
  return sum;
}

int main(int argc, char **argv) {
  enum { size = 640 };
  static float host[3][size];
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
  cl_kernel blend = clCreateKernel(program, "blend", &error);
  check(error, "blend");

  cl_mem buffers[3];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < size; ++i)
      host[k][i] = 0.1f * (i % (17 + 6 * k)) + k;
    buffers[k] =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       sizeof(host[k]), host[k], &error);
    check(error, "buffer");
  }

  const int n = size;
  const size_t global = size;
  float part = 0.25f;
  error = clSetKernelArg(blend, 0, sizeof(cl_mem), &buffers[0]);
  error |= clSetKernelArg(blend, 1, sizeof(cl_mem), &buffers[1]);
  error |= clSetKernelArg(blend, 2, sizeof(part), &part);
  error |= clSetKernelArg(blend, 3, sizeof(n), &n);
  error |= clEnqueueNDRangeKernel(queue, blend, 1, NULL, &global, NULL, 0, NULL,
                                  NULL);
  check(error, "the first");
  if (argc > 1) {
    part = (float)atof(argv[1]);
    error |= clSetKernelArg(blend, 1, sizeof(cl_mem), &buffers[2]);
    error |= clSetKernelArg(blend, 2, sizeof(part), &part);
  }
  error |= clEnqueueNDRangeKernel(queue, blend, 1, NULL, &global, NULL, 0, NULL,
                                  NULL);
  check(error, "the second");
  for (int k = 0; k < 3; ++k) {
    check(clEnqueueReadBuffer(queue, buffers[k], CL_TRUE, 0, sizeof(host[k]),
                              host[k], 0, NULL, NULL),
          "read");
    printf("%a %a %a\n", sumOf(host[k], size), host[k][5], host[k][size - 1]);
  }
  return 0;
}
