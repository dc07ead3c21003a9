// RUN: %kfuse %s -o %t.cpp 2>&1 | FileCheck %s
// RUN: %code %t.cpp | FileCheck %s --check-prefix=OUT
//
// The functors of OpenCL 1.2's header, which isn't here: kfuse brings its own
// declarations. Each pass of the loop has the buffers of the one before.
//
// CHECK-NOT: warning
// CHECK: 4 launches -> 2
// CHECK: kfuse_twice_twice = 'twice', 'twice'; never stored: between
// CHECK: kfuse_twice_twice_2 = 'twice', 'twice'
// OUT: launch_kfuse_twice_twice(queue, program, cl::NDRange(1024), cl::NullRange, in,
// OUT: for (int step = 0; step < 4; ++step) {
// OUT-NEXT: launch_kfuse_twice_twice_2(queue, program, cl::NDRange(1024), cl::NullRange,
// OUT-NEXT: other, in);
// OUT: std::swap(in, out);
#define __CL_ENABLE_EXCEPTIONS
#include "cl.hpp"
#include <utility>
#include <vector>

const char *kernels = "kernel void twice(global float *x, global float *y) {\n"
                      "  int i = get_global_id(0);\n"
                      "  y[i] = 2 * x[i];\n"
                      "}\n";

int main() {
  std::vector<float> host(1024, 0.5f);
  cl::Context context(CL_DEVICE_TYPE_DEFAULT);
  cl::Program program(context, kernels, true);
  cl::CommandQueue queue(context);
  auto twice =
      cl::make_kernel<cl::Buffer, cl::Buffer>(program, "twice");
  cl::Buffer in(context, host.begin(), host.end(), true);
  cl::Buffer between(context, CL_MEM_READ_WRITE, 4096);
  cl::Buffer other(context, CL_MEM_READ_WRITE, 4096);
  cl::Buffer out(context, CL_MEM_READ_WRITE, 4096);
  twice(cl::EnqueueArgs(queue, cl::NDRange(1024)), in, between);
  twice(cl::EnqueueArgs(queue, cl::NDRange(1024)), between, other);
  for (int step = 0; step < 4; ++step) {
    twice(cl::EnqueueArgs(queue, cl::NDRange(1024)), other, in);
    twice(cl::EnqueueArgs(queue, cl::NDRange(1024)), in, other);
    std::swap(in, out);
  }
  cl::copy(queue, out, host.begin(), host.end());
}
