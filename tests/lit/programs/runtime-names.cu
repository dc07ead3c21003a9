// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
//
// All of the runtime is declared: errors of old, memory pools, graphs, handles of
// other processes. What isn't known by its effect may do anything.

// CHECK-NOT: error
// CHECK: HostDependence: 'cudaGraphLaunch(made, stream);' stands between 'raise' (line {{[0-9]+}}) and 'lower'
// CHECK: 4 launches -> 3
#include <cuda_device_runtime_api.h>

const char *nameOf(cudaError_t error) {
  switch (error) {
  case cudaErrorInvalidNormSetting: return "norm";
  case cudaErrorMapBufferObjectFailed: return "map";
  case cudaErrorInvalidDevicePointer: return "pointer";
  case cudaErrorNvlinkUncorrectable: return "link";
  default: return cudaGetErrorName(error);
  }
}

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

void prepare(size_t bytes) {
  cudaMemPool_t pool;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPoolCreate(&pool, &properties);
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes);
  float *shared;
  cudaMalloc(&shared, bytes);
  cudaIpcMemHandle_t handle;
  cudaIpcGetMemHandle(&handle, shared);
  cudaMemPrefetchAsync(shared, bytes, 0);
  cudaMemPrefetchAsync(shared, bytes, properties.location, 0);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  bytes = device.clockRate + device.reservedSharedMemPerBlock;
  cudaLaunchConfig_t launch = {};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  launch.attrs = attribute;
}

void between(const float *in, float *up, float *down, cudaGraph_t graph,
             cudaStream_t stream, int n) {
  cudaGraphExec_t made;
  cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0);
  raise<<<(n + 127) / 128, 128, 0, stream>>>(in, up, n);
  cudaGraphLaunch(made, stream);
  lower<<<(n + 127) / 128, 128, 0, stream>>>(up, down, n);
  cudaGraphInstantiate(&made, graph, 0);
}

void run(const float *in, float *up, float *down, int n) {
  raise<<<(n + 127) / 128, 128>>>(in, up, n);
  lower<<<(n + 127) / 128, 128>>>(up, down, n);
}
