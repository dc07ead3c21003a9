//===- Version.h - Which kfuse this is ------------------------------------===//
#ifndef KFUSE_SYSTEM_VERSION_H
#define KFUSE_SYSTEM_VERSION_H

namespace kfuse {

/// Returns the version and the commit that was built: `0.1.0 (1cc2bff)`. Behind
/// the commit a `+` stands for changes that weren't committed.
const char *versionText();

} // namespace kfuse

#endif
