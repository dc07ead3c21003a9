// This declares what nvcc brings along with a toolkit and Clang doesn't. Every
// input that is parsed with a whole toolkit includes it first.
#pragma once
#pragma GCC system_header
#include <cuda.h>
#include <math.h>
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif
#define KFUSE_SIDES __host__
#include "../cuda/kfuse_min_max.h"
#undef KFUSE_SIDES
#include "../cuda/kfuse_cache_operators.h"
