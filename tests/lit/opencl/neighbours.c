// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// The second kernel reads what another work-item of the first wrote: a thread
// that ran both would read the neighbour's before it is there.
//
// CHECK: remark: 'ramp' and 'differences' not fused: CrossThreadFlow: 'differences' reads what other work-items write
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source = "\
__kernel void ramp(__global const int *in, __global int *out, int n)\n\
{\n\
  int i = get_global_id(0);\n\
  if (i < n)\n\
    out[i] = in[i] * 3 + i;\n\
}\n\
\n\
__kernel void differences(__global const int *in, __global int *out,\n\
                          int n)\n\
{\n\
  int i = get_global_id(0);\n\
  if (i < n - 1)\n\
    out[i] = in[i + 1] - in[i];\n\
}\n";

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS)
    return;
  fprintf(stderr, "error %d in %s\n", error, what);
  exit(EXIT_FAILURE);
}

int main(void) {
  enum { n = 2500 };
  static cl_int values[n];
  cl_platform_id platforms[8];
  cl_device_id device = NULL;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel ramp, differences;
  cl_mem in, middle, out;
  cl_int error, size = n, zero = 0;
  cl_uint count, i;
  long sum = 0;
  size_t local = 50, global = n;

  check(clGetPlatformIDs(8, platforms, &count), "clGetPlatformIDs");
  for (i = 0; i < count && !device; i++)
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "clBuildProgram");
  ramp = clCreateKernel(program, "ramp", &error);
  check(error, "clCreateKernel");
  differences = clCreateKernel(program, "differences", &error);
  check(error, "clCreateKernel");

  for (i = 0; i < n; i++)
    values[i] = (cl_int)(i * i % 97);
  in = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof(values), NULL, &error);
  check(error, "clCreateBuffer");
  middle =
      clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(values), NULL, &error);
  check(error, "clCreateBuffer");
  out =
      clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(values), NULL, &error);
  check(error, "clCreateBuffer");
  error = clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof(values), values, 0,
                               NULL, NULL);
  error |= clEnqueueFillBuffer(queue, middle, &zero, sizeof(zero), 0,
                               sizeof(values), 0, NULL, NULL);
  error |= clEnqueueFillBuffer(queue, out, &zero, sizeof(zero), 0,
                               sizeof(values), 0, NULL, NULL);
  check(error, "buffers");

  error = clSetKernelArg(ramp, 0, sizeof(in), &in);
  error |= clSetKernelArg(ramp, 1, sizeof(middle), &middle);
  error |= clSetKernelArg(ramp, 2, sizeof(size), &size);
  error |= clSetKernelArg(differences, 0, sizeof(middle), &middle);
  error |= clSetKernelArg(differences, 1, sizeof(out), &out);
  error |= clSetKernelArg(differences, 2, sizeof(size), &size);
  check(error, "clSetKernelArg");
  error = clEnqueueNDRangeKernel(queue, ramp, 1, NULL, &global, &local, 0, NULL,
                                 NULL);
  error |= clEnqueueNDRangeKernel(queue, differences, 1, NULL, &global, &local,
                                  0, NULL, NULL);
  check(error, "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(values), values, 0,
                            NULL, NULL),
        "clEnqueueReadBuffer");
  for (i = 0; i < n; i++)
    sum += (long)values[i] * (long)(i % 7 + 1);
  printf("%ld %a %a %a\n", sum, (double)values[0], (double)values[49],
         (double)values[n - 2]);
  return 0;
}
