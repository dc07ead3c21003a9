//===- Parts.h - What of a kernel writes which arrays ---------------------===//
//
//   int i = ...;              both parts
//   if (i >= n) return;       both parts
//   float t = in[i];          both parts
//   u[i] = t * t;             the part that writes u
//   v[i] += t;                the part that writes v
//
// Parts are the connected components of the kernel's outputs. Two outputs are
// connected if a statement has to do with both. It may do so directly, through
// variables, or through the conditions that it stands under.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_PARTS_H
#define KFUSE_FRONTEND_KERNEL_PARTS_H

#include "graphs/program/FissionCandidate.h"

#include <optional>

namespace clang {
class FunctionDecl;
}

namespace kfuse {

class FileTable;

/// Returns the parts of `kernel`, which is `function`'s, or nullopt if it has
/// only one or does what isn't understood. Kernel and launches aren't set.
std::optional<FissionCandidate> separate(FileTable &files,
                                         const clang::FunctionDecl &function,
                                         const Kernel &kernel);

} // namespace kfuse

#endif
