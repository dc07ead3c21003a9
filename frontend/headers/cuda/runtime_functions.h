// Functions of the runtime API.
// Written by scripts/runtime-declarations.py.
// clang-format off
#pragma once
#pragma GCC system_header
#include "driver_types.h"
extern "C" {
__host__ __device__ const char* cudaGetErrorName(cudaError_t);
__host__ __device__ const char* cudaGetErrorString(cudaError_t);
__host__ __device__ cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr,
  int);
__host__ __device__ cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache*);
__host__ __device__ cudaError_t cudaDeviceGetLimit(size_t*, cudaLimit);
__host__ __device__ cudaError_t
  cudaDeviceGetSharedMemConfig(cudaSharedMemConfig*);
__host__ __device__ cudaError_t cudaDeviceSynchronize();
__host__ __device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t*,
  unsigned);
__host__ __device__ cudaError_t cudaEventDestroy(cudaEvent_t);
__host__ __device__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
__host__ __device__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t,
  cudaStream_t = 0, unsigned = 0);
__host__ __device__ cudaError_t cudaFree(void*);
__host__ __device__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const
  void*);
__host__ __device__ cudaError_t cudaGetDevice(int*);
__host__ __device__ cudaError_t cudaGetDeviceCount(int*);
__host__ __device__ cudaError_t cudaGetLastError();
__host__ __device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
__host__ __device__ cudaError_t cudaMalloc(void**, size_t);
__host__ __device__ cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*,
  size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
__host__ __device__ cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms*,
  cudaStream_t = 0);
__host__ __device__ cudaError_t cudaMemcpyAsync(void*, const void*, size_t,
  cudaMemcpyKind, cudaStream_t = 0);
__host__ __device__ cudaError_t cudaMemset2DAsync(void*, size_t, int, size_t,
  size_t, cudaStream_t = 0);
__host__ __device__ cudaError_t cudaMemset3DAsync(cudaPitchedPtr, int,
  cudaExtent, cudaStream_t = 0);
__host__ __device__ cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t
  = 0);
__host__ __device__ cudaError_t
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void*, int, size_t);
__host__ __device__ cudaError_t
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, const void*, int,
  size_t, unsigned);
__host__ __device__ cudaError_t cudaPeekAtLastError();
__host__ __device__ cudaError_t cudaRuntimeGetVersion(int*);
__host__ __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t*,
  unsigned);
__host__ __device__ cudaError_t cudaStreamDestroy(cudaStream_t);
__host__ __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
  unsigned = 0);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc*, cudaExtent*, unsigned*,
  cudaArray_t);
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements*,
  cudaArray_t, int);
cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t, unsigned);
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties*,
  cudaArray_t);
cudaError_t cudaChooseDevice(int*, const cudaDeviceProp*);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*, const
  cudaResourceDesc*);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t*, const
  cudaResourceDesc*, const cudaTextureDesc*, const cudaResourceViewDesc*);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t);
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaDeviceCanAccessPeer(int*, int, int);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t
  cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget,
  cudaFlushGPUDirectRDMAWritesScope);
cudaError_t cudaDeviceGetByPCIBusId(int*, const char*);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int);
cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType,
  void*);
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned*, const
  cudaAtomicOperation*, unsigned, int);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t*, int);
cudaError_t cudaDeviceGetNvSciSyncAttributes(void*, int, int);
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned*, const
  cudaAtomicOperation*, unsigned, int, int);
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int);
cudaError_t cudaDeviceGetPCIBusId(char*, int, int);
cudaError_t cudaDeviceGetStreamPriorityRange(int*, int*);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t*, const
  cudaChannelFormatDesc*, int);
cudaError_t cudaDeviceGraphMemTrim(int);
cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback, void*,
  cudaAsyncCallbackHandle_t*);
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType,
  void*);
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceUnregisterAsyncNotification(int,
  cudaAsyncCallbackHandle_t);
cudaError_t cudaDriverGetVersion(int*);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaExternalMemoryGetMappedBuffer(void**, cudaExternalMemory_t,
  const cudaExternalMemoryBufferDesc*);
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t*,
  cudaExternalMemory_t, const cudaExternalMemoryMipmappedArrayDesc*);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaFuncGetName(const char**, const void*);
cudaError_t cudaFuncGetParamInfo(const void*, size_t, size_t*, size_t*);
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int);
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache);
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc*, cudaArray_const_t);
cudaError_t cudaGetDeviceFlags(unsigned*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaGetDriverEntryPoint(const char*, void**, unsigned long long,
  cudaDriverEntryPointQueryResult* = 0);
cudaError_t cudaGetDriverEntryPointByVersion(const char*, void**, unsigned,
  unsigned long long, cudaDriverEntryPointQueryResult* = 0);
cudaError_t cudaGetExportTable(const void**, const cudaUUID_t*);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t*, const void*);
cudaError_t cudaGetKernel(cudaKernel_t*, const void*);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_const_t,
  unsigned);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc*,
  cudaSurfaceObject_t);
cudaError_t cudaGetSymbolAddress(void**, const void*);
cudaError_t cudaGetSymbolSize(size_t*, const void*);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc*,
  cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc*,
  cudaTextureObject_t);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc*,
  cudaTextureObject_t);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, cudaGraph_t);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*, const
  cudaGraphNode_t*, const cudaGraphEdgeData*, size_t);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, cudaEvent_t);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, cudaEvent_t);
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t*,
  cudaGraph_t, const cudaGraphNode_t*, size_t, const
  cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t*,
  cudaGraph_t, const cudaGraphNode_t*, size_t, const
  cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, const cudaHostNodeParams*);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, const cudaKernelNodeParams*);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, cudaMemAllocNodeParams*);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, void*);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, const cudaMemcpy3DParms*);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t*, cudaGraph_t,
  const cudaGraphNode_t*, size_t, void*, const void*, size_t, size_t,
  cudaMemcpyKind);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, const void*, const void*, size_t, size_t,
  cudaMemcpyKind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, const cudaMemsetParams*);
cudaError_t cudaGraphAddNode(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, const cudaGraphEdgeData*, size_t, cudaGraphNodeParams*);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t, cudaGraph_t*);
cudaError_t cudaGraphClone(cudaGraph_t*, cudaGraph_t);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle*,
  cudaGraph_t, unsigned = 0, unsigned = 0);
cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t, cudaEvent_t*);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t, cudaEvent_t);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t, cudaEvent_t*);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t, cudaEvent_t);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t,
  cudaGraphNode_t, cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t,
  cudaGraphNode_t, cudaEvent_t);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t, cudaGraphNode_t,
  cudaEvent_t);
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t,
  cudaGraphNode_t, const cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t,
  cudaGraphNode_t, const cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t, unsigned long long*);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
  const cudaHostNodeParams*);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
  const cudaKernelNodeParams*);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
  const cudaMemcpy3DParms*);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t, cudaGraphNode_t,
  void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t,
  cudaGraphNode_t, void*, const void*, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t,
  cudaGraphNode_t, const void*, const void*, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
  const cudaMemsetParams*);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
  cudaGraphNodeParams*);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t,
  cudaGraphExecUpdateResultInfo*);
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t,
  cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t,
  const cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t,
  cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t, const
  cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphGetEdges(cudaGraph_t, cudaGraphNode_t*, cudaGraphNode_t*,
  cudaGraphEdgeData*, size_t*);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size_t*);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t, cudaGraphNode_t*, size_t*);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t, cudaHostNodeParams*);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t, const
  cudaHostNodeParams*);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long
  long = 0);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t*, cudaGraph_t,
  unsigned long long = 0);
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t*, cudaGraph_t,
  cudaGraphInstantiateParams*);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t, cudaGraphNode_t);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t,
  cudaLaunchAttributeID, cudaLaunchAttributeValue*);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t,
  cudaKernelNodeParams*);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t,
  cudaLaunchAttributeID, const cudaLaunchAttributeValue*);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t, const
  cudaKernelNodeParams*);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t,
  cudaMemAllocNodeParams*);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t, void*);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t, cudaMemcpy3DParms*);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t, const
  cudaMemcpy3DParms*);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t, void*, const void*,
  size_t, cudaMemcpyKind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t, void*, const
  void*, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t, const void*,
  const void*, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t, cudaMemsetParams*);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t, const
  cudaMemsetParams*);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t*, cudaGraphNode_t,
  cudaGraph_t);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t*,
  cudaGraphEdgeData*, size_t*);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t, cudaGraphNode_t*,
  cudaGraphEdgeData*, size_t*);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t, cudaGraphNode_t,
  unsigned*);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType*);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t, cudaGraphNodeParams*);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t, cudaUserObject_t, unsigned =
  1);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t*,
  const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t, unsigned =
  1, unsigned = 0);
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t
  = 0);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t*,
  cudaGraphicsResource_t);
cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*,
  cudaGraphicsResource_t);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*,
  cudaGraphicsResource_t, unsigned, unsigned);
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*,
  cudaStream_t = 0);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t);
cudaError_t cudaHostAlloc(void**, size_t, unsigned);
cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned);
cudaError_t cudaHostGetFlags(unsigned*, void*);
cudaError_t cudaHostRegister(void*, size_t, unsigned);
cudaError_t cudaHostUnregister(void*);
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t*, const
  cudaExternalMemoryHandleDesc*);
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t*, const
  cudaExternalSemaphoreHandleDesc*);
cudaError_t cudaInitDevice(int, unsigned, unsigned);
cudaError_t cudaIpcCloseMemHandle(void*);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t);
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t, cudaFuncAttribute,
  int, int);
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t,
  cudaStream_t);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void*);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t,
  cudaStream_t);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t*, unsigned, cudaLibrary_t);
cudaError_t cudaLibraryGetGlobal(void**, size_t*, cudaLibrary_t, const char*);
cudaError_t cudaLibraryGetKernel(cudaKernel_t*, cudaLibrary_t, const char*);
cudaError_t cudaLibraryGetKernelCount(unsigned*, cudaLibrary_t);
cudaError_t cudaLibraryGetManaged(void**, size_t*, cudaLibrary_t, const char*);
cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t, const char*);
cudaError_t cudaLibraryLoadData(cudaLibrary_t*, const void*, cudaJitOption*,
  void**, unsigned, cudaLibraryOption*, void**, unsigned);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t*, const char*, cudaJitOption*,
  void**, unsigned, cudaLibraryOption*, void**, unsigned);
cudaError_t cudaLibraryUnload(cudaLibrary_t);
cudaError_t cudaLogsCurrent(cudaLogIterator*, unsigned);
cudaError_t cudaLogsDumpToFile(cudaLogIterator*, const char*, unsigned);
cudaError_t cudaLogsDumpToMemory(cudaLogIterator*, char*, size_t*, unsigned);
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t, void*,
  cudaLogsCallbackHandle*);
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle);
cudaError_t cudaMalloc3D(cudaPitchedPtr*, cudaExtent);
cudaError_t cudaMalloc3DArray(cudaArray_t*, const cudaChannelFormatDesc*,
  cudaExtent, unsigned = 0);
cudaError_t cudaMallocArray(cudaArray_t*, const cudaChannelFormatDesc*, size_t,
  size_t = 0, unsigned = 0);
cudaError_t cudaMallocAsync(void**, size_t, cudaStream_t);
cudaError_t cudaMallocFromPoolAsync(void**, size_t, cudaMemPool_t,
  cudaStream_t);
cudaError_t cudaMallocHost(void**, size_t);
cudaError_t cudaMallocManaged(void**, size_t, unsigned = 1);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const
  cudaChannelFormatDesc*, cudaExtent, unsigned, unsigned = 0);
cudaError_t cudaMallocPitch(void**, size_t*, size_t, size_t);
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise,
  cudaMemLocation);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void**, size_t*, size_t,
  cudaMemLocation*, size_t*, size_t, unsigned long long, cudaStream_t);
cudaError_t cudaMemDiscardBatchAsync(void**, size_t*, size_t, unsigned long
  long, cudaStream_t);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t*, cudaMemLocation*,
  cudaMemAllocationType);
cudaError_t cudaMemGetInfo(size_t*, size_t*);
cudaError_t cudaMemGetMemPool(cudaMemPool_t*, cudaMemLocation*,
  cudaMemAllocationType);
cudaError_t cudaMemPoolCreate(cudaMemPool_t*, const cudaMemPoolProps*);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData*, void*);
cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t,
  cudaMemAllocationHandleType, unsigned);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags*, cudaMemPool_t,
  cudaMemLocation*);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*,
  cudaMemAllocationHandleType, unsigned);
cudaError_t cudaMemPoolImportPointer(void**, cudaMemPool_t,
  cudaMemPoolPtrExportData*);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*,
  size_t);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned,
  cudaStream_t = 0);
cudaError_t cudaMemPrefetchBatchAsync(void**, size_t*, size_t, cudaMemLocation*,
  size_t*, size_t, unsigned long long, cudaStream_t);
cudaError_t cudaMemRangeGetAttribute(void*, size_t, cudaMemRangeAttribute, const
  void*, size_t);
cudaError_t cudaMemRangeGetAttributes(void**, size_t*, cudaMemRangeAttribute*,
  size_t, const void*, size_t);
cudaError_t cudaMemSetMemPool(cudaMemLocation*, cudaMemAllocationType,
  cudaMemPool_t);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t,
  cudaMemcpyKind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t,
  cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind =
  cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DFromArray(void*, size_t, cudaArray_const_t, size_t,
  size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArrayAsync(void*, size_t, cudaArray_const_t, size_t,
  size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void*,
  size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void*,
  size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms*);
cudaError_t cudaMemcpy3DBatchAsync(size_t, cudaMemcpy3DBatchOp*, unsigned long
  long, cudaStream_t);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms*);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms*, cudaStream_t =
  0);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t,
  cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind =
  cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpyBatchAsync(void*const*, const void*const*, const size_t*,
  size_t, cudaMemcpyAttributes*, size_t*, size_t, cudaStream_t);
cudaError_t cudaMemcpyFromArray(void*, cudaArray_const_t, size_t, size_t,
  size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArrayAsync(void*, cudaArray_const_t, size_t, size_t,
  size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromSymbol(void*, const void*, size_t, size_t = 0,
  cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyFromSymbolAsync(void*, const void*, size_t, size_t,
  cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyPeer(void*, int, const void*, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void*, int, const void*, int, size_t,
  cudaStream_t = 0);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void*, size_t,
  cudaMemcpyKind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void*,
  size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyToSymbol(const void*, const void*, size_t, size_t = 0,
  cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyToSymbolAsync(const void*, const void*, size_t, size_t,
  cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaMemset2D(void*, size_t, int, size_t, size_t);
cudaError_t cudaMemset3D(cudaPitchedPtr, int, cudaExtent);
cudaError_t
  cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements*,
  cudaMipmappedArray_t, int);
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties*,
  cudaMipmappedArray_t);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t*, const void*, int,
  int);
cudaError_t cudaOccupancyMaxActiveClusters(int*, const void*, const
  cudaLaunchConfig_t*);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, const void*, const
  cudaLaunchConfig_t*);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*);
cudaError_t cudaSetDevice(int);
cudaError_t cudaSetDeviceFlags(unsigned);
cudaError_t cudaSetValidDevices(int*, int);
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
  const cudaExternalSemaphoreSignalParams*, unsigned, cudaStream_t = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void*,
  unsigned);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t = 0, unsigned =
  4);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t, const
  cudaGraphNode_t*, const cudaGraphEdgeData*, size_t, cudaStreamCaptureMode);
cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t);
cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned, int);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaLaunchAttributeID,
  cudaLaunchAttributeValue*);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus*,
  unsigned long long* = 0, cudaGraph_t* = 0, const cudaGraphNode_t** = 0, const
  cudaGraphEdgeData** = 0, size_t* = 0);
cudaError_t cudaStreamGetDevice(cudaStream_t, int*);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned*);
cudaError_t cudaStreamGetId(cudaStream_t, unsigned long long*);
cudaError_t cudaStreamGetPriority(cudaStream_t, int*);
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus*);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID, const
  cudaLaunchAttributeValue*);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t*,
  const cudaGraphEdgeData*, size_t, unsigned = 0);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*);
cudaError_t cudaUserObjectCreate(cudaUserObject_t*, void*, cudaHostFn_t,
  unsigned, unsigned);
cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned = 1);
cudaError_t cudaUserObjectRetain(cudaUserObject_t, unsigned = 1);
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
  const cudaExternalSemaphoreWaitParams*, unsigned, cudaStream_t = 0);
}
