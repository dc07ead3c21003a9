// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
//
// The driver's API is declared as well, with the parameters of old and new
// toolkits.

// CHECK-NOT: error
// CHECK: 2 launches -> 1
#include <cuda.h>
#include <stdio.h>

__global__ void raise(const float *in, float *up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = in[i] + 1;
}
__global__ void lower(const float *up, float *down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    down[i] = up[i] - 2;
}

bool prepare(CUcontext *context, CUctxCreateParams *parameters) {
  CUdevice device;
  int major;
  CUresult result = cuInit(0);
  if (result != CUDA_SUCCESS || result == CUDA_ERROR_NOT_INITIALIZED) {
    const char *name;
    cuGetErrorName(result, &name);
    printf("%s\n", name);
    return false;
  }
  cuDeviceGet(&device, 0);
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  cuCtxCreate(context, 0, device);
  cuCtxCreate(context, parameters, 0, device);
  CUmemAllocationProp properties = {};
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemGenericAllocationHandle handle;
  cuMemCreate(&handle, 1 << 21, &properties, 0);
  CUDA_MEMCPY2D copy = {};
  copy.WidthInBytes = 64;
  cuMemcpy2D(&copy);
  return cuStreamSynchronize(cudaStreamLegacy) == CUDA_SUCCESS;
}

void run(const float *in, float *up, float *down, int n) {
  raise<<<(n + 127) / 128, 128>>>(in, up, n);
  lower<<<(n + 127) / 128, 128>>>(up, down, n);
}
