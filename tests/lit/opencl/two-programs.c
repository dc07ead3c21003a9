// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// A chain whose kernels come from two programs. Both programs have a function
// of one name that does different things, and a macro of one name.
//
// CHECK-COUNT-2: remark: launch left alone: the host makes more than one program
#include "Inputs/host.h"

static const char *warming =
    "#define RATE 1.5f\n"
    "float change(float x) { return x * RATE; }\n"
    "__kernel void warm(__global const float *in, __global float *out) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = change(in[i]) + OFFSET;\n"
    "}\n";

static const char *cooling =
    "#define RATE 0.9f\n"
    "float change(float x) { return x * RATE - 0.1f; }\n"
    "__kernel void cool(__global const float *in, __global float *out) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = change(in[i]) - OFFSET;\n"
    "}\n";

static cl_context context;
static cl_device_id device;

static void start(void) {
  cl_int error;
  device = anyDevice();
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
}

int main(void) {
  enum { n = 1280 };
  float host[n];
  cl_int error;
  start();
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_program first =
      clCreateProgramWithSource(context, 1, &warming, NULL, &error);
  check(error, "first program");
  cl_program second =
      clCreateProgramWithSource(context, 1, &cooling, NULL, &error);
  check(error, "second program");
  check(clBuildProgram(first, 1, &device, "-D OFFSET=0.3f", NULL, NULL),
        "first build");
  check(clBuildProgram(second, 1, &device, "-D OFFSET=0.7f", NULL, NULL),
        "second build");
  cl_kernel warm = clCreateKernel(first, "warm", &error);
  check(error, "warm");
  cl_kernel cool = clCreateKernel(second, "cool", &error);
  check(error, "cool");

  for (int i = 0; i < n; ++i)
    host[i] = 0.2f * (i % 91);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            sizeof(host), host, &error);
  check(error, "a");
  cl_mem b =
      clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(host), NULL, &error);
  check(error, "b");

  const size_t global = n, local = 64;
  error = clSetKernelArg(warm, 0, sizeof(cl_mem), &a);
  error |= clSetKernelArg(warm, 1, sizeof(cl_mem), &b);
  error |= clEnqueueNDRangeKernel(queue, warm, 1, NULL, &global, &local, 0,
                                  NULL, NULL);
  check(error, "warm");
  error = clSetKernelArg(cool, 0, sizeof(cl_mem), &b);
  error |= clSetKernelArg(cool, 1, sizeof(cl_mem), &a);
  error |= clEnqueueNDRangeKernel(queue, cool, 1, NULL, &global, &local, 0,
                                  NULL, NULL);
  check(error, "cool");
  check(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof(host), host, 0, NULL,
                            NULL),
        "read");
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%a %a %a %a\n", sum, host[0], host[1], host[n - 1]);
  return 0;
}
