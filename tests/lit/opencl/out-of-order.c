// RUN: %kfuse %s -o %t.c -Rkfuse -Rkfuse-missed -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.c
//
// A queue without an order: events say it. The kernel enqueued first waits for
// the host, and so runs after the one enqueued next.
//
// CHECK-COUNT-3: remark: launch left alone: a command queue may run commands in another order
#include "Inputs/host.h"

static const char source[] =
    "__kernel void twice(__global const int *in, __global int *out) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = 2 * in[i];\n"
    "}\n"
    "__kernel void next(__global const int *in, __global int *out) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = in[i] + 1;\n"
    "}\n"
    "__kernel void product(__global const int *x, __global const int *y,\n"
    "                      __global int *out) {\n"
    "  int i = get_global_id(0);\n"
    "  out[i] = x[i] * y[i];\n"
    "}\n";

int main(void) {
  enum { n = 2048 };
  static int host[n];
  cl_device_id device = anyDevice();
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  cl_command_queue queue = clCreateCommandQueue(
      context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  check(error, "queue");
  const char *text = source;
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "build");
  cl_kernel twice = clCreateKernel(program, "twice", &error);
  check(error, "twice");
  cl_kernel next = clCreateKernel(program, "next", &error);
  check(error, "next");
  cl_kernel product = clCreateKernel(program, "product", &error);
  check(error, "product");

  for (int i = 0; i < n; ++i)
    host[i] = i % 100;
  cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem a = clCreateBuffer(context, flags, sizeof(host), host, NULL);
  cl_mem b = clCreateBuffer(context, flags, sizeof(host), host, NULL);
  cl_mem c = clCreateBuffer(context, flags, sizeof(host), host, NULL);
  cl_mem d = clCreateBuffer(context, flags, sizeof(host), host, NULL);
  error = clSetKernelArg(twice, 0, sizeof(cl_mem), &b);
  error |= clSetKernelArg(twice, 1, sizeof(cl_mem), &c);
  error |= clSetKernelArg(next, 0, sizeof(cl_mem), &a);
  error |= clSetKernelArg(next, 1, sizeof(cl_mem), &b);
  error |= clSetKernelArg(product, 0, sizeof(cl_mem), &b);
  error |= clSetKernelArg(product, 1, sizeof(cl_mem), &c);
  error |= clSetKernelArg(product, 2, sizeof(cl_mem), &d);
  check(error, "arguments");

  const size_t global = n;
  cl_event done[3], gate = clCreateUserEvent(context, &error);
  check(error, "gate");
  check(clEnqueueNDRangeKernel(queue, twice, 1, NULL, &global, NULL, 1, &gate,
                               &done[0]),
        "twice");
  check(clEnqueueNDRangeKernel(queue, next, 1, NULL, &global, NULL, 0, NULL,
                               &done[1]),
        "next");
  check(clEnqueueNDRangeKernel(queue, product, 1, NULL, &global, NULL, 2, done,
                               &done[2]),
        "product");
  check(clWaitForEvents(1, &done[1]), "wait");
  check(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
  check(clEnqueueReadBuffer(queue, d, CL_TRUE, 0, sizeof(host), host, 1,
                            &done[2], NULL),
        "read");
  for (int i = 0; i < 3; ++i)
    clReleaseEvent(done[i]);
  clReleaseEvent(gate);
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (long)host[i] * (i % 5 + 1);
  printf("%ld %a %a\n", sum, (double)host[3], (double)host[n - 1]);
  return 0;
}
