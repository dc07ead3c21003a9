//===- PlainFactors.h - Factors that compilers know nothing of ------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_PLAINFACTORS_H
#define KFUSE_FRONTEND_CONTRACTION_PLAINFACTORS_H

#include "frontend/contraction/KernelValues.h"

namespace kfuse {

class PlainFactors {
public:
  explicit PlainFactors(const KernelValues &values) : Values(values) {}

  /// Whether compilers know nothing of the value, not even on one path: it is
  /// computed of loads, parameters and numbers, by `isStrict` without a number
  /// below zero.
  bool contains(const clang::Expr &value, const CallFrame &in,
                bool isStrict) const {
    return isPlain(&value, in, isStrict, 0);
  }
  /// Whether the value is read from memory at an index, or behind a pointer,
  /// that the loop of the frame changes.
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
