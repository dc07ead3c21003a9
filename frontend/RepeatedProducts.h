//===- frontend/RepeatedProducts.h - Products that come more than once ----===//
//
// A product that a kernel computes twice becomes one with two uses: one that a
// sum need not be contracted with. It may come from two functions, which are
// inlined, or from two calls of one. One that is stored, and loaded again, has
// two uses too.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REPEATEDPRODUCTS_H
#define KFUSE_FRONTEND_REPEATEDPRODUCTS_H

#include "frontend/ValueKeys.h"

#include "llvm/ADT/DenseSet.h"

#include <map>
#include <vector>

namespace kfuse {

/// What the text of one function multiplies, calls, stores and loads.
struct Multiplied {
  struct Store {
    const clang::Expr *place, *value;
    /// The products that the value may be, and what it may be loaded from.
    std::vector<const clang::Expr *> products, loads;
    bool isLoadedInCalls = false; ///< too
    bool isProduct = false, isRounded = false;
  };
  struct Load {
    const clang::Expr *place;
    bool isTaken;       ///< by a sum or a parameter; else returned
    bool isWithProduct; ///< which the sum takes too
  };
  /// Without those that are exact, with calls of functions that aren't visible
  /// and may end in one.
  std::vector<const clang::Expr *> products;
  std::vector<VisibleCall> calls;
  /// Of both: what sums or parameters take.
  llvm::DenseSet<const clang::Expr *> taken;
  std::vector<Store> stores; ///< to what isn't a local variable
  std::vector<Load> loads;
};

using MultipliedBy = std::map<const clang::FunctionDecl *, Multiplied>;

struct RepeatedProducts {
  unsigned count = 0; ///< of all products, with those of each call
  /// By function, those that a sum takes and that come again.
  std::map<const clang::FunctionDecl *, std::vector<const clang::Expr *>> taken;
  /// Some product that is rounded is stored, and a sum may take it from there.
  bool loadsRounded = false;
  bool isComplete = true; ///< there weren't too many calls to look at
};

/// Of a function and all that it calls.
RepeatedProducts repeatedProducts(const clang::ASTContext &ast,
                                  KnownNumbers &numbers,
                                  const clang::FunctionDecl &function,
                                  const MultipliedBy &multiplied);

} // namespace kfuse

#endif
