//===- Version.cpp - Which kfuse this is ----------------------------------===//

#include "system/Version.h"

#include "system/VersionText.inc"

namespace kfuse {

const char *versionText() { return KFUSE_VERSION_TEXT; }

} // namespace kfuse
