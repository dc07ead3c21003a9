//===- AccessDependences.h - How two accesses to an array meet ------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_ACCESSDEPENDENCES_H
#define KFUSE_FUSION_DEPENDENCE_ACCESSDEPENDENCES_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/KnownFacts.h"
#include "fusion/plan/Plan.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace kfuse {

/// An access and the stage it belongs to.
struct PlacedAccess {
  const Stage &stage;
  const StageAccess &access;
};

/// How two accesses depend on each other.
struct AccessDependence {
  enum class Kind : std::uint8_t {
    Disjoint,
    SameThread,
    Neighbour, ///< a read of what the threads of `window` wrote, and no other
    SameBlock, ///< some thread of the same block, with a barrier between
    Conflict
  } kind;
  ObstacleKind obstacle{};
  bool isCovered = false; ///< of a read after a write: the write ran
  Window window = {};
};

/// Returns how an access of a later stage depends on one of an earlier stage,
/// in the same array.
AccessDependence dependenceBetween(const PlacedAccess &first,
                                   const PlacedAccess &second,
                                   const KnownFacts &facts);

/// The dependences of two stages' accesses. Kernels may index an array hundreds
/// of times at distances that are the same for all threads (`A[i + k * n]`).
/// How two accesses depend on each other follows from their distance alone, and
/// is found once for each.
class AccessDependences {
public:
  /// Keeps references to both stages, which must outlive the object.
  AccessDependences(const Stage &first, const Stage &second, KnownFacts facts);
  /// Returns the dependence between two accesses to one array, given by their
  /// places in the stages.
  AccessDependence between(std::uint32_t first, std::uint32_t second);

private:
  /// An access, grouped with those that differ from it only in where they
  /// begin.
  struct Member {
    std::uint32_t like = 0; ///< the first of them
    Polynomial begin;       ///< the part of the index that all threads share
  };
  static std::vector<Member> membersOf(const Stage &stage,
                                       const TermTable &terms);
  /// The first accesses that they are like, the distance between them (both
  /// begins if it overflows), and whether the second may take a value of the
  /// first.
  using Key =
      std::tuple<std::uint32_t, std::uint32_t, Polynomial, Polynomial, bool>;

  const Stage &First, &Second;
  KnownFacts Known;
  std::vector<Member> FirstMembers, SecondMembers;
  std::map<Key, AccessDependence> Compared;
  std::map<Key, bool> Disjoint;
};

/// Checks whether `second` may take a value of `first`.
bool isFlow(const PlacedAccess &first, const PlacedAccess &second);

/// Checks whether nothing is left to find out about the dependence.
bool isResolved(const PlacedAccess &first, const PlacedAccess &second,
                const AccessDependence &dependence);

} // namespace kfuse

#endif
