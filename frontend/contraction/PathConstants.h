//===- PathConstants.h - Values that compilers know on a path -------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_PATHCONSTANTS_H
#define KFUSE_FRONTEND_CONTRACTION_PATHCONSTANTS_H

#include "frontend/contraction/KernelValues.h"

#include <map>
#include <tuple>

namespace kfuse {

class PathConstants {
public:
  explicit PathConstants(const KernelValues &values) : Values(values) {}

  /// Checks whether compilers may find on some path that `value` is one or two,
  /// or the negative of these: in a turn of an unrolled loop, too.
  bool mayBeOneOrTwo(const clang::Expr &value, const CallFrame &in) const {
    Known known;
    return check(&value, in, /*isAny=*/false, known);
  }

private:
  struct Known {
    /// Answers, by variable, frame and isAny.
    std::map<std::tuple<const clang::VarDecl *, const CallFrame *, bool>, bool>
        variables;
    unsigned steps = 0; ///< so far; beyond a limit all values may be known
  };

  bool check(const clang::Expr *value, const CallFrame &in, bool isAny,
             Known &known) const;
  bool checkVariable(const clang::VarDecl &variable, const CallFrame &in,
                     bool isAny, Known &known) const;

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
