//===- PlainFactors.h - Factors that compilers know nothing of ------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_PLAINFACTORS_H
#define KFUSE_FRONTEND_CONTRACTION_PLAINFACTORS_H

#include "frontend/contraction/KernelValues.h"

#include "clang/AST/Expr.h"

namespace kfuse {

class PlainFactors {
public:
  explicit PlainFactors(const KernelValues &values) : Values(values) {}

  /// Checks whether compilers know nothing of `value`, not even on one path: it
  /// is computed from loads, parameters and numbers, none of them negative if
  /// `isStrict`.
  bool contains(const clang::Expr &value, const CallFrame &in,
                bool isStrict) const {
    return isPlain(&value, in, isStrict, 0);
  }
  /// Checks whether `value` is read from memory at an index, or through a
  /// pointer, that the loop of the frame changes.
  bool changesIn(const clang::Expr &value, const CallFrame &in,
                 const clang::Stmt &loop, const CallFrame &ofLoop) const {
    return changes(value, in, loop, ofLoop, false, 0);
  }

private:
  bool isPlain(const clang::Expr *value, const CallFrame &in, bool isStrict,
               unsigned depth) const;
  bool isPlainLoad(const clang::Expr &place, const CallFrame &in) const;
  bool changes(const clang::Stmt &value, const CallFrame &in,
               const clang::Stmt &loop, const CallFrame &ofLoop, bool isIndex,
               unsigned depth) const;

  const KernelValues &Values;
};

} // namespace kfuse

#endif
