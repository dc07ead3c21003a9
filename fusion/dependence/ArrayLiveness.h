//===- ArrayLiveness.h - Who sees what a step leaves behind ---------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_ARRAYLIVENESS_H
#define KFUSE_FUSION_DEPENDENCE_ARRAYLIVENESS_H

#include "graphs/program/Program.h"

#include <set>
#include <vector>

namespace kfuse {

/// The readers of an array's content at one point of the program, before it is
/// overwritten or the array's life ends.
struct LaterReaders {
  std::vector<LaunchId> launches; ///< ascending, each once
  bool others = false;            ///< the host, or a reader that can't be known
  bool isNobody() const { return launches.empty() && !others; }
};

/// Returns the readers of all that `array` holds once `step` is done. The array
/// belongs to the function of the step, and has a holder.
LaterReaders readersAfter(const Program &program, StepId step, ArrayId array);

/// Returns the readers of what `launch` stored in such an array.
LaterReaders readersOfStores(const Program &program, LaunchId launch,
                             ArrayId array);

/// Checks whether the host's `value` is the same as long as an array has its
/// storage. All of it that may change is then in `steady`, the symbols of the
/// array's size.
bool isFixed(const Polynomial &value, const std::set<Symbol> &steady,
             const TermTable &terms);

} // namespace kfuse

#endif
