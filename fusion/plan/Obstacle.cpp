//===- Obstacle.cpp - Names of obstacles ----------------------------------===//

#include "fusion/plan/Obstacle.h"

namespace kfuse {

const char *obstacleName(ObstacleKind kind) {
  switch (kind) {
  case ObstacleKind::NotKin:
    return "NotKin";
  case ObstacleKind::NotConvex:
    return "NotConvex";
  case ObstacleKind::Circular:
    return "Circular";
  case ObstacleKind::DifferentRegion:
    return "DifferentRegion";
  case ObstacleKind::HostBetween:
    return "HostBetween";
  case ObstacleKind::TimingBetween:
    return "TimingBetween";
  case ObstacleKind::DifferentStream:
    return "DifferentStream";
  case ObstacleKind::DifferentShape:
    return "DifferentShape";
  case ObstacleKind::NeighbourRead:
    return "NeighbourRead";
  case ObstacleKind::NeighbourWrite:
    return "NeighbourWrite";
  case ObstacleKind::NotInjective:
    return "NotInjective";
  case ObstacleKind::UnknownIndex:
    return "UnknownIndex";
  case ObstacleKind::RoundingUnclear:
    return "RoundingUnclear";
  case ObstacleKind::GuardDiffers:
    return "GuardDiffers";
  case ObstacleKind::NotForwardable:
    return "NotForwardable";
  case ObstacleKind::AtomicConflict:
    return "AtomicConflict";
  case ObstacleKind::MayAlias:
    return "MayAlias";
  case ObstacleKind::NeedsCondition:
    return "NeedsCondition";
  case ObstacleKind::NeverHolds:
    return "NeverHolds";
  case ObstacleKind::KernelUnsupported:
    return "KernelUnsupported";
  case ObstacleKind::KernelNotVisible:
    return "KernelNotVisible";
  case ObstacleKind::BarrierMismatch:
    return "BarrierMismatch";
  case ObstacleKind::DynamicShared:
    return "DynamicShared";
  case ObstacleKind::SharedMemoryLimit:
    return "SharedMemoryLimit";
  case ObstacleKind::RegisterLimit:
    return "RegisterLimit";
  case ObstacleKind::ThreadLimit:
    return "ThreadLimit";
  case ObstacleKind::TooManyLaunches:
    return "TooManyLaunches";
  case ObstacleKind::TooLong:
    return "TooLong";
  case ObstacleKind::LaunchNotEditable:
    return "LaunchNotEditable";
  case ObstacleKind::CopyNeeded:
    return "CopyNeeded";
  case ObstacleKind::NoGain:
    return "NoGain";
  }
  return "";
}

const std::vector<ObstacleKind> &allObstacleKinds() {
  static const std::vector<ObstacleKind> Kinds = [] {
    std::vector<ObstacleKind> kinds;
    for (unsigned i = 0; i <= static_cast<unsigned>(ObstacleKind::NoGain); ++i)
      kinds.push_back(static_cast<ObstacleKind>(i));
    return kinds;
  }();
  return Kinds;
}

} // namespace kfuse
