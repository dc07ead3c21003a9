//===- kfuse_cpu/Device.h - The device and its properties -----------------===//
#ifndef KFUSE_CPU_DEVICE_H
#define KFUSE_CPU_DEVICE_H

#include "kfuse_cpu/Errors.h"
#include "kfuse_cpu/Launch.h"
#include "kfuse_cpu/MemoryTypes.h"

#include <cstdio>

/// Describes a device of compute capability 9.0 by the properties that programs
/// choose by.
struct cudaDeviceProp {
  char name[256] = "kfuse CPU executor";
  size_t totalGlobalMem = size_t(16) << 30;
  size_t sharedMemPerBlock = 48 * 1024;
  int regsPerBlock = 65536;
  int warpSize = 32;
  size_t memPitch = 0x7fffffff;
  int maxThreadsPerBlock = kfuse_cpu::MaxThreadsPerBlock;
  int maxThreadsDim[3] = {1024, 1024, 64};
  int maxGridSize[3] = {0x7fffffff, 65535, 65535};
  int clockRate = 1000000;
  size_t totalConstMem = 65536;
  int major = 9;
  int minor = 0;
  size_t textureAlignment = 512;
  size_t texturePitchAlignment = 32;
  int deviceOverlap = 1;
  int multiProcessorCount = 4;
  int kernelExecTimeoutEnabled = 0;
  int integrated = 0;
  int canMapHostMemory = 1;
  int computeMode = 0;
  int concurrentKernels = 1;
  int ECCEnabled = 0;
  int pciBusID = 0;
  int pciDeviceID = 0;
  int pciDomainID = 0;
  int tccDriver = 0;
  int asyncEngineCount = 2;
  int unifiedAddressing = 1;
  int memoryClockRate = 1000000;
  int memoryBusWidth = 512;
  int l2CacheSize = 32 << 20;
  int persistingL2CacheMaxSize = 0;
  int maxThreadsPerMultiProcessor = 2048;
  int streamPrioritiesSupported = 1;
  int globalL1CacheSupported = 1;
  int localL1CacheSupported = 1;
  size_t sharedMemPerMultiprocessor = 228 * 1024;
  int regsPerMultiprocessor = 65536;
  int managedMemory = 1;
  int isMultiGpuBoard = 0;
  int multiGpuBoardGroupID = 0;
  int singleToDoublePrecisionPerfRatio = 2;
  int pageableMemoryAccess = 1;
  int concurrentManagedAccess = 1;
  int computePreemptionSupported = 1;
  int canUseHostPointerForRegisteredMem = 1;
  int cooperativeLaunch = 0;
  int cooperativeMultiDeviceLaunch = 0;
  size_t sharedMemPerBlockOptin = kfuse_cpu::MaxSharedBytes;
  int directManagedMemAccessFromHost = 1;
  int maxBlocksPerMultiProcessor = 32;
  size_t reservedSharedMemPerBlock = 1024;
};

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrComputeMode = 20,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrPageableMemoryAccess = 88,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106
};
enum cudaComputeMode {
  cudaComputeModeDefault,
  cudaComputeModeExclusive,
  cudaComputeModeProhibited,
  cudaComputeModeExclusiveProcess
};

enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
  int maxDynamicSharedSizeBytes;
};

#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceBlockingSync 4
#define cudaDeviceMapHost 8

inline cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
  return kfuse_cpu::succeededIf(device == 0, cudaErrorInvalidDevice);
}
inline cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties,
                                           int device) {
  if (device != 0)
    return kfuse_cpu::result(cudaErrorInvalidDevice);
  *properties = cudaDeviceProp();
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                          int device) {
  if (device != 0)
    return kfuse_cpu::result(cudaErrorInvalidDevice);
  const cudaDeviceProp p;
  switch (attribute) {
#define KFUSE_CPU_ATTRIBUTE(Name, Value)                                       \
  case cudaDevAttr##Name:                                                      \
    *value = int(Value);                                                       \
    break;
    KFUSE_CPU_ATTRIBUTE(MaxThreadsPerBlock, p.maxThreadsPerBlock)
    KFUSE_CPU_ATTRIBUTE(MaxBlockDimX, p.maxThreadsDim[0])
    KFUSE_CPU_ATTRIBUTE(MaxBlockDimY, p.maxThreadsDim[1])
    KFUSE_CPU_ATTRIBUTE(MaxBlockDimZ, p.maxThreadsDim[2])
    KFUSE_CPU_ATTRIBUTE(MaxGridDimX, p.maxGridSize[0])
    KFUSE_CPU_ATTRIBUTE(MaxGridDimY, p.maxGridSize[1])
    KFUSE_CPU_ATTRIBUTE(MaxGridDimZ, p.maxGridSize[2])
    KFUSE_CPU_ATTRIBUTE(MaxSharedMemoryPerBlock, p.sharedMemPerBlock)
    KFUSE_CPU_ATTRIBUTE(TotalConstantMemory, p.totalConstMem)
    KFUSE_CPU_ATTRIBUTE(WarpSize, p.warpSize)
    KFUSE_CPU_ATTRIBUTE(MaxRegistersPerBlock, p.regsPerBlock)
    KFUSE_CPU_ATTRIBUTE(ClockRate, p.clockRate)
    KFUSE_CPU_ATTRIBUTE(MultiProcessorCount, p.multiProcessorCount)
    KFUSE_CPU_ATTRIBUTE(MemoryClockRate, p.memoryClockRate)
    KFUSE_CPU_ATTRIBUTE(GlobalMemoryBusWidth, p.memoryBusWidth)
    KFUSE_CPU_ATTRIBUTE(L2CacheSize, p.l2CacheSize)
    KFUSE_CPU_ATTRIBUTE(MaxThreadsPerMultiProcessor,
                        p.maxThreadsPerMultiProcessor)
    KFUSE_CPU_ATTRIBUTE(ComputeCapabilityMajor, p.major)
    KFUSE_CPU_ATTRIBUTE(ComputeCapabilityMinor, p.minor)
    KFUSE_CPU_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor,
                        p.sharedMemPerMultiprocessor)
    KFUSE_CPU_ATTRIBUTE(ManagedMemory, p.managedMemory)
    KFUSE_CPU_ATTRIBUTE(ConcurrentManagedAccess, p.concurrentManagedAccess)
    KFUSE_CPU_ATTRIBUTE(CooperativeLaunch, p.cooperativeLaunch)
    KFUSE_CPU_ATTRIBUTE(MaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin)
    KFUSE_CPU_ATTRIBUTE(Integrated, p.integrated)
    KFUSE_CPU_ATTRIBUTE(ComputeMode, p.computeMode)
    KFUSE_CPU_ATTRIBUTE(ConcurrentKernels, p.concurrentKernels)
    KFUSE_CPU_ATTRIBUTE(AsyncEngineCount, p.asyncEngineCount)
    KFUSE_CPU_ATTRIBUTE(UnifiedAddressing, p.unifiedAddressing)
    KFUSE_CPU_ATTRIBUTE(MaxRegistersPerMultiprocessor, p.regsPerMultiprocessor)
    KFUSE_CPU_ATTRIBUTE(PageableMemoryAccess, p.pageableMemoryAccess)
    KFUSE_CPU_ATTRIBUTE(MaxBlocksPerMultiprocessor,
                        p.maxBlocksPerMultiProcessor)
#undef KFUSE_CPU_ATTRIBUTE
  default:
    return kfuse_cpu::result(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
// Programs older than CUDA 13 define this name as cudaDeviceSynchronize.
#ifndef cudaThreadSynchronize
inline cudaError_t cudaThreadSynchronize() { return cudaSuccess; }
#endif
inline cudaError_t cudaThreadExit() { return cudaSuccess; }
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit) {
  *value = 8 << 20;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
  *can = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return kfuse_cpu::result(cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceDisablePeerAccess(int) {
  return kfuse_cpu::result(cudaErrorPeerAccessNotEnabled);
}
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

template <class F> cudaError_t cudaFuncSetCacheConfig(F &&, cudaFuncCache) {
  return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetSharedMemConfig(F &&, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetAttribute(F &&, cudaFuncAttribute attribute, int value) {
  return kfuse_cpu::succeededIf(
      attribute != cudaFuncAttributeMaxDynamicSharedMemorySize ||
      (value >= 0 && std::size_t(value) <= kfuse_cpu::MaxSharedBytes));
}
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F &&) {
  *attributes = {0,  0,  0,  int(kfuse_cpu::MaxThreadsPerBlock),
                 32, 90, 90, 48 * 1024};
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F &&,
                                                          int blockSize,
                                                          size_t sharedBytes) {
  if (blockSize < 1)
    return kfuse_cpu::result(cudaErrorInvalidValue);
  const cudaDeviceProp device;
  size_t count = device.maxThreadsPerMultiProcessor / blockSize;
  if (sharedBytes)
    count = std::min(count, device.sharedMemPerMultiprocessor / sharedBytes);
  *blocks = int(std::min<size_t>(count, device.maxBlocksPerMultiProcessor));
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, F &&function, int blockSize, size_t sharedBytes, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function,
                                                       blockSize, sharedBytes);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize,
                                               F &&, size_t = 0,
                                               int limit = 0) {
  const cudaDeviceProp device;
  *blockSize = limit > 0 ? std::min(limit, 1024) : 1024;
  *gridSize = device.multiProcessorCount *
              (device.maxThreadsPerMultiProcessor / *blockSize);
  return cudaSuccess;
}

#endif
