//===- fusion/Guards.h - Which guard follows from which -------------------===//
#ifndef KFUSE_FUSION_GUARDS_H
#define KFUSE_FUSION_GUARDS_H

#include "fusion/Coordinates.h"
#include "fusion/Facts.h"

namespace kfuse {

/// Whether `consumer` implies `producer`, both over the threads of `stage`.
bool implies(const Guard &consumer, const Guard &producer, const Stage &stage,
             const Facts &facts);

} // namespace kfuse

#endif
