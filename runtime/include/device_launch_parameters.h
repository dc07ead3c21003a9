//===- device_launch_parameters.h - Everything is in cuda_runtime.h -------===//
#include "cuda_runtime.h"
