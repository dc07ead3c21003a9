//===- ShapeMapping.h - A member in the shape of another ------------------===//
#ifndef KFUSE_FUSION_SHAPES_SHAPEMAPPING_H
#define KFUSE_FUSION_SHAPES_SHAPEMAPPING_H

#include "fusion/group/Group.h"

#include <optional>
#include <vector>

namespace kfuse {

/// Indices that no kernel need fear: each is an `int`, and more may be added.
constexpr std::int64_t MostThreads = std::int64_t{1} << 30;

/// A member in the leader's shape.
struct MappedShape {
  Stage stage; ///< its bounds are part of every guard
  ConfigMapping fit;
  std::vector<Condition> conditions;
  bool isFree() const {
    return !fit.isBounded() && !fit.hasRows() && conditions.empty();
  }
};

/// Checks whether blocks of this size may run the kernel.
bool allowsBlock(const Kernel &kernel, const std::array<Polynomial, 3> &block);

/// Returns the member in the leader's shape: each of the leader's threads runs
/// the member's thread of the same global indices. Nullopt if it can't.
std::optional<MappedShape> mapOnto(const Group &group, const Stage &member,
                                   const Stage &leader);

/// Checks whether the threads know no more of themselves than their global
/// indices.
bool isFreeOfBlocks(const Stage &stage);

/// Makes a grid-stride loop's iterations threads of the global index. Returns
/// false if they can't be.
bool unrollLoop(Stage &stage);

bool isOneWide(const Stage &stage, std::uint32_t axis);

/// Returns the number of the grid's threads on an axis, in the kernel's
/// symbols.
Polynomial threadsOn(std::uint32_t axis);

/// Returns the constraint that keeps the global index on the axis below
/// `extent`; nullopt on overflow.
std::optional<Constraint> below(std::uint32_t axis, const Polynomial &extent);

/// Returns how many threads the member needs on the axis, as a polynomial in
/// its kernel's symbols: all threads with work have smaller indices.
Polynomial neededThreads(const Program &program, const Stage &member,
                         std::uint32_t axis);

Condition atLeast(const Stage &leader, Polynomial value, const Stage &other,
                  Polynomial least);

} // namespace kfuse

#endif
