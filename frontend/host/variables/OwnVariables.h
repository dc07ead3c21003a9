//===- OwnVariables.h - Globals that only this file assigns ---------------===//
#ifndef KFUSE_FRONTEND_HOST_VARIABLES_OWNVARIABLES_H
#define KFUSE_FRONTEND_HOST_VARIABLES_OWNVARIABLES_H

namespace kfuse {

struct HostUnit;

/// Finds the own variables of the unit: numbers and pointers at file scope
/// whose names no other file knows, and whose addresses nobody keeps. Sets
/// HostFunction::assignsOwn and HostUnit::ownOfOthers.
void findOwnVariables(HostUnit &unit);

} // namespace kfuse

#endif
