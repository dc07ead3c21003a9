// The program around a test of two kernels. HANDLES() declares the kernels 'k1'
// and 'k2' and the buffers `a` to `e`, in a function or, of static storage, at
// file scope; SET_UP makes them, of the kernels in `source`; SHOW prints what
// the buffers hold in the end.
#pragma once
#include "host.h"

enum { N = 1024 };

#define HANDLES(storage)                                                       \
  storage cl_context context;                                                  \
  storage cl_command_queue q;                                                  \
  storage cl_kernel k1, k2;                                                    \
  storage cl_mem a, b, c, d, e

#define SET_UP                                                                 \
  static float h[N];                                                           \
  const char *text = source;                                                   \
  cl_device_id device = anyDevice();                                           \
  cl_int err;                                                                  \
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);               \
  q = clCreateCommandQueue(context, device, 0, &err);                          \
  cl_program program =                                                         \
      clCreateProgramWithSource(context, 1, &text, NULL, &err);                \
  if (clBuildProgram(program, 1, &device, NULL, NULL, NULL) != CL_SUCCESS) {   \
    printf("build failed\n");                                                  \
    return 1;                                                                  \
  }                                                                            \
  k1 = clCreateKernel(program, "k1", &err);                                    \
  k2 = clCreateKernel(program, "k2", &err);                                    \
  BUFFER(a, 0);                                                                \
  BUFFER(b, 1);                                                                \
  BUFFER(c, 2);                                                                \
  BUFFER(d, 3);                                                                \
  BUFFER(e, 4)

#define BUFFER(name, seed)                                                     \
  name = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,     \
                        sizeof(h), fill(h, N, seed), &err)

#define SHOW                                                                   \
  show(q, a, N, "a");                                                          \
  show(q, b, N, "b");                                                          \
  show(q, c, N, "c");                                                          \
  show(q, d, N, "d");                                                          \
  show(q, e, N, "e")
