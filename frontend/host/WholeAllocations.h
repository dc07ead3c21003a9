//===- WholeAllocations.h - Pointers that no arithmetic made --------------===//
//
// Variables, members and results that only ever hold what an allocation
// returned, or null: values go from one to another, but nothing is added to
// them. If two of them differ, so does all that they lead to, of whatever size.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_HOST_WHOLEALLOCATIONS_H
#define KFUSE_FRONTEND_HOST_WHOLEALLOCATIONS_H

namespace clang {
class Expr;
} // namespace clang

namespace kfuse {

struct HostUnit;

/// Fills HostUnit::wholeAllocations, before the unit's functions are walked.
void findWholeAllocations(HostUnit &unit);

/// Checks whether the pointer that the lvalue `place` holds is one.
bool isWholeAllocation(const HostUnit &unit, const clang::Expr &place);

} // namespace kfuse

#endif
