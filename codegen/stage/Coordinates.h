//===- Coordinates.h - Stages as functions of coordinates -----------------===//
//
//   int x = blockIdx.x * blockDim.x + threadIdx.x;      void blur_at(int x,
//   ...) if (x < n)                                            if (x < n)
//
// If a kernel knows of its thread only such global indices, its stage gets
// these, and the fused kernel computes them once for all stages.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_STAGE_COORDINATES_H
#define KFUSE_CODEGEN_STAGE_COORDINATES_H

#include "codegen/text/Names.h"
#include "graphs/program/Program.h"
#include "text/Layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// A variable that holds the thread's global index on an axis.
struct StageCoordinate {
  std::uint32_t axis = 0;
  std::string type, name;
  /// Whether one variable does for both.
  bool isAlike(const StageCoordinate &other) const;
};

/// A kernel's coordinates, and the statements that declare them.
struct CoordinateCut {
  std::vector<StageCoordinate> coordinates;
  std::vector<TextRange> declarations;
};

/// Returns the declarations of coordinates that nothing in `text`, what became
/// of the body, uses any more: only indices were made of them.
std::vector<TextRange> unusedCoordinates(const SourceText &source,
                                         const Kernel &kernel,
                                         const Names &names,
                                         std::string_view text);

/// Whether the body names what a stage's parameters are named, other than to
/// look at a member of it.
bool declaresCoordinate(const SourceText &source, const Kernel &kernel);

/// Returns nullopt if the kernel knows more of its thread.
std::optional<CoordinateCut> cutCoordinates(const SourceText &source,
                                            const Kernel &kernel,
                                            const Names &names);

} // namespace kfuse

#endif
