//===- NvccFlags.h - nvcc's command line for Clang ------------------------===//
#ifndef KFUSE_RUNTIME_NVCCFLAGS_H
#define KFUSE_RUNTIME_NVCCFLAGS_H

#include <string>
#include <vector>

namespace kfuse {

/// Returns the flags that mean something to a C++ compiler for the CPU. It
/// drops nvcc's own flags and unwraps those for the host compiler. A language
/// standard before C++17, which the executor's headers need, is raised.
std::vector<std::string>
translateNvccFlags(const std::vector<std::string> &flags);

} // namespace kfuse

#endif
