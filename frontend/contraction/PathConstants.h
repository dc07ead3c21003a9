//===- PathConstants.h - Values that compilers know on a path -------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_PATHCONSTANTS_H
#define KFUSE_FRONTEND_CONTRACTION_PATHCONSTANTS_H

#include "frontend/contraction/KernelValues.h"

#include <set>
#include <utility>

namespace kfuse {

class PathConstants {
public:
  explicit PathConstants(const KernelValues &values) : Values(values) {}

  /// Checks whether compilers may find on some path that `value` is one or two,
  /// or the negative of these: in a turn of an unrolled loop, too.
  bool mayBeOneOrTwo(const clang::Expr &value, const CallFrame &in) const {
    Visited visited;
    return check(&value, in, /*isAny=*/false, visited);
  }

private:
  using Visited =
      std::set<std::pair<const clang::VarDecl *, const CallFrame *>>;

  bool check(const clang::Expr *value, const CallFrame &in, bool isAny,
             Visited &visited) const;
  bool checkVariable(const clang::VarDecl &variable, const CallFrame &in,
                     bool isAny, Visited &visited) const;

  const KernelValues &Values;
};

/// Checks whether compilers may know that `number` is one or two, or the
/// negative of these, where values of variables aren't followed.
bool mayBeOneOrTwoAnywhere(const clang::Expr &number,
                           const clang::ASTContext &ast);

/// Checks whether the function gives a variable, a parameter or its caller such
/// a number.
bool givesOneOrTwo(const FunctionFacts &facts, const clang::ASTContext &ast);

} // namespace kfuse

#endif
