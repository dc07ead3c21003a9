// RUN: %kfuse %s -o %t.cpp -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.cpp | FileCheck %s --check-prefix=OUT
// RUN: %clang -std=c++17 -Wall -Wextra -Werror -fsyntax-only %t.cpp
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// y = a * x + y twice, by one kernel with another factor each time, and then
// the sum's distance to a third vector. The factors are passed by value.
//
// CHECK: : fused 'saxpy' (line {{[0-9]+}}), 'saxpy' (line {{[0-9]+}}) and 'distance_to' into 'kfuse_saxpy_saxpy_distance_to': ys in registers and stored
// SAME: verified: original and fused leave equal traces
// OUT:   d[i] = fabs(ys - z[i]);
// OUT: )CL"
// OUT: check(launch_kfuse_saxpy_saxpy_distance_to(
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    std::fprintf(stderr, "%s: error %d\n", what, error);
    std::exit(1);
  }
}

static cl_device_id anyDevice() {
  cl_uint count = 0;
  check(clGetPlatformIDs(0, nullptr, &count), "platforms");
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "platforms");
  for (cl_platform_id platform : platforms) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) ==
        CL_SUCCESS)
      return device;
  }
  check(CL_DEVICE_NOT_FOUND, "devices");
  return nullptr;
}

int main() {
  const char *source = R"CL(
kernel void saxpy(const float a, global const float *x, global float *y) {
  const size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

kernel void distance_to(global const float *y, global const float *z,
                        global float *d) {
  const size_t i = get_global_id(0);
  d[i] = fabs(y[i] - z[i]);
}
)CL";
  const size_t n = 2048;
  const size_t bytes = n * sizeof(float);
  std::vector<float> x(n), y(n), z(n), d(n);
  for (size_t i = 0; i < n; ++i) {
    x[i] = 0.01f * float(i);
    y[i] = 1.0f / float(i + 3);
    z[i] = float(i * 11 % 29);
  }

  const cl_device_id device = anyDevice();
  cl_int error = CL_SUCCESS;
  const auto context =
      clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "context");
  const auto queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  const auto program =
      clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr),
        "build");
  const cl_kernel saxpy = clCreateKernel(program, "saxpy", &error);
  check(error, "saxpy");
  const cl_kernel distance = clCreateKernel(program, "distance_to", &error);
  check(error, "distance_to");

  const cl_mem_flags given = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem xs = clCreateBuffer(context, given, bytes, x.data(), nullptr);
  cl_mem ys = clCreateBuffer(context, given, bytes, y.data(), nullptr);
  cl_mem zs = clCreateBuffer(context, given, bytes, z.data(), nullptr);
  cl_mem ds =
      clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, nullptr, nullptr);

  const size_t global = n;
  const float first = 2.5f, second = -0.75f;
  check(clSetKernelArg(saxpy, 0, sizeof(float), &first), "a");
  check(clSetKernelArg(saxpy, 1, sizeof(cl_mem), &xs), "x");
  check(clSetKernelArg(saxpy, 2, sizeof(cl_mem), &ys), "y");
  check(clEnqueueNDRangeKernel(queue, saxpy, 1, nullptr, &global, nullptr, 0,
                               nullptr, nullptr),
        "saxpy");
  check(clSetKernelArg(saxpy, 0, sizeof(float), &second), "a");
  check(clEnqueueNDRangeKernel(queue, saxpy, 1, nullptr, &global, nullptr, 0,
                               nullptr, nullptr),
        "saxpy again");
  check(clSetKernelArg(distance, 0, sizeof(cl_mem), &ys), "y");
  check(clSetKernelArg(distance, 1, sizeof(cl_mem), &zs), "z");
  check(clSetKernelArg(distance, 2, sizeof(cl_mem), &ds), "d");
  check(clEnqueueNDRangeKernel(queue, distance, 1, nullptr, &global, nullptr, 0,
                               nullptr, nullptr),
        "distance_to");
  check(clEnqueueReadBuffer(queue, ds, CL_TRUE, 0, bytes, d.data(), 0, nullptr,
                            nullptr),
        "read");
  double sum = 0;
  for (float value : d)
    sum += value;
  std::printf("sum %a, %a %a %a\n", sum, d[0], d[100], d[n - 1]);
  return 0;
}
