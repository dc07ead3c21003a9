//===- Storages.cpp - What a pointer's array can be -----------------------===//
#include "graphs/program/Storages.h"

namespace kfuse {

std::set<ArrayId> storagesOf(const Program &program, ArrayId array) {
  std::set<ArrayId> seen, leaves;
  std::vector<ArrayId> work = {array};
  while (!work.empty()) {
    ArrayId next = work.back();
    work.pop_back();
    if (!seen.insert(next).second)
      continue;
    const Array &info = program[next];
    // A set is only as complete as the sets of its members, so a member that
    // can be anything stays as it is.
    if (info.origin == ArrayOrigin::Unknown && !info.candidates.empty())
      work.insert(work.end(), info.candidates.begin(), info.candidates.end());
    else
      leaves.insert(next);
  }
  return leaves;
}

} // namespace kfuse
