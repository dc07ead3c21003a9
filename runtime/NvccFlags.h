//===- NvccFlags.h - nvcc's command line for Clang ------------------------===//
#ifndef KFUSE_RUNTIME_NVCCFLAGS_H
#define KFUSE_RUNTIME_NVCCFLAGS_H

#include <string>
#include <vector>

namespace kfuse {

/// The flags that mean something to a C++ compiler for the CPU: nvcc's own are
/// dropped, those for its host compiler unwrapped, and a language standard
/// before C++17, which the executor's headers need, is raised.
std::vector<std::string>
translateNvccFlags(const std::vector<std::string> &flags);

} // namespace kfuse

#endif
