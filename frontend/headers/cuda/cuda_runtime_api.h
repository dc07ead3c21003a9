// The runtime API, with entry points that newer toolkits removed.
#pragma once
#pragma GCC system_header
#include "driver_types.h"

#define CUDART_VERSION 12000
#define KFUSE_API(name, ...) cudaError_t name(__VA_ARGS__);
#define KFUSE_BOTH(name, ...) __host__ __device__ cudaError_t name(__VA_ARGS__);

extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t);

__host__ __device__ const char *cudaGetErrorString(cudaError_t);
__host__ __device__ const char *cudaGetErrorName(cudaError_t);
KFUSE_BOTH(cudaGetLastError)
KFUSE_BOTH(cudaPeekAtLastError)
KFUSE_BOTH(cudaDeviceSynchronize)
// Programs older than CUDA 13 define it to be cudaDeviceSynchronize.
#ifndef cudaThreadSynchronize
KFUSE_API(cudaThreadSynchronize)
#endif
KFUSE_API(cudaThreadExit)
KFUSE_API(cudaThreadSetCacheConfig, cudaFuncCache)
KFUSE_API(cudaDeviceReset)
KFUSE_BOTH(cudaGetDevice, int *)
KFUSE_API(cudaSetDevice, int)
KFUSE_BOTH(cudaGetDeviceCount, int *)
KFUSE_API(cudaGetDeviceProperties, cudaDeviceProp *, int)
KFUSE_BOTH(cudaDeviceGetAttribute, int *, cudaDeviceAttr, int)
KFUSE_API(cudaChooseDevice, int *, const cudaDeviceProp *)
KFUSE_API(cudaSetDeviceFlags, unsigned)
KFUSE_API(cudaDeviceSetLimit, cudaLimit, size_t)
KFUSE_API(cudaDeviceGetLimit, size_t *, cudaLimit)
KFUSE_API(cudaDeviceSetCacheConfig, cudaFuncCache)
KFUSE_API(cudaDeviceSetSharedMemConfig, cudaSharedMemConfig)
KFUSE_API(cudaDeviceCanAccessPeer, int *, int, int)
KFUSE_API(cudaDeviceEnablePeerAccess, int, unsigned)
KFUSE_API(cudaDeviceDisablePeerAccess, int)
KFUSE_API(cudaDeviceGetPCIBusId, char *, int, int)
KFUSE_API(cudaDeviceGetStreamPriorityRange, int *, int *)
KFUSE_API(cudaDriverGetVersion, int *)
KFUSE_API(cudaRuntimeGetVersion, int *)
KFUSE_API(cudaProfilerStart)
KFUSE_API(cudaProfilerStop)

KFUSE_API(cudaFree, void *)
KFUSE_API(cudaFreeHost, void *)
KFUSE_API(cudaFreeArray, cudaArray_t)
KFUSE_API(cudaFreeAsync, void *, cudaStream_t)
KFUSE_API(cudaMalloc3D, cudaPitchedPtr *, cudaExtent)
KFUSE_API(cudaMallocArray, cudaArray_t *, const cudaChannelFormatDesc *, size_t,
          size_t = 0, unsigned = 0)
KFUSE_API(cudaMalloc3DArray, cudaArray_t *, const cudaChannelFormatDesc *,
          cudaExtent, unsigned = 0)
KFUSE_API(cudaHostRegister, void *, size_t, unsigned)
KFUSE_API(cudaHostUnregister, void *)
KFUSE_API(cudaMemGetInfo, size_t *, size_t *)
KFUSE_API(cudaMemcpy, void *, const void *, size_t, cudaMemcpyKind)
KFUSE_API(cudaMemcpyAsync, void *, const void *, size_t, cudaMemcpyKind,
          cudaStream_t = 0)
KFUSE_API(cudaMemcpyPeer, void *, int, const void *, int, size_t)
KFUSE_API(cudaMemcpyPeerAsync, void *, int, const void *, int, size_t,
          cudaStream_t = 0)
KFUSE_API(cudaMemcpy2D, void *, size_t, const void *, size_t, size_t, size_t,
          cudaMemcpyKind)
KFUSE_API(cudaMemcpy2DAsync, void *, size_t, const void *, size_t, size_t,
          size_t, cudaMemcpyKind, cudaStream_t = 0)
KFUSE_API(cudaMemcpy3D, const cudaMemcpy3DParms *)
KFUSE_API(cudaMemcpy3DAsync, const cudaMemcpy3DParms *, cudaStream_t = 0)
KFUSE_API(cudaMemcpyToArray, cudaArray_t, size_t, size_t, const void *, size_t,
          cudaMemcpyKind)
KFUSE_API(cudaMemcpyFromArray, void *, cudaArray_const_t, size_t, size_t,
          size_t, cudaMemcpyKind)
KFUSE_API(cudaMemcpy2DToArray, cudaArray_t, size_t, size_t, const void *,
          size_t, size_t, size_t, cudaMemcpyKind)
KFUSE_API(cudaMemset, void *, int, size_t)
KFUSE_API(cudaMemsetAsync, void *, int, size_t, cudaStream_t = 0)
KFUSE_API(cudaMemset2D, void *, size_t, int, size_t, size_t)
KFUSE_API(cudaMemset2DAsync, void *, size_t, int, size_t, size_t,
          cudaStream_t = 0)
KFUSE_API(cudaMemset3D, cudaPitchedPtr, int, cudaExtent)
KFUSE_API(cudaMemPrefetchAsync, const void *, size_t, int, cudaStream_t = 0)
KFUSE_API(cudaMemAdvise, const void *, size_t, cudaMemoryAdvise, int)
KFUSE_API(cudaPointerGetAttributes, cudaPointerAttributes *, const void *)

KFUSE_API(cudaStreamCreate, cudaStream_t *)
KFUSE_API(cudaStreamCreateWithFlags, cudaStream_t *, unsigned)
KFUSE_API(cudaStreamCreateWithPriority, cudaStream_t *, unsigned, int)
KFUSE_API(cudaStreamDestroy, cudaStream_t)
KFUSE_API(cudaStreamSynchronize, cudaStream_t)
KFUSE_API(cudaStreamQuery, cudaStream_t)
KFUSE_API(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned = 0)
KFUSE_API(cudaStreamAttachMemAsync, cudaStream_t, void *, size_t = 0,
          unsigned = cudaMemAttachHost)
KFUSE_API(cudaStreamBeginCapture, cudaStream_t, cudaStreamCaptureMode)
KFUSE_API(cudaStreamEndCapture, cudaStream_t, cudaGraph_t *)
KFUSE_API(cudaStreamAddCallback, cudaStream_t,
          void (*)(cudaStream_t, cudaError_t, void *), void *, unsigned)
KFUSE_API(cudaLaunchHostFunc, cudaStream_t, void (*)(void *), void *)
KFUSE_API(cudaGraphLaunch, cudaGraphExec_t, cudaStream_t)
KFUSE_API(cudaGraphDestroy, cudaGraph_t)
KFUSE_API(cudaGraphExecDestroy, cudaGraphExec_t)
KFUSE_API(cudaEventCreateWithFlags, cudaEvent_t *, unsigned)
KFUSE_API(cudaEventRecord, cudaEvent_t, cudaStream_t = 0)
KFUSE_API(cudaEventSynchronize, cudaEvent_t)
KFUSE_API(cudaEventQuery, cudaEvent_t)
KFUSE_API(cudaEventElapsedTime, float *, cudaEvent_t, cudaEvent_t)
KFUSE_API(cudaEventDestroy, cudaEvent_t)

KFUSE_API(cudaCreateTextureObject, cudaTextureObject_t *,
          const cudaResourceDesc *, const cudaTextureDesc *,
          const cudaResourceViewDesc *)
KFUSE_API(cudaDestroyTextureObject, cudaTextureObject_t)
KFUSE_API(cudaCreateSurfaceObject, cudaSurfaceObject_t *,
          const cudaResourceDesc *)
KFUSE_API(cudaDestroySurfaceObject, cudaSurfaceObject_t)
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int,
                                            cudaChannelFormatKind);
}

KFUSE_API(cudaEventCreate, cudaEvent_t *)
KFUSE_API(cudaEventCreate, cudaEvent_t *, unsigned)
KFUSE_API(cudaGraphInstantiate, cudaGraphExec_t *, cudaGraph_t,
          cudaGraphNode_t *, char *, size_t)
KFUSE_API(cudaGraphInstantiate, cudaGraphExec_t *, cudaGraph_t,
          unsigned long long = 0)
KFUSE_BOTH(cudaMalloc, void **, size_t)
KFUSE_API(cudaMallocHost, void **, size_t, unsigned = 0)
KFUSE_API(cudaHostAlloc, void **, size_t, unsigned)
KFUSE_API(cudaMallocManaged, void **, size_t, unsigned = cudaMemAttachGlobal)
KFUSE_API(cudaMallocPitch, void **, size_t *, size_t, size_t)
KFUSE_API(cudaMallocAsync, void **, size_t, cudaStream_t)
KFUSE_API(cudaHostGetDevicePointer, void **, void *, unsigned)
template <typename T>
KFUSE_BOTH(cudaMalloc, T **, size_t)
template <typename T>
KFUSE_API(cudaMallocHost, T **, size_t, unsigned = 0)
template <typename T>
KFUSE_API(cudaHostAlloc, T **, size_t, unsigned)
template <typename T>
KFUSE_API(cudaMallocManaged, T **, size_t, unsigned = cudaMemAttachGlobal)
template <typename T>
KFUSE_API(cudaMallocPitch, T **, size_t *, size_t, size_t)
template <typename T>
KFUSE_API(cudaMallocAsync, T **, size_t, cudaStream_t)
template <typename T>
KFUSE_API(cudaHostGetDevicePointer, T **, void *, unsigned)

template <typename T>
KFUSE_API(cudaMemcpyToSymbol, const T &, const void *, size_t, size_t = 0,
          cudaMemcpyKind = cudaMemcpyHostToDevice)
template <typename T>
KFUSE_API(cudaMemcpyToSymbolAsync, const T &, const void *, size_t, size_t = 0,
          cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0)
template <typename T>
KFUSE_API(cudaMemcpyFromSymbol, void *, const T &, size_t, size_t = 0,
          cudaMemcpyKind = cudaMemcpyDeviceToHost)
template <typename T>
KFUSE_API(cudaMemcpyFromSymbolAsync, void *, const T &, size_t, size_t = 0,
          cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = 0)
template <typename T>
KFUSE_API(cudaGetSymbolAddress, void **, const T &)
template <typename T>
KFUSE_API(cudaGetSymbolSize, size_t *, const T &)

template <typename T>
KFUSE_API(cudaFuncSetCacheConfig, T *, cudaFuncCache)
template <typename T>
KFUSE_API(cudaFuncSetSharedMemConfig, T *, cudaSharedMemConfig)
template <typename T>
KFUSE_API(cudaFuncSetAttribute, T *, cudaFuncAttribute, int)
template <typename T>
KFUSE_API(cudaFuncGetAttributes, cudaFuncAttributes *, T *)
template <typename T>
KFUSE_API(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *, T, int, size_t)
template <typename T>
KFUSE_API(cudaOccupancyMaxPotentialBlockSize, int *, int *, T, size_t = 0,
          int = 0)
template <typename T>
KFUSE_API(cudaLaunchCooperativeKernel, T *, dim3, dim3, void **, size_t = 0,
          cudaStream_t = 0)
template <typename T>
KFUSE_API(cudaLaunchKernel, T *, dim3, dim3, void **, size_t = 0,
          cudaStream_t = 0)
template <typename T>
cudaChannelFormatDesc cudaCreateChannelDesc();

inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  return {w, h, d};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x,
                                          size_t y) {
  return {p, pitch, x, y};
}
#undef KFUSE_API
#undef KFUSE_BOTH
