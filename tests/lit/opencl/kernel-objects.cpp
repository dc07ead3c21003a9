// RUN: %kfuse %s -o %t.cpp -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.cpp | FileCheck %s --check-prefix=OUT
// RUN: %clang -std=c++17 -Wall -Wextra -Werror -fsyntax-only %t.cpp
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Kernel objects of C++ keep their arguments, too: the third launch is the
// first one's kernel with another input and another number.
//
// CHECK: fused 'scale' (line {{[0-9]+}}), 'shift' and 'scale' (line {{[0-9]+}}) into 'kfuse_scale_shift_scale': b and c in registers, never stored
// CHECK: 3 launches -> 1
// SAME: verified: original and fused leave equal traces
// OUT: void scale_stage(global const float *in, float *out_value, float by) {
// OUT: const cl::NDRange &global, const cl::NDRange &local, const cl::Buffer &in,
// OUT-NEXT: float by, int by_shift, const cl::Buffer &out, float by_scale) {
// OUT: error = CL_SUCCESS;
// OUT-NEXT: check(error, "scale");
// OUT-NEXT: error = CL_SUCCESS;
// OUT-NEXT: check(error, "shift");
// OUT: error = launch_kfuse_scale_shift_scale(
// OUT-NEXT: queue, program, range, cl::NDRange(64), a, by, 3, d, again);
// OUT-NEXT: check(error, "scale again");
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstdio>
#include <cstdlib>

static const std::string source = R"(
kernel void scale(global const float *in, global float *out, float by) {
  int i = get_global_id(0);
  out[i] = in[i] * by;
}
kernel void shift(global const float *in, global float *out, int by) {
  int i = get_global_id(0);
  out[i] = in[i] + by;
}
)";

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    std::fprintf(stderr, "%s: %d\n", what, error);
    std::exit(1);
  }
}

int main() {
  const int n = 1 << 10;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = i * 0.25f;
  cl_int error;
  cl::Context context(CL_DEVICE_TYPE_ALL, nullptr, nullptr, nullptr, &error);
  check(error, "context");
  cl::CommandQueue queue(context, 0, &error);
  check(error, "queue");
  cl::Program program(context, source);
  check(program.build(), "build");
  cl::Kernel scale(program, "scale", &error);
  check(error, "scale");
  cl::Kernel shift(program, "shift", &error);
  check(error, "shift");
  const size_t bytes = sizeof(float) * n;
  cl::Buffer a(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes,
               h.data(), &error);
  check(error, "a");
  cl::Buffer b(context, CL_MEM_READ_WRITE, bytes);
  cl::Buffer c(context, CL_MEM_READ_WRITE, bytes);
  cl::Buffer d(context, CL_MEM_WRITE_ONLY, bytes);
  const cl::NDRange range(n);
  float by = 1.5f, again = 0.7f;
  check(scale.setArg(0, a), "in");
  check(scale.setArg(1, b), "out");
  check(scale.setArg(2, by), "by");
  shift.setArg(0, b);
  shift.setArg(1, c);
  shift.setArg(2, 3);
  error = queue.enqueueNDRangeKernel(scale, cl::NullRange, range,
                                     cl::NDRange(64));
  check(error, "scale");
  error = queue.enqueueNDRangeKernel(shift, cl::NullRange, range,
                                     cl::NDRange(64));
  check(error, "shift");
  scale.setArg(0, c);
  scale.setArg(1, d);
  scale.setArg(2, again);
  error = queue.enqueueNDRangeKernel(scale, cl::NullRange, range,
                                     cl::NDRange(64));
  check(error, "scale again");
  queue.finish();
  check(queue.enqueueReadBuffer(d, CL_TRUE, 0, bytes, h.data()), "read");
  double sum = 0;
  for (float v : h)
    sum += v;
  std::printf("%.6f %a\n", sum, h[17]);
  return 0;
}
