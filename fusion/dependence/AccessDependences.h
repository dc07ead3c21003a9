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
    Neighbour, ///< a read of what the thread `offset` away wrote, and no other
    SameBlock, ///< some thread of the same block, with a barrier between
    Conflict
  } kind;
  ObstacleKind obstacle{};
  bool isCovered = false; ///< of a read after a write: the write ran
  Offset offset{};
};

/// Returns how an access of a later stage depends on one of an earlier stage,
/// in the same array.
AccessDependence dependenceBetween(const PlacedAccess &first,
                                   const PlacedAccess &second,
                                   const KnownFacts &facts);

/// The dependences of two stages' accesses. Kernels may index an array hundreds
/// of times at distances that no thread changes (`A[i + k * n]`): how two
/// accesses meet depends on their distance alone, and is found once for each.
class AccessDependences {
public:
  /// Both stages outlive it.
  AccessDependences(const Stage &first, const Stage &second, KnownFacts facts);
  /// Of two accesses to one array, by their places in the stages.
  AccessDependence between(std::uint32_t first, std::uint32_t second);

private:
  /// An access as one of those that are alike but for where they begin.
  struct Member {
    std::uint32_t like = 0; ///< the first of them
    Polynomial begin;       ///< the part of the index that all threads share
  };
  static std::vector<Member> membersOf(const Stage &stage,
                                       const TermTable &terms);
  /// The accesses that they are like, the distance between (or where it has no
  /// 64 bits, both begins), and whether the second may take a value of the
  /// first.
  using Key =
      std::tuple<std::uint32_t, std::uint32_t, Polynomial, Polynomial, bool>;

  const Stage &First, &Second;
  KnownFacts Known;
  std::vector<Member> FirstMembers, SecondMembers;
  std::map<Key, AccessDependence> Compared;
  std::map<Key, bool> Disjoint;
};

/// Whether the second may take a value of the first.
bool isFlow(const PlacedAccess &first, const PlacedAccess &second);

/// Whether nothing is left to find out about the dependence.
bool isSettled(const PlacedAccess &first, const PlacedAccess &second,
               const AccessDependence &dependence);

} // namespace kfuse

#endif
