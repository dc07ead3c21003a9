// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.c | FileCheck %s --check-prefix=OUT
// RUN: %clang --driver-mode=gcc -std=c11 -Wall -Wextra -Werror -I%S -fsyntax-only %t.c
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A picture over a two-dimensional range: brightened, then cut at a threshold.
//
// CHECK: : fused 'brighten' and 'threshold' into 'kfuse_brighten_threshold': light in registers, never stored
// SAME: verified: original and fused leave equal traces
// OUT: error = CL_SUCCESS;
// OUT-NEXT: error |= launch_kfuse_brighten_threshold(
#include "Inputs/host.h"

#define WIDTH 60
#define HEIGHT 50

const char source[] = "\
__kernel void brighten(__global const uchar *picture,                \n\
                       __global float *light, float gain,            \n\
                       int width, int height) {                      \n\
  const int x = get_global_id(0);                                    \n\
  const int y = get_global_id(1);                                    \n\
  if (x < width && y < height)                                       \n\
    light[y * width + x] = picture[y * width + x] * gain + 8.5f;     \n\
}                                                                    \n\
                                                                     \n\
__kernel void threshold(__global const float *light,                 \n\
                        __global uchar *marks, float level,          \n\
                        int width, int height) {                     \n\
  const int x = get_global_id(0);                                    \n\
  const int y = get_global_id(1);                                    \n\
  if (x >= width || y >= height)                                     \n\
    return;                                                          \n\
  const int i = y * width + x;                                       \n\
  marks[i] = light[i] > level ? (uchar)255 : (uchar)(light[i] / 4);  \n\
}                                                                    \n\
";

static cl_context context;
static cl_command_queue queue;
static cl_kernel brighten, threshold;

static void start(void) {
  cl_device_id device = anyDevice();
  cl_int error;
  cl_program program;
  const char *text = source;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "build");
  brighten = clCreateKernel(program, "brighten", &error);
  check(error, "brighten");
  threshold = clCreateKernel(program, "threshold", &error);
  check(error, "threshold");
}

int main(void) {
  static cl_uchar pixels[WIDTH * HEIGHT];
  cl_mem picture, light, marks;
  cl_int width = WIDTH, height = HEIGHT, error;
  cl_float gain = 1.3f, level = 180.0f;
  size_t local[2] = {16, 4};
  size_t global[2];
  unsigned long sum = 0;
  int i;

  for (i = 0; i < WIDTH * HEIGHT; i++)
    pixels[i] = (cl_uchar)(i * 31 % 251);
  start();
  picture = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                           sizeof(pixels), pixels, NULL);
  light = clCreateBuffer(context, CL_MEM_READ_WRITE,
                         WIDTH * HEIGHT * sizeof(cl_float), NULL, NULL);
  marks = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(pixels), NULL, 0);

  error = clSetKernelArg(brighten, 0, sizeof(cl_mem), (void *)&picture);
  error |= clSetKernelArg(brighten, 1, sizeof(cl_mem), (void *)&light);
  error |= clSetKernelArg(brighten, 2, sizeof(cl_float), (void *)&gain);
  error |= clSetKernelArg(brighten, 3, sizeof(cl_int), (void *)&width);
  error |= clSetKernelArg(brighten, 4, sizeof(cl_int), (void *)&height);
  error |= clSetKernelArg(threshold, 0, sizeof(cl_mem), (void *)&light);
  error |= clSetKernelArg(threshold, 1, sizeof(cl_mem), (void *)&marks);
  error |= clSetKernelArg(threshold, 2, sizeof(cl_float), (void *)&level);
  error |= clSetKernelArg(threshold, 3, sizeof(cl_int), (void *)&width);
  error |= clSetKernelArg(threshold, 4, sizeof(cl_int), (void *)&height);
  check(error, "arguments");

  global[0] = (WIDTH + local[0] - 1) / local[0] * local[0];
  global[1] = (HEIGHT + local[1] - 1) / local[1] * local[1];
  error = clEnqueueNDRangeKernel(queue, brighten, 2, NULL, global, local, 0,
                                 NULL, NULL);
  error |= clEnqueueNDRangeKernel(queue, threshold, 2, NULL, global, local, 0,
                                  NULL, NULL);
  error |= clEnqueueReadBuffer(queue, marks, CL_TRUE, 0, sizeof(pixels), pixels,
                               0, NULL, NULL);
  check(error, "launches");
  for (i = 0; i < WIDTH * HEIGHT; i++)
    sum += (unsigned long)pixels[i] * (i % 13 + 1);
  printf("%lu %a %a\n", sum, (double)pixels[7], (double)pixels[2999]);
  return 0;
}
