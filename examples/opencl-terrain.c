// The relief of a height map in OpenCL: two stencils of 3 x 3 heights, one to
// the east and one to the south, and the light on the slope that both give.
// Three launches become one, which reads the heights once and stores only the
// light. That is right if indices fit into an int. In OpenCL kfuse doesn't test
// it, so it is promised.
//
//   kfuse --assume=no-wrap examples/opencl-terrain.c -o fused.c
//   ./opencl-terrain [width] [height] [repeats]
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Products and sums round apart, so that results are the same everywhere.
static const char *source =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void east(__global const float *height, __global float *dx,\n"
    "                   int nx, int ny) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)\n"
    "    return;\n"
    "  int i = y * nx + x;\n"
    "  dx[i] = (height[i - nx + 1] + 2 * height[i + 1] + height[i + nx + 1] -\n"
    "           height[i - nx - 1] - 2 * height[i - 1] - height[i + nx - 1]) "
    "/\n"
    "          8;\n"
    "}\n"
    "__kernel void south(__global const float *height, __global float *dy,\n"
    "                    int nx, int ny) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)\n"
    "    return;\n"
    "  int i = y * nx + x;\n"
    "  dy[i] = (height[i + nx - 1] + 2 * height[i + nx] + height[i + nx + 1] "
    "-\n"
    "           height[i - nx - 1] - 2 * height[i - nx] - height[i - nx + 1]) "
    "/\n"
    "          8;\n"
    "}\n"
    "__kernel void shade(__global const float *dx, __global const float *dy,\n"
    "                    __global float *light, float steepness, int nx,\n"
    "                    int ny) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)\n"
    "    return;\n"
    "  int i = y * nx + x;\n"
    "  float a = steepness * dx[i], b = steepness * dy[i];\n"
    "  light[i] = (1 - a - b) / (1.7f * sqrt(1 + a * a + b * b));\n"
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
  const int nx = argc > 1 ? atoi(argv[1]) : 150;
  const int ny = argc > 2 ? atoi(argv[2]) : 90;
  const int repeats = argc > 3 ? atoi(argv[3]) : 1;
  const size_t bytes = (size_t)nx * ny * sizeof(float);
  float *heights = malloc(bytes), *result = calloc(1, bytes);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      heights[y * nx + x] =
          40 * sinf(0.05f * x) * cosf(0.04f * y) + (x * 7 + y * 13) % 11 * 0.1f;

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
  cl_kernel east = clCreateKernel(program, "east", &error);
  check(error, "east");
  cl_kernel south = clCreateKernel(program, "south", &error);
  check(error, "south");
  cl_kernel shade = clCreateKernel(program, "shade", &error);
  check(error, "shade");

  const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem height = clCreateBuffer(context, copied, bytes, heights, NULL);
  cl_mem dx = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_mem dy = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  cl_mem light = clCreateBuffer(context, copied, bytes, result, NULL);

  const float steepness = 0.5f;
  const size_t local[2] = {16, 16};
  const size_t global[2] = {(nx + 15) / 16 * 16, (ny + 15) / 16 * 16};
  for (int k = 0; k < repeats; ++k) {
    clSetKernelArg(east, 0, sizeof(cl_mem), &height);
    clSetKernelArg(east, 1, sizeof(cl_mem), &dx);
    clSetKernelArg(east, 2, sizeof(int), &nx);
    clSetKernelArg(east, 3, sizeof(int), &ny);
    clEnqueueNDRangeKernel(queue, east, 2, NULL, global, local, 0, NULL, NULL);

    clSetKernelArg(south, 0, sizeof(cl_mem), &height);
    clSetKernelArg(south, 1, sizeof(cl_mem), &dy);
    clSetKernelArg(south, 2, sizeof(int), &nx);
    clSetKernelArg(south, 3, sizeof(int), &ny);
    clEnqueueNDRangeKernel(queue, south, 2, NULL, global, local, 0, NULL, NULL);

    clSetKernelArg(shade, 0, sizeof(cl_mem), &dx);
    clSetKernelArg(shade, 1, sizeof(cl_mem), &dy);
    clSetKernelArg(shade, 2, sizeof(cl_mem), &light);
    clSetKernelArg(shade, 3, sizeof(float), &steepness);
    clSetKernelArg(shade, 4, sizeof(int), &nx);
    clSetKernelArg(shade, 5, sizeof(int), &ny);
    clEnqueueNDRangeKernel(queue, shade, 2, NULL, global, local, 0, NULL, NULL);
  }
  check(clEnqueueReadBuffer(queue, light, CL_TRUE, 0, bytes, result, 0, NULL,
                            NULL),
        "read");

  int wrong = 0;
  double sum = 0;
  for (int y = 1; y < ny - 1; ++y)
    for (int x = 1; x < nx - 1; ++x) {
      const float *up = heights + (y - 1) * nx + x, *at = up + nx;
      const float *down = at + nx;
      const double toEast =
          (up[1] - up[-1] + 2 * (at[1] - at[-1]) + down[1] - down[-1]) / 8 *
          steepness;
      const double toSouth =
          (down[-1] - up[-1] + 2 * (down[0] - up[0]) + down[1] - up[1]) / 8 *
          steepness;
      const double expected =
          (1 - toEast - toSouth) /
          (1.7 * sqrt(1 + toEast * toEast + toSouth * toSouth));
      wrong += !(fabs(result[y * nx + x] - expected) <= 1e-4);
      sum += result[y * nx + x];
    }
  printf("opencl-terrain: %d x %d, mean %.4f, %d wrong\n", nx, ny,
         sum / nx / ny, wrong);
  return wrong != 0;
}
