//===- fusion/Liveness.h - Arrays that nobody reads from memory -----------===//
//
// A forwarded array needs no store when every read of it, anywhere in the
// program, takes the forwarded value. Proof needs a name that nothing else
// shares, or the user's word.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_LIVENESS_H
#define KFUSE_FUSION_LIVENESS_H

#include "fusion/Plan.h"
#include "fusion/Problem.h"

#include <vector>

namespace kfuse {

/// Whether the user promised that nothing reads the array after the launches.
bool isPromisedDead(const Problem &problem, ArrayId array);

/// Whether the stores of `placement` in `kernel` are dead whatever becomes of
/// the other launches.
bool isDeadBeyond(const Problem &problem, const FusedKernel &kernel,
                  const Placement &placement);

/// The arrays that need no store anywhere when the program runs as `kernels`.
std::vector<ArrayId> deadArrays(const Problem &problem,
                                const std::vector<FusedKernel> &kernels);

/// Those of `dead` that no kernel mentions any more, so that their upkeep can
/// go.
std::vector<ArrayId> removableArrays(const Program &program,
                                     const std::vector<FusedKernel> &kernels,
                                     const std::vector<ArrayId> &dead);

} // namespace kfuse

#endif
