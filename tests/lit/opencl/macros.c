// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// The build options define what the kernels count and multiply by.
//
// CHECK: : fused 'magnify' and 'square' into 'kfuse_magnify_square': between through memory
// SAME: verified: original and fused leave equal traces
// OUT-NOT: CHECK(CL_SUCCESS);
// OUT: CHECK(launch_kfuse_magnify_square(
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s: %d\n", what, error);
    exit(1);
  }
}

// The call as it stands, when it fails.
#define CHECK(call) check((call), #call)

static const char source[] =
    "#ifndef SCALE\n"
    "#define SCALE 1.0f\n"
    "#endif\n"
    "#define INDEX get_global_id(0)\n"
    "#define SQUARE(x) ((x) * (x))\n"
    "__kernel void magnify(__global const float *in, __global float *out) {\n"
    "  int i = INDEX;\n"
    "  if (i < N)\n"
    "    out[i] = SCALE * in[i];\n"
    "}\n"
    "__kernel void square(__global const float *in, __global float *out) {\n"
    "  int i = INDEX;\n"
    "  if (i < N)\n"
    "    out[i] = SQUARE(in[i]) / N;\n"
    "}\n";

int main(void) {
  enum { n = 1024 };
  cl_platform_id platforms[10];
  cl_device_id device = NULL;
  cl_uint count = 0;
  cl_int error;
  CHECK(clGetPlatformIDs(10, platforms, &count));
  for (cl_uint i = 0; i < count; ++i)
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
        CL_SUCCESS)
      break;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  CHECK(error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  CHECK(error);
  const char *text = source;
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, NULL, &error);
  CHECK(error);
  CHECK(
      clBuildProgram(program, 1, &device, "-DSCALE=3.0f -DN=1024", NULL, NULL));
  cl_kernel magnify = clCreateKernel(program, "magnify", &error);
  CHECK(error);
  cl_kernel square = clCreateKernel(program, "square", &error);
  CHECK(error);

  float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = 0.1f * i - 20.0f;
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             sizeof(host), host, &error);
  CHECK(error);
  cl_mem between =
      clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(host), NULL, &error);
  CHECK(error);
  cl_mem out =
      clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(host), NULL, &error);
  CHECK(error);

  // More work-items than elements: the kernels' N guards.
  const size_t global = n + 128, local = 128;
  CHECK(clSetKernelArg(magnify, 0, sizeof(cl_mem), &in));
  CHECK(clSetKernelArg(magnify, 1, sizeof(cl_mem), &between));
  CHECK(clEnqueueNDRangeKernel(queue, magnify, 1, NULL, &global, &local, 0,
                               NULL, NULL));
  CHECK(clSetKernelArg(square, 0, sizeof(cl_mem), &between));
  CHECK(clSetKernelArg(square, 1, sizeof(cl_mem), &out));
  CHECK(clEnqueueNDRangeKernel(queue, square, 1, NULL, &global, &local, 0, NULL,
                               NULL));
  CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(host), host, 0, NULL,
                            NULL));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%a %a %a %a\n", sum, host[0], host[201], host[n - 1]);
  return 0;
}
