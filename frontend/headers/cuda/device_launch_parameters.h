// The coordinates of a thread.
#pragma once
#pragma GCC system_header
#include "vector_types.h"

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
__device__ const int warpSize = 32;
