//===- Schedule.cpp - How members become one kernel -----------------------===//

#include "fusion/plan/Schedule.h"

namespace kfuse {

const char *scheduleName(Schedule schedule) {
  switch (schedule) {
  case Schedule::Single:
    return "single";
  case Schedule::Register:
    return "register";
  case Schedule::Concatenate:
    return "concatenate";
  case Schedule::Tile:
    return "tile";
  case Schedule::BlockLocal:
    return "block";
  case Schedule::Recompute:
    return "compute";
  case Schedule::Swap:
    return "swap";
  }
  return "";
}

} // namespace kfuse
