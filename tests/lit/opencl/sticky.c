// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -I%S -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// The later launches set one argument again, or none: what they don't set is
// what the same kernel had before. The other kernel's arguments are its own.
//
// CHECK: 4 launches -> 1
// SAME: verified: original and fused leave equal traces
// OUT: launch_kfuse_combine_reduce_combine_reduce(
#include "Inputs/host.h"

#define N 1500

static const char source[] =
    "typedef float number;\n"
    "__kernel void combine(__global const number *x,\n"
    "                      __global const number *y, __global number *z,\n"
    "                      number factor) {\n"
    "  int i = get_global_id(0);\n"
    "  z[i] = x[i] + factor * y[i];\n"
    "}\n"
    "__kernel void reduce(__global const float *x, __global float *y,\n"
    "                     float factor) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = x[i] * factor + 0.125f;\n"
    "}\n";

cl_context context;
cl_command_queue queue;
cl_program program;
static cl_kernel combine, reduce;
cl_mem a, b, c, d;
float host[N];

static void start(void) {
  cl_device_id device = anyDevice();
  cl_int error;
  const char *text = source;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  combine = clCreateKernel(program, "combine", &error);
  check(error, "combine");
  reduce = clCreateKernel(program, "reduce", &error);
  check(error, "reduce");
}

int main(void) {
  start();
  for (int i = 0; i < N; i++)
    host[i] = i % 100 * 0.7f;
  a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(host), host, NULL);
  for (int i = 0; i < N; i++)
    host[i] = 1.0f / (1 + i % 9);
  b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(host), host, NULL);
  c = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(host), NULL, NULL);
  d = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(host), NULL, NULL);

  const size_t global = N;
  float two = 2.0f, half = 0.5f;
  cl_int err = clSetKernelArg(combine, 0, sizeof(cl_mem), &a);
  err |= clSetKernelArg(combine, 1, sizeof(cl_mem), &b);
  err |= clSetKernelArg(combine, 2, sizeof(cl_mem), &c);
  err |= clSetKernelArg(combine, 3, sizeof(float), &two);
  check(err, "arguments");
  // c = a + 2 b
  check(clEnqueueNDRangeKernel(queue, combine, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "combine");
  err = clSetKernelArg(reduce, 0, sizeof(cl_mem), &c);
  err |= clSetKernelArg(reduce, 1, sizeof(cl_mem), &d);
  err |= clSetKernelArg(reduce, 2, sizeof(float), &half);
  check(err, "arguments");
  // d = c / 2 + 1/8
  check(clEnqueueNDRangeKernel(queue, reduce, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "reduce");
  check(clSetKernelArg(combine, 0, sizeof(cl_mem), &d), "argument");
  // c = d + 2 b
  check(clEnqueueNDRangeKernel(queue, combine, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "combine");
  // d = c / 2 + 1/8
  check(clEnqueueNDRangeKernel(queue, reduce, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "reduce");

  check(clEnqueueReadBuffer(queue, d, CL_TRUE, 0, sizeof(host), host, 0, NULL,
                            NULL),
        "read");
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += host[i];
  printf("%a %a %a %a\n", sum, host[0], host[10], host[N - 1]);
  return 0;
}
