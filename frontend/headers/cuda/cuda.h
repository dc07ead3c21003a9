// The driver API, with what older toolkits have otherwise.
#pragma once
#pragma GCC system_header
#define __cuda_cuda_h__
#include "cuda_runtime.h"
#include "driver_api_functions.h"

#define CUDA_VERSION 12000
#define __CUDA_API_VERSION 12000

#undef cuCtxCreate
CUresult cuCtxCreate(CUcontext *, unsigned, CUdevice);
CUresult cuCtxCreate(CUcontext *, CUctxCreateParams *, unsigned, CUdevice);
#undef cuMemAdvise
CUresult cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUdevice);
CUresult cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUmemLocation);
#undef cuMemPrefetchAsync
CUresult cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream);
CUresult cuMemPrefetchAsync(CUdeviceptr, size_t, CUmemLocation, unsigned,
                            CUstream);
