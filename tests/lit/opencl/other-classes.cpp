// RUN: %kfuse %s -o %t.cpp -Rkfuse 2>&1 | FileCheck %s
// RUN: cmp %s %t.cpp
//
// What kfuse doesn't declare of OpenCL's classes is read with the program's own
// header. Of that nothing is known, also not beside launches by functions of C:
// between these a queue copies what the first one writes.
//
// CHECK: other-classes.cpp:{{[0-9]+}}:14: warning: launches by OpenCL's classes aren't followed here: no matching constructor for initialization of 'cl::Buffer'
// CHECK: 2 launches -> 2
// CHECK: left: 1 HostDependence
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstdio>
static const char *source =
    "kernel void twice(global float *x, global float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = 2 * x[i];\n"
    "}\n";
int main() {
  cl_int err;
  std::vector<float> host(256, 0.5f);
  cl::Context context(CL_DEVICE_TYPE_ALL);
  cl::CommandQueue queue(context);
  cl_program program =
      clCreateProgramWithSource(context(), 1, &source, NULL, &err);
  clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  cl_command_queue plain = queue();
  cl_kernel twice = clCreateKernel(program, "twice", &err);
  cl_mem a = clCreateBuffer(context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            1024, host.data(), &err);
  cl_mem b = clCreateBuffer(context(), CL_MEM_READ_WRITE, 1024, NULL, &err);
  cl_mem c = clCreateBuffer(context(), CL_MEM_READ_WRITE, 1024, NULL, &err);
  cl_mem d = clCreateBuffer(context(), CL_MEM_READ_WRITE, 1024, NULL, &err);
  cl::Buffer left(b, true), right(d, true);
  size_t size = 256;
  cl_command_queue own = clCreateCommandQueue(
      context(), queue.getInfo<CL_QUEUE_DEVICE>()(), 0, &err);
  clSetKernelArg(twice, 0, sizeof(a), &a);
  clSetKernelArg(twice, 1, sizeof(b), &b);
  clEnqueueNDRangeKernel(own, twice, 1, NULL, &size, NULL, 0, NULL, NULL);
  clFinish(own);
  queue.enqueueCopyBuffer(left, right, 0, 0, 1024);
  queue.finish();
  clSetKernelArg(twice, 0, sizeof(b), &b);
  clSetKernelArg(twice, 1, sizeof(c), &c);
  clEnqueueNDRangeKernel(own, twice, 1, NULL, &size, NULL, 0, NULL, NULL);
  clFinish(own);
  clEnqueueReadBuffer(own, d, CL_TRUE, 0, 1024, host.data(), 0, NULL, NULL);
  std::printf("%g\n", host[7]);
  clEnqueueReadBuffer(own, c, CL_TRUE, 0, 1024, host.data(), 0, NULL, NULL);
  std::printf("%g\n", host[7]);
}
