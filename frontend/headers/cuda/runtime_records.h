// Structures and handles of the runtime API.
// Written by scripts/runtime-declarations.py.
// clang-format off
#pragma once
#pragma GCC system_header
#include "runtime_enums.h"
#include "vector_types.h"
#include <stddef.h>
struct CUuuid_st { char bytes[16]; };
struct cudaChannelFormatDesc { int x; int y; int z; int w; cudaChannelFormatKind
  f; };
struct cudaArray;
using cudaArray_t = struct cudaArray *;
using cudaArray_const_t = const struct cudaArray *;
struct cudaMipmappedArray;
using cudaMipmappedArray_t = struct cudaMipmappedArray *;
using cudaMipmappedArray_const_t = const struct cudaMipmappedArray *;
struct cudaArraySparseProperties { struct { unsigned width; unsigned height;
  unsigned depth; } tileExtent; unsigned miptailFirstLevel; unsigned long long
  miptailSize; unsigned flags; unsigned reserved[4]; };
struct cudaArrayMemoryRequirements { size_t size; size_t alignment; unsigned
  reserved[4]; };
struct cudaPitchedPtr { void* ptr; size_t pitch; size_t xsize; size_t ysize; };
struct cudaExtent { size_t width; size_t height; size_t depth; };
struct cudaPos { size_t x; size_t y; size_t z; };
struct cudaMemcpy3DParms { cudaArray_t srcArray; cudaPos srcPos; cudaPitchedPtr
  srcPtr; cudaArray_t dstArray; cudaPos dstPos; cudaPitchedPtr dstPtr;
  cudaExtent extent; cudaMemcpyKind kind; };
struct cudaMemcpyNodeParams { int flags; int reserved[3]; cudaMemcpy3DParms
  copyParams; };
struct cudaMemcpy3DPeerParms { cudaArray_t srcArray; cudaPos srcPos;
  cudaPitchedPtr srcPtr; int srcDevice; cudaArray_t dstArray; cudaPos dstPos;
  cudaPitchedPtr dstPtr; int dstDevice; cudaExtent extent; };
struct cudaMemsetParams { void* dst; size_t pitch; unsigned value; unsigned
  elementSize; size_t width; size_t height; };
struct cudaMemsetParamsV2 { void* dst; size_t pitch; unsigned value; unsigned
  elementSize; size_t width; size_t height; };
struct cudaAccessPolicyWindow { void* base_ptr; size_t num_bytes; float
  hitRatio; cudaAccessProperty hitProp; cudaAccessProperty missProp; };
using cudaHostFn_t = void (*)(void*);
struct cudaHostNodeParams { cudaHostFn_t fn; void* userData; };
struct cudaHostNodeParamsV2 { cudaHostFn_t fn; void* userData; };
struct cudaGraphicsResource;
struct cudaResourceDesc { cudaResourceType resType; union { struct { cudaArray_t
  array; } array; struct { cudaMipmappedArray_t mipmap; } mipmap; struct { void*
  devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear; struct {
  void* devPtr; cudaChannelFormatDesc desc; size_t width; size_t height; size_t
  pitchInBytes; } pitch2D; struct { int reserved[32]; } reserved; } res;
  unsigned flags; };
struct cudaResourceViewDesc { cudaResourceViewFormat format; size_t width;
  size_t height; size_t depth; unsigned firstMipmapLevel; unsigned
  lastMipmapLevel; unsigned firstLayer; unsigned lastLayer; unsigned
  reserved[16]; };
struct cudaPointerAttributes { cudaMemoryType type; int device; void*
  devicePointer; void* hostPointer; long reserved[8]; };
struct cudaFuncAttributes { size_t sharedSizeBytes; size_t constSizeBytes;
  size_t localSizeBytes; int maxThreadsPerBlock; int numRegs; int ptxVersion;
  int binaryVersion; int cacheModeCA; int maxDynamicSharedSizeBytes; int
  preferredShmemCarveout; int clusterDimMustBeSet; int requiredClusterWidth; int
  requiredClusterHeight; int requiredClusterDepth; int
  clusterSchedulingPolicyPreference; int nonPortableClusterSizeAllowed; int
  reserved[16]; };
struct cudaMemLocation { cudaMemLocationType type; int id; };
struct cudaMemAccessDesc { cudaMemLocation location; cudaMemAccessFlags flags;
  };
struct cudaMemPoolProps { cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes; cudaMemLocation location; void*
  win32SecurityAttributes; size_t maxSize; unsigned short usage; unsigned char
  reserved[54]; };
struct cudaMemPoolPtrExportData { unsigned char reserved[64]; };
struct cudaMemAllocNodeParams { cudaMemPoolProps poolProps; const
  cudaMemAccessDesc* accessDescs; size_t accessDescCount; size_t bytesize; void*
  dptr; };
struct cudaMemAllocNodeParamsV2 { cudaMemPoolProps poolProps; const
  cudaMemAccessDesc* accessDescs; size_t accessDescCount; size_t bytesize; void*
  dptr; };
struct cudaMemFreeNodeParams { void* dptr; };
struct cudaMemcpyAttributes { cudaMemcpySrcAccessOrder srcAccessOrder;
  cudaMemLocation srcLocHint; cudaMemLocation dstLocHint; unsigned flags; };
struct cudaOffset3D { size_t x; size_t y; size_t z; };
struct cudaMemcpy3DOperand { cudaMemcpy3DOperandType type; union { struct {
  void* ptr; size_t rowLength; size_t layerHeight; cudaMemLocation locHint; }
  ptr; struct { cudaArray_t array; cudaOffset3D offset; } array; } op; };
struct cudaMemcpy3DBatchOp { cudaMemcpy3DOperand src; cudaMemcpy3DOperand dst;
  cudaExtent extent; cudaMemcpySrcAccessOrder srcAccessOrder; unsigned flags; };
using cudaUUID_t = CUuuid_st;
struct cudaDeviceProp { char name[256]; cudaUUID_t uuid; char luid[8]; unsigned
  luidDeviceNodeMask; size_t totalGlobalMem; size_t sharedMemPerBlock; int
  regsPerBlock; int warpSize; size_t memPitch; int maxThreadsPerBlock; int
  maxThreadsDim[3]; int maxGridSize[3]; size_t totalConstMem; int major; int
  minor; size_t textureAlignment; size_t texturePitchAlignment; int
  multiProcessorCount; int integrated; int canMapHostMemory; int maxTexture1D;
  int maxTexture1DMipmap; int maxTexture2D[2]; int maxTexture2DMipmap[2]; int
  maxTexture2DLinear[3]; int maxTexture2DGather[2]; int maxTexture3D[3]; int
  maxTexture3DAlt[3]; int maxTextureCubemap; int maxTexture1DLayered[2]; int
  maxTexture2DLayered[3]; int maxTextureCubemapLayered[2]; int maxSurface1D; int
  maxSurface2D[2]; int maxSurface3D[3]; int maxSurface1DLayered[2]; int
  maxSurface2DLayered[3]; int maxSurfaceCubemap; int
  maxSurfaceCubemapLayered[2]; size_t surfaceAlignment; int concurrentKernels;
  int ECCEnabled; int pciBusID; int pciDeviceID; int pciDomainID; int tccDriver;
  int asyncEngineCount; int unifiedAddressing; int memoryBusWidth; int
  l2CacheSize; int persistingL2CacheMaxSize; int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported; int globalL1CacheSupported; int
  localL1CacheSupported; size_t sharedMemPerMultiprocessor; int
  regsPerMultiprocessor; int managedMemory; int isMultiGpuBoard; int
  multiGpuBoardGroupID; int hostNativeAtomicSupported; int pageableMemoryAccess;
  int concurrentManagedAccess; int computePreemptionSupported; int
  canUseHostPointerForRegisteredMem; int cooperativeLaunch; size_t
  sharedMemPerBlockOptin; int pageableMemoryAccessUsesHostPageTables; int
  directManagedMemAccessFromHost; int maxBlocksPerMultiProcessor; int
  accessPolicyMaxWindowSize; size_t reservedSharedMemPerBlock; int
  hostRegisterSupported; int sparseCudaArraySupported; int
  hostRegisterReadOnlySupported; int timelineSemaphoreInteropSupported; int
  memoryPoolsSupported; int gpuDirectRDMASupported; unsigned
  gpuDirectRDMAFlushWritesOptions; int gpuDirectRDMAWritesOrdering; unsigned
  memoryPoolSupportedHandleTypes; int deferredMappingCudaArraySupported; int
  ipcEventSupported; int clusterLaunch; int unifiedFunctionPointers; int
  deviceNumaConfig; int deviceNumaId; int mpsEnabled; int hostNumaId; unsigned
  gpuPciDeviceID; unsigned gpuPciSubsystemID; int hostNumaMultinodeIpcSupported;
  int reserved[56]; int clockRate; int deviceOverlap; int
  kernelExecTimeoutEnabled; int computeMode; int maxTexture1DLinear; int
  memoryClockRate; int singleToDoublePrecisionPerfRatio; int
  cooperativeMultiDeviceLaunch; };
struct cudaIpcEventHandle_st { char reserved[64]; };
using cudaIpcEventHandle_t = cudaIpcEventHandle_st;
struct cudaIpcMemHandle_st { char reserved[64]; };
using cudaIpcMemHandle_t = cudaIpcMemHandle_st;
struct cudaMemFabricHandle_st { char reserved[64]; };
using cudaMemFabricHandle_t = cudaMemFabricHandle_st;
struct cudaExternalMemoryHandleDesc { cudaExternalMemoryHandleType type; union {
  int fd; struct { void* handle; const void* name; } win32; const void*
  nvSciBufObject; } handle; unsigned long long size; unsigned flags; unsigned
  reserved[16]; };
struct cudaExternalMemoryBufferDesc { unsigned long long offset; unsigned long
  long size; unsigned flags; unsigned reserved[16]; };
struct cudaExternalMemoryMipmappedArrayDesc { unsigned long long offset;
  cudaChannelFormatDesc formatDesc; cudaExtent extent; unsigned flags; unsigned
  numLevels; unsigned reserved[16]; };
struct cudaExternalSemaphoreHandleDesc { cudaExternalSemaphoreHandleType type;
  union { int fd; struct { void* handle; const void* name; } win32; const void*
  nvSciSyncObj; } handle; unsigned flags; unsigned reserved[16]; };
struct cudaExternalSemaphoreSignalParams { struct { struct { unsigned long long
  value; } fence; union { void* fence; unsigned long long reserved; } nvSciSync;
  struct { unsigned long long key; } keyedMutex; unsigned reserved[12]; }
  params; unsigned flags; unsigned reserved[16]; };
struct cudaExternalSemaphoreWaitParams { struct { struct { unsigned long long
  value; } fence; union { void* fence; unsigned long long reserved; } nvSciSync;
  struct { unsigned long long key; unsigned timeoutMs; } keyedMutex; unsigned
  reserved[10]; } params; unsigned flags; unsigned reserved[16]; };
using cudaError_t = cudaError;
using cudaStream_t = struct CUstream_st *;
using cudaEvent_t = struct CUevent_st *;
using cudaGraphicsResource_t = struct cudaGraphicsResource *;
struct CUexternalMemory_st;
using cudaExternalMemory_t = struct CUexternalMemory_st *;
struct CUexternalSemaphore_st;
using cudaExternalSemaphore_t = struct CUexternalSemaphore_st *;
using cudaGraph_t = struct CUgraph_st *;
using cudaGraphNode_t = struct CUgraphNode_st *;
using cudaUserObject_t = struct CUuserObject_st *;
using cudaGraphConditionalHandle = unsigned long long;
using cudaFunction_t = struct CUfunc_st *;
using cudaKernel_t = struct CUkern_st *;
struct cudalibraryHostUniversalFunctionAndDataTable { void* functionTable;
  size_t functionWindowSize; void* dataTable; size_t dataWindowSize; };
using cudaLibrary_t = struct CUlib_st *;
using cudaMemPool_t = struct CUmemPoolHandle_st *;
struct cudaKernelNodeParams { void* func; dim3 gridDim; dim3 blockDim; unsigned
  sharedMemBytes; void** kernelParams; void** extra; };
struct cudaKernelNodeParamsV2 { void* func; dim3 gridDim; dim3 blockDim;
  unsigned sharedMemBytes; void** kernelParams; void** extra; };
struct cudaExternalSemaphoreSignalNodeParams { cudaExternalSemaphore_t*
  extSemArray; const cudaExternalSemaphoreSignalParams* paramsArray; unsigned
  numExtSems; };
struct cudaExternalSemaphoreSignalNodeParamsV2 { cudaExternalSemaphore_t*
  extSemArray; const cudaExternalSemaphoreSignalParams* paramsArray; unsigned
  numExtSems; };
struct cudaExternalSemaphoreWaitNodeParams { cudaExternalSemaphore_t*
  extSemArray; const cudaExternalSemaphoreWaitParams* paramsArray; unsigned
  numExtSems; };
struct cudaExternalSemaphoreWaitNodeParamsV2 { cudaExternalSemaphore_t*
  extSemArray; const cudaExternalSemaphoreWaitParams* paramsArray; unsigned
  numExtSems; };
struct cudaConditionalNodeParams { cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type; unsigned size; cudaGraph_t* phGraph_out; };
struct cudaChildGraphNodeParams { cudaGraph_t graph;
  cudaGraphChildGraphNodeOwnership ownership; };
struct cudaEventRecordNodeParams { cudaEvent_t event; };
struct cudaEventWaitNodeParams { cudaEvent_t event; };
struct cudaGraphNodeParams { cudaGraphNodeType type; int reserved0[3]; union {
  long long reserved1[29]; cudaKernelNodeParamsV2 kernel; cudaMemcpyNodeParams
  memcpy; cudaMemsetParamsV2 memset; cudaHostNodeParamsV2 host;
  cudaChildGraphNodeParams graph; cudaEventWaitNodeParams eventWait;
  cudaEventRecordNodeParams eventRecord; cudaExternalSemaphoreSignalNodeParamsV2
  extSemSignal; cudaExternalSemaphoreWaitNodeParamsV2 extSemWait;
  cudaMemAllocNodeParamsV2 alloc; cudaMemFreeNodeParams free;
  cudaConditionalNodeParams conditional; } ; long long reserved2; };
using cudaGraphDependencyType = cudaGraphDependencyType_enum;
struct cudaGraphEdgeData_st { unsigned char from_port; unsigned char to_port;
  unsigned char type; unsigned char reserved[5]; };
using cudaGraphEdgeData = cudaGraphEdgeData_st;
using cudaGraphExec_t = struct CUgraphExec_st *;
struct cudaGraphInstantiateParams_st { unsigned long long flags; cudaStream_t
  uploadStream; cudaGraphNode_t errNode_out; cudaGraphInstantiateResult
  result_out; };
using cudaGraphInstantiateParams = cudaGraphInstantiateParams_st;
struct cudaGraphExecUpdateResultInfo_st { cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode; cudaGraphNode_t errorFromNode; };
using cudaGraphExecUpdateResultInfo = cudaGraphExecUpdateResultInfo_st;
using cudaGraphDeviceNode_t = struct CUgraphDeviceUpdatableNode_st *;
struct cudaGraphKernelNodeUpdate { cudaGraphDeviceNode_t node;
  cudaGraphKernelNodeField field; union { dim3 gridDim; struct { const void*
  pValue; size_t offset; size_t size; } param; unsigned isEnabled; } updateData;
  };
struct cudaLaunchMemSyncDomainMap_st { unsigned char default_; unsigned char
  remote; };
using cudaLaunchMemSyncDomainMap = cudaLaunchMemSyncDomainMap_st;
union cudaLaunchAttributeValue { char pad[64]; cudaAccessPolicyWindow
  accessPolicyWindow; int cooperative; cudaSynchronizationPolicy syncPolicy;
  struct { unsigned x; unsigned y; unsigned z; } clusterDim;
  cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference; int
  programmaticStreamSerializationAllowed; struct { cudaEvent_t event; int flags;
  int triggerAtBlockStart; } programmaticEvent; int priority;
  cudaLaunchMemSyncDomainMap memSyncDomainMap; cudaLaunchMemSyncDomain
  memSyncDomain; struct { unsigned x; unsigned y; unsigned z; }
  preferredClusterDim; struct { cudaEvent_t event; int flags; }
  launchCompletionEvent; struct { int deviceUpdatable; cudaGraphDeviceNode_t
  devNode; } deviceUpdatableKernelNode; unsigned sharedMemCarveout; unsigned
  nvlinkUtilCentricScheduling; };
struct cudaLaunchAttribute_st { cudaLaunchAttributeID id; char pad[4];
  cudaLaunchAttributeValue val; };
using cudaLaunchAttribute = cudaLaunchAttribute_st;
struct cudaLaunchConfig_st { dim3 gridDim; dim3 blockDim; size_t
  dynamicSmemBytes; cudaStream_t stream; cudaLaunchAttribute* attrs; unsigned
  numAttrs; };
using cudaLaunchConfig_t = cudaLaunchConfig_st;
struct cudaAsyncCallbackEntry;
using cudaAsyncCallbackHandle_t = struct cudaAsyncCallbackEntry *;
using cudaAsyncNotificationType = cudaAsyncNotificationType_enum;
struct cudaAsyncNotificationInfo { cudaAsyncNotificationType type; union {
  struct { unsigned long long bytesOverBudget; } overBudget; } info; };
using cudaAsyncNotificationInfo_t = cudaAsyncNotificationInfo;
using cudaAsyncCallback = void (*)(cudaAsyncNotificationInfo_t*, void*,
  cudaAsyncCallbackHandle_t);
using cudaLogLevel = CUDAlogLevel_enum;
using cudaLogsCallbackHandle = struct CUlogsCallbackEntry_st *;
using cudaLogIterator = unsigned;
using cudaSurfaceObject_t = unsigned long long;
struct cudaTextureDesc { cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode; cudaTextureReadMode readMode; int sRGB;
  float borderColor[4]; int normalizedCoords; unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode; float mipmapLevelBias; float
  minMipmapLevelClamp; float maxMipmapLevelClamp; int
  disableTrilinearOptimization; int seamlessCubemap; };
using cudaTextureObject_t = unsigned long long;
using cudaStreamCallback_t = void (*)(cudaStream_t, cudaError_t, void*);
using cudaLogsCallback_t = void (*)(void*, cudaLogLevel, char*, size_t);
