// What the programs of these tests do alike around what each is about: choose
// a device, fill arrays, end at an error, print what a buffer holds.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s: %d\n", what, error);
    exit(1);
  }
}

// The first device that any platform has.
static inline cl_device_id anyDevice(void) {
  cl_platform_id platforms[8];
  cl_device_id device = NULL;
  cl_uint count = 0;
  check(clGetPlatformIDs(8, platforms, &count), "platforms");
  for (cl_uint i = 0; i < count && i < 8 && !device; ++i)
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  return device;
}

// `values` with numbers that differ from element to element and, with `seed`,
// from array to array.
static inline float *fill(float *values, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; ++i)
    values[i] = (i * (7 + 2 * seed) % (31 + 6 * seed) + 1) / 3.7f + seed;
  return values;
}

// Prints a sum over the bytes of the first `count` floats of `buffer`.
static inline void show(cl_command_queue queue, cl_mem buffer, size_t count,
                        const char *name) {
  float *values = malloc(count * sizeof(float));
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(float),
                            values, 0, NULL, NULL),
        name);
  unsigned sum = 0;
  for (size_t i = 0; i < count * sizeof(float); ++i)
    sum = sum * 31 + ((unsigned char *)values)[i];
  printf("%s %08x\n", name, sum);
  free(values);
}
