//===- ThreadGroups.h - Groups of threads and their collectives -----------===//
//
// Kernels say with cooperative groups and with CUB which threads act together,
// and whether they wait for each other.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_THREADGROUPS_H
#define KFUSE_FRONTEND_KERNEL_THREADGROUPS_H

#include "clang/AST/Type.h"

#include <cstdint>
#include <optional>

namespace clang {
class CallExpr;
class CXXRecordDecl;
} // namespace clang

namespace kfuse {

inline constexpr unsigned WarpThreads = 32;

/// A block, or one of its tiles, which are parts of warps.
struct ThreadGroup {
  std::int64_t threads = 0; ///< of a tile; 0 for the block
  bool isBlock() const { return threads == 0; }
};
/// Returns the group that an object of `type` stands for, if it is one of these
/// of cooperative groups.
std::optional<ThreadGroup> threadGroup(clang::QualType type);
/// Returns the group whose method `call` calls, or that it is given first.
std::optional<ThreadGroup> groupOf(const clang::CallExpr &call);

/// Checks whether the call tells all threads of a block the same of their
/// group: `block.size()`, `tile.meta_group_size()`.
bool isOfWholeBlock(const clang::CallExpr &call);
/// Checks whether the call tells all threads of a warp the same:
/// `tile.meta_group_rank()`.
bool isOfWholeWarp(const clang::CallExpr &call);

/// A collective of CUB.
struct Collective {
  bool isOfBlock = false; ///< else of warps
  bool onlyLoads = false; ///< from the pointers that it is given
};
/// Returns the collective that `call` runs, which accesses nothing but its
/// arguments and its own storage; nullopt for other calls.
std::optional<Collective> collective(const clang::CallExpr &call);

/// Checks whether an object of class `record` is a collective or a group, and
/// so accesses nothing later but its own storage.
bool keepsNothing(const clang::CXXRecordDecl &record);

/// Checks whether a collective only computes with a value of `type`. It is a
/// number, or points to some, or is a function object. The body of that uses
/// nothing but its parameters.
bool isPlainOperand(clang::QualType type);

} // namespace kfuse

#endif
