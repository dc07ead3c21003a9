//===- Liveness.h - Arrays that nobody reads from memory ------------------===//
//
// A forwarded array needs no store when every read of the value takes the
// forwarded one: everywhere in the program, or until all that was stored is
// stored again. Proof needs a name that nothing else shares, or the user's
// word.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_GROUP_LIVENESS_H
#define KFUSE_FUSION_GROUP_LIVENESS_H

#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

#include <span>
#include <vector>

namespace kfuse {

/// Checks whether the user promised that nothing reads the array after the
/// launches.
bool isPromisedDead(const Problem &problem, ArrayId array);

/// The readers of an array from memory, under whatever name, anywhere in the
/// program.
struct ArrayReaders {
  std::vector<LaunchId> launches;
  bool host = false; ///< a host step may see what launches left there
};
ArrayReaders readersOf(const Problem &problem, ArrayId array);

/// Checks whether the stores of `placement` in `kernel` are dead, if the
/// program runs as `kernels`, one of which is `kernel`, and all other launches
/// as they are.
bool isDead(const Problem &problem, const FusedKernel &kernel,
            const Placement &placement, std::span<const FusedKernel> kernels);

/// Checks whether they are dead whatever becomes of the other launches.
bool isDeadBeyond(const Problem &problem, const FusedKernel &kernel,
                  const Placement &placement);

/// Returns the arrays to which some kernel makes no stores, since nobody would
/// see them.
std::vector<ArrayId> deadArrays(const std::vector<FusedKernel> &kernels);

/// Checks whether any kernel still stores to the array.
bool isStored(const Program &program, const std::vector<FusedKernel> &kernels,
              ArrayId array);

/// Returns the arrays of `dead` that no kernel mentions any more, so that their
/// lifetime statements can go.
std::vector<ArrayId> removableArrays(const Program &program,
                                     const std::vector<FusedKernel> &kernels,
                                     const std::vector<ArrayId> &dead);

} // namespace kfuse

#endif
