// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// double, int and short, a function that both kernels call, a table in constant
// memory as an argument, and one in the program.
//
// CHECK: : fused 'weight' and 'levels' into 'kfuse_weight_levels': dWeighted in registers and stored
// SAME: verified: original and fused leave equal traces
// OUT: as_double(as_ulong(weighted_value) ^ kfuseZero.at[0]);
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source[] = {
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "__constant int steps[4] = {1, 3, 9, 27};\n"
    "double weigh(double value, short key, __constant double *table) {\n"
    "  return value * table[(key + steps[key & 3]) & 7] + 0.25;\n"
    "}\n",
    "__kernel void weight(const __global double *restrict values,\n"
    "                     const __global short *restrict keys,\n"
    "                     __constant double *table,\n"
    "                     __global double *restrict weighted, const int n) {\n"
    "  const int i = (int)get_global_id(0);\n"
    "  if (i >= n) return;\n"
    "  weighted[i] = 2.5 * weigh(values[i], keys[i], table);\n"
    "}\n"
    "__kernel void levels(const __global double *restrict weighted,\n"
    "                     __global short *restrict keys,\n"
    "                     __constant double *table,\n"
    "                     __global int *restrict level, const int n) {\n"
    "  const int i = (int)get_global_id(0);\n"
    "  if (i >= n) return;\n"
    "  level[i] = convert_int_rte(weigh(weighted[i], keys[i], table));\n"
    "  keys[i] = (short)(keys[i] * 3 - level[i]);\n"
    "}\n"};

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s: %d\n", what, error);
    exit(EXIT_FAILURE);
  }
}

int main(void) {
  enum { N = 777 };
  cl_double values[N], table[8];
  cl_short keys[N];
  cl_int level[N], n = N, error;
  cl_device_id device = 0;
  cl_platform_id platforms[4];
  cl_uint count;
  check(clGetPlatformIDs(4, platforms, &count), "platforms");
  for (cl_uint i = 0; i < count && device == 0; i++)
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_program program =
      clCreateProgramWithSource(context, 2, source, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "build");
  cl_kernel weight = clCreateKernel(program, "weight", &error);
  check(error, "weight");
  cl_kernel levels = clCreateKernel(program, "levels", &error);
  check(error, "levels");

  for (int i = 0; i < N; i++) {
    values[i] = i / 3.0;
    keys[i] = (cl_short)(i * 13 % 101 - 40);
    table[i % 8] = 1.0 / (i % 8 + 1);
  }
  cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem dValues = clCreateBuffer(context, copied, sizeof values, values, NULL);
  cl_mem dKeys = clCreateBuffer(context, copied, sizeof keys, keys, NULL);
  cl_mem dTable = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof table, 0, 0);
  cl_mem dWeighted = clCreateBuffer(context, 0, sizeof values, NULL, NULL);
  cl_mem dLevel = clCreateBuffer(context, 0, sizeof level, NULL, NULL);
  error = clEnqueueWriteBuffer(queue, dTable, CL_FALSE, 0, sizeof table, table,
                               0, NULL, NULL);

  int arg = 0;
  error |= clSetKernelArg(weight, arg++, sizeof(cl_mem), &dValues);
  error |= clSetKernelArg(weight, arg++, sizeof(cl_mem), &dKeys);
  error |= clSetKernelArg(weight, arg++, sizeof(cl_mem), &dTable);
  error |= clSetKernelArg(weight, arg++, sizeof(cl_mem), &dWeighted);
  error |= clSetKernelArg(weight, arg++, sizeof(cl_int), &n);
  arg = 0;
  error |= clSetKernelArg(levels, arg++, sizeof(cl_mem), &dWeighted);
  error |= clSetKernelArg(levels, arg++, sizeof(cl_mem), &dKeys);
  error |= clSetKernelArg(levels, arg++, sizeof(cl_mem), &dTable);
  error |= clSetKernelArg(levels, arg++, sizeof(cl_mem), &dLevel);
  error |= clSetKernelArg(levels, arg++, sizeof(cl_int), &n);
  const size_t local = 32, global = (N + 31) / 32 * 32;
  error |= clEnqueueNDRangeKernel(queue, weight, 1, NULL, &global, &local, 0,
                                  NULL, NULL);
  error |= clEnqueueNDRangeKernel(queue, levels, 1, NULL, &global, &local, 0,
                                  NULL, NULL);
  error |= clEnqueueReadBuffer(queue, dLevel, CL_TRUE, 0, sizeof level, level,
                               0, NULL, NULL);
  error |= clEnqueueReadBuffer(queue, dKeys, CL_TRUE, 0, sizeof keys, keys, 0,
                               NULL, NULL);
  error |= clEnqueueReadBuffer(queue, dWeighted, CL_TRUE, 0, sizeof values,
                               values, 0, NULL, NULL);
  check(error, "launches");
  long sums[2] = {0, 0};
  double sum = 0;
  for (int i = 0; i < N; i++) {
    sums[0] += level[i];
    sums[1] += keys[i];
    sum += values[i];
  }
  printf("%ld %ld %a %a %a\n", sums[0], sums[1], sum, values[1], values[N - 1]);
  return 0;
}
