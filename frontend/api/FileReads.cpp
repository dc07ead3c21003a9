//===- FileReads.cpp - Strings that are files -----------------------------===//

#include "frontend/api/FileReads.h"

#include "frontend/api/Callees.h"
#include "frontend/api/OpenClCalls.h"
#include "frontend/syntax/ControlFlow.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <ios>

namespace kfuse {

using namespace clang;
using llvm::StringRef;

namespace {

const Expr &spelled(const Expr &expression) {
  const Expr *value = expression.IgnoreUnlessSpelledInSource();
  return *value->IgnoreParenCasts();
}

bool isNameOf(const Expr &expression, const VarDecl &variable) {
  const auto *name = dyn_cast<DeclRefExpr>(&spelled(expression));
  return name && name->getDecl() == &variable;
}

/// Returns `object` if the expression is the call `object.name()` without
/// arguments; otherwise nullptr.
const Expr *objectOf(const Expr &expression, StringRef name) {
  const auto *call = dyn_cast<CXXMemberCallExpr>(&spelled(expression));
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  return method && method->getIdentifier() && method->getName() == name &&
                 call->getNumArgs() == 0
             ? call->getImplicitObjectArgument()
             : nullptr;
}

/// Reads the body of a function that returns what a file has.
class ReadFinder {
public:
  explicit ReadFinder(const FunctionDecl &function) : Function(function) {}

  bool returnsFile() {
    const auto *body = dyn_cast_or_null<CompoundStmt>(Function.getBody());
    if (!body || Function.getNumParams() != 1 ||
        libraryClass(Function.getReturnType()) != "basic_string")
      return false;
    for (const Stmt *statement : body->body())
      if (const auto *result = dyn_cast<ReturnStmt>(statement))
        return result->getRetValue() && isContent(*result->getRetValue());
      else if (!follow(*statement))
        return false;
    return false;
  }

private:
  /// Follows a statement before the `return`. Returns false if it is none of
  /// those that are understood: a declaration, a check of the stream, or the
  /// filling of the buffer.
  bool follow(const Stmt &statement) {
    if (const auto *declared = dyn_cast<DeclStmt>(&statement)) {
      const auto *variable = declared->isSingleDecl()
                                 ? dyn_cast<VarDecl>(declared->getSingleDecl())
                                 : nullptr;
      return variable && variable->hasLocalStorage() && declare(*variable);
    }
    const auto *check = dyn_cast<IfStmt>(&statement);
    if (check && !check->getElse() && leaves(*check->getThen()))
      return asksForFailure(*check->getCond());
    const auto *fill = dyn_cast<Expr>(&statement);
    return fill && fillsBuffer(*fill);
  }

  bool declare(const VarDecl &variable) {
    const StringRef type = libraryClass(variable.getType());
    const Expr *init = variable.getInit();
    if (type == "basic_ifstream" && !Stream && init && opensParameter(*init)) {
      Stream = &variable;
      return true;
    }
    if ((type == "basic_stringstream" || type == "basic_ostringstream") &&
        !Buffer && makesNothing(init)) {
      Buffer = &variable;
      return true;
    }
    if (type != "basic_string" || !init || !isContent(*init))
      return false;
    Text = &variable;
    IsRead = true;
    return true;
  }

  /// Checks for `!stream`, `!stream.is_open()` or `stream.fail()`, which are
  /// false if the file is there.
  bool asksForFailure(const Expr &condition) const {
    const Expr &value = spelled(condition);
    const auto isOfStream = [this](const Expr *object) {
      return object && Stream && !IsRead && isNameOf(*object, *Stream);
    };
    if (const auto *call = dyn_cast<CXXOperatorCallExpr>(&value))
      return call->getOperator() == OO_Exclaim && isOfStream(call->getArg(0));
    if (const auto *no = dyn_cast<UnaryOperator>(&value);
        no && no->getOpcode() == UO_LNot)
      return isOfStream(objectOf(*no->getSubExpr(), "is_open")) ||
             isOfStream(objectOf(*no->getSubExpr(), "good"));
    return isOfStream(objectOf(value, "fail")) ||
           isOfStream(objectOf(value, "bad"));
  }

  static bool makesNothing(const Expr *init) {
    const auto *made = dyn_cast_or_null<CXXConstructExpr>(init);
    return made &&
           (made->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(made->getArg(0)));
  }

  /// Checks whether `init` opens the file that the parameter names, as `path`
  /// or `path.c_str()`. A mode may follow, if that reads from the file's begin.
  bool opensParameter(const Expr &init) const {
    const auto *made = dyn_cast<CXXConstructExpr>(init.IgnoreImplicit());
    if (!made || made->getNumArgs() == 0)
      return false;
    // From its begin: in, or binary.
    const std::int64_t plain = std::ios_base::in | std::ios_base::binary;
    if (made->getNumArgs() > 1 && !isa<CXXDefaultArgExpr>(made->getArg(1))) {
      const auto mode = constantOf(*made->getArg(1), Function.getASTContext());
      if (!mode || (*mode & ~plain) != 0)
        return false;
    }
    const Expr *inner = objectOf(*made->getArg(0), "c_str");
    return isNameOf(inner ? *inner : *made->getArg(0),
                    *Function.getParamDecl(0));
  }

  /// Recognises `buffer << stream.rdbuf()`, and notes that the buffer has all
  /// of the file.
  bool fillsBuffer(const Expr &expression) {
    const auto *shift = dyn_cast<CXXOperatorCallExpr>(&spelled(expression));
    if (!shift || shift->getOperator() != OO_LessLess || !Buffer || IsRead ||
        shift->getNumArgs() != 2 || !isNameOf(*shift->getArg(0), *Buffer))
      return false;
    const Expr *stream = objectOf(*shift->getArg(1), "rdbuf");
    IsRead = IsFilled = stream && Stream && isNameOf(*stream, *Stream);
    return IsFilled;
  }

  /// Checks whether `expression` is an iterator over the stream from its
  /// current position, or, if `isEnd`, the end iterator of any stream.
  bool isIterator(const Expr &expression, bool isEnd) const {
    const Expr *value = &spelled(expression);
    const auto *made = dyn_cast<CXXConstructExpr>(value);
    if (!made || libraryClass(made->getType()) != "istreambuf_iterator")
      return false;
    if (made->getConstructor()->isCopyOrMoveConstructor())
      return isIterator(*made->getArg(0), isEnd);
    return isEnd ? made->getNumArgs() == 0
                 : made->getNumArgs() == 1 && Stream &&
                       isNameOf(*made->getArg(0), *Stream);
  }

  bool isContent(const Expr &expression) const {
    if (Text && isNameOf(expression, *Text))
      return true;
    const Expr *buffer = objectOf(expression, "str");
    if (buffer && Buffer && IsFilled && isNameOf(*buffer, *Buffer))
      return true;
    const auto *made = dyn_cast<CXXConstructExpr>(&spelled(expression));
    if (!made || libraryClass(made->getType()) != "basic_string" ||
        made->getNumArgs() == 0)
      return false;
    if (const Expr *whole = wholeString(*made))
      return isContent(*whole);
    return !IsRead && made->getNumArgs() >= 2 &&
           isIterator(*made->getArg(0), false) &&
           isIterator(*made->getArg(1), true);
  }

  const FunctionDecl &Function;
  const VarDecl *Stream = nullptr, *Buffer = nullptr, *Text = nullptr;
  bool IsRead = false;   ///< the stream, to its end
  bool IsFilled = false; ///< the buffer, with all of the file
};

} // namespace

std::optional<std::string> fileReadBy(const Expr &expression) {
  const auto *call = dyn_cast<CallExpr>(&spelled(expression));
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  if (!definition || isa<CXXMethodDecl>(definition) || call->getNumArgs() != 1)
    return std::nullopt;
  const StringLiteral *path = literalIn(*call->getArg(0));
  if (!path || !path->isOrdinary() || !ReadFinder(*definition).returnsFile())
    return std::nullopt;
  return path->getString().str();
}

} // namespace kfuse
