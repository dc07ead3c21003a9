//===- StoresInSight.h - Pointers that other files can't change -----------===//
#ifndef KFUSE_FRONTEND_HOST_STORESINSIGHT_H
#define KFUSE_FRONTEND_HOST_STORESINSIGHT_H

namespace clang {
class Decl;
} // namespace clang

namespace kfuse {

struct HostUnit;

/// Checks whether all stores to `pointer` are in the unit's functions. That is
/// so for local and `static` variables, parameters of a `static` function, a
/// member that only the unit can name, and results of its functions.
/// Functions of class templates that the unit doesn't call may only hand over
/// the member's value. Stores through other names aren't looked for.
bool areStoresInSight(const HostUnit &unit, const clang::Decl &pointer);

} // namespace kfuse

#endif
