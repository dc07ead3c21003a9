//===- Renaming.h - An update that leaves its array alone -----------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_RENAMING_H
#define KFUSE_GRAPHS_PROGRAM_RENAMING_H

#include "graphs/program/Program.h"

#include <cstdint>

namespace kfuse {

/// A launch that writes all of an array can write another one instead, whose
/// content isn't needed; then the host swaps the pointers to both. Launches
/// before it may go on reading the old content: the write-after-read dependence
/// between them is gone.
struct Renaming {
  LaunchId launch{};
  std::uint32_t pointer = 0; ///< Kernel::pointers, through which it writes
  ArrayId into{};
  auto operator<=>(const Renaming &) const = default;
};

} // namespace kfuse

#endif
