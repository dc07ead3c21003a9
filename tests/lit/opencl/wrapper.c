// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// The launch is in a function: it sets the arguments of a global kernel to its
// own parameters. Each call is a launch with other buffers.
//
// CHECK: 1 launches -> 1
#include "Inputs/host.h"

static const char source[] =
    "kernel void vadd(global const float *a, global const float *b,"
    "                 global float *c, int n) {"
    "  int i = get_global_id(0);"
    "  if (i < n)"
    "    c[i] = a[i] + b[i];"
    "}";

static const int n = 900;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;

static void setUp(void) {
  cl_device_id device = anyDevice();
  cl_int error;
  const char *text = source;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "queue");
  program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  kernel = clCreateKernel(program, "vadd", &error);
  check(error, "kernel");
}

static void vadd(cl_mem a, cl_mem b, cl_mem c) {
  const size_t local = 100, global = n;
  cl_int error = clSetKernelArg(kernel, 0, sizeof(cl_mem), &a);
  error |= clSetKernelArg(kernel, 1, sizeof(cl_mem), &b);
  error |= clSetKernelArg(kernel, 2, sizeof(cl_mem), &c);
  error |= clSetKernelArg(kernel, 3, sizeof(int), &n);
  check(error, "arguments");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL,
                               NULL),
        "vadd");
}

static cl_mem buffer(const float *content) {
  cl_int error;
  cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float),
                               NULL, &error);
  check(error, "buffer");
  if (content)
    check(clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, n * sizeof(float),
                               content, 0, NULL, NULL),
          "write");
  return made;
}

int main(void) {
  setUp();
  float *host = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    host[i] = 0.1f * i;
  cl_mem a = buffer(host);
  for (int i = 0; i < n; ++i)
    host[i] = 1.0f / (i + 7);
  cl_mem b = buffer(host), c = buffer(NULL), d = buffer(NULL);
  vadd(a, b, c);
  vadd(c, a, d);
  check(clEnqueueReadBuffer(queue, d, CL_TRUE, 0, n * sizeof(float), host, 0,
                            NULL, NULL),
        "read");
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%a %a %a %a\n", sum, host[0], host[1], host[n - 1]);
  free(host);
  return 0;
}
