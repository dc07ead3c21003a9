//===- OpenClText.h - What is written otherwise in OpenCL -----------------===//
//
// OpenCL C has neither references nor templates.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_TEXT_OPENCLTEXT_H
#define KFUSE_CODEGEN_TEXT_OPENCLTEXT_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kfuse {

/// The value as if it had just been loaded, by a zero that the compiler doesn't
/// know; nullopt for a type of which that can't be written.
std::optional<std::string> isolateInOpenCl(std::string_view type,
                                           const std::string &value,
                                           const std::string &zero);

/// `struct name { uint at[count]; };`
std::string zerosInOpenCl(const std::string &name, std::size_t count);

} // namespace kfuse

#endif
