// Launches in the ways that programs have; the first word says which.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 1024

static const char *Source =
    "kernel void scale(global float *a, float by, int n) {\n"
    "  if (get_global_id(0) < n) a[get_global_id(0)] *= by;\n"
    "}\n"
    "kernel void rows(global float *a, local float *row, ulong pitch) {\n"
    "  row[get_local_id(0)] = a[get_global_id(1) * pitch + get_global_id(0)];\n"
    "  a[get_global_id(1) * pitch + get_global_id(0)] =\n"
    "      row[get_local_id(0)] + 1;\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_mem memory;

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(EXIT_FAILURE);
  }
}

static cl_command_queue queueWith(cl_command_queue_properties flags) {
  cl_int error;
  cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(context, device, list, &error);
  check(error, "queue");
  return queue;
}

static cl_kernel scaleBy(float by) {
  cl_int error, n = COUNT;
  cl_kernel kernel = clCreateKernel(program, "scale", &error);
  check(error, "kernel");
  check(clSetKernelArg(kernel, 0, sizeof(memory), &memory), "memory");
  check(clSetKernelArg(kernel, 1, sizeof(by), &by), "by");
  check(clSetKernelArg(kernel, 2, sizeof(n), &n), "n");
  return kernel;
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_event *event) {
  size_t global = COUNT, local = 64;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL,
                               event),
        "launch");
}

static void *launchMany(void *unused) {
  cl_command_queue queue = queueWith(0);
  cl_kernel kernel = scaleBy(1);
  for (int i = 0; i < 100; ++i)
    launch(queue, kernel, NULL);
  clFinish(queue);
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
  return unused;
}

int main(int count, char **words) {
  cl_platform_id platform;
  cl_int error;
  const char *way = count > 1 ? words[1] : "";
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
        "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "context");
  program = clCreateProgramWithSource(context, 1, &Source, NULL, &error);
  check(error, "program");
  check(clBuildProgram(program, 1, &device, "-cl-kernel-arg-info", NULL,
                       NULL), "build");
  memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * COUNT, NULL, &error);
  check(error, "buffer");
  cl_command_queue queue = queueWith(0);
  cl_kernel kernel = scaleBy(2);

  if (strcmp(way, "release") == 0) {
    launch(queue, kernel, NULL);
    clReleaseKernel(kernel);
    clReleaseMemObject(memory);
    clReleaseCommandQueue(queue);
    clReleaseProgram(program);
    clReleaseContext(context);
  } else if (strcmp(way, "exit") == 0) {
    for (int i = 0; i < 5; ++i)
      launch(queue, kernel, NULL);
    exit(3);
  } else if (strcmp(way, "crash") == 0) {
    launch(queue, kernel, NULL);
    launch(queue, kernel, NULL);
    clFinish(queue);
    fprintf(stderr, "about to crash\n");
    abort();
  } else if (strcmp(way, "threads") == 0) {
    pthread_t threads[8];
    for (int i = 0; i < 8; ++i)
      pthread_create(&threads[i], NULL, launchMany, NULL);
    for (int i = 0; i < 8; ++i)
      pthread_join(threads[i], NULL);
  } else if (strcmp(way, "unordered") == 0) {
    cl_command_queue other = queueWith(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event first, second;
    launch(other, kernel, &first);
    size_t global = COUNT, local = 64;
    check(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &global, &local, 1,
                                 &first, &second),
          "second");
    check(clWaitForEvents(1, &second), "wait");
    clReleaseEvent(first);
    clReleaseEvent(second);
  } else if (strcmp(way, "clone") == 0) {
    cl_kernel clone = clCloneKernel(kernel, &error);
    check(error, "clone");
    float by = 8;
    check(clSetKernelArg(clone, 1, sizeof(by), &by), "by");
    launch(queue, clone, NULL);
    launch(queue, kernel, NULL);
    clFinish(queue);
  } else if (strcmp(way, "stuck") == 0) {
    // It waits for what never comes.
    cl_event never = clCreateUserEvent(context, &error);
    size_t global = COUNT;
    launch(queue, kernel, NULL);
    clFinish(queue);
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1,
                                 &never, NULL),
          "stuck");
    quick_exit(0);
  } else if (strcmp(way, "asks") == 0) {
    // Nobody asked for profiling: nothing tells of it.
    cl_command_queue_properties flags = ~0ul;
    cl_event event;
    cl_ulong time;
    check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(flags),
                                &flags, NULL),
          "flags");
    launch(queue, kernel, &event);
    clFinish(queue);
    printf("flags %lu, time %d\n", (unsigned long)flags,
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                   sizeof(time), &time, NULL));
    queue = queueWith(CL_QUEUE_PROFILING_ENABLE);
    check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(flags),
                                &flags, NULL),
          "flags");
    launch(queue, kernel, &event);
    clFinish(queue);
    printf("flags %lu, time %d\n", (unsigned long)flags,
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                   sizeof(time), &time, NULL));
  } else if (strcmp(way, "shapes") == 0) {
    size_t global[] = {32, 8}, local[] = {16, 2};
    cl_ulong pitch = 32;
    float zero = 0;
    check(clEnqueueFillBuffer(queue, memory, &zero, sizeof(zero), 0, 4 * COUNT,
                              0, NULL, NULL),
          "fill");
    cl_kernel rows = clCreateKernel(program, "rows", &error);
    check(error, "rows");
    clSetKernelArg(rows, 0, sizeof(memory), &memory);
    clSetKernelArg(rows, 1, 64, NULL);
    clSetKernelArg(rows, 2, sizeof(pitch), &pitch);
    for (int i = 0; i < 4; ++i)
      check(clEnqueueNDRangeKernel(queue, rows, 2, NULL, global, local, 0, NULL,
                                   NULL),
            "rows");
    kernel = scaleBy(0.5f);
    launch(queue, kernel, NULL);
    clFinish(queue);
  } else {
    fprintf(stderr, "no such way\n");
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
