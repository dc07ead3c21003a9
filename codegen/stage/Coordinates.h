//===- Coordinates.h - Stages as functions of coordinates -----------------===//
//
//   int x = blockIdx.x * blockDim.x + threadIdx.x;      void blur_at(int x,
//   ...) if (x < n)                                            if (x < n)
//
// If a kernel uses only such global indices of its thread, its stage gets
// these. The fused kernel computes them once for all stages.
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
  std::string canonical; ///< the type without aliases
  /// Checks whether one variable can hold both coordinates.
  bool isAlike(const StageCoordinate &other) const;
};

/// A kernel's coordinates, and the statements that declare them.
struct CoordinateCut {
  std::vector<StageCoordinate> coordinates;
  std::vector<TextRange> declarations;
};

/// Checks whether the body uses the name of a parameter that stages get, such
/// as `blockIdx`, other than to access a member of it.
bool declaresCoordinate(const SourceText &source, const Kernel &kernel);

/// Returns the kernel's coordinates and their declarations; nullopt if the
/// kernel uses anything else of its thread's place.
std::optional<CoordinateCut> cutCoordinates(const SourceText &source,
                                            const Kernel &kernel,
                                            const Names &names);

} // namespace kfuse

#endif
