//===- ChosenPlaces.h - Places that a thread chooses near its own ---------===//
//
// At a border a stencil reads `min(x + 1, n - 1)` or another place that each
// thread chooses. It is near the thread's own if what holds where the read runs
// keeps the distance within constants.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_CHOSENPLACES_H
#define KFUSE_FUSION_DEPENDENCE_CHOSENPLACES_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/Statements.h"
#include "fusion/plan/Plan.h"

#include <optional>

namespace kfuse {

/// Statements that hold where an access runs, in coordinates of the kernel's
/// text as terms are. The stage must have these coordinates.
class RunningAccess {
public:
  RunningAccess(const StageAccess &access, const Stage &stage,
                const KnownFacts &facts);
  /// Checks whether the constraint, in canonical coordinates, always holds.
  bool implies(const Constraint &wanted) const;
  bool implies(const Guard &wanted) const;
  /// Rewrites a value from canonical coordinates.
  std::optional<Polynomial> inText(const Polynomial &value) const;

private:
  const Stage &TheStage;
  const KnownFacts &Known;
  Statements Holds;
};

/// Checks whether the distance depends on the thread.
bool isChosen(const Polynomial &distance);

/// Returns how far the thread goes that chooses `distance` on an axis; nullopt
/// if no constants bound it.
std::optional<Window::Choice>
choiceOf(std::uint32_t axis, const Polynomial &distance,
         const StageAccess &read, const Stage &stage, const KnownFacts &facts);

/// Writes the distance in numbers that the text names where the load stands:
/// `row - y`. Returns nullopt if there are no such.
std::optional<std::string> distanceText(const Polynomial &distance,
                                        const StageAccess &read,
                                        const Stage &stage,
                                        const KnownFacts &facts);

} // namespace kfuse

#endif
