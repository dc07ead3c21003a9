//===- host_defines.h - Everything is in cuda_runtime.h -------------------===//
#include "cuda_runtime.h"
