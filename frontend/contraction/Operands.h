//===- Operands.h - What compilers may contract with a sum ----------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_OPERANDS_H
#define KFUSE_FRONTEND_CONTRACTION_OPERANDS_H

#include "frontend/contraction/KernelValues.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace clang {
class CastExpr;
} // namespace clang

namespace kfuse {

/// How a value may be computed, as far as sums care.
struct Operand {
  enum class Kind : std::uint8_t {
    Free,    ///< it is no product
    Exact,   ///< it may be a product that is never rounded
    Product, ///< it is this one, which is rounded
    Unknown
  };
  Kind kind = Kind::Free;
  /// A multiplication, or a call of the library that may end in one.
  const clang::Expr *product = nullptr;
  const CallFrame *in = nullptr; ///< that computes it
  bool isHeld = false;           ///< by a variable that is read once
};

class Operands {
public:
  explicit Operands(const KernelValues &values)
      : Values(values), OfStores(values.stores().size()) {}

  Operand of(const clang::Expr &value, const CallFrame &in) {
    return operand(&value, in, 0);
  }
  /// Checks whether `value` may be the negative of another one, so that
  /// compilers may subtract that one.
  bool mayBeNegated(const clang::Expr &value, const CallFrame &in) {
    return isNegated(&value, in, 0);
  }

private:
  using Variable = std::pair<const clang::VarDecl *, const CallFrame *>;

  Operand operand(const clang::Expr *value, const CallFrame &in,
                  unsigned depth);
  Operand operation(const clang::BinaryOperator &operation, const CallFrame &in,
                    unsigned depth);
  bool mayBeOneAlone(const clang::BinaryOperator &operation,
                     const CallFrame &in, unsigned depth);
  Operand converted(const clang::CastExpr &cast, const CallFrame &in,
                    unsigned depth);
  Operand called(const clang::CallExpr &call, const CallFrame &in,
                 unsigned depth);
  Operand variable(const clang::VarDecl &variable, const CallFrame &in,
                   unsigned depth);
  Operand component(const clang::Expr &member, const Source &source,
                    const CallFrame &in, unsigned depth);
  static Operand held(const Operand &value);
  Operand loaded(const clang::Expr &place, const CallFrame &in);
  bool isNegated(const clang::Expr *value, const CallFrame &in, unsigned depth);
  template <typename Range>
  Operand anyOf(const Range &values, const CallFrame &in, unsigned depth);

  const KernelValues &Values;
  std::vector<std::optional<Operand::Kind>> OfStores; ///< their values
  std::map<Variable, Operand> Known;
  std::map<Variable, bool> Negated;
};

} // namespace kfuse

#endif
