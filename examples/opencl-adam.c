// Adam on a quadratic, as OpenCL kernels: gradient, both moments, the corrected
// step, the update. Five launches a step become one, which stores neither the
// gradient nor the step.
//
//   kfuse examples/opencl-adam.c -o fused.c
//   ./opencl-adam [weights] [steps]
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Products and sums round apart, so that results are the same everywhere.
static const char *source =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void gradient(__global const float *weight,\n"
    "                       __global const float *curvature,\n"
    "                       __global const float *target,\n"
    "                       __global float *slope, int count) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < count)\n"
    "    slope[i] = curvature[i] * (weight[i] - target[i]);\n"
    "}\n"
    "__kernel void firstMoment(__global float *mean,\n"
    "                          __global const float *slope, float decay,\n"
    "                          int count) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < count)\n"
    "    mean[i] = decay * mean[i] + (1 - decay) * slope[i];\n"
    "}\n"
    "__kernel void secondMoment(__global float *square,\n"
    "                           __global const float *slope, float decay,\n"
    "                           int count) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < count)\n"
    "    square[i] = decay * square[i] + (1 - decay) * slope[i] * slope[i];\n"
    "}\n"
    "__kernel void correct(__global const float *mean,\n"
    "                      __global const float *square, __global float *step,\n"
    "                      float ofMean, float ofSquare, int count) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < count)\n"
    "    step[i] = mean[i] * ofMean / (sqrt(square[i] * ofSquare) + 1e-8f);\n"
    "}\n"
    "__kernel void update(__global float *weight, __global const float *step,\n"
    "                     float rate, int count) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < count)\n"
    "    weight[i] -= rate * step[i];\n"
    "}\n";

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(EXIT_FAILURE);
  }
}

static cl_device_id anyDevice(void) {
  cl_platform_id platforms[8];
  cl_uint found = 0;
  check(clGetPlatformIDs(8, platforms, &found), "platforms");
  for (cl_uint i = 0; i < found && i < 8; ++i) {
    cl_device_id device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
        CL_SUCCESS)
      return device;
  }
  check(CL_DEVICE_NOT_FOUND, "devices");
  return NULL;
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 4096;
  const int steps = argc > 2 ? atoi(argv[2]) : 4;
  const size_t bytes = count * sizeof(float);
  float *weights = malloc(bytes), *curvatures = malloc(bytes),
        *targets = malloc(bytes), *zeros = calloc(count, sizeof(float));
  for (int i = 0; i < count; ++i) {
    weights[i] = (i * 7 % 31) / 3.0f;
    curvatures[i] = 0.5f + (i * 5 % 17) / 7.0f;
    targets[i] = (i % 13) - 6.0f;
  }

  cl_int error;
  cl_device_id device = anyDevice();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  cl_program program =
      clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel gradient = clCreateKernel(program, "gradient", &error);
  cl_kernel firstMoment = clCreateKernel(program, "firstMoment", &error);
  cl_kernel secondMoment = clCreateKernel(program, "secondMoment", &error);
  cl_kernel correct = clCreateKernel(program, "correct", &error);
  cl_kernel update = clCreateKernel(program, "update", &error);
  check(error, "kernels");

  const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem weight = clCreateBuffer(context, copied, bytes, weights, NULL);
  cl_mem curvature = clCreateBuffer(context, copied, bytes, curvatures, NULL);
  cl_mem target = clCreateBuffer(context, copied, bytes, targets, NULL);
  cl_mem mean = clCreateBuffer(context, copied, bytes, zeros, NULL);
  cl_mem square = clCreateBuffer(context, copied, bytes, zeros, NULL);
  cl_mem slope = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_mem step = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);

  const float rate = 0.05f, ofFirst = 0.9f, ofSecond = 0.999f;
  const size_t global = count;
  for (int k = 1; k <= steps; ++k) {
    const float ofMean = 1 / (1 - powf(ofFirst, k));
    const float ofSquare = 1 / (1 - powf(ofSecond, k));

    clSetKernelArg(gradient, 0, sizeof(cl_mem), &weight);
    clSetKernelArg(gradient, 1, sizeof(cl_mem), &curvature);
    clSetKernelArg(gradient, 2, sizeof(cl_mem), &target);
    clSetKernelArg(gradient, 3, sizeof(cl_mem), &slope);
    clSetKernelArg(gradient, 4, sizeof(int), &count);
    clEnqueueNDRangeKernel(queue, gradient, 1, NULL, &global, NULL, 0, NULL,
                           NULL);

    clSetKernelArg(firstMoment, 0, sizeof(cl_mem), &mean);
    clSetKernelArg(firstMoment, 1, sizeof(cl_mem), &slope);
    clSetKernelArg(firstMoment, 2, sizeof(float), &ofFirst);
    clSetKernelArg(firstMoment, 3, sizeof(int), &count);
    clEnqueueNDRangeKernel(queue, firstMoment, 1, NULL, &global, NULL, 0, NULL,
                           NULL);

    clSetKernelArg(secondMoment, 0, sizeof(cl_mem), &square);
    clSetKernelArg(secondMoment, 1, sizeof(cl_mem), &slope);
    clSetKernelArg(secondMoment, 2, sizeof(float), &ofSecond);
    clSetKernelArg(secondMoment, 3, sizeof(int), &count);
    clEnqueueNDRangeKernel(queue, secondMoment, 1, NULL, &global, NULL, 0, NULL,
                           NULL);

    clSetKernelArg(correct, 0, sizeof(cl_mem), &mean);
    clSetKernelArg(correct, 1, sizeof(cl_mem), &square);
    clSetKernelArg(correct, 2, sizeof(cl_mem), &step);
    clSetKernelArg(correct, 3, sizeof(float), &ofMean);
    clSetKernelArg(correct, 4, sizeof(float), &ofSquare);
    clSetKernelArg(correct, 5, sizeof(int), &count);
    clEnqueueNDRangeKernel(queue, correct, 1, NULL, &global, NULL, 0, NULL,
                           NULL);

    clSetKernelArg(update, 0, sizeof(cl_mem), &weight);
    clSetKernelArg(update, 1, sizeof(cl_mem), &step);
    clSetKernelArg(update, 2, sizeof(float), &rate);
    clSetKernelArg(update, 3, sizeof(int), &count);
    clEnqueueNDRangeKernel(queue, update, 1, NULL, &global, NULL, 0, NULL,
                           NULL);
  }

  check(clEnqueueReadBuffer(queue, weight, CL_TRUE, 0, bytes, weights, 0, NULL,
                            NULL),
        "read");
  double distance = 0;
  for (int i = 0; i < count; ++i)
    distance += fabs(weights[i] - targets[i]);
  printf("%a %a %a\n", distance / count, weights[0], weights[count - 1]);
  return 0;
}
