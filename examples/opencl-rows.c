// Layer normalisation in OpenCL, a work-item for each row: the mean, the
// deviation from it, and the normalised row with gain and shift. The sums over
// a row pass from kernel to kernel in registers once they are one. That is
// right if indices fit into an int. In OpenCL kfuse doesn't test it, so it is
// promised.
//
//   kfuse --assume=no-wrap examples/opencl-rows.c -o fused.c
//   ./opencl-rows [rows] [columns] [repeats]
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Products and sums round apart, so that results are the same everywhere.
static const char *source =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void average(__global const float *x, __global float *mean,\n"
    "                      int rows, int columns) {\n"
    "  int row = get_global_id(0);\n"
    "  if (row >= rows)\n"
    "    return;\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j < columns; ++j)\n"
    "    sum += x[row * columns + j];\n"
    "  mean[row] = sum / columns;\n"
    "}\n"
    "__kernel void deviation(__global const float *x,\n"
    "                        __global const float *mean,\n"
    "                        __global float *inverse, int rows,\n"
    "                        int columns) {\n"
    "  int row = get_global_id(0);\n"
    "  if (row >= rows)\n"
    "    return;\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j < columns; ++j) {\n"
    "    float apart = x[row * columns + j] - mean[row];\n"
    "    sum += apart * apart;\n"
    "  }\n"
    "  inverse[row] = 1 / sqrt(sum / columns + 1e-5f);\n"
    "}\n"
    "__kernel void normalise(__global const float *x,\n"
    "                        __global const float *mean,\n"
    "                        __global const float *inverse,\n"
    "                        __global const float *gain,\n"
    "                        __global const float *shift,\n"
    "                        __global float *y, int rows, int columns) {\n"
    "  int row = get_global_id(0);\n"
    "  if (row >= rows)\n"
    "    return;\n"
    "  for (int j = 0; j < columns; ++j)\n"
    "    y[row * columns + j] =\n"
    "        (x[row * columns + j] - mean[row]) * inverse[row] * gain[j] +\n"
    "        shift[j];\n"
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
  const int rows = argc > 1 ? atoi(argv[1]) : 70;
  const int columns = argc > 2 ? atoi(argv[2]) : 48;
  const int repeats = argc > 3 ? atoi(argv[3]) : 1;
  const size_t bytes = (size_t)rows * columns * sizeof(float);
  float *values = malloc(bytes), *result = malloc(bytes);
  float *gains = malloc(columns * sizeof(float)),
        *shifts = malloc(columns * sizeof(float));
  for (int i = 0; i < rows * columns; ++i)
    values[i] = (i * 7 % 31) / 3.0f - (i % 5);
  for (int j = 0; j < columns; ++j) {
    gains[j] = 1 + (j % 3) * 0.25f;
    shifts[j] = (j % 7) * 0.125f;
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
  cl_kernel average = clCreateKernel(program, "average", &error);
  check(error, "average");
  cl_kernel deviation = clCreateKernel(program, "deviation", &error);
  check(error, "deviation");
  cl_kernel normalise = clCreateKernel(program, "normalise", &error);
  check(error, "normalise");

  const cl_mem_flags given = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
  const size_t rowBytes = rows * sizeof(float);
  const size_t columnBytes = columns * sizeof(float);
  cl_mem x = clCreateBuffer(context, given, bytes, values, NULL);
  cl_mem gain = clCreateBuffer(context, given, columnBytes, gains, NULL);
  cl_mem shift = clCreateBuffer(context, given, columnBytes, shifts, NULL);
  cl_mem mean =
      clCreateBuffer(context, CL_MEM_READ_WRITE, rowBytes, NULL, NULL);
  cl_mem inverse =
      clCreateBuffer(context, CL_MEM_READ_WRITE, rowBytes, NULL, NULL);
  cl_mem y = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, NULL);

  const size_t local = 16;
  const size_t global = (rows + local - 1) / local * local;
  for (int k = 0; k < repeats; ++k) {
    clSetKernelArg(average, 0, sizeof(cl_mem), &x);
    clSetKernelArg(average, 1, sizeof(cl_mem), &mean);
    clSetKernelArg(average, 2, sizeof(int), &rows);
    clSetKernelArg(average, 3, sizeof(int), &columns);
    clEnqueueNDRangeKernel(queue, average, 1, NULL, &global, &local, 0, NULL,
                           NULL);

    clSetKernelArg(deviation, 0, sizeof(cl_mem), &x);
    clSetKernelArg(deviation, 1, sizeof(cl_mem), &mean);
    clSetKernelArg(deviation, 2, sizeof(cl_mem), &inverse);
    clSetKernelArg(deviation, 3, sizeof(int), &rows);
    clSetKernelArg(deviation, 4, sizeof(int), &columns);
    clEnqueueNDRangeKernel(queue, deviation, 1, NULL, &global, &local, 0, NULL,
                           NULL);

    clSetKernelArg(normalise, 0, sizeof(cl_mem), &x);
    clSetKernelArg(normalise, 1, sizeof(cl_mem), &mean);
    clSetKernelArg(normalise, 2, sizeof(cl_mem), &inverse);
    clSetKernelArg(normalise, 3, sizeof(cl_mem), &gain);
    clSetKernelArg(normalise, 4, sizeof(cl_mem), &shift);
    clSetKernelArg(normalise, 5, sizeof(cl_mem), &y);
    clSetKernelArg(normalise, 6, sizeof(int), &rows);
    clSetKernelArg(normalise, 7, sizeof(int), &columns);
    clEnqueueNDRangeKernel(queue, normalise, 1, NULL, &global, &local, 0, NULL,
                           NULL);
  }
  check(clEnqueueReadBuffer(queue, y, CL_TRUE, 0, bytes, result, 0, NULL, NULL),
        "read");

  int wrong = 0;
  double sum = 0;
  for (int row = 0; row < rows; ++row) {
    const float *in = values + row * columns, *out = result + row * columns;
    double average = 0, square = 0;
    for (int j = 0; j < columns; ++j)
      average += in[j] / (double)columns;
    for (int j = 0; j < columns; ++j)
      square += (in[j] - average) * (in[j] - average) / columns;
    for (int j = 0; j < columns; ++j) {
      const double expected =
          (in[j] - average) / sqrt(square + 1e-5) * gains[j] + shifts[j];
      wrong += !(fabs(out[j] - expected) <= 1e-3 * (1 + fabs(expected)));
      sum += out[j];
    }
  }
  printf("opencl-rows: %d x %d, mean %.4f, %d wrong\n", rows, columns,
         sum / rows / columns, wrong);
  return wrong != 0;
}
