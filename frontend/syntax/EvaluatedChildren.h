//===- EvaluatedChildren.h - What a statement evaluates -------------------===//
//
// A statement's children in Clang's tree are neither all that it evaluates nor
// all evaluated. Default arguments and initialisers stand elsewhere in the
// text, and the sizes of arrays stand in types. What `sizeof` names never runs.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_EVALUATEDCHILDREN_H
#define KFUSE_FRONTEND_SYNTAX_EVALUATEDCHILDREN_H

#include "clang/AST/Type.h"

#include <vector>

namespace clang {
class Decl;
class Stmt;
} // namespace clang

namespace kfuse {

/// Returns what is evaluated in place of `statement`, in order, without the
/// bodies of what is called. Doesn't look into declarations.
std::vector<const clang::Stmt *> evaluatedIn(const clang::Stmt &statement);

/// Returns those of evaluatedIn() that no condition in an expression decides
/// on.
std::vector<const clang::Stmt *>
alwaysEvaluatedIn(const clang::Stmt &statement);

/// Returns what `declaration` evaluates besides a variable's initialiser: the
/// sizes of variable-length arrays, and what a structured binding's names hold.
std::vector<const clang::Stmt *> evaluatedBy(const clang::Decl &declaration);

} // namespace kfuse

#endif
