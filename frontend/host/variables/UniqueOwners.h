//===- UniqueOwners.h - Variables that alone name an array ----------------===//
#ifndef KFUSE_FRONTEND_HOST_VARIABLES_UNIQUEOWNERS_H
#define KFUSE_FRONTEND_HOST_VARIABLES_UNIQUEOWNERS_H

namespace kfuse {

struct HostUnit;

/// Sets Array::holder.
void findUniqueOwners(HostUnit &unit);

} // namespace kfuse

#endif
