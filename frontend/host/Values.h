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
#include <utility>

namespace clang {
class BinaryOperator;
class CallExpr;
class CastExpr;
class CXXThisExpr;
class CXXConstructExpr;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace kfuse {

struct HostUnit;

/// Expressions nested deeper than that have unknown values.
inline constexpr unsigned DepthLimit = 64;

/// Values.cpp reads integers, Pointers.cpp reads pointers and places,
/// Helpers.cpp enters the functions that calls are the values of.
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
  /// Returns the text of `expression`, the value of a number, and the variables
  /// that it reads.
  HostExpr describe(const clang::Expr &expression);
  std::string text(const clang::Expr &expression);

  /// Notes `storage` as what `call` returned, or as what the handle holds that
  /// it constructed.
  void setResult(const clang::Expr &call, ObjectId storage);
  std::optional<ObjectId> result(const clang::Expr &call) const;

  /// Notes that what `use` is given has no other name once it is done.
  void noteBorrowing(const clang::Expr &use) { Borrowings.insert(&use); }

  /// Notes that every pointer that `expression` mentions is known by another
  /// name from here on.
  void escapeMentioned(const clang::Stmt &expression);

  /// Checks whether evaluating `expression` changes a variable that it also
  /// names, which may have another value in it than before.
  bool changesNames(const clang::Expr &expression) const;

private:
  void shareMentioned(const clang::Stmt &expression);
  /// A call of a helper that is being read. Its variables stand for expressions
  /// of the caller, or of its own.
  struct Frame {
    struct Variable {
      const clang::Expr *expression = nullptr;
      const Frame *where = nullptr; ///< nullptr: the function that is walked
      std::optional<HostData> data; ///< if it is an integer or a pointer
    };
    const clang::FunctionDecl *helper = nullptr;
    std::map<const clang::VarDecl *, Variable> variables = {};
    std::optional<HostPlace> object = {}; ///< of a method, if it is known
    bool isOurObject = false;             ///< that of the function walked
    std::string text = {};                ///< of the call
  };
  /// Calls `read` with the value of the call's helper, and with its variables
  /// bound; returns nullopt if the call is of no helper.
  template <class Result, class Read>
  std::optional<Result> inHelper(const clang::CallExpr &call, const Read &read);
  bool enter(const clang::CallExpr &call, const HelperBody &body, Frame &frame);
  void bind(const clang::VarDecl &variable, const clang::Expr &expression,
            const Frame *where, Frame &frame);
  /// Returns what a variable of the helper that is being read stands for;
  /// nullptr if the expression is none.
  const Frame::Variable *bound(const clang::Expr &expression) const;
  /// Reads a member of a record that such a variable holds; nullopt if the
  /// expression is no such member.
  std::optional<HostData> boundMember(const clang::Expr &lvalue,
                                      clang::QualType type);
  /// Calls `read` as in the frame.
  template <class Read> auto within(const Frame *frame, const Read &read);

  Polynomial ofRange(const clang::CXXConstructExpr &range,
                     const std::string &path);
  Polynomial convert(const Polynomial &value, clang::QualType from,
                     clang::QualType to);
  Polynomial binary(const clang::BinaryOperator &expression);
  Polynomial comparison(const clang::BinaryOperator &expression);
  Polynomial integerCast(const clang::CastExpr &cast);
  Polynomial call(const clang::CallExpr &call);
  Polynomial condition(const clang::Expr &expression);
  /// Returns whether a pointer isn't null.
  Polynomial truthOf(const clang::Expr &pointer);
  Polynomial term(TermKind kind, std::vector<Polynomial> operands,
                  std::int64_t detail = 0);
  HostPointer pointerCast(const clang::CastExpr &cast);
  HostPointer addressOf(const clang::Expr &lvalue);
  std::optional<HostPointer> deviceAddress(const clang::Expr &expression,
                                           clang::QualType type);
  HostPointer displaced(const HostPointer &pointer, const clang::Expr &index,
                        clang::QualType element, bool isNegative);
  HostPointer unknownPointer(const clang::Expr &expression);
  HostData unknownMember(const clang::Expr &expression, const std::string &path,
                         clang::QualType type);
  std::optional<HostPlace> pointee(const clang::Expr &pointer);
  std::optional<HostPlace> element(const HostPlace &array,
                                   const clang::Expr &index);
  std::optional<std::string> floatKey(const clang::Expr &expression);
  /// Returns a text for the numbers that a structure of nothing else holds;
  /// equal ones have equal texts.
  std::optional<std::string> recordKey(const clang::Expr &expression);
  std::optional<std::string> memberKeys(const HostPlace &place,
                                        clang::QualType type,
                                        const std::string &text);
  /// Returns an unknown value of the expression's type.
  Polynomial unknown(const clang::Expr &expression);
  Polynomial orUnknown(std::optional<Polynomial> value) {
    return value ? *value : Model.unknown();
  }

  const HostUnit &Unit;
  HostModel &Model;
  AbstractState &Env;
  const Frame *Current = nullptr; ///< nullptr: the function that is walked
  /// New storage that calls return, by call.
  std::map<const clang::Expr *, ObjectId> Results;
  std::set<const clang::Expr *> Borrowings;
  unsigned Depth = 0;
};

template <class Read>
auto HostReader::within(const Frame *frame, const Read &read) {
  const Frame *const before = std::exchange(Current, frame);
  auto result = read();
  Current = before;
  return result;
}

template <class Result, class Read>
std::optional<Result> HostReader::inHelper(const clang::CallExpr &call,
                                           const Read &read) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const auto body = callee ? helperBody(*callee) : std::nullopt;
  if (!body || Depth > DepthLimit)
    return std::nullopt;
  Frame frame;
  ++Depth;
  std::optional<Result> result;
  if (enter(call, *body, frame))
    result = within(&frame, [&] { return Result(read(*body->value)); });
  --Depth;
  return result;
}

} // namespace kfuse

#endif
