//===- OldSpellings.h - Options that have other names now -----------------===//
#ifndef KFUSE_DRIVER_OLDSPELLINGS_H
#define KFUSE_DRIVER_OLDSPELLINGS_H

#include <string>
#include <string_view>

namespace kfuse {

/// Returns what the word of a command line is called now, such as
/// `--search-budget` for `--effort=20`; empty if it has no other name.
std::string newSpelling(std::string_view word);

} // namespace kfuse

#endif
