//===- sm_60_atomic_functions.h - Everything is in cuda_runtime.h ---------===//
#include "cuda_runtime.h"
