//===- Walk.h - How groups walk over arrays -------------------------------===//
//
// kernels/Probes.cl does the walk: its WALK and `Walker` here are the same.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_PROBES_WALK_H
#define KFUSE_BENCH_ROOFLINE_PROBES_WALK_H

#include <cstddef>
#include <cstdint>

namespace kfuse {

/// A walk in steps, each of as many vectors as a group moves at once. Group g
/// begins at g * slice, in the part that its number says. It walks through this
/// part of `span` vectors by `stride` a step, and goes on with another part.
///
/// In a pass each part is read. From pass to pass a group jumps ahead by
/// another number of parts, so that each time it follows another group. One
/// that stayed behind the same would only read what that one has brought into a
/// cache.
struct Walk {
  std::size_t groups = 1, groupSize = 1;
  std::int32_t slice = 0, span = 0, stride = 0; ///< vectors
  std::int32_t parts = 1;                       ///< that all groups share
  std::int32_t leap = 0;   ///< by how much more a group jumps each pass
  std::int32_t steps = 1;  ///< that see the whole set at least once
  std::size_t vectors = 0; ///< of one array
};

/// Returns the vectors that a group moves in a step, for each array.
std::size_t vectorsPerStep(std::size_t groupSize);

/// Returns the walk over about so many vectors in which each group has a set of
/// its own and goes around it.
Walk walkApart(std::size_t vectors, std::size_t groups, std::size_t groupSize);

/// Returns the walk over about so many vectors that all groups share. There are
/// at most so many groups for each of the compute units. Groups have a part
/// each; a set with less steps than groups has parts of one step, and several
/// groups are in a part at a time.
Walk walkShared(std::size_t vectors, std::size_t units,
                std::size_t groupsPerUnit, std::size_t groupSize);

/// Returns the walk in which neighbouring groups have neighbouring vectors. It
/// ends when the set is done.
Walk walkAbreast(std::size_t vectors, std::size_t groups,
                 std::size_t groupSize);

/// The places of one group, as the kernels compute them.
class Walker {
public:
  Walker(const Walk &walk, std::size_t group)
      : Made(walk), First(static_cast<std::int32_t>(group) * walk.slice),
        Part(static_cast<std::int32_t>(group) % walk.parts) {}

  std::int32_t part() const { return Part; }
  /// Returns the first vector of the step.
  std::int32_t place() const { return First + Part * Made.span + Within; }
  void advance();

private:
  const Walk &Made;
  std::int32_t First, Part, Jump = 1, Within = 0;
};

} // namespace kfuse

#endif
