// Declares the parts of the runtime API that only C++ has.
// Written by scripts/runtime-declarations.py.
// clang-format off
#pragma once
#pragma GCC system_header
#include "driver_types.h"
cudaError_t cudaEventCreate(cudaEvent_t*, unsigned);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t*,
  cudaGraphExecUpdateResult*);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t,
  cudaGraphNode_t*, char*, size_t);
cudaError_t cudaMallocAsync(void**, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaMallocHost(void**, size_t, unsigned);
template <typename T, typename U> cudaError_t cudaMemcpyBatchAsync(T*const*,
  U*const*, const size_t*, size_t, cudaMemcpyAttributes*, size_t*, size_t,
  cudaStream_t);
template <typename T, typename U> cudaError_t cudaMemcpyBatchAsync(T*const*,
  U*const*, const size_t*, size_t, cudaMemcpyAttributes, cudaStream_t);
template <typename T> __host__ __device__ cudaError_t
  cudaFuncGetAttributes(cudaFuncAttributes*, T*);
template <typename T> __host__ __device__ cudaError_t cudaMalloc(T**, size_t);
template <typename T> __host__ __device__ cudaError_t
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, T, int, size_t);
template <typename T> __host__ __device__ cudaError_t
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, T, int, size_t,
  unsigned);
template <typename T> cudaError_t cudaFuncGetName(const char**, T*);
template <typename T> cudaError_t cudaFuncSetAttribute(T*, cudaFuncAttribute,
  int);
template <typename T> cudaError_t cudaFuncSetCacheConfig(T*, cudaFuncCache);
template <typename T> cudaError_t cudaFuncSetSharedMemConfig(T*,
  cudaSharedMemConfig);
template <typename T> cudaError_t cudaGetKernel(cudaKernel_t*, T*);
template <typename T> cudaError_t cudaGetSymbolAddress(void**, const T &);
template <typename T> cudaError_t cudaGetSymbolSize(size_t*, const T &);
template <typename T> cudaError_t
  cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, void*, const T &, size_t, size_t, cudaMemcpyKind);
template <typename T> cudaError_t
  cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t*, cudaGraph_t, const
  cudaGraphNode_t*, size_t, const T &, const void*, size_t, size_t,
  cudaMemcpyKind);
template <typename T> cudaError_t
  cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t, cudaGraphNode_t,
  void*, const T &, size_t, size_t, cudaMemcpyKind);
template <typename T> cudaError_t
  cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t, cudaGraphNode_t,
  const T &, const void*, size_t, size_t, cudaMemcpyKind);
template <typename T> cudaError_t
  cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t, void*, const T &,
  size_t, size_t, cudaMemcpyKind);
template <typename T> cudaError_t
  cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t, const T &, const void*,
  size_t, size_t, cudaMemcpyKind);
template <typename T> cudaError_t cudaHostAlloc(T**, size_t, unsigned);
template <typename T> cudaError_t cudaHostGetDevicePointer(T**, void*,
  unsigned);
template <typename T> cudaError_t cudaLaunchCooperativeKernel(T*, dim3, dim3,
  void**, size_t = 0, cudaStream_t = 0);
template <typename T> cudaError_t cudaLaunchKernel(T*, dim3, dim3, void**,
  size_t = 0, cudaStream_t = 0);
template <typename T> cudaError_t cudaLibraryGetGlobal(T**, size_t*,
  cudaLibrary_t, const char*);
template <typename T> cudaError_t cudaLibraryGetManaged(T**, size_t*,
  cudaLibrary_t, const char*);
template <typename T> cudaError_t cudaLibraryGetUnifiedFunction(T**,
  cudaLibrary_t, const char*);
template <typename T> cudaError_t cudaMallocAsync(T**, size_t, cudaMemPool_t,
  cudaStream_t);
template <typename T> cudaError_t cudaMallocAsync(T**, size_t, cudaStream_t);
template <typename T> cudaError_t cudaMallocFromPoolAsync(T**, size_t,
  cudaMemPool_t, cudaStream_t);
template <typename T> cudaError_t cudaMallocHost(T**, size_t, unsigned = 0);
template <typename T> cudaError_t cudaMallocManaged(T**, size_t, unsigned = 1);
template <typename T> cudaError_t cudaMallocPitch(T**, size_t*, size_t, size_t);
template <typename T> cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T**,
  size_t*, size_t, cudaMemLocation*, size_t*, size_t, unsigned long long,
  cudaStream_t);
template <typename T> cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T**,
  size_t*, size_t, cudaMemLocation, unsigned long long, cudaStream_t);
template <typename T> cudaError_t cudaMemPrefetchBatchAsync(T**, size_t*,
  size_t, cudaMemLocation*, size_t*, size_t, unsigned long long, cudaStream_t);
template <typename T> cudaError_t cudaMemPrefetchBatchAsync(T**, size_t*,
  size_t, cudaMemLocation, unsigned long long, cudaStream_t);
template <typename T> cudaError_t cudaMemcpyFromSymbol(void*, const T &, size_t,
  size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <typename T> cudaError_t cudaMemcpyFromSymbolAsync(void*, const T &,
  size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t =
  0);
template <typename T> cudaError_t cudaMemcpyToSymbol(const T &, const void*,
  size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <typename T> cudaError_t cudaMemcpyToSymbolAsync(const T &, const
  void*, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice,
  cudaStream_t = 0);
template <typename T> cudaError_t
  cudaOccupancyAvailableDynamicSMemPerBlock(size_t*, T*, int, int);
template <typename T> cudaError_t cudaOccupancyMaxActiveClusters(int*, T*, const
  cudaLaunchConfig_t*);
template <typename T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int*, int*,
  T, size_t = 0, int = 0);
template <typename T> cudaError_t
  cudaOccupancyMaxPotentialBlockSizeWithFlags(int*, int*, T, size_t = 0, int =
  0, unsigned = 0);
template <typename T> cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, T*,
  const cudaLaunchConfig_t*);
template <typename T> cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T*,
  size_t = 0, unsigned = 4);
template <typename T> cudaError_t cudaUserObjectCreate(cudaUserObject_t*, T*,
  unsigned, cudaUserObjectFlags);
template <typename T> cudaError_t cudaUserObjectCreate(cudaUserObject_t*, T*,
  unsigned, unsigned);
template <typename UnaryFunction, typename T> cudaError_t
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(int*, int*, T, UnaryFunction,
  int = 0);
template <typename UnaryFunction, typename T> cudaError_t
  cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int*, int*, T,
  UnaryFunction, int = 0, unsigned = 0);
