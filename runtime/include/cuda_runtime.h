//===- cuda_runtime.h - CUDA's run time on the CPU ------------------------===//
//
// kfuse-cpu includes this file before everything else, as nvcc does with its
// own. It includes the language's headers first, then the device's functions
// and the host's.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_CUDA_RUNTIME_H
#define KFUSE_CPU_CUDA_RUNTIME_H

#include "kfuse_cpu/Qualifiers.h"
#include "kfuse_cpu/VectorTypes.h"

#include "kfuse_cpu/Atomics.h"
#include "kfuse_cpu/Intrinsics.h"
#include "kfuse_cpu/Math.h"
#include "kfuse_cpu/Warp.h"

#include "kfuse_cpu/Copy.h"
#include "kfuse_cpu/Device.h"
#include "kfuse_cpu/Launch.h"
#include "kfuse_cpu/Sanitizers.h"

#include "kfuse_cpu/Recorder.h" // last, because the user's code follows

#endif
