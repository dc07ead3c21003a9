//===- UsualValues.h - What variables are ever given ----------------------===//
#ifndef KFUSE_FRONTEND_HOST_USUALVALUES_H
#define KFUSE_FRONTEND_HOST_USUALVALUES_H

namespace kfuse {

struct HostUnit;

/// Sets HostValue::usual, and settles the usual pointers.
void addUsualValues(HostUnit &unit);

} // namespace kfuse

#endif
