//===- OpenClText.h - What is written otherwise in OpenCL -----------------===//
//
// OpenCL C has neither references nor templates.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_TEXT_OPENCLTEXT_H
#define KFUSE_CODEGEN_TEXT_OPENCLTEXT_H

#include "graphs/program/Kernel.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kfuse {

/// Returns the value as if it had just been loaded, by means of a zero that the
/// compiler doesn't know; nullopt if the type has no such expression.
std::optional<std::string> isolateInOpenCl(std::string_view type,
                                           const std::string &value,
                                           const std::string &zero);

/// Writes `struct name { uint at[count]; };` and the comment above it.
std::string zerosInOpenCl(const std::string &name, std::size_t count);

/// Declares the variable in a kernel's local memory: `__local float t[4][8];`.
std::string localDeclaration(const LocalVariable &local,
                             const std::string &name);
/// Declares the parameter of a stage that such a variable is passed to, a
/// pointer to its first element: `__local float (*t)[8]`.
std::string localParameter(const LocalVariable &local);

/// Returns the parameter's declaration with OpenCL's `restrict` in the place of
/// CUDA's `__restrict__`.
std::string restrictInOpenCl(std::string declaration);

} // namespace kfuse

#endif
