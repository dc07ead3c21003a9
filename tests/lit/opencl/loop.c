// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Five steps of a spring under heat. The arguments of kick and move are set
// once, before the loop. Spread's handles are swapped and set again each step.
//
// CHECK: : fused 'kick' and 'move' into 'kfuse_kick_move': d_v in registers and stored
// SAME: verified: original and fused leave equal traces
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
#define STEPS 5

static const char *const source =
    "__kernel void kick(__global float *v, __global const float *x, float k) "
    "{\n"
    "  int i = get_global_id(0);\n"
    "  v[i] -= k * x[i];\n"
    "}\n"
    "__kernel void move(__global const float *v, __global float *x, float dt) "
    "{\n"
    "  int i = get_global_id(0);\n"
    "  x[i] += dt * v[i];\n"
    "}\n"
    "__kernel void spread(__global const float *from, __global float *to,\n"
    "                     int n) {\n"
    "  int i = get_global_id(0);\n"
    "  float left = from[i > 0 ? i - 1 : 0];\n"
    "  float right = from[i < n - 1 ? i + 1 : n - 1];\n"
    "  to[i] = 0.25f * (left + right + 2.0f * from[i]);\n"
    "}\n";

static void check(cl_int error, const char *what) {
  if (error) {
    printf("error %d: %s\n", error, what);
    exit(2);
  }
}

static double sumOf(const float *values) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += values[i];
  return sum;
}

int main() {
  cl_platform_id platforms[16];
  cl_device_id device;
  cl_uint count, p;
  cl_int err;
  float v[N], x[N], heat[N];
  const size_t size = sizeof(v);

  check(clGetPlatformIDs(16, platforms, &count), "platforms");
  for (p = 0; p < count; p++)
    if (!clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
      break;
  if (p == count)
    check(CL_DEVICE_NOT_FOUND, "devices");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  check(err, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
  check(err, "queue");
  cl_program program =
      clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &err);
  check(err, "program");
  err = clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  check(err, "build");
  cl_kernel kick = clCreateKernel(program, "kick", NULL);
  cl_kernel move = clCreateKernel(program, "move", NULL);
  cl_kernel spread = clCreateKernel(program, "spread", NULL);

  for (int i = 0; i < N; i++) {
    v[i] = (i % 10) * 0.1f;
    x[i] = 1.0f - (i % 7) * 0.2f;
    heat[i] = i % 50 ? 0.0f : 10.0f;
  }
  cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem d_v = clCreateBuffer(context, flags, size, v, NULL);
  cl_mem d_x = clCreateBuffer(context, flags, size, x, NULL);
  cl_mem d_from = clCreateBuffer(context, flags, size, heat, NULL);
  cl_mem d_to = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, NULL);

  const float k = 0.2f, dt = 0.1f;
  const int n = N;
  size_t global[] = {N};
  err = clSetKernelArg(kick, 0, sizeof d_v, &d_v);
  err |= clSetKernelArg(kick, 1, sizeof d_x, &d_x);
  err |= clSetKernelArg(kick, 2, sizeof k, &k);
  err |= clSetKernelArg(move, 0, sizeof d_v, &d_v);
  err |= clSetKernelArg(move, 1, sizeof d_x, &d_x);
  err |= clSetKernelArg(move, 2, sizeof dt, &dt);
  err |= clSetKernelArg(spread, 2, sizeof n, &n);
  for (int step = 0; step < STEPS; step++) {
    err |= clEnqueueNDRangeKernel(queue, kick, 1, 0, global, 0, 0, 0, 0);
    err |= clEnqueueNDRangeKernel(queue, move, 1, 0, global, 0, 0, 0, 0);
    err |= clSetKernelArg(spread, 0, sizeof d_from, &d_from);
    err |= clSetKernelArg(spread, 1, sizeof d_to, &d_to);
    err |= clEnqueueNDRangeKernel(queue, spread, 1, 0, global, 0, 0, 0, 0);
    cl_mem swapped = d_from;
    d_from = d_to;
    d_to = swapped;
  }
  check(err, "steps");
  err = clEnqueueReadBuffer(queue, d_x, CL_FALSE, 0, size, x, 0, NULL, NULL);
  err |= clEnqueueReadBuffer(queue, d_from, CL_TRUE, 0, size, heat, 0, 0, 0);
  check(err, "read");
  printf("x %a %a %a\n", sumOf(x), x[0], x[N - 1]);
  printf("heat %a %a %a\n", sumOf(heat), heat[0], heat[N - 1]);
  return 0;
}
