//===- fusion/Meetings.h - How two accesses to an array meet --------------===//
#ifndef KFUSE_FUSION_MEETINGS_H
#define KFUSE_FUSION_MEETINGS_H

#include "fusion/Coordinates.h"
#include "fusion/Facts.h"
#include "fusion/Plan.h"

namespace kfuse {

/// An access and the stage it belongs to.
struct PlacedAccess {
  const Stage &stage;
  const StageAccess &access;
};

/// How two accesses meet.
struct Meeting {
  enum class Kind : std::uint8_t {
    Apart,
    SameThread,
    Neighbour, ///< a read of what the thread `offset` away wrote, and no other
    Conflict
  } kind;
  ObstacleKind obstacle{};
  bool isCovered = false; ///< of a read after a write: the write ran
  Offset offset{};
};

/// How an access of an earlier stage meets one of a later stage, in the same
/// array.
Meeting meet(const PlacedAccess &first, const PlacedAccess &second,
             const Facts &facts);

/// Whether the second may take a value of the first.
bool isFlow(const PlacedAccess &first, const PlacedAccess &second);

/// Whether nothing is left to find out about the meeting.
bool isSettled(const PlacedAccess &first, const PlacedAccess &second,
               const Meeting &meeting);

} // namespace kfuse

#endif
