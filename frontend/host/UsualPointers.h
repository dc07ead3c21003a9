//===- UsualPointers.h - Pointers of one storage --------------------------===//
#ifndef KFUSE_FRONTEND_HOST_USUALPOINTERS_H
#define KFUSE_FRONTEND_HOST_USUALPOINTERS_H

namespace kfuse {

struct Assignments;
struct HostUnit;

/// Adds to Launch::given how far pointers are apart that all calls pass, as of
/// `f(p, p + 1)`.
void addUsualDistances(HostUnit &unit, const Assignments &assignments);

} // namespace kfuse

#endif
