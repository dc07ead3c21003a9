//===- OpenClCompiler.h - Builds an OpenCL program to compare -------------===//
#ifndef KFUSE_RUNTIME_OPENCLCOMPILER_H
#define KFUSE_RUNTIME_OPENCLCOMPILER_H

#include "runtime/CpuCompiler.h"

namespace kfuse {

/// Compiles, to a folder for files that go, a host of OpenCL, in C or C++ by
/// its name, with what writes a trace (runtime/opencl/trace.c), and links both
/// with the OpenCL library. Whoever runs it chooses the device.
CpuBuildResult compileOpenCl(const CpuBuild &build);

} // namespace kfuse

#endif
