// The driver API's types; programs mostly include it by habit.
#pragma once
#pragma GCC system_header
#define __cuda_cuda_h__
#include "cuda_runtime.h"

#define CUDA_VERSION 12000
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
