//===- ArrayLiveness.h - Who sees what a step leaves behind ---------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_ARRAYLIVENESS_H
#define KFUSE_FUSION_DEPENDENCE_ARRAYLIVENESS_H

#include "graphs/program/Program.h"

#include <set>
#include <vector>

namespace kfuse {

/// Who may read what an array holds at one place of the program, before that is
/// overwritten or the array's life ends.
struct LaterReaders {
  std::vector<LaunchId> launches; ///< ascending, each once
  bool others = false;            ///< the host, or somebody who can't be known
  bool isNobody() const { return launches.empty() && !others; }
};

/// Those of all that the array holds once `step` is done. The array belongs to
/// the function of the step, and has a holder.
LaterReaders readersAfter(const Program &program, StepId step, ArrayId array);

/// Those of what the launch stored in such an array.
LaterReaders readersOfStores(const Program &program, LaunchId launch,
                             ArrayId array);

/// Whether the host's value is the same as long as an array has its storage: it
/// is made of what tells the array's size, whose symbols `steady` are.
bool isFixed(const Polynomial &value, const std::set<Symbol> &steady,
             const TermTable &terms);

} // namespace kfuse

#endif
