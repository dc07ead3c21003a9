// A camera image on its way to a mask, in OpenCL: grey levels, contrast and a
// threshold, on bytes over a 2-D range whose work-groups the driver chooses.
// Three launches a frame become one, which stores only the mask.
//
//   kfuse examples/opencl-image.c -o fused.c
//   ./opencl-image [width] [height] [frames]
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "__kernel void toGrey(__global const uchar4 *image,\n"
    "                     __global uchar *grey, int width, int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < width && y < height) {\n"
    "    uchar4 pixel = image[y * width + x];\n"
    "    grey[y * width + x] =\n"
    "        (77 * pixel.x + 150 * pixel.y + 29 * pixel.z) >> 8;\n"
    "  }\n"
    "}\n"
    "__kernel void contrast(__global const uchar *grey,\n"
    "                       __global uchar *stretched, int gain, int width,\n"
    "                       int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < width && y < height) {\n"
    "    int level = 128 + (grey[y * width + x] - 128) * gain / 16;\n"
    "    stretched[y * width + x] = level < 0 ? 0 : level > 255 ? 255 : "
    "level;\n"
    "  }\n"
    "}\n"
    "__kernel void threshold(__global const uchar *stretched,\n"
    "                        __global uchar *mask, int limit, int width,\n"
    "                        int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < width && y < height)\n"
    "    mask[y * width + x] = stretched[y * width + x] > limit ? 255 : 0;\n"
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
  const int width = argc > 1 ? atoi(argv[1]) : 160;
  const int height = argc > 2 ? atoi(argv[2]) : 100;
  const int frames = argc > 3 ? atoi(argv[3]) : 1;
  const int gain = 24, limit = 140;
  const size_t pixels = (size_t)width * height;
  cl_uchar4 *camera = malloc(pixels * sizeof(cl_uchar4));
  unsigned char *result = malloc(pixels);
  for (size_t i = 0; i < pixels; ++i) {
    camera[i].s[0] = i * 7 % 256;
    camera[i].s[1] = i * 5 % 251;
    camera[i].s[2] = i * 3 % 241;
    camera[i].s[3] = 255;
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
  cl_kernel toGrey = clCreateKernel(program, "toGrey", &error);
  check(error, "toGrey");
  cl_kernel contrast = clCreateKernel(program, "contrast", &error);
  check(error, "contrast");
  cl_kernel threshold = clCreateKernel(program, "threshold", &error);
  check(error, "threshold");

  cl_mem image =
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                     pixels * sizeof(cl_uchar4), camera, NULL);
  cl_mem grey = clCreateBuffer(context, CL_MEM_READ_WRITE, pixels, NULL, NULL);
  cl_mem stretched =
      clCreateBuffer(context, CL_MEM_READ_WRITE, pixels, NULL, NULL);
  cl_mem mask = clCreateBuffer(context, CL_MEM_WRITE_ONLY, pixels, NULL, NULL);

  const size_t global[2] = {width, height};
  for (int frame = 0; frame < frames; ++frame) {
    clSetKernelArg(toGrey, 0, sizeof(cl_mem), &image);
    clSetKernelArg(toGrey, 1, sizeof(cl_mem), &grey);
    clSetKernelArg(toGrey, 2, sizeof(int), &width);
    clSetKernelArg(toGrey, 3, sizeof(int), &height);
    clEnqueueNDRangeKernel(queue, toGrey, 2, NULL, global, NULL, 0, NULL, NULL);

    clSetKernelArg(contrast, 0, sizeof(cl_mem), &grey);
    clSetKernelArg(contrast, 1, sizeof(cl_mem), &stretched);
    clSetKernelArg(contrast, 2, sizeof(int), &gain);
    clSetKernelArg(contrast, 3, sizeof(int), &width);
    clSetKernelArg(contrast, 4, sizeof(int), &height);
    clEnqueueNDRangeKernel(queue, contrast, 2, NULL, global, NULL, 0, NULL,
                           NULL);

    clSetKernelArg(threshold, 0, sizeof(cl_mem), &stretched);
    clSetKernelArg(threshold, 1, sizeof(cl_mem), &mask);
    clSetKernelArg(threshold, 2, sizeof(int), &limit);
    clSetKernelArg(threshold, 3, sizeof(int), &width);
    clSetKernelArg(threshold, 4, sizeof(int), &height);
    clEnqueueNDRangeKernel(queue, threshold, 2, NULL, global, NULL, 0, NULL,
                           NULL);
  }
  check(clEnqueueReadBuffer(queue, mask, CL_TRUE, 0, pixels, result, 0, NULL,
                            NULL),
        "read");

  int wrong = 0;
  size_t white = 0;
  for (size_t i = 0; i < pixels; ++i) {
    const cl_uchar *pixel = camera[i].s;
    const int level = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) >> 8;
    const int wide = 128 + (level - 128) * gain / 16;
    wrong += result[i] != (wide > limit ? 255 : 0);
    white += result[i] != 0;
  }
  printf("opencl-image: %d x %d, %zu white, %d wrong\n", width, height, white,
         wrong);
  return wrong != 0;
}
