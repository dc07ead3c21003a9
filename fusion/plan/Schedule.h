//===- Schedule.h - How members become one kernel -------------------------===//
#ifndef KFUSE_FUSION_PLAN_SCHEDULE_H
#define KFUSE_FUSION_PLAN_SCHEDULE_H

#include <cstdint>

namespace kfuse {

/// How the members' threads map to the fused kernel's.
enum class Schedule : std::uint8_t {
  Single,      ///< one member, left as it is
  Register,    ///< thread t runs thread t of every member, in order
  Concatenate, ///< the same, for members that share nothing
  Tile,        ///< the same; blocks recompute what neighbours' threads made
  BlockLocal, ///< the threads of a block access what others of them accessed in
              ///< another member, also since members are distributed among
              ///< the blocks
  Recompute,  ///< as Register; some members are functions that others call
              ///< for each element of theirs that they read
  Swap,       ///< no kernel: the host swaps pointers (HostStep::exchanges)
};
/// Returns the name that plan files have: "tile".
const char *scheduleName(Schedule schedule);

} // namespace kfuse

#endif
