//===- codegen/Coordinates.h - How a text uses the thread's coordinates ---===//
#ifndef KFUSE_CODEGEN_COORDINATES_H
#define KFUSE_CODEGEN_COORDINATES_H

#include <string_view>

namespace kfuse {

/// Whether `blockIdx` and `threadIdx` occur only in sums like
/// `blockIdx.x * blockDim.x + threadIdx.x`. Then any block and thread with the
/// right sum will do.
bool usesOnlyGlobalIndex(std::string_view body);

} // namespace kfuse

#endif
