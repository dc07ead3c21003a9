// RUN: %kfuse %s -o %t.cpp -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cpp | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Local memory by OpenCL's classes: that of a kernel object, set before, and
// that of a functor, given with the launch.
//
// CHECK: : fused 'reverse' and 'sums' into 'kfuse_reverse_sums': reversed in registers, never stored
// SAME: verified: original and fused leave equal traces
// OUT: kernel.setArg(1, t, nullptr);
// OUT: kernel.setArg(3, t_sums, nullptr);
// OUT: launch_kfuse_reverse_sums(queue, program, cl::NDRange(n), cl::NDRange(part),
// OUT-NEXT: in, 128, out, 256);
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstdio>
#include <string>
#include <vector>

static const std::string source = R"(
kernel void reverse(global const int *in, global int *out, local int *t) {
  t[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
kernel void sums(global const int *in, global int *out, local int *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)] * (l + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (l < step)
      t[l] += t[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = t[0];
}
)";

int main() {
  const int n = 1024, part = 32;
  std::vector<int> host(n), result(n / part);
  for (int i = 0; i < n; ++i)
    host[i] = i * 19 % 211;
  cl::Context context(CL_DEVICE_TYPE_ALL);
  cl::CommandQueue queue(context);
  cl::Program program(context, source, true);
  cl::Buffer in(context, CL_MEM_READ_WRITE, n * sizeof(int));
  cl::Buffer reversed(context, CL_MEM_READ_WRITE, n * sizeof(int));
  cl::Buffer out(context, CL_MEM_READ_WRITE, n / part * sizeof(int));
  queue.enqueueWriteBuffer(in, CL_TRUE, 0, n * sizeof(int), host.data());
  cl::Kernel reverse(program, "reverse");
  reverse.setArg(0, in);
  reverse.setArg(1, reversed);
  reverse.setArg(2, cl::Local(part * sizeof(int)));
  cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::LocalSpaceArg> sums(program,
                                                                    "sums");
  queue.enqueueNDRangeKernel(reverse, cl::NullRange, cl::NDRange(n),
                             cl::NDRange(part));
  sums(cl::EnqueueArgs(queue, cl::NDRange(n), cl::NDRange(part)), reversed, out,
       cl::Local(2 * part * sizeof(int)));
  queue.enqueueReadBuffer(out, CL_TRUE, 0, n / part * sizeof(int),
                          result.data());
  long total = 0;
  for (int i = 0; i < n / part; ++i)
    total += (long)result[i] * (i + 1);
  std::printf("%ld\n", total);
}
