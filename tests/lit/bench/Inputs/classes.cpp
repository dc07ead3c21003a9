// Launches by the C++ classes, which release all that they made.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <vector>

int main() {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  std::vector<cl::Device> devices;
  platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
  cl::Context context(devices.at(0));
  cl::Program program(context,
                      "kernel void twice(global int *a) {"
                      "  a[get_global_id(0)] *= 2; }",
                      /*build=*/true);
  cl::CommandQueue queue(context, devices[0]);
  std::vector<int> values(256, 1);
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, sizeof(int) * values.size());
  cl::copy(queue, values.begin(), values.end(), buffer);
  cl::KernelFunctor<cl::Buffer> twice(program, "twice");
  for (int i = 0; i < 3; ++i)
    twice(cl::EnqueueArgs(queue, cl::NDRange(256), cl::NDRange(32)), buffer);
  cl::copy(queue, buffer, values.begin(), values.end());
  return values[5] == 8 ? 0 : 1;
}
