//===- DefinedValues.h - What defines forwarded values --------------------===//
#ifndef KFUSE_CODEGEN_BODY_DEFINEDVALUES_H
#define KFUSE_CODEGEN_BODY_DEFINEDVALUES_H

#include "codegen/body/MergedBodyBuilder.h"

#include <cstddef>
#include <set>

namespace kfuse {

/// Returns the only store of `member` to the forward's array if it is the first
/// to define the value and its statement can declare the variable, else
/// nullptr.
const Access *declaringStore(const MergedBodyBuilder &body, std::size_t member,
                             std::size_t forward);

/// Returns the forwards that a member defines wherever the common guard holds,
/// before any other takes them.
std::set<std::size_t> alwaysDefined(const MergedBodyBuilder &body);

/// Loads what memory holds where some loads may have to take that, so that each
/// has a value. Returns false if it can't.
bool findFirstLoads(MergedBodyBuilder &body);

/// Finds the forwards of which members leave their stores to one behind the
/// last of them.
void findLastStores(MergedBodyBuilder &body);

} // namespace kfuse

#endif
