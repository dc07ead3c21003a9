// The runtime API, with what older and newer toolkits have otherwise.
#pragma once
#pragma GCC system_header
#include "runtime_functions.h"
#include "runtime_templates.h"

#define CUDART_VERSION 12000
#define KFUSE_API(name, ...) cudaError_t name(__VA_ARGS__);

extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
KFUSE_API(cudaConfigureCall, dim3, dim3, size_t = 0, cudaStream_t = 0)
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int,
                                            cudaChannelFormatKind);
KFUSE_API(cudaProfilerStart)
KFUSE_API(cudaProfilerStop)
// Programs older than CUDA 13 define it to be cudaDeviceSynchronize.
#ifndef cudaThreadSynchronize
KFUSE_API(cudaThreadSynchronize)
#endif
KFUSE_API(cudaThreadExit)
KFUSE_API(cudaThreadSetLimit, cudaLimit, size_t)
KFUSE_API(cudaThreadGetLimit, size_t *, cudaLimit)
KFUSE_API(cudaThreadSetCacheConfig, cudaFuncCache)
KFUSE_API(cudaThreadGetCacheConfig, cudaFuncCache *)
KFUSE_API(cudaSetDoubleForDevice, double *)
KFUSE_API(cudaSetDoubleForHost, double *)
KFUSE_API(cudaGetDeviceProperties_v2, cudaDeviceProp *, int)
}

// Other parameters than the newest toolkit's.
KFUSE_API(cudaEventElapsedTime_v2, float *, cudaEvent_t, cudaEvent_t)
KFUSE_API(cudaMemPrefetchAsync, const void *, size_t, int, cudaStream_t = 0)
KFUSE_API(cudaMemPrefetchAsync_v2, const void *, size_t, cudaMemLocation,
          unsigned, cudaStream_t)
KFUSE_API(cudaMemAdvise, const void *, size_t, cudaMemoryAdvise, int)
KFUSE_API(cudaMemAdvise_v2, const void *, size_t, cudaMemoryAdvise,
          cudaMemLocation)
KFUSE_API(cudaStreamGetCaptureInfo, cudaStream_t, cudaStreamCaptureStatus *,
          unsigned long long *, cudaGraph_t *, const cudaGraphNode_t **,
          size_t *)
KFUSE_API(cudaStreamGetCaptureInfo_v2, cudaStream_t, cudaStreamCaptureStatus *,
          unsigned long long * = 0, cudaGraph_t * = 0,
          const cudaGraphNode_t ** = 0, size_t * = 0)
KFUSE_API(cudaStreamUpdateCaptureDependencies, cudaStream_t, cudaGraphNode_t *,
          size_t, unsigned = 0)
KFUSE_API(cudaGraphGetEdges, cudaGraph_t, cudaGraphNode_t *, cudaGraphNode_t *,
          size_t *)
KFUSE_API(cudaGraphNodeGetDependencies, cudaGraphNode_t, cudaGraphNode_t *,
          size_t *)
KFUSE_API(cudaGraphNodeGetDependentNodes, cudaGraphNode_t, cudaGraphNode_t *,
          size_t *)
KFUSE_API(cudaGraphAddDependencies, cudaGraph_t, const cudaGraphNode_t *,
          const cudaGraphNode_t *, size_t)
KFUSE_API(cudaGraphRemoveDependencies, cudaGraph_t, const cudaGraphNode_t *,
          const cudaGraphNode_t *, size_t)
KFUSE_API(cudaGraphAddNode, cudaGraphNode_t *, cudaGraph_t,
          const cudaGraphNode_t *, size_t, cudaGraphNodeParams *)

template <typename... Expected, typename... Given>
KFUSE_API(cudaLaunchKernelEx, const cudaLaunchConfig_t *, void (*)(Expected...),
          Given &&...)
template <typename T>
cudaChannelFormatDesc cudaCreateChannelDesc();

// For kernels only.
extern "C" {
__device__ void cudaTriggerProgrammaticLaunchCompletion();
__device__ void cudaGridDependencySynchronize();
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned);
__device__ cudaGraphExec_t cudaGetCurrentGraphExec();
__device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t,
                                                   size_t, const void *,
                                                   size_t);
__device__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t,
                                                     bool);
__device__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t,
                                                     dim3);
}

inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  return {w, h, d};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x,
                                          size_t y) {
  return {p, pitch, x, y};
}
#undef KFUSE_API
