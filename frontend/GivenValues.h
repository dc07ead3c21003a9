//===- frontend/GivenValues.h - What variables hold -----------------------===//
//
// Of one function, without its order: an expression may be given to a variable
// wherever it is assigned. Parts of a variable count as all of it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_GIVENVALUES_H
#define KFUSE_FRONTEND_GIVENVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace clang {
class Expr;
class FunctionDecl;
class ParmVarDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

/// By which parameters a place is given values elsewhere, references or
/// pointers that a function that is called has to it; nullptr for any other
/// way.
using Lent = std::vector<const clang::ParmVarDecl *>;

/// What the variables of a function are given, and how often they are read. A
/// variable is *open* when others may give it a value, through its address or a
/// reference.
struct GivenValues {
  /// What a function gives to the numbers that a parameter refers or points to.
  struct Target {
    std::vector<const clang::Expr *> values;
    Lent lent;
  };

  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::Expr *>>
      values;
  llvm::DenseMap<const clang::VarDecl *, unsigned> reads;
  llvm::DenseMap<const clang::VarDecl *, Lent> open;
  llvm::DenseMap<const clang::ParmVarDecl *, Target> targets;
  bool hasLoop = false;
};

GivenValues givenValues(const clang::FunctionDecl &definition);

/// The expression without what doesn't change a value.
const clang::Expr *sameValue(const clang::Expr *expression);

/// And without what changes its sign alone.
const clang::Expr *sameBits(const clang::Expr *expression);

/// The local variable or parameter that an expression is, or is a part of;
/// nullptr for what lies behind a pointer or a reference.
const clang::VarDecl *localOf(const clang::Expr *expression);

/// The local variable that the pointer's value is the address of.
const clang::VarDecl *addressed(const clang::Expr *pointer);

/// The parameter through which numbers that others lent are reached; nullptr
/// for any other place.
const clang::ParmVarDecl *borrowerOf(const clang::Expr *place);

/// What a place is a part of, or is pointed to by.
const clang::Expr *rootOf(const clang::Expr *place);

/// The variable whose value, but for an offset, the pointer or a place behind
/// it is.
const clang::VarDecl *variableBehind(const clang::Expr &pointer);

/// The variable that the expression names.
const clang::VarDecl *variableOf(const clang::Expr *expression);
/// The variables of which a place may be one.
llvm::SmallVector<const clang::VarDecl *, 2>
variablesAt(const clang::Expr *place);

} // namespace kfuse

#endif
