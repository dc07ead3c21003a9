//===- fusion/Fitting.h - A member in the shape of another ----------------===//
#ifndef KFUSE_FUSION_FITTING_H
#define KFUSE_FUSION_FITTING_H

#include "fusion/Group.h"

#include <optional>
#include <vector>

namespace kfuse {

/// A member in the leader's shape.
struct Fitted {
  Stage stage; ///< its bounds are part of every guard
  ShapeFit fit;
  std::vector<Condition> conditions;
  bool isFree() const {
    return !fit.isBounded() && !fit.hasRows() && conditions.empty();
  }
};

/// Whether blocks of this size may run the kernel.
bool allowsBlock(const Kernel &kernel, const std::array<Polynomial, 3> &block);

/// The member's thread of the same global indices in each of the leader's.
std::optional<Fitted> fitInto(const Group &group, const Stage &member,
                              const Stage &leader);

/// The member's threads on one axis as rows of the leader's on two, of the
/// length that the leader's accesses have.
std::optional<Fitted> fitRows(const Group &group, const Stage &member,
                              const Stage &leader);

} // namespace kfuse

#endif
