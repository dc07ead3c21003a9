//===- Exchanges.h - Copies that swaps of pointers replace ----------------===//
//
// A kernel that copies all of one array to another, or exchanges two, moves
// nothing but bytes. The host can swap the two pointers instead, if each is
// known by one variable only and nothing misses what the copy would have kept.
// The copy keeps the source's content, so that nothing may read it again before
// it is overwritten.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_REWRITES_EXCHANGES_H
#define KFUSE_FUSION_REWRITES_EXCHANGES_H

#include "graphs/program/Program.h"

#include <string>
#include <vector>

namespace kfuse {

/// The verdict on whether a step only copies whole elements between arrays.
struct CopyVerdict {
  bool isCopy = false;
  std::vector<Exchange> exchanges; ///< in order; empty if `why` says why
  std::string why, remedy;
};
CopyVerdict copyVerdict(const Program &program, StepId step);

/// Returns the program with HostStep::exchanges set wherever the swaps are
/// proved right.
Program withExchanges(Program program);

} // namespace kfuse

#endif
