//===- CallTree.h - A kernel with all that it calls -----------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_CALLTREE_H
#define KFUSE_FRONTEND_CONTRACTION_CALLTREE_H

#include "frontend/contraction/FunctionFacts.h"

#include <deque>
#include <map>
#include <utility>

namespace kfuse {

/// A function in one of its calls.
struct CallFrame {
  const clang::FunctionDecl *function = nullptr;
  const FunctionFacts *facts = nullptr;
  const CallFrame *caller = nullptr; ///< nullptr for the kernel
  const clang::CallExpr *call = nullptr;
  unsigned depth = 0;
};

/// Returns the object that a method is called for, in the frame of its caller;
/// nullptr for other functions.
const clang::Expr *objectOf(const CallFrame &method);

struct CallTree {
  std::map<const clang::FunctionDecl *, FunctionFacts> facts;
  std::deque<CallFrame> frames; ///< the kernel's is the first
  std::map<std::pair<const CallFrame *, const clang::CallExpr *>,
           const CallFrame *>
      callees;
  /// All functions are plain, and there aren't too many calls.
  bool isPlain = true;

  /// Returns the frame of the function that `call` runs; nullptr for a function
  /// of the library.
  const CallFrame *calleeOf(const clang::CallExpr &call,
                            const CallFrame &in) const {
    const auto found = callees.find({&in, &call});
    return found == callees.end() ? nullptr : found->second;
  }
};

CallTree callTree(const clang::ASTContext &ast,
                  const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
