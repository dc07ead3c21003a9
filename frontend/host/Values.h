//===- Values.h - The value of a host expression --------------------------===//
//
// Reads expressions under an AbstractState: integers become polynomials over
// host values, pointers become a object and a byte offset, records are read
// leaf by leaf. Nothing here changes the environment's places; an expression
// with a side effect has an unknown value.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_HOST_VALUES_H
#define KFUSE_FRONTEND_HOST_VALUES_H

#include "frontend/host/AbstractState.h"
#include "frontend/host/Expressions.h"
#include "frontend/host/Model.h"

#include <array>

namespace clang {
class BinaryOperator;
class CallExpr;
class CastExpr;
class CXXConstructExpr;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace kfuse {

struct HostUnit;

/// Expressions nested deeper than that have unknown values.
inline constexpr unsigned DepthLimit = 64;

/// Values.cpp reads integers, Pointers.cpp reads pointers and places.
class HostReader {
public:
  HostReader(const HostUnit &unit, HostModel &model, AbstractState &environment)
      : Unit(unit), Model(model), Env(environment) {}

  Polynomial integer(const clang::Expr &expression);
  Polynomial wrapped(const Polynomial &value, clang::QualType type);
  /// Returns the value as an operand of operations that aren't modular, and as
  /// a kernel sees it.
  Polynomial exact(const Polynomial &value, clang::QualType type);
  Polynomial exact(const clang::Expr &expression);
  Polynomial unwrapped(const clang::Expr &expression);
  HostPointer pointer(const clang::Expr &expression);
  /// Reads a pointer, or the handle that an OpenCL object holds.
  HostPointer handle(const clang::Expr &expression);
  /// Returns the place of `lvalue`, if that is known.
  std::optional<HostPlace> place(const clang::Expr &lvalue);
  /// Returns the integer or pointer that the record `expression` holds at
  /// `path`.
  HostData member(const clang::Expr &expression, const std::string &path,
                  clang::QualType type);
  /// Returns the value of an integer or a pointer, by the expression's type.
  HostData data(const clang::Expr &expression);
  std::array<Polynomial, 3> extent(const clang::Expr &shape);
  /// Returns the text of `expression`, the value of an integer, and the
  /// variables that it reads.
  HostExpr describe(const clang::Expr &expression);
  std::string text(const clang::Expr &expression);

  /// Notes `storage` as what `call` returned, or as what the handle holds that
  /// it constructed.
  void setResult(const clang::Expr &call, ObjectId storage);
  std::optional<ObjectId> result(const clang::Expr &call) const;

  /// Notes that every pointer that `expression` mentions is known by another
  /// name from here on.
  void escapeMentioned(const clang::Stmt &expression);

  /// Checks whether evaluating `expression` changes a variable that it also
  /// names, which may have another value in it than before.
  bool changesNames(const clang::Expr &expression) const;

private:
  Polynomial ofRange(const clang::CXXConstructExpr &range,
                     const std::string &path);
  Polynomial convert(const Polynomial &value, clang::QualType from,
                     clang::QualType to);
  Polynomial binary(const clang::BinaryOperator &expression);
  Polynomial comparison(const clang::BinaryOperator &expression);
  Polynomial integerCast(const clang::CastExpr &cast);
  Polynomial call(const clang::CallExpr &call);
  Polynomial condition(const clang::Expr &expression);
  Polynomial term(TermKind kind, std::vector<Polynomial> operands,
                  std::int64_t detail = 0);
  HostPointer pointerCast(const clang::CastExpr &cast);
  HostPointer addressOf(const clang::Expr &lvalue);
  HostPointer displaced(const HostPointer &pointer, const clang::Expr &index,
                        clang::QualType element, bool isNegative);
  HostPointer unknownPointer(const clang::Expr &expression);
  HostData unknownMember(const clang::Expr &expression, const std::string &path,
                         clang::QualType type);
  std::optional<HostPlace> pointee(const clang::Expr &pointer);
  std::optional<HostPlace> element(const HostPlace &array,
                                   const clang::Expr &index);
  std::optional<std::string> floatKey(const clang::Expr &expression);
  /// Returns an unknown value of the expression's type.
  Polynomial unknown(const clang::Expr &expression);
  Polynomial orUnknown(std::optional<Polynomial> value) {
    return value ? *value : Model.unknown();
  }

  const HostUnit &Unit;
  HostModel &Model;
  AbstractState &Env;
  /// Arguments of the pure functions that are being read.
  std::map<const clang::VarDecl *, Polynomial> Arguments;
  /// New storage that calls return, by call.
  std::map<const clang::Expr *, ObjectId> Results;
  unsigned Depth = 0;
};

} // namespace kfuse

#endif
