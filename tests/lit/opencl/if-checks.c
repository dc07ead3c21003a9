// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Launches in conditions of checks: one that has gone leaves nothing, but for
// what it assigned.
//
// CHECK: 3 launches -> 1
// SAME: verified: original and fused leave equal traces
// OUT-NOT: the first failed
// OUT: if ((err = CL_SUCCESS) != CL_SUCCESS)
// OUT-NEXT: return err;
// OUT: if (launch_kfuse_vadd_vadd_vadd(commands, ko_vadd, 1, &global, NULL,
// OUT: ) != CL_SUCCESS) {
// OUT-NEXT: printf("the third failed\n");
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 1024

const char *KernelSource =
    "\n"
    "__kernel void vadd(__global const float *a, __global const float *b,\n"
    "                   __global float *c, const unsigned int count) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < count)\n"
    "    c[i] = a[i] + b[i];\n"
    "}\n"
    "\n";

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(EXIT_FAILURE);
  }
}

static cl_device_id anyDevice(void) {
  cl_platform_id platforms[8];
  cl_uint found = 0;
  check(clGetPlatformIDs(8, platforms, &found), "platforms");
  for (cl_uint i = 0; i < found && i < 8; ++i) {
    cl_device_id device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
        CL_SUCCESS)
      return device;
  }
  check(CL_DEVICE_NOT_FOUND, "devices");
  return NULL;
}

int main(void) {
  static float h_a[COUNT], h_b[COUNT], h_e[COUNT], h_f[COUNT], h_g[COUNT];
  unsigned int count = COUNT;
  cl_int err;
  for (int i = 0; i < COUNT; i++) {
    h_a[i] = i * 0.1f;
    h_b[i] = (i * 7 % 31) / 3.0f;
    h_e[i] = (i * 5 % 17) / 7.0f;
    h_g[i] = 1.0f / (i + 1);
  }

  cl_device_id device = anyDevice();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  check(err, "context");
  cl_command_queue commands = clCreateCommandQueue(context, device, 0, &err);
  check(err, "queue");
  cl_program program =
      clCreateProgramWithSource(context, 1, &KernelSource, NULL, &err);
  check(err, "program");
  check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "build");
  cl_kernel ko_vadd = clCreateKernel(program, "vadd", &err);
  check(err, "kernel");

  cl_mem_flags given = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
  cl_mem d_a = clCreateBuffer(context, given, sizeof(h_a), h_a, NULL);
  cl_mem d_b = clCreateBuffer(context, given, sizeof(h_b), h_b, NULL);
  cl_mem d_e = clCreateBuffer(context, given, sizeof(h_e), h_e, NULL);
  cl_mem d_g = clCreateBuffer(context, given, sizeof(h_g), h_g, NULL);
  cl_mem d_c = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float) * count,
                              NULL, NULL);
  cl_mem d_d = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float) * count,
                              NULL, NULL);
  cl_mem d_f = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(float) * count,
                              NULL, NULL);

  size_t global = count;
  err = clSetKernelArg(ko_vadd, 0, sizeof(cl_mem), &d_a);
  err |= clSetKernelArg(ko_vadd, 1, sizeof(cl_mem), &d_b);
  err |= clSetKernelArg(ko_vadd, 2, sizeof(cl_mem), &d_c);
  err |= clSetKernelArg(ko_vadd, 3, sizeof(unsigned int), &count);
  check(err, "arguments of the first");
  if (clEnqueueNDRangeKernel(commands, ko_vadd, 1, NULL, &global, NULL, 0, NULL,
                             NULL) != CL_SUCCESS) {
    printf("the first failed\n");
    return 1;
  }
  err = clSetKernelArg(ko_vadd, 0, sizeof(cl_mem), &d_e);
  err |= clSetKernelArg(ko_vadd, 1, sizeof(cl_mem), &d_c);
  err |= clSetKernelArg(ko_vadd, 2, sizeof(cl_mem), &d_d);
  check(err, "arguments of the second");
  if ((err = clEnqueueNDRangeKernel(commands, ko_vadd, 1, NULL, &global, NULL,
                                    0, NULL, NULL)) != CL_SUCCESS)
    return err;
  err = clSetKernelArg(ko_vadd, 0, sizeof(cl_mem), &d_g);
  err |= clSetKernelArg(ko_vadd, 1, sizeof(cl_mem), &d_d);
  err |= clSetKernelArg(ko_vadd, 2, sizeof(cl_mem), &d_f);
  check(err, "arguments of the third");
  if (clEnqueueNDRangeKernel(commands, ko_vadd, 1, NULL, &global, NULL, 0, NULL,
                             NULL) != CL_SUCCESS) {
    printf("the third failed\n");
    return 1;
  }

  err = clEnqueueReadBuffer(commands, d_f, CL_TRUE, 0, sizeof(float) * count,
                            h_f, 0, NULL, NULL);
  check(err, "read");
  double sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += h_f[i];
  printf("%a %a %a %a\n", sum, h_f[0], h_f[1], h_f[COUNT - 1]);
  return 0;
}
