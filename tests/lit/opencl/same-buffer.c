// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -I%S -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// One kernel, twice: from one buffer into another, then with the second buffer
// for both parameters. There its second line reads what its first line wrote.
//
// CHECK: : fused 'grow' (line {{[0-9]+}}) and 'grow' (line {{[0-9]+}}) into 'kfuse_grow_grow': b through memory
// SAME: verified: original and fused leave equal traces
// OUT-NOT: restrict
// OUT: launch_kfuse_grow_grow(
#include "Inputs/host.h"

const char *source =
    "__kernel void grow(__global const float *in, __global float *out, int n)\n"
    "{\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) {\n"
    "    out[i] = in[i] + 1.0f;\n"
    "    out[i] = out[i] * in[i];\n"
    "  }\n"
    "}\n";

cl_kernel grow;

int main(void) {
  int n = 1023;
  cl_int err;
  cl_device_id device = anyDevice();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  check(err, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
  check(err, "queue");
  cl_program program =
      clCreateProgramWithSource(context, 1, &source, NULL, &err);
  check(err, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  grow = clCreateKernel(program, "grow", &err);
  check(err, "kernel");

  float *host = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++)
    host[i] = 0.1f * (i % 40) - 1.5f;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                            n * sizeof(float), host, &err);
  check(err, "a");
  cl_mem b =
      clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float), NULL, &err);
  check(err, "b");

  size_t local = 32;
  size_t global = (n + local - 1) / local * local;
  err = clSetKernelArg(grow, 0, sizeof(cl_mem), &a);
  err |= clSetKernelArg(grow, 1, sizeof(cl_mem), &b);
  err |= clSetKernelArg(grow, 2, sizeof(int), &n);
  err |= clEnqueueNDRangeKernel(queue, grow, 1, NULL, &global, &local, 0, NULL,
                                NULL);
  check(err, "a to b");
  err = clSetKernelArg(grow, 0, sizeof(cl_mem), &b);
  err |= clSetKernelArg(grow, 1, sizeof(cl_mem), &b);
  err |= clSetKernelArg(grow, 2, sizeof(int), &n);
  err |= clEnqueueNDRangeKernel(queue, grow, 1, NULL, &global, &local, 0, NULL,
                                NULL);
  check(err, "b to b");
  check(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, n * sizeof(float), host, 0,
                            NULL, NULL),
        "read");
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += host[i];
  printf("%a %a %a %a\n", sum, host[0], host[17], host[n - 1]);
  free(host);
  return 0;
}
