//===- Holders.h - Variables that alone name an array ---------------------===//
#ifndef KFUSE_FRONTEND_HOST_HOLDERS_H
#define KFUSE_FRONTEND_HOST_HOLDERS_H

namespace kfuse {

struct HostUnit;

/// Sets Array::holder.
void settleHolders(HostUnit &unit);

} // namespace kfuse

#endif
