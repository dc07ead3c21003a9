//===- Coordinates.h - How a text uses the thread's coordinates -----------===//
#ifndef KFUSE_CODEGEN_TEXT_COORDINATES_H
#define KFUSE_CODEGEN_TEXT_COORDINATES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace kfuse {

/// Returns the axis of `blockIdx.x * blockDim.x + threadIdx.x` in any order, if
/// the text is such a sum and nothing else.
std::optional<std::uint32_t> globalIndexAxis(std::string_view text);

} // namespace kfuse

#endif
