//===- frontend/ValueKeys.h - Expressions that have one value -------------===//
//
// Compilers find out that two expressions have one value: through variables and
// what calls give to parameters and return, with the operands in another order,
// with the same index written in another way. Such expressions have one key
// here. Others may have that too, as an array is taken to keep what it holds,
// and a number to be the same in another precision.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_VALUEKEYS_H
#define KFUSE_FRONTEND_VALUEKEYS_H

#include "frontend/KnownNumbers.h"

#include "clang/AST/OperationKinds.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class BinaryOperator;
class CallExpr;
class CastExpr;
class ValueDecl;
} // namespace clang

namespace kfuse {

/// A call in the text of a function, or what runs as if it were one.
struct VisibleCall {
  const clang::FunctionDecl *callee = nullptr; ///< its definition
  llvm::ArrayRef<const clang::Expr *> arguments;
  const clang::Expr *object = nullptr; ///< of a method
  const clang::Expr *whole = nullptr;  ///< the expression
};

std::optional<VisibleCall> visibleCall(const clang::CallExpr &call);

/// The keys of the expressions of one function in one of its calls. Integers
/// and addresses are polynomials in what they are made of, taken at places that
/// hashes give; the negative of a floating-point value has the negative key.
class ValueKeys {
public:
  using Key = std::uint64_t;

  /// Of a function that nobody calls.
  ValueKeys(const clang::ASTContext &ast, KnownNumbers &numbers,
            const clang::FunctionDecl &function);

  /// Of a call in a function with keys of its own.
  ValueKeys(const VisibleCall &call, ValueKeys &caller);

  ValueKeys(const ValueKeys &) = delete;
  ValueKeys &operator=(const ValueKeys &) = delete;

  Key of(const clang::Expr *expression);
  /// Of the place, not of what it holds.
  Key ofPlace(const clang::Expr *place);
  /// Whatever the sign.
  Key ofMagnitude(const clang::Expr *expression);

  /// An element of an array, or of what a pointer leads to.
  struct Place {
    Key key = 0;
    std::optional<Key> array;  ///< nothing of it is known without
    bool isAnyElement = false; ///< the index isn't a polynomial of known values

    bool mayBe(const Place &other) const {
      return key == other.key || !array || !other.array ||
             (array == other.array && (isAnyElement || other.isAnyElement));
    }
  };
  /// Nothing for what isn't in memory.
  std::optional<Place> placeOf(const clang::Expr *expression);

  /// Whether compilers may find the value to be anything: that of a variable or
  /// a part of one that gets several values, and what is computed with it.
  bool isOpen(const clang::Expr *expression);

  /// What a variable or a part of one may have been given, whatever the signs.
  std::vector<Key> givenTo(const clang::Expr *expression);

  /// Of a call in the function; nullptr beyond the limits.
  ValueKeys *inside(const VisibleCall &call);

  /// Whether a loop is around what the call runs, in any of the functions.
  bool isInLoop() const {
    return Known.hasLoop || (Caller && Caller->isInLoop());
  }

private:
  /// Through how many variables, parameters and calls a value is followed.
  static constexpr unsigned MaximumSteps = 64;

  using Source = std::pair<const clang::Expr *, ValueKeys *>;

  Source sourceOf(const clang::Expr *expression);
  std::optional<Source> step(const clang::Expr *value);
  std::optional<Source> valueOf(const clang::VarDecl &variable);
  std::optional<Source> part(Source whole, std::size_t index);
  std::optional<Source> pointee(const clang::Expr *pointer);
  Source objectOf(const clang::Expr *place);
  ValueKeys &ownerOf(const clang::VarDecl &variable);
  Key compute(const clang::Expr *value, ValueKeys &in,
              Key (ValueKeys::*computed)(const clang::Expr *));
  Key compute(const clang::Expr *value);
  Key computePlace(const clang::Expr *place);
  Key ofVariable(const clang::VarDecl &variable) const;
  std::optional<Key> constant(const clang::Expr *value) const;
  std::optional<Key> arithmetic(const clang::BinaryOperator &operation);
  std::optional<Key> floating(clang::BinaryOperatorKind kind,
                              const clang::Expr *left,
                              const clang::Expr *right);
  bool isOpenValue(const clang::Expr *value);
  bool isOpenInteger(const clang::Expr *value);
  bool isOpenCall(const clang::CallExpr &call);
  bool isOpenPlace(const clang::Expr *place);
  bool isOpenIndex(const clang::Expr *index);
  bool isOpenNumber(const clang::Expr *value);
  bool hasOpenIndex(const clang::Expr *place);
  std::optional<Key> arrayOf(const clang::Expr *place);
  std::optional<Key> arrayOfPointer(const clang::VarDecl &pointer);
  Key cast(const clang::CastExpr &cast);
  Key call(const clang::CallExpr &call);
  Key structure(const clang::Stmt *value);
  Key scaled(const clang::Expr *index, const clang::Expr *pointer);
  Key offset(const clang::ValueDecl &member) const;

  const clang::ASTContext &Ast;
  KnownNumbers &Numbers;
  const clang::FunctionDecl &Function;
  const GivenValues &Known;
  VisibleCall Called;
  ValueKeys *Caller = nullptr;
  unsigned Level = 0;
  Key Instance = 0; ///< what tells its variables from those of other calls
  unsigned Depth = 0;
  unsigned Own = 0; ///< values computed, of all calls
  unsigned *Count = &Own;
  llvm::DenseMap<const clang::Expr *, Key> Values;
  llvm::DenseMap<const clang::Expr *, bool> Open, OpenIndices;
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Pointers; ///< in the works
  llvm::DenseMap<std::pair<const clang::Expr *, const clang::FunctionDecl *>,
                 std::unique_ptr<ValueKeys>>
      Inside;
};

} // namespace kfuse

#endif
