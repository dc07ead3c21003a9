// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// Work-groups that share local memory, behind a barrier: reversed by groups of
// 64, then summed by groups of 32. What comes out depends on the local sizes.
//
// CHECK: remark: 'reverse' and 'sums' not fused: DifferentShape: 'reverse' and 'sums' have different blocks
#include "Inputs/host.h"

static const char source[] =
    "#define GROUP 64\n"
    "__kernel void reverse(__global const int *in, __global int *out) {\n"
    "  __local int tile[GROUP];\n"
    "  int l = get_local_id(0);\n"
    "  tile[l] = in[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[get_group_id(0) * GROUP + l] = tile[GROUP - 1 - l];\n"
    "}\n"
    "\n"
    "__kernel void sums(__global const int *in, __global int *out,\n"
    "                   __local int *tile) {\n"
    "  int l = get_local_id(0);\n"
    "  int size = get_local_size(0);\n"
    "  tile[l] = in[get_global_id(0)] * (l + 1);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int step = size / 2; step > 0; step /= 2) {\n"
    "    if (l < step)\n"
    "      tile[l] += tile[l + step];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (l == 0)\n"
    "    out[get_group_id(0)] = tile[0];\n"
    "}\n";

int main(void) {
  enum { n = 1024, groups = n / 32 };
  static int host[n], sum[groups];
  cl_device_id device = anyDevice();
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  const char *text = source;
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel reverse = clCreateKernel(program, "reverse", &error);
  check(error, "reverse");
  cl_kernel sums = clCreateKernel(program, "sums", &error);
  check(error, "sums");

  for (int i = 0; i < n; ++i)
    host[i] = i * 19 % 211;
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             sizeof(host), host, &error);
  check(error, "in");
  cl_mem reversed =
      clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(host), NULL, &error);
  check(error, "reversed");
  cl_mem out =
      clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(sum), NULL, &error);
  check(error, "out");

  size_t global = n, local = 64;
  error = clSetKernelArg(reverse, 0, sizeof(cl_mem), &in);
  error |= clSetKernelArg(reverse, 1, sizeof(cl_mem), &reversed);
  error |= clEnqueueNDRangeKernel(queue, reverse, 1, NULL, &global, &local, 0,
                                  NULL, NULL);
  check(error, "reverse");
  local = 32;
  error = clSetKernelArg(sums, 0, sizeof(cl_mem), &reversed);
  error |= clSetKernelArg(sums, 1, sizeof(cl_mem), &out);
  error |= clSetKernelArg(sums, 2, local * sizeof(cl_int), NULL);
  error |= clEnqueueNDRangeKernel(queue, sums, 1, NULL, &global, &local, 0,
                                  NULL, NULL);
  check(error, "sums");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(sum), sum, 0, NULL,
                            NULL),
        "read");
  long total = 0;
  for (int i = 0; i < groups; ++i)
    total += (long)sum[i] * (i + 1);
  printf("%ld %a %a\n", total, (double)sum[0], (double)sum[groups - 1]);
  return 0;
}
