//===- Obstacle.cpp - Names of obstacles ----------------------------------===//

#include "fusion/plan/Obstacle.h"

#include <utility>

namespace kfuse {

const char *obstacleName(ObstacleKind kind) {
  switch (kind) {
  case ObstacleKind::NoSharedArrays:
    return "NoSharedArrays";
  case ObstacleKind::NotConvex:
    return "NotConvex";
  case ObstacleKind::CyclicGroups:
    return "CyclicGroups";
  case ObstacleKind::DifferentRegion:
    return "DifferentRegion";
  case ObstacleKind::HostDependence:
    return "HostDependence";
  case ObstacleKind::TimingCode:
    return "TimingCode";
  case ObstacleKind::DifferentStream:
    return "DifferentStream";
  case ObstacleKind::DifferentShape:
    return "DifferentShape";
  case ObstacleKind::CrossThreadFlow:
    return "CrossThreadFlow";
  case ObstacleKind::CrossThreadAntiDependence:
    return "CrossThreadAntiDependence";
  case ObstacleKind::NotInjective:
    return "NotInjective";
  case ObstacleKind::NonPolynomialIndex:
    return "NonPolynomialIndex";
  case ObstacleKind::AmbiguousContraction:
    return "AmbiguousContraction";
  case ObstacleKind::GuardMismatch:
    return "GuardMismatch";
  case ObstacleKind::NotForwardable:
    return "NotForwardable";
  case ObstacleKind::AtomicConflict:
    return "AtomicConflict";
  case ObstacleKind::PointerMayChange:
    return "PointerMayChange";
  case ObstacleKind::MayAlias:
    return "MayAlias";
  case ObstacleKind::RequiresRuntimeCheck:
    return "RequiresRuntimeCheck";
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
  case ObstacleKind::CopyNotSwappable:
    return "CopyNotSwappable";
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

Obstacle obstacleBetween(ObstacleKind kind, LaunchId first, LaunchId second,
                         std::string text, std::string remedy) {
  Obstacle obstacle;
  obstacle.kind = kind;
  obstacle.first = first;
  obstacle.second = second;
  obstacle.text = std::move(text);
  obstacle.remedy = std::move(remedy);
  return obstacle;
}

} // namespace kfuse
