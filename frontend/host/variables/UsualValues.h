//===- UsualValues.h - What variables are ever given ----------------------===//
#ifndef KFUSE_FRONTEND_HOST_VARIABLES_USUALVALUES_H
#define KFUSE_FRONTEND_HOST_VARIABLES_USUALVALUES_H

namespace kfuse {

struct HostUnit;

/// Sets HostValue::usual, and adds the usual distances between pointers.
void addUsualValues(HostUnit &unit);

} // namespace kfuse

#endif
