// Structures and handles of the driver API.
// Written by scripts/runtime-declarations.py.
// clang-format off
#pragma once
#pragma GCC system_header
#include "driver_api_enums.h"
#include "driver_types.h"
using cuuint32_t = uint32_t; using cuuint64_t = uint64_t; using CUdeviceptr_v2 =
  unsigned long long; using CUdeviceptr = CUdeviceptr_v2; using CUdevice_v1 =
  int; using CUdevice = CUdevice_v1; struct CUctx_st; using CUcontext = struct
  CUctx_st *; struct CUmod_st; using CUmodule = struct CUmod_st *; struct
  CUfunc_st; using CUfunction = struct CUfunc_st *; struct CUlib_st; using
  CUlibrary = struct CUlib_st *; struct CUkern_st; using CUkernel = struct
  CUkern_st *; struct CUarray_st; using CUarray = struct CUarray_st *; struct
  CUmipmappedArray_st; using CUmipmappedArray = struct CUmipmappedArray_st *;
  struct CUtexref_st; using CUtexref = struct CUtexref_st *; struct
  CUsurfref_st; using CUsurfref = struct CUsurfref_st *; struct CUevent_st;
  using CUevent = struct CUevent_st *; struct CUstream_st; using CUstream =
  struct CUstream_st *; struct CUgraphicsResource_st; using CUgraphicsResource =
  struct CUgraphicsResource_st *; using CUtexObject_v1 = unsigned long long;
  using CUtexObject = CUtexObject_v1; using CUsurfObject_v1 = unsigned long
  long; using CUsurfObject = CUsurfObject_v1; struct CUextMemory_st; using
  CUexternalMemory = struct CUextMemory_st *; struct CUextSemaphore_st; using
  CUexternalSemaphore = struct CUextSemaphore_st *; struct CUgraph_st; using
  CUgraph = struct CUgraph_st *; struct CUgraphNode_st; using CUgraphNode =
  struct CUgraphNode_st *; struct CUgraphExec_st; using CUgraphExec = struct
  CUgraphExec_st *; struct CUmemPoolHandle_st; using CUmemoryPool = struct
  CUmemPoolHandle_st *; struct CUuserObject_st; using CUuserObject = struct
  CUuserObject_st *; using CUgraphConditionalHandle = cuuint64_t; struct
  CUgraphDeviceUpdatableNode_st; using CUgraphDeviceNode = struct
  CUgraphDeviceUpdatableNode_st *; struct CUasyncCallbackEntry_st; using
  CUasyncCallbackHandle = struct CUasyncCallbackEntry_st *; struct
  CUgreenCtx_st; using CUgreenCtx = struct CUgreenCtx_st *; using CUuuid =
  CUuuid_st; struct CUmemFabricHandle_st { unsigned char data[64]; }; using
  CUmemFabricHandle_v1 = CUmemFabricHandle_st; using CUmemFabricHandle =
  CUmemFabricHandle_v1; struct CUipcEventHandle_st { char reserved[64]; }; using
  CUipcEventHandle_v1 = CUipcEventHandle_st; using CUipcEventHandle =
  CUipcEventHandle_v1; struct CUipcMemHandle_st { char reserved[64]; }; using
  CUipcMemHandle_v1 = CUipcMemHandle_st; using CUipcMemHandle =
  CUipcMemHandle_v1; using CUipcMem_flags = CUipcMem_flags_enum; using
  CUmemAttach_flags = CUmemAttach_flags_enum; using CUctx_flags =
  CUctx_flags_enum; using CUevent_sched_flags = CUevent_sched_flags_enum; using
  cl_event_flags = cl_event_flags_enum; using cl_context_flags =
  cl_context_flags_enum; using CUstream_flags = CUstream_flags_enum; using
  CUevent_flags = CUevent_flags_enum; using CUevent_record_flags =
  CUevent_record_flags_enum; using CUevent_wait_flags = CUevent_wait_flags_enum;
  using CUstreamWaitValue_flags = CUstreamWaitValue_flags_enum; using
  CUstreamWriteValue_flags = CUstreamWriteValue_flags_enum; using
  CUstreamBatchMemOpType = CUstreamBatchMemOpType_enum; using
  CUstreamMemoryBarrier_flags = CUstreamMemoryBarrier_flags_enum; union
  CUstreamBatchMemOpParams_union { CUstreamBatchMemOpType operation; struct
  CUstreamMemOpWaitValueParams_st { CUstreamBatchMemOpType operation;
  CUdeviceptr address; union { cuuint32_t value; cuuint64_t value64; } ;
  unsigned flags; CUdeviceptr alias; }; CUstreamMemOpWaitValueParams_st
  waitValue; struct CUstreamMemOpWriteValueParams_st { CUstreamBatchMemOpType
  operation; CUdeviceptr address; union { cuuint32_t value; cuuint64_t value64;
  } ; unsigned flags; CUdeviceptr alias; }; CUstreamMemOpWriteValueParams_st
  writeValue; struct CUstreamMemOpFlushRemoteWritesParams_st {
  CUstreamBatchMemOpType operation; unsigned flags; };
  CUstreamMemOpFlushRemoteWritesParams_st flushRemoteWrites; struct
  CUstreamMemOpMemoryBarrierParams_st { CUstreamBatchMemOpType operation;
  unsigned flags; }; CUstreamMemOpMemoryBarrierParams_st memoryBarrier;
  cuuint64_t pad[6]; }; using CUstreamBatchMemOpParams_v1 =
  CUstreamBatchMemOpParams_union; using CUstreamBatchMemOpParams =
  CUstreamBatchMemOpParams_v1; struct CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st {
  CUcontext ctx; unsigned count; CUstreamBatchMemOpParams* paramArray; unsigned
  flags; }; using CUDA_BATCH_MEM_OP_NODE_PARAMS_v1 =
  CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st; using CUDA_BATCH_MEM_OP_NODE_PARAMS =
  CUDA_BATCH_MEM_OP_NODE_PARAMS_v1; struct CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st {
  CUcontext ctx; unsigned count; CUstreamBatchMemOpParams* paramArray; unsigned
  flags; }; using CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 =
  CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st; using CUoccupancy_flags =
  CUoccupancy_flags_enum; using CUstreamUpdateCaptureDependencies_flags =
  CUstreamUpdateCaptureDependencies_flags_enum; using CUasyncNotificationType =
  CUasyncNotificationType_enum; struct CUasyncNotificationInfo_st {
  CUasyncNotificationType type; union { struct { unsigned long long
  bytesOverBudget; } overBudget; } info; }; using CUasyncNotificationInfo =
  CUasyncNotificationInfo_st; using CUasyncCallback = void
  (*)(CUasyncNotificationInfo*, void*, CUasyncCallbackHandle); using
  CUarray_format = CUarray_format_enum; using CUaddress_mode =
  CUaddress_mode_enum; using CUfilter_mode = CUfilter_mode_enum; using
  CUdevice_attribute = CUdevice_attribute_enum; struct CUdevprop_st { int
  maxThreadsPerBlock; int maxThreadsDim[3]; int maxGridSize[3]; int
  sharedMemPerBlock; int totalConstantMemory; int SIMDWidth; int memPitch; int
  regsPerBlock; int clockRate; int textureAlign; }; using CUdevprop_v1 =
  CUdevprop_st; using CUdevprop = CUdevprop_v1; using CUpointer_attribute =
  CUpointer_attribute_enum; using CUfunction_attribute =
  CUfunction_attribute_enum; using CUfunc_cache = CUfunc_cache_enum; using
  CUsharedconfig = CUsharedconfig_enum; using CUshared_carveout =
  CUshared_carveout_enum; using CUmemorytype = CUmemorytype_enum; using
  CUcomputemode = CUcomputemode_enum; using CUmem_advise = CUmem_advise_enum;
  using CUmem_range_attribute = CUmem_range_attribute_enum; using CUjit_option =
  CUjit_option_enum; using CUjit_target = CUjit_target_enum; using
  CUjit_fallback = CUjit_fallback_enum; using CUjit_cacheMode =
  CUjit_cacheMode_enum; using CUjitInputType = CUjitInputType_enum; struct
  CUlinkState_st; using CUlinkState = struct CUlinkState_st *; using
  CUgraphicsRegisterFlags = CUgraphicsRegisterFlags_enum; using
  CUgraphicsMapResourceFlags = CUgraphicsMapResourceFlags_enum; using
  CUarray_cubemap_face = CUarray_cubemap_face_enum; using CUlimit =
  CUlimit_enum; using CUresourcetype = CUresourcetype_enum; using CUhostFn =
  void (*)(void*); using CUaccessProperty = CUaccessProperty_enum; struct
  CUaccessPolicyWindow_st { void* base_ptr; size_t num_bytes; float hitRatio;
  CUaccessProperty hitProp; CUaccessProperty missProp; }; using
  CUaccessPolicyWindow_v1 = CUaccessPolicyWindow_st; using CUaccessPolicyWindow
  = CUaccessPolicyWindow_v1; struct CUDA_KERNEL_NODE_PARAMS_st { CUfunction
  func; unsigned gridDimX; unsigned gridDimY; unsigned gridDimZ; unsigned
  blockDimX; unsigned blockDimY; unsigned blockDimZ; unsigned sharedMemBytes;
  void** kernelParams; void** extra; }; using CUDA_KERNEL_NODE_PARAMS_v1 =
  CUDA_KERNEL_NODE_PARAMS_st; struct CUDA_KERNEL_NODE_PARAMS_v2_st { CUfunction
  func; unsigned gridDimX; unsigned gridDimY; unsigned gridDimZ; unsigned
  blockDimX; unsigned blockDimY; unsigned blockDimZ; unsigned sharedMemBytes;
  void** kernelParams; void** extra; CUkernel kern; CUcontext ctx; }; using
  CUDA_KERNEL_NODE_PARAMS_v2 = CUDA_KERNEL_NODE_PARAMS_v2_st; using
  CUDA_KERNEL_NODE_PARAMS = CUDA_KERNEL_NODE_PARAMS_v2; struct
  CUDA_KERNEL_NODE_PARAMS_v3_st { CUfunction func; unsigned gridDimX; unsigned
  gridDimY; unsigned gridDimZ; unsigned blockDimX; unsigned blockDimY; unsigned
  blockDimZ; unsigned sharedMemBytes; void** kernelParams; void** extra;
  CUkernel kern; CUcontext ctx; }; using CUDA_KERNEL_NODE_PARAMS_v3 =
  CUDA_KERNEL_NODE_PARAMS_v3_st; struct CUDA_MEMSET_NODE_PARAMS_st { CUdeviceptr
  dst; size_t pitch; unsigned value; unsigned elementSize; size_t width; size_t
  height; }; using CUDA_MEMSET_NODE_PARAMS_v1 = CUDA_MEMSET_NODE_PARAMS_st;
  using CUDA_MEMSET_NODE_PARAMS = CUDA_MEMSET_NODE_PARAMS_v1; struct
  CUDA_MEMSET_NODE_PARAMS_v2_st { CUdeviceptr dst; size_t pitch; unsigned value;
  unsigned elementSize; size_t width; size_t height; CUcontext ctx; }; using
  CUDA_MEMSET_NODE_PARAMS_v2 = CUDA_MEMSET_NODE_PARAMS_v2_st; struct
  CUDA_HOST_NODE_PARAMS_st { CUhostFn fn; void* userData; }; using
  CUDA_HOST_NODE_PARAMS_v1 = CUDA_HOST_NODE_PARAMS_st; using
  CUDA_HOST_NODE_PARAMS = CUDA_HOST_NODE_PARAMS_v1; struct
  CUDA_HOST_NODE_PARAMS_v2_st { CUhostFn fn; void* userData; }; using
  CUDA_HOST_NODE_PARAMS_v2 = CUDA_HOST_NODE_PARAMS_v2_st; using
  CUgraphConditionalNodeType = CUgraphConditionalNodeType_enum; struct
  CUDA_CONDITIONAL_NODE_PARAMS { CUgraphConditionalHandle handle;
  CUgraphConditionalNodeType type; unsigned size; CUgraph* phGraph_out;
  CUcontext ctx; }; using CUgraphNodeType = CUgraphNodeType_enum; using
  CUgraphDependencyType = CUgraphDependencyType_enum; struct CUgraphEdgeData_st
  { unsigned char from_port; unsigned char to_port; unsigned char type; unsigned
  char reserved[5]; }; using CUgraphEdgeData = CUgraphEdgeData_st; using
  CUgraphInstantiateResult = CUgraphInstantiateResult_enum; struct
  CUDA_GRAPH_INSTANTIATE_PARAMS_st { cuuint64_t flags; CUstream hUploadStream;
  CUgraphNode hErrNode_out; CUgraphInstantiateResult result_out; }; using
  CUDA_GRAPH_INSTANTIATE_PARAMS = CUDA_GRAPH_INSTANTIATE_PARAMS_st; using
  CUsynchronizationPolicy = CUsynchronizationPolicy_enum; using
  CUclusterSchedulingPolicy = CUclusterSchedulingPolicy_enum; using
  CUlaunchMemSyncDomain = CUlaunchMemSyncDomain_enum; struct
  CUlaunchMemSyncDomainMap_st { unsigned char default_; unsigned char remote; };
  using CUlaunchMemSyncDomainMap = CUlaunchMemSyncDomainMap_st; using
  CUlaunchAttributeID = CUlaunchAttributeID_enum; union
  CUlaunchAttributeValue_union { char pad[64]; CUaccessPolicyWindow
  accessPolicyWindow; int cooperative; CUsynchronizationPolicy syncPolicy;
  struct { unsigned x; unsigned y; unsigned z; } clusterDim;
  CUclusterSchedulingPolicy clusterSchedulingPolicyPreference; int
  programmaticStreamSerializationAllowed; struct { CUevent event; int flags; int
  triggerAtBlockStart; } programmaticEvent; struct { CUevent event; int flags; }
  launchCompletionEvent; int priority; CUlaunchMemSyncDomainMap
  memSyncDomainMap; CUlaunchMemSyncDomain memSyncDomain; struct { unsigned x;
  unsigned y; unsigned z; } preferredClusterDim; struct { int deviceUpdatable;
  CUgraphDeviceNode devNode; } deviceUpdatableKernelNode; unsigned
  sharedMemCarveout; unsigned nvlinkUtilCentricScheduling; }; using
  CUlaunchAttributeValue = CUlaunchAttributeValue_union; struct
  CUlaunchAttribute_st { CUlaunchAttributeID id; char pad[4];
  CUlaunchAttributeValue value; }; using CUlaunchAttribute =
  CUlaunchAttribute_st; struct CUlaunchConfig_st { unsigned gridDimX; unsigned
  gridDimY; unsigned gridDimZ; unsigned blockDimX; unsigned blockDimY; unsigned
  blockDimZ; unsigned sharedMemBytes; CUstream hStream; CUlaunchAttribute*
  attrs; unsigned numAttrs; }; using CUlaunchConfig = CUlaunchConfig_st; using
  CUkernelNodeAttrID = CUlaunchAttributeID; using CUkernelNodeAttrValue_v1 =
  CUlaunchAttributeValue; using CUkernelNodeAttrValue =
  CUkernelNodeAttrValue_v1; using CUstreamCaptureStatus =
  CUstreamCaptureStatus_enum; using CUstreamCaptureMode =
  CUstreamCaptureMode_enum; using CUstreamAttrID = CUlaunchAttributeID; using
  CUstreamAttrValue_v1 = CUlaunchAttributeValue; using CUstreamAttrValue =
  CUstreamAttrValue_v1; using CUdriverProcAddress_flags =
  CUdriverProcAddress_flags_enum; using CUdriverProcAddressQueryResult =
  CUdriverProcAddressQueryResult_enum; using CUexecAffinityType =
  CUexecAffinityType_enum; struct CUexecAffinitySmCount_st { unsigned val; };
  using CUexecAffinitySmCount_v1 = CUexecAffinitySmCount_st; using
  CUexecAffinitySmCount = CUexecAffinitySmCount_v1; struct
  CUexecAffinityParam_st { CUexecAffinityType type; union {
  CUexecAffinitySmCount smCount; } param; }; using CUexecAffinityParam_v1 =
  CUexecAffinityParam_st; using CUexecAffinityParam = CUexecAffinityParam_v1;
  using CUcigDataType = CUcigDataType_enum; struct CUctxCigParam_st {
  CUcigDataType sharedDataType; void* sharedData; }; using CUctxCigParam =
  CUctxCigParam_st; struct CUctxCreateParams_st { CUexecAffinityParam*
  execAffinityParams; int numExecAffinityParams; CUctxCigParam* cigParams; };
  using CUctxCreateParams = CUctxCreateParams_st; using CUlibraryOption =
  CUlibraryOption_enum; struct CUlibraryHostUniversalFunctionAndDataTable_st {
  void* functionTable; size_t functionWindowSize; void* dataTable; size_t
  dataWindowSize; }; using CUlibraryHostUniversalFunctionAndDataTable =
  CUlibraryHostUniversalFunctionAndDataTable_st; using CUresult =
  cudaError_enum; using CUdevice_P2PAttribute = CUdevice_P2PAttribute_enum;
  using CUatomicOperation = CUatomicOperation_enum; using
  CUatomicOperationCapability = CUatomicOperationCapability_enum; using
  CUstreamCallback = void (*)(CUstream, CUresult, void*); using
  CUoccupancyB2DSize = size_t (*)(int); struct CUDA_MEMCPY2D_st { size_t
  srcXInBytes; size_t srcY; CUmemorytype srcMemoryType; const void* srcHost;
  CUdeviceptr srcDevice; CUarray srcArray; size_t srcPitch; size_t dstXInBytes;
  size_t dstY; CUmemorytype dstMemoryType; void* dstHost; CUdeviceptr dstDevice;
  CUarray dstArray; size_t dstPitch; size_t WidthInBytes; size_t Height; };
  using CUDA_MEMCPY2D_v2 = CUDA_MEMCPY2D_st; using CUDA_MEMCPY2D =
  CUDA_MEMCPY2D_v2; struct CUDA_MEMCPY3D_st { size_t srcXInBytes; size_t srcY;
  size_t srcZ; size_t srcLOD; CUmemorytype srcMemoryType; const void* srcHost;
  CUdeviceptr srcDevice; CUarray srcArray; void* reserved0; size_t srcPitch;
  size_t srcHeight; size_t dstXInBytes; size_t dstY; size_t dstZ; size_t dstLOD;
  CUmemorytype dstMemoryType; void* dstHost; CUdeviceptr dstDevice; CUarray
  dstArray; void* reserved1; size_t dstPitch; size_t dstHeight; size_t
  WidthInBytes; size_t Height; size_t Depth; }; using CUDA_MEMCPY3D_v2 =
  CUDA_MEMCPY3D_st; using CUDA_MEMCPY3D = CUDA_MEMCPY3D_v2; struct
  CUDA_MEMCPY3D_PEER_st { size_t srcXInBytes; size_t srcY; size_t srcZ; size_t
  srcLOD; CUmemorytype srcMemoryType; const void* srcHost; CUdeviceptr
  srcDevice; CUarray srcArray; CUcontext srcContext; size_t srcPitch; size_t
  srcHeight; size_t dstXInBytes; size_t dstY; size_t dstZ; size_t dstLOD;
  CUmemorytype dstMemoryType; void* dstHost; CUdeviceptr dstDevice; CUarray
  dstArray; CUcontext dstContext; size_t dstPitch; size_t dstHeight; size_t
  WidthInBytes; size_t Height; size_t Depth; }; using CUDA_MEMCPY3D_PEER_v1 =
  CUDA_MEMCPY3D_PEER_st; using CUDA_MEMCPY3D_PEER = CUDA_MEMCPY3D_PEER_v1;
  struct CUDA_MEMCPY_NODE_PARAMS_st { int flags; int reserved; CUcontext
  copyCtx; CUDA_MEMCPY3D copyParams; }; using CUDA_MEMCPY_NODE_PARAMS =
  CUDA_MEMCPY_NODE_PARAMS_st; struct CUDA_ARRAY_DESCRIPTOR_st { size_t Width;
  size_t Height; CUarray_format Format; unsigned NumChannels; }; using
  CUDA_ARRAY_DESCRIPTOR_v2 = CUDA_ARRAY_DESCRIPTOR_st; using
  CUDA_ARRAY_DESCRIPTOR = CUDA_ARRAY_DESCRIPTOR_v2; struct
  CUDA_ARRAY3D_DESCRIPTOR_st { size_t Width; size_t Height; size_t Depth;
  CUarray_format Format; unsigned NumChannels; unsigned Flags; }; using
  CUDA_ARRAY3D_DESCRIPTOR_v2 = CUDA_ARRAY3D_DESCRIPTOR_st; using
  CUDA_ARRAY3D_DESCRIPTOR = CUDA_ARRAY3D_DESCRIPTOR_v2; struct
  CUDA_ARRAY_SPARSE_PROPERTIES_st { struct { unsigned width; unsigned height;
  unsigned depth; } tileExtent; unsigned miptailFirstLevel; unsigned long long
  miptailSize; unsigned flags; unsigned reserved[4]; }; using
  CUDA_ARRAY_SPARSE_PROPERTIES_v1 = CUDA_ARRAY_SPARSE_PROPERTIES_st; using
  CUDA_ARRAY_SPARSE_PROPERTIES = CUDA_ARRAY_SPARSE_PROPERTIES_v1; struct
  CUDA_ARRAY_MEMORY_REQUIREMENTS_st { size_t size; size_t alignment; unsigned
  reserved[4]; }; using CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 =
  CUDA_ARRAY_MEMORY_REQUIREMENTS_st; using CUDA_ARRAY_MEMORY_REQUIREMENTS =
  CUDA_ARRAY_MEMORY_REQUIREMENTS_v1; struct CUDA_RESOURCE_DESC_st {
  CUresourcetype resType; union { struct { CUarray hArray; } array; struct {
  CUmipmappedArray hMipmappedArray; } mipmap; struct { CUdeviceptr devPtr;
  CUarray_format format; unsigned numChannels; size_t sizeInBytes; } linear;
  struct { CUdeviceptr devPtr; CUarray_format format; unsigned numChannels;
  size_t width; size_t height; size_t pitchInBytes; } pitch2D; struct { int
  reserved[32]; } reserved; } res; unsigned flags; }; using
  CUDA_RESOURCE_DESC_v1 = CUDA_RESOURCE_DESC_st; using CUDA_RESOURCE_DESC =
  CUDA_RESOURCE_DESC_v1; struct CUDA_TEXTURE_DESC_st { CUaddress_mode
  addressMode[3]; CUfilter_mode filterMode; unsigned flags; unsigned
  maxAnisotropy; CUfilter_mode mipmapFilterMode; float mipmapLevelBias; float
  minMipmapLevelClamp; float maxMipmapLevelClamp; float borderColor[4]; int
  reserved[12]; }; using CUDA_TEXTURE_DESC_v1 = CUDA_TEXTURE_DESC_st; using
  CUDA_TEXTURE_DESC = CUDA_TEXTURE_DESC_v1; using CUresourceViewFormat =
  CUresourceViewFormat_enum; struct CUDA_RESOURCE_VIEW_DESC_st {
  CUresourceViewFormat format; size_t width; size_t height; size_t depth;
  unsigned firstMipmapLevel; unsigned lastMipmapLevel; unsigned firstLayer;
  unsigned lastLayer; unsigned reserved[16]; }; using CUDA_RESOURCE_VIEW_DESC_v1
  = CUDA_RESOURCE_VIEW_DESC_st; using CUDA_RESOURCE_VIEW_DESC =
  CUDA_RESOURCE_VIEW_DESC_v1; struct CUtensorMap_st { cuuint64_t opaque[16]; };
  using CUtensorMap = CUtensorMap_st; using CUtensorMapDataType =
  CUtensorMapDataType_enum; using CUtensorMapInterleave =
  CUtensorMapInterleave_enum; using CUtensorMapSwizzle =
  CUtensorMapSwizzle_enum; using CUtensorMapL2promotion =
  CUtensorMapL2promotion_enum; using CUtensorMapFloatOOBfill =
  CUtensorMapFloatOOBfill_enum; using CUtensorMapIm2ColWideMode =
  CUtensorMapIm2ColWideMode_enum; struct CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
  unsigned long long p2pToken; unsigned vaSpaceToken; }; using
  CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 = CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st;
  using CUDA_POINTER_ATTRIBUTE_P2P_TOKENS =
  CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1; using
  CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS =
  CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum; struct CUDA_LAUNCH_PARAMS_st {
  CUfunction function; unsigned gridDimX; unsigned gridDimY; unsigned gridDimZ;
  unsigned blockDimX; unsigned blockDimY; unsigned blockDimZ; unsigned
  sharedMemBytes; CUstream hStream; void** kernelParams; }; using
  CUDA_LAUNCH_PARAMS_v1 = CUDA_LAUNCH_PARAMS_st; using CUDA_LAUNCH_PARAMS =
  CUDA_LAUNCH_PARAMS_v1; using CUexternalMemoryHandleType =
  CUexternalMemoryHandleType_enum; struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st {
  CUexternalMemoryHandleType type; union { int fd; struct { void* handle; const
  void* name; } win32; const void* nvSciBufObject; } handle; unsigned long long
  size; unsigned flags; unsigned reserved[16]; }; using
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1 = CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st;
  using CUDA_EXTERNAL_MEMORY_HANDLE_DESC = CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1;
  struct CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st { unsigned long long offset;
  unsigned long long size; unsigned flags; unsigned reserved[16]; }; using
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1 = CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st;
  using CUDA_EXTERNAL_MEMORY_BUFFER_DESC = CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1;
  struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st { unsigned long long
  offset; CUDA_ARRAY3D_DESCRIPTOR arrayDesc; unsigned numLevels; unsigned
  reserved[16]; }; using CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1 =
  CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st; using
  CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC =
  CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1; using
  CUexternalSemaphoreHandleType = CUexternalSemaphoreHandleType_enum; struct
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st { CUexternalSemaphoreHandleType type;
  union { int fd; struct { void* handle; const void* name; } win32; const void*
  nvSciSyncObj; } handle; unsigned flags; unsigned reserved[16]; }; using
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1 =
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st; using
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC = CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1;
  struct CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st { struct { struct { unsigned
  long long value; } fence; union { void* fence; unsigned long long reserved; }
  nvSciSync; struct { unsigned long long key; } keyedMutex; unsigned
  reserved[12]; } params; unsigned flags; unsigned reserved[16]; }; using
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1 =
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st; using
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS =
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1; struct
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st { struct { struct { unsigned long long
  value; } fence; union { void* fence; unsigned long long reserved; } nvSciSync;
  struct { unsigned long long key; unsigned timeoutMs; } keyedMutex; unsigned
  reserved[10]; } params; unsigned flags; unsigned reserved[16]; }; using
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1 =
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st; using
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS = CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1;
  struct CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_st { CUexternalSemaphore* extSemArray;
  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* paramsArray; unsigned numExtSems;
  }; using CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 =
  CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_st; using CUDA_EXT_SEM_SIGNAL_NODE_PARAMS =
  CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1; struct
  CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st { CUexternalSemaphore* extSemArray;
  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* paramsArray; unsigned numExtSems;
  }; using CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 =
  CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st; struct CUDA_EXT_SEM_WAIT_NODE_PARAMS_st
  { CUexternalSemaphore* extSemArray; const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*
  paramsArray; unsigned numExtSems; }; using CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 =
  CUDA_EXT_SEM_WAIT_NODE_PARAMS_st; using CUDA_EXT_SEM_WAIT_NODE_PARAMS =
  CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1; struct CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st {
  CUexternalSemaphore* extSemArray; const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*
  paramsArray; unsigned numExtSems; }; using CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 =
  CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st; using CUmemGenericAllocationHandle_v1 =
  unsigned long long; using CUmemGenericAllocationHandle =
  CUmemGenericAllocationHandle_v1; using CUmemAllocationHandleType =
  CUmemAllocationHandleType_enum; using CUmemAccess_flags =
  CUmemAccess_flags_enum; using CUmemLocationType = CUmemLocationType_enum;
  using CUmemAllocationType = CUmemAllocationType_enum; using
  CUmemAllocationGranularity_flags = CUmemAllocationGranularity_flags_enum;
  using CUmemRangeHandleType = CUmemRangeHandleType_enum; using CUmemRangeFlags
  = CUmemRangeFlags_enum; using CUarraySparseSubresourceType =
  CUarraySparseSubresourceType_enum; using CUmemOperationType =
  CUmemOperationType_enum; using CUmemHandleType = CUmemHandleType_enum; struct
  CUarrayMapInfo_st { CUresourcetype resourceType; union { CUmipmappedArray
  mipmap; CUarray array; } resource; CUarraySparseSubresourceType
  subresourceType; union { struct { unsigned level; unsigned layer; unsigned
  offsetX; unsigned offsetY; unsigned offsetZ; unsigned extentWidth; unsigned
  extentHeight; unsigned extentDepth; } sparseLevel; struct { unsigned layer;
  unsigned long long offset; unsigned long long size; } miptail; } subresource;
  CUmemOperationType memOperationType; CUmemHandleType memHandleType; union {
  CUmemGenericAllocationHandle memHandle; } memHandle; unsigned long long
  offset; unsigned deviceBitMask; unsigned flags; unsigned reserved[2]; }; using
  CUarrayMapInfo_v1 = CUarrayMapInfo_st; using CUarrayMapInfo =
  CUarrayMapInfo_v1; struct CUmemLocation_st { CUmemLocationType type; int id;
  }; using CUmemLocation_v1 = CUmemLocation_st; using CUmemLocation =
  CUmemLocation_v1; using CUmemAllocationCompType =
  CUmemAllocationCompType_enum; struct CUmemAllocationProp_st {
  CUmemAllocationType type; CUmemAllocationHandleType requestedHandleTypes;
  CUmemLocation location; void* win32HandleMetaData; struct { unsigned char
  compressionType; unsigned char gpuDirectRDMACapable; unsigned short usage;
  unsigned char reserved[4]; } allocFlags; }; using CUmemAllocationProp_v1 =
  CUmemAllocationProp_st; using CUmemAllocationProp = CUmemAllocationProp_v1;
  using CUmulticastGranularity_flags = CUmulticastGranularity_flags_enum; struct
  CUmulticastObjectProp_st { unsigned numDevices; size_t size; unsigned long
  long handleTypes; unsigned long long flags; }; using CUmulticastObjectProp_v1
  = CUmulticastObjectProp_st; using CUmulticastObjectProp =
  CUmulticastObjectProp_v1; struct CUmemAccessDesc_st { CUmemLocation location;
  CUmemAccess_flags flags; }; using CUmemAccessDesc_v1 = CUmemAccessDesc_st;
  using CUmemAccessDesc = CUmemAccessDesc_v1; using CUgraphExecUpdateResult =
  CUgraphExecUpdateResult_enum; struct CUgraphExecUpdateResultInfo_st {
  CUgraphExecUpdateResult result; CUgraphNode errorNode; CUgraphNode
  errorFromNode; }; using CUgraphExecUpdateResultInfo_v1 =
  CUgraphExecUpdateResultInfo_st; using CUgraphExecUpdateResultInfo =
  CUgraphExecUpdateResultInfo_v1; using CUmemPool_attribute =
  CUmemPool_attribute_enum; struct CUmemPoolProps_st { CUmemAllocationType
  allocType; CUmemAllocationHandleType handleTypes; CUmemLocation location;
  void* win32SecurityAttributes; size_t maxSize; unsigned short usage; unsigned
  char reserved[54]; }; using CUmemPoolProps_v1 = CUmemPoolProps_st; using
  CUmemPoolProps = CUmemPoolProps_v1; struct CUmemPoolPtrExportData_st {
  unsigned char reserved[64]; }; using CUmemPoolPtrExportData_v1 =
  CUmemPoolPtrExportData_st; using CUmemPoolPtrExportData =
  CUmemPoolPtrExportData_v1; using CUmemcpyFlags = CUmemcpyFlags_enum; using
  CUmemcpySrcAccessOrder = CUmemcpySrcAccessOrder_enum; struct
  CUmemcpyAttributes_st { CUmemcpySrcAccessOrder srcAccessOrder; CUmemLocation
  srcLocHint; CUmemLocation dstLocHint; unsigned flags; }; using
  CUmemcpyAttributes_v1 = CUmemcpyAttributes_st; using CUmemcpyAttributes =
  CUmemcpyAttributes_v1; using CUmemcpy3DOperandType =
  CUmemcpy3DOperandType_enum; struct CUoffset3D_st { size_t x; size_t y; size_t
  z; }; using CUoffset3D_v1 = CUoffset3D_st; using CUoffset3D = CUoffset3D_v1;
  struct CUextent3D_st { size_t width; size_t height; size_t depth; }; using
  CUextent3D_v1 = CUextent3D_st; using CUextent3D = CUextent3D_v1; struct
  CUmemcpy3DOperand_st { CUmemcpy3DOperandType type; union { struct {
  CUdeviceptr ptr; size_t rowLength; size_t layerHeight; CUmemLocation locHint;
  } ptr; struct { CUarray array; CUoffset3D offset; } array; } op; }; using
  CUmemcpy3DOperand_v1 = CUmemcpy3DOperand_st; using CUmemcpy3DOperand =
  CUmemcpy3DOperand_v1; struct CUDA_MEMCPY3D_BATCH_OP_st { CUmemcpy3DOperand
  src; CUmemcpy3DOperand dst; CUextent3D extent; CUmemcpySrcAccessOrder
  srcAccessOrder; unsigned flags; }; using CUDA_MEMCPY3D_BATCH_OP_v1 =
  CUDA_MEMCPY3D_BATCH_OP_st; using CUDA_MEMCPY3D_BATCH_OP =
  CUDA_MEMCPY3D_BATCH_OP_v1; struct CUDA_MEM_ALLOC_NODE_PARAMS_v1_st {
  CUmemPoolProps poolProps; const CUmemAccessDesc* accessDescs; size_t
  accessDescCount; size_t bytesize; CUdeviceptr dptr; }; using
  CUDA_MEM_ALLOC_NODE_PARAMS_v1 = CUDA_MEM_ALLOC_NODE_PARAMS_v1_st; using
  CUDA_MEM_ALLOC_NODE_PARAMS = CUDA_MEM_ALLOC_NODE_PARAMS_v1; struct
  CUDA_MEM_ALLOC_NODE_PARAMS_v2_st { CUmemPoolProps poolProps; const
  CUmemAccessDesc* accessDescs; size_t accessDescCount; size_t bytesize;
  CUdeviceptr dptr; }; using CUDA_MEM_ALLOC_NODE_PARAMS_v2 =
  CUDA_MEM_ALLOC_NODE_PARAMS_v2_st; struct CUDA_MEM_FREE_NODE_PARAMS_st {
  CUdeviceptr dptr; }; using CUDA_MEM_FREE_NODE_PARAMS =
  CUDA_MEM_FREE_NODE_PARAMS_st; using CUgraphMem_attribute =
  CUgraphMem_attribute_enum; using CUgraphChildGraphNodeOwnership =
  CUgraphChildGraphNodeOwnership_enum; struct CUDA_CHILD_GRAPH_NODE_PARAMS_st {
  CUgraph graph; CUgraphChildGraphNodeOwnership ownership; }; using
  CUDA_CHILD_GRAPH_NODE_PARAMS = CUDA_CHILD_GRAPH_NODE_PARAMS_st; struct
  CUDA_EVENT_RECORD_NODE_PARAMS_st { CUevent event; }; using
  CUDA_EVENT_RECORD_NODE_PARAMS = CUDA_EVENT_RECORD_NODE_PARAMS_st; struct
  CUDA_EVENT_WAIT_NODE_PARAMS_st { CUevent event; }; using
  CUDA_EVENT_WAIT_NODE_PARAMS = CUDA_EVENT_WAIT_NODE_PARAMS_st; struct
  CUgraphNodeParams_st { CUgraphNodeType type; int reserved0[3]; union { long
  long reserved1[29]; CUDA_KERNEL_NODE_PARAMS_v3 kernel; CUDA_MEMCPY_NODE_PARAMS
  memcpy; CUDA_MEMSET_NODE_PARAMS_v2 memset; CUDA_HOST_NODE_PARAMS_v2 host;
  CUDA_CHILD_GRAPH_NODE_PARAMS graph; CUDA_EVENT_WAIT_NODE_PARAMS eventWait;
  CUDA_EVENT_RECORD_NODE_PARAMS eventRecord; CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2
  extSemSignal; CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 extSemWait;
  CUDA_MEM_ALLOC_NODE_PARAMS_v2 alloc; CUDA_MEM_FREE_NODE_PARAMS free;
  CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 memOp; CUDA_CONDITIONAL_NODE_PARAMS
  conditional; } ; long long reserved2; }; using CUgraphNodeParams =
  CUgraphNodeParams_st; using CUflushGPUDirectRDMAWritesOptions =
  CUflushGPUDirectRDMAWritesOptions_enum; using CUGPUDirectRDMAWritesOrdering =
  CUGPUDirectRDMAWritesOrdering_enum; using CUflushGPUDirectRDMAWritesScope =
  CUflushGPUDirectRDMAWritesScope_enum; using CUflushGPUDirectRDMAWritesTarget =
  CUflushGPUDirectRDMAWritesTarget_enum; using CUgraphDebugDot_flags =
  CUgraphDebugDot_flags_enum; using CUuserObject_flags =
  CUuserObject_flags_enum; using CUuserObjectRetain_flags =
  CUuserObjectRetain_flags_enum; using CUgraphInstantiate_flags =
  CUgraphInstantiate_flags_enum; using CUdeviceNumaConfig =
  CUdeviceNumaConfig_enum; using CUprocessState = CUprocessState_enum; struct
  CUcheckpointLockArgs_st { unsigned timeoutMs; unsigned reserved0; cuuint64_t
  reserved1[7]; }; using CUcheckpointLockArgs = CUcheckpointLockArgs_st; struct
  CUcheckpointCheckpointArgs_st { cuuint64_t reserved[8]; }; using
  CUcheckpointCheckpointArgs = CUcheckpointCheckpointArgs_st; struct
  CUcheckpointGpuPair_st { CUuuid oldUuid; CUuuid newUuid; }; using
  CUcheckpointGpuPair = CUcheckpointGpuPair_st; struct
  CUcheckpointRestoreArgs_st { CUcheckpointGpuPair* gpuPairs; unsigned
  gpuPairsCount; char reserved[44]; cuuint64_t reserved1; }; using
  CUcheckpointRestoreArgs = CUcheckpointRestoreArgs_st; struct
  CUcheckpointUnlockArgs_st { cuuint64_t reserved[8]; }; using
  CUcheckpointUnlockArgs = CUcheckpointUnlockArgs_st; using CUmoduleLoadingMode
  = CUmoduleLoadingMode_enum; using CUmemDecompressAlgorithm =
  CUmemDecompressAlgorithm_enum; struct CUmemDecompressParams_st { size_t
  srcNumBytes; size_t dstNumBytes; cuuint32_t* dstActBytes; const void* src;
  void* dst; CUmemDecompressAlgorithm algo; unsigned char padding[20]; }; using
  CUmemDecompressParams = CUmemDecompressParams_st; using CUfunctionLoadingState
  = CUfunctionLoadingState_enum; using CUcoredumpSettings =
  CUcoredumpSettings_enum; struct CUdevResourceDesc_st; using CUdevResourceDesc
  = struct CUdevResourceDesc_st *; struct CUdevSmResource_st { unsigned smCount;
  unsigned minSmPartitionSize; unsigned smCoscheduledAlignment; }; using
  CUdevSmResource = CUdevSmResource_st; struct CUdevResource_st {
  CUdevResourceType type; unsigned char _internal_padding[92]; union {
  CUdevSmResource sm; unsigned char _oversize[48]; } ; }; using CUdevResource_v1
  = CUdevResource_st; using CUdevResource = CUdevResource_v1; using CUlogLevel =
  CUlogLevel_enum; struct CUlogsCallbackEntry_st; using CUlogsCallbackHandle =
  struct CUlogsCallbackEntry_st *; using CUlogsCallback = void (*)(void*,
  CUlogLevel, char*, size_t); using CUlogIterator = unsigned;
