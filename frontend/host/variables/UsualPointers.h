//===- UsualPointers.h - Pointers of one storage --------------------------===//
#ifndef KFUSE_FRONTEND_HOST_VARIABLES_USUALPOINTERS_H
#define KFUSE_FRONTEND_HOST_VARIABLES_USUALPOINTERS_H

namespace kfuse {

struct Assignments;
struct HostUnit;

/// Adds to Launch::given the distances between pointers that are the same in
/// all calls, as in `f(p, p + 1)`.
void addUsualDistances(HostUnit &unit, const Assignments &assignments);

} // namespace kfuse

#endif
