// RUN: %kfuse %s -o %t.cpp -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.cpp | FileCheck %s --check-prefix=OUT
// RUN: %clang -std=c++17 -Wall -Wextra -Werror -fsyntax-only %t.cpp
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: mkdir -p %t/Inputs && sed s/0.5f/0.6f/ %S/Inputs/chain.cl > %t/Inputs/chain.cl
// RUN: %clang -std=c++17 -w %t.cpp -lOpenCL -o %t/fused
// RUN: cd %t && not ./fused 2>&1 | FileCheck %s --check-prefix=CHANGED
//
// The kernels are in a file that the host reads when it runs. The fused program
// puts its own behind them, unless the file is another one by then.
//
// CHECK: remark: fused 'square', 'add': fused 'square' and 'add' into 'kfuse_square_add': squares in registers, never stored
// CHECK: 2 launches -> 1
// CHANGED: clBuildProgram
// SAME: verified: original and fused leave equal traces
// OUT: static const char kfuseKernels[] = R"kfuse(
// OUT-NOT: #define BIAS 0.5f
// OUT: void square_stage(global const float *in, float *out_value, uint count) {
// OUT: __kernel void kfuse_square_add(
// OUT: )kfuse";
// OUT: static std::string withFusedKernels(const std::string &kernels) {
// OUT: return kernels + (hash == {{[0-9]+}}ULL
// OUT-NEXT: ? kfuseKernels
// OUT-NEXT: : "\n#error 'chain.cl' has changed: fuse it again\n");
// OUT: static cl_int launch_kfuse_square_add(const cl::CommandQueue &queue,
// OUT-NEXT: const cl::Program &program,
// OUT-NEXT: const cl::NDRange &global,
// OUT-NEXT: const cl::NDRange &local,
// OUT: cl::Kernel kernel(program, "kfuse_square_add");
// OUT-NEXT: kernel.setArg(0, in);
// OUT: return queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
// OUT: cl::Program program(context, withFusedKernels(load("Inputs/chain.cl")), true);
// OUT-NOT: cl::EnqueueArgs
// OUT: launch_kfuse_square_add(queue, program, cl::NDRange(count), cl::NullRange,
// OUT-NEXT: values, count, more, sums);
// OUT-NOT: cl::EnqueueArgs
// OUT: cl::copy(queue, sums
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>

static std::string load(const std::string &path) {
  std::ifstream file(path);
  if (!file.is_open()) {
    std::cerr << "no file " << path << "\n";
    std::exit(1);
  }
  return std::string(std::istreambuf_iterator<char>(file),
                     std::istreambuf_iterator<char>());
}

int main() {
  const cl_uint count = 1000;
  std::vector<float> host(count), result(count);
  for (cl_uint i = 0; i < count; ++i)
    host[i] = 0.25f * (i % 77);
  cl::Buffer values, more, squares, sums;
  try {
    cl::Context context(CL_DEVICE_TYPE_ALL);
    cl::Program program(context, load("Inputs/chain.cl"), true);
    cl::CommandQueue queue(context);
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint> square(program,
                                                              "square");
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint> add(program,
                                                                       "add");
    values = cl::Buffer(context, host.begin(), host.end(), true);
    more = cl::Buffer(context, host.begin(), host.end(), true);
    squares = cl::Buffer(context, CL_MEM_READ_WRITE, sizeof(float) * count);
    sums = cl::Buffer(context, CL_MEM_READ_WRITE, sizeof(float) * count);

    square(cl::EnqueueArgs(queue, cl::NDRange(count)), values, squares, count);
    add(cl::EnqueueArgs(queue, cl::NDRange(count)), squares, more, sums, count);

    cl::copy(queue, sums, result.begin(), result.end());
  } catch (const cl::Error &error) {
    std::cerr << error.what() << ": " << error.err() << "\n";
    return 1;
  }
  double total = 0;
  for (float value : result)
    total += value;
  std::cout << total << " " << result[3] << " " << result[count - 1] << "\n";
}
