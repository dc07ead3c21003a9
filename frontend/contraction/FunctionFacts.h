//===- FunctionFacts.h - What the text of a function computes -------------===//
//
// One pass over a function that a kernel runs: its sums and products, what its
// variables are given, and which branches and loops they stand in.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_FUNCTIONFACTS_H
#define KFUSE_FRONTEND_CONTRACTION_FUNCTIONFACTS_H

#include "frontend/contraction/LocalPlaces.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class BinaryOperator;
class CallExpr;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class Stmt;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

/// The place in a function at which something is computed.
struct Position {
  unsigned order = 0; ///< in the text, before its operands
  unsigned last = 0;  ///< the order of the last of these
  /// The innermost part that may not run though the function does: an arm of a
  /// branch; nullptr outside of all.
  const clang::Stmt *arm = nullptr;
  const clang::Stmt *loop = nullptr; ///< the innermost one

  bool contains(const Position &other) const {
    return order <= other.order && other.order <= last;
  }
};

/// Expressions, any two of which are nested or disjoint.
class Nest {
public:
  void add(const clang::Stmt &expression, const clang::VarDecl *variable,
           const Position &position) {
    All.push_back({&expression, variable, position, -1});
  }
  /// Links each item to the one around it, after the last add().
  void link();

  struct Item {
    const clang::Stmt *expression;
    const clang::VarDecl *variable; ///< that gets the value
    Position position;
    int around; ///< the number of the one that it is in, or -1
  };
  /// Returns the items that contain `position`, innermost first.
  std::vector<const Item *> containing(const Position &position) const;

private:
  std::vector<Item> All; ///< by their order
};

struct FunctionFacts {
  using Variables = llvm::SmallPtrSet<const clang::VarDecl *, 8>;

  /// The values given to local variables, or to parts of them.
  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::Expr *>>
      given;
  llvm::DenseMap<const clang::VarDecl *,
                 std::vector<const clang::DeclRefExpr *>>
      reads;
  /// For each variable, how often its members are read by themselves.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::DenseMap<const clang::ValueDecl *, unsigned>>
      memberReads;
  std::vector<const clang::Expr *> returned;
  /// Floating-point additions and subtractions, steps by one too.
  std::vector<const clang::Expr *> sums;
  /// Floating-point multiplications and divisions, and calls of the library
  /// that may end in a multiplication, as `expf`.
  std::vector<const clang::Expr *> products;
  std::vector<const clang::CallExpr *> calls; ///< of functions with a body
  /// Calls of collectives, which may add what they are given.
  std::vector<const clang::CallExpr *> collectives;
  llvm::ArrayRef<const clang::Expr *>
  valuesOf(const clang::VarDecl &variable) const {
    const auto found = given.find(&variable);
    if (found == given.end())
      return {};
    return found->second;
  }
  llvm::ArrayRef<const clang::DeclRefExpr *>
  readsOf(const clang::VarDecl &variable) const {
    const auto found = reads.find(&variable);
    if (found == reads.end())
      return {};
    return found->second;
  }

  /// Returns how often `variable`'s member is read by itself that `member`
  /// reads; 0 if all of the variable is read, too.
  unsigned readsOf(const clang::VarDecl &variable,
                   const clang::Expr &member) const;

  /// Values of variables and calls of functions, for what is in them.
  Nest values, callNest;
  /// Stores to memory, each as the place and the value.
  std::vector<std::pair<const clang::Expr *, const clang::Expr *>> stores;
  std::vector<unsigned> barriers; ///< by their order
  /// For each arm of a branch with two, the other one.
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> otherArm;
  /// Arms in which something is added, or called.
  llvm::SmallPtrSet<const clang::Stmt *, 8> armsWithSums;
  /// For each arm or loop, what is around it.
  llvm::DenseMap<const clang::Stmt *, Position> around;
  llvm::DenseMap<const clang::Stmt *, Position> positions; ///< of expressions
  /// For each loop, the variables that it changes.
  llvm::DenseMap<const clang::Stmt *, Variables> changed;
  /// The order, ascending, of arms, loops, calls, and whatever else compilers
  /// compute with branches.
  std::vector<unsigned> branches;
  bool dividesOrCalls = false; ///< there are others than choices
  /// Only assignments in it set a variable or memory. It has no references to
  /// variables, no objects with functions, no views of memory as another type,
  /// no assembly, no code that can't be seen.
  bool isPlain = true;
  /// Something may end in a product that isn't visible, as `expf`.
  bool hasUnseen = false;
};

FunctionFacts functionFacts(const clang::ASTContext &ast,
                            const clang::FunctionDecl &definition);

} // namespace kfuse

#endif
