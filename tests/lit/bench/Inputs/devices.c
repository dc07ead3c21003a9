/* Counts what a program finds when it looks for devices in all ways. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static void tell(const char *how, cl_platform_id platform,
                 cl_device_type type) {
  cl_uint count = 0;
  cl_device_id devices[8];
  char name[256] = "none";
  cl_int status = clGetDeviceIDs(platform, type, 8, devices, &count);
  if (status == CL_SUCCESS)
    clGetDeviceInfo(devices[0], CL_DEVICE_NAME, sizeof(name), name, NULL);
  printf("%s: %u, %s (%d)\n", how, count, name, status);
}

static void tellContext(const char *how, cl_device_type type) {
  cl_int status = 0;
  cl_uint count = 0;
  cl_context context = clCreateContextFromType(NULL, type, NULL, NULL, &status);
  if (context) {
    clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof(count), &count,
                     NULL);
    clReleaseContext(context);
  }
  printf("%s: %u (%d)\n", how, count, status);
}

int main(void) {
  cl_platform_id platforms[8] = {0};
  cl_uint count = 0;
  cl_int status = clGetPlatformIDs(8, platforms, &count);
  printf("platforms: %u (%d)\n", count, status);
  if (status != CL_SUCCESS)
    return 3;
  printf("no room: %d\n", clGetPlatformIDs(0, platforms, NULL));
  tell("all", platforms[0], CL_DEVICE_TYPE_ALL);
  tell("default", platforms[0], CL_DEVICE_TYPE_DEFAULT);
  tell("no platform", NULL, CL_DEVICE_TYPE_ALL);
  tell("cpu", platforms[0], CL_DEVICE_TYPE_CPU);
  tell("gpu", platforms[0], CL_DEVICE_TYPE_GPU);
  tellContext("context", CL_DEVICE_TYPE_ALL);
  tellContext("context of a gpu", CL_DEVICE_TYPE_GPU);
  return 0;
}
