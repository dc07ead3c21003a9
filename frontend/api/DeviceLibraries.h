//===- DeviceLibraries.h - Calls that borrow device arrays ----------------===//
//
// Algorithms of Thrust and CUB, and functions of cuBLAS, cuFFT and cuRAND. They
// use the arrays that they are given in the order of the default stream, and
// keep no pointer.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_API_DEVICELIBRARIES_H
#define KFUSE_FRONTEND_API_DEVICELIBRARIES_H

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace kfuse {

struct Borrowing {
  /// A pointer that is passed by value, or a vector with iterators that are,
  /// and whether the call may write there.
  struct Argument {
    const clang::Expr *value = nullptr;
    bool isWritten = false;
  };
  std::vector<Argument> pointers, vectors;
  /// Expressions around the pointers that only make iterators of them.
  std::set<const clang::Expr *> wrappers;
};

/// Returns what `use`, a call or the construction of an object, borrows;
/// nullopt if it may do anything else to the device. `isWhole` says that nobody
/// takes the result. The program calls the runtime and its libraries by
/// `runtimeNames`.
std::optional<Borrowing> borrowedBy(const clang::Expr &use, bool isWhole,
                                    const std::set<std::string> &runtimeNames,
                                    clang::ASTContext &ast);

} // namespace kfuse

#endif
