//===- UsualValues.h - What variables are ever given ----------------------===//
#ifndef KFUSE_FRONTEND_HOST_USUALVALUES_H
#define KFUSE_FRONTEND_HOST_USUALVALUES_H

namespace kfuse {

struct Assignments;
struct HostUnit;

/// Sets HostValue::usual, and does what follows.
void settleUsualValues(HostUnit &unit);
/// Adds to Launch::given how far pointers are apart that all calls pass, as of
/// `f(p, p + 1)`.
void settleUsualPointers(HostUnit &unit, const Assignments &assignments);

} // namespace kfuse

#endif
