// RUN: %kfuse verify %s
//
// Unsigned arithmetic wraps in OpenCL as well: a hash picks elements that had
// no value yet, and threads store into one element by indices that are the same
// in 32 bits.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
static const char *source =
    "__kernel void half_(__global float *b, __global const float *a) { uint i "
    "= get_global_id(0); if (i < 2048u) b[i] = a[i]; }\n"
    "__kernel void pick(__global const float *b, __global float *c, uint n) { "
    "uint i = get_global_id(0); if (i < n && i * 1664525u + 1013904223u < "
    "0x80000000u) c[i] = b[i]; }\n"
    "__kernel void put(__global float *b, __global const float *a, uint n) { "
    "uint i = get_global_id(0); uint k = i << 21; if (k < n && i >= 2048u) "
    "b[k] = a[i]; }\n"
    "__kernel void get(__global const float *b, __global float *c, uint n) { "
    "uint i = get_global_id(0); uint k = i << 21; if (k < n && i < 2048u) c[i] "
    "= b[k] + 1; }\n";
int main(void) {
  const int n = 4096;
  float *host = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    host[i] = i * 0.25f;
  cl_platform_id platform;
  cl_device_id device;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program =
      clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  cl_kernel half_ = clCreateKernel(program, "half_", NULL),
            pick = clCreateKernel(program, "pick", NULL);
  cl_kernel put = clCreateKernel(program, "put", NULL),
            get = clCreateKernel(program, "get", NULL);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                            n * sizeof(float), host, NULL);
  cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            n * sizeof(float), host, NULL);
  cl_mem c = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            n * sizeof(float), host, NULL);
  size_t global = n, local = 64;
  cl_uint count = n;
  clSetKernelArg(half_, 0, sizeof(cl_mem), &b);
  clSetKernelArg(half_, 1, sizeof(cl_mem), &a);
  clSetKernelArg(pick, 0, sizeof(cl_mem), &b);
  clSetKernelArg(pick, 1, sizeof(cl_mem), &c);
  clSetKernelArg(pick, 2, sizeof(cl_uint), &count);
  clEnqueueNDRangeKernel(queue, half_, 1, NULL, &global, &local, 0, NULL, NULL);
  clEnqueueNDRangeKernel(queue, pick, 1, NULL, &global, &local, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, c, CL_TRUE, 0, n * sizeof(float), host, 0, NULL,
                      NULL);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 97);
  printf("%.9g\n", sum);
  clSetKernelArg(put, 0, sizeof(cl_mem), &b);
  clSetKernelArg(put, 1, sizeof(cl_mem), &a);
  clSetKernelArg(put, 2, sizeof(cl_uint), &count);
  clSetKernelArg(get, 0, sizeof(cl_mem), &b);
  clSetKernelArg(get, 1, sizeof(cl_mem), &c);
  clSetKernelArg(get, 2, sizeof(cl_uint), &count);
  clEnqueueNDRangeKernel(queue, put, 1, NULL, &global, &local, 0, NULL, NULL);
  clEnqueueNDRangeKernel(queue, get, 1, NULL, &global, &local, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, c, CL_TRUE, 0, n * sizeof(float), host, 0, NULL,
                      NULL);
  sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 97);
  printf("%.9g\n", sum);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
  clReleaseMemObject(c);
  free(host);
  return 0;
}
