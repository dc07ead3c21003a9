//===- OpenClCompiler.h - Builds an OpenCL program to compare -------------===//
#ifndef KFUSE_RUNTIME_OPENCLCOMPILER_H
#define KFUSE_RUNTIME_OPENCLCOMPILER_H

#include "runtime/CpuCompiler.h"

namespace kfuse {

/// Compiles an OpenCL host program, in C or C++ according to its name, into a
/// folder for temporary files. It is linked with the OpenCL library and with
/// the code that writes a trace (runtime/opencl/trace.c). The caller that runs
/// it chooses the device.
CpuBuildResult compileOpenCl(const CpuBuild &build);

} // namespace kfuse

#endif
