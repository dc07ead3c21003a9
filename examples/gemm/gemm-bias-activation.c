// A layer of a neural network in OpenCL: E = relu(A B + bias), as three
// kernels. kfuse puts bias and activation where the product is stored.
//
//   kfuse examples/gemm/gemm-bias-activation.c -o fused.c   three become one
//   kfuse verify examples/gemm/gemm-bias-activation.c       on any OpenCL
//   device
//
// The sizes are known when it is compiled, else with -DROWS=512 and the like.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TILE 16
#ifndef ROWS
#define ROWS 70
#endif
#ifndef COLUMNS
#define COLUMNS 50
#endif
#ifndef DEPTH
#define DEPTH 33
#endif

static const char *source =
    "#define TILE 16\n"
    "__kernel void gemm(__global const float *A, __global const float *B,\n"
    "                   __global float *C, int M, int N, int K) {\n"
    "  __local float tileA[TILE][TILE], tileB[TILE][TILE];\n"
    "  int x = get_local_id(0), y = get_local_id(1);\n"
    "  int row = get_global_id(1), col = get_global_id(0);\n"
    "  float sum = 0.0f;\n"
    "  for (int first = 0; first < K; first += TILE) {\n"
    "    tileA[y][x] =\n"
    "        row < M && first + x < K ? A[row * K + first + x] : 0.0f;\n"
    "    tileB[y][x] =\n"
    "        first + y < K && col < N ? B[(first + y) * N + col] : 0.0f;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = 0; i < TILE; ++i)\n"
    "      sum = fma(tileA[y][i], tileB[i][x], sum);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (row < M && col < N)\n"
    "    C[row * N + col] = sum;\n"
    "}\n"
    "\n"
    "__kernel void addBias(__global const float *C, __global const float "
    "*bias,\n"
    "                      __global float *D, int M, int N) {\n"
    "  int row = get_global_id(1), col = get_global_id(0);\n"
    "  if (row < M && col < N)\n"
    "    D[row * N + col] = C[row * N + col] + bias[col];\n"
    "}\n"
    "\n"
    "__kernel void relu(__global const float *D, __global float *E, int M,\n"
    "                   int N) {\n"
    "  int row = get_global_id(1), col = get_global_id(0);\n"
    "  if (row < M && col < N)\n"
    "    E[row * N + col] = fmax(D[row * N + col], 0.0f);\n"
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

static void fill(float *values, int count, int period) {
  for (int i = 0; i < count; ++i)
    values[i] = i * 7 % period / (period * 0.5f) - 1;
}

int main(void) {
  enum { Rows = ROWS, Columns = COLUMNS, Depth = DEPTH };
  static float a[Rows * Depth], b[Depth * Columns], bias[Columns];
  static float e[Rows * Columns];
  cl_int M = Rows, N = Columns, K = Depth;
  cl_int err;
  fill(a, Rows * Depth, 41);
  fill(b, Depth * Columns, 29);
  fill(bias, Columns, 13);

  cl_device_id device = anyDevice();
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  check(err, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
  check(err, "queue");
  cl_program program =
      clCreateProgramWithSource(context, 1, &source, NULL, &err);
  check(err, "program");
  check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "build");
  cl_kernel gemm = clCreateKernel(program, "gemm", &err);
  check(err, "gemm");
  cl_kernel addBias = clCreateKernel(program, "addBias", &err);
  check(err, "addBias");
  cl_kernel relu = clCreateKernel(program, "relu", &err);
  check(err, "relu");

  cl_mem_flags given = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
  cl_mem d_a = clCreateBuffer(context, given, sizeof(a), a, NULL);
  cl_mem d_b = clCreateBuffer(context, given, sizeof(b), b, NULL);
  cl_mem d_bias = clCreateBuffer(context, given, sizeof(bias), bias, NULL);
  cl_mem d_c =
      clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(e), NULL, NULL);
  cl_mem d_d =
      clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(e), NULL, NULL);
  cl_mem d_e =
      clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(e), NULL, NULL);

  size_t local[2] = {TILE, TILE};
  size_t global[2] = {(Columns + TILE - 1) / TILE * TILE,
                      (Rows + TILE - 1) / TILE * TILE};
  err = clSetKernelArg(gemm, 0, sizeof(cl_mem), &d_a);
  err |= clSetKernelArg(gemm, 1, sizeof(cl_mem), &d_b);
  err |= clSetKernelArg(gemm, 2, sizeof(cl_mem), &d_c);
  err |= clSetKernelArg(gemm, 3, sizeof(cl_int), &M);
  err |= clSetKernelArg(gemm, 4, sizeof(cl_int), &N);
  err |= clSetKernelArg(gemm, 5, sizeof(cl_int), &K);
  err |= clSetKernelArg(addBias, 0, sizeof(cl_mem), &d_c);
  err |= clSetKernelArg(addBias, 1, sizeof(cl_mem), &d_bias);
  err |= clSetKernelArg(addBias, 2, sizeof(cl_mem), &d_d);
  err |= clSetKernelArg(addBias, 3, sizeof(cl_int), &M);
  err |= clSetKernelArg(addBias, 4, sizeof(cl_int), &N);
  err |= clSetKernelArg(relu, 0, sizeof(cl_mem), &d_d);
  err |= clSetKernelArg(relu, 1, sizeof(cl_mem), &d_e);
  err |= clSetKernelArg(relu, 2, sizeof(cl_int), &M);
  err |= clSetKernelArg(relu, 3, sizeof(cl_int), &N);
  check(err, "arguments");
  err = clEnqueueNDRangeKernel(queue, gemm, 2, NULL, global, local, 0, NULL,
                               NULL);
  check(err, "gemm");
  err = clEnqueueNDRangeKernel(queue, addBias, 2, NULL, global, local, 0, NULL,
                               NULL);
  check(err, "addBias");
  err = clEnqueueNDRangeKernel(queue, relu, 2, NULL, global, local, 0, NULL,
                               NULL);
  check(err, "relu");
  check(
      clEnqueueReadBuffer(queue, d_e, CL_TRUE, 0, sizeof(e), e, 0, NULL, NULL),
      "read");

  // Of a large product some rows are enough.
  const int step = Rows < 128 ? 1 : Rows / 64;
  int wrong = 0;
  for (int row = 0; row < Rows; row += step)
    for (int col = 0; col < Columns; ++col) {
      double sum = bias[col], magnitude = fabs(bias[col]);
      for (int k = 0; k < Depth; ++k) {
        sum += (double)a[row * Depth + k] * b[k * Columns + col];
        magnitude += fabs((double)a[row * Depth + k] * b[k * Columns + col]);
      }
      double expected = sum > 0 ? sum : 0;
      wrong += !(fabs(e[row * Columns + col] - expected) <=
                 (Depth + 1) * 1.2e-7 * magnitude);
    }
  printf("gemm-bias-activation: %d x %d x %d, %d wrong\n", Rows, Columns, Depth,
         wrong);
  return wrong != 0;
}
