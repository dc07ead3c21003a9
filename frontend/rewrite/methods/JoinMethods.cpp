//===- JoinMethods.cpp - One method for calls of several ------------------===//

#include "frontend/rewrite/methods/JoinMethods.h"

#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/rewrite/Methods.h"
#include "text/Lists.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace kfuse {

using namespace clang;

namespace {

/// A statement that calls a method for an object that a name stands for.
struct MethodCall {
  const Stmt *statement = nullptr;
  const CXXMemberCallExpr *call = nullptr;
  const CXXMethodDecl *method = nullptr;
  std::vector<const ValueDecl *> object; ///< a variable, then members of it
  std::string after;                     ///< comments before the next call

  unsigned given() const { // arguments
    unsigned count = 0;
    while (count < call->getNumArgs() &&
           !isa<CXXDefaultArgExpr>(call->getArg(count)))
      ++count;
    return count;
  }
};

class Joiner {
public:
  explicit Joiner(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()),
        Launching(launchingFunctions(rewriting.unit())) {}

  RewrittenText run() {
    for (const FunctionDecl *function : Text.unit().order) {
      if (!Text.obstacle(*function).empty() ||
          !methodObstacle(*function).empty())
        continue;
      Caller = function;
      for (const CompoundStmt *block : blocksOf(*function))
        visit(*block);
    }
    return Text.finish();
  }

private:
  void visit(const CompoundStmt &block) {
    std::vector<MethodCall> calls;
    for (const Stmt *child : block.body()) {
      std::optional<MethodCall> call = callIn(*child);
      if (!call || (!calls.empty() && !areTogether(calls, *call))) {
        join(calls);
        calls.clear();
      }
      if (!calls.empty())
        calls.back().after = between(calls.back(), *call);
      if (call)
        calls.push_back(*std::move(call));
    }
    join(calls);
  }

  bool areTogether(const std::vector<MethodCall> &calls,
                   const MethodCall &next) const {
    const MethodCall &first = calls.front();
    // A directive is none of a method's.
    return first.object == next.object &&
           first.method->getParent()->getCanonicalDecl() ==
               next.method->getParent()->getCanonicalDecl() &&
           between(calls.back(), next).find('#') == std::string::npos;
  }

  std::string between(const MethodCall &call, const MethodCall &next) const {
    SourceRange range = Files.statement(*call.statement);
    range.begin = range.end;
    range.end = Files.statement(*next.statement).begin;
    return Files.text(range);
  }

  std::optional<MethodCall> callIn(const Stmt &statement) const {
    MethodCall found;
    found.statement = &statement;
    found.call = dyn_cast<CXXMemberCallExpr>(&statement);
    const auto *callee =
        found.call ? dyn_cast<MemberExpr>(
                         found.call->getCallee()->IgnoreParenImpCasts())
                   : nullptr;
    if (!callee || callee->hasQualifier())
      return std::nullopt;
    found.method = dyn_cast<CXXMethodDecl>(callee->getMemberDecl());
    auto object = objectOf(*callee->getBase(), callee->isArrow());
    if (!found.method || !object || !isJoinable(*found.method))
      return std::nullopt;
    found.object = *std::move(object);
    const SourceRange range = Files.statement(statement);
    if (!FileTable::isInputText(range) || !Files.text(range).ends_with(';'))
      return std::nullopt;
    for (unsigned i = 0; i < found.given(); ++i)
      if (!isSteady(*found.call->getArg(i)) ||
          !FileTable::isInputText(argumentText(found, i)) ||
          !isPassedOn(*found.method->getParamDecl(i)))
        return std::nullopt;
    return found;
  }

  /// Returns the names that lead to an object, which the methods can't make
  /// lead to another one; nullopt for other expressions.
  std::optional<std::vector<const ValueDecl *>> objectOf(const Expr &base,
                                                         bool isPointer) const {
    const Expr &expression = *base.IgnoreParenImpCasts();
    if (isa<CXXThisExpr>(expression))
      return std::vector<const ValueDecl *>();
    if (const auto *use = dyn_cast<DeclRefExpr>(&expression)) {
      const auto *variable = dyn_cast<VarDecl>(use->getDecl());
      if (!variable || (isPointer && !isSteady(*variable)))
        return std::nullopt;
      return std::vector<const ValueDecl *>{variable};
    }
    const auto *member = dyn_cast<MemberExpr>(&expression);
    const auto *field =
        member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
    if (!field || isPointer || !field->getType()->isRecordType())
      return std::nullopt;
    auto outer = objectOf(*member->getBase(), member->isArrow());
    if (outer)
      outer->push_back(field);
    return outer;
  }

  /// Checks whether a new method of the class can call the method instead.
  bool isJoinable(const CXXMethodDecl &method) const {
    const FunctionDecl *definition = method.getDefinition();
    const CXXRecordDecl *type = method.getParent()->getDefinition();
    const auto *own = dyn_cast<CXXMethodDecl>(Caller);
    // In a method of the class its statements can stand.
    const bool isOwn =
        own && own->getParent()->getCanonicalDecl() == type->getCanonicalDecl();
    return definition && !isOwn && Launching.count(definition) != 0 &&
           method.getReturnType()->isVoidType() && !method.isVirtual() &&
           !method.isStatic() && !method.isConst() && !method.isVariadic() &&
           method.getAccess() == AS_public && methodObstacle(method).empty() &&
           !type->getBraceRange().isInvalid() &&
           FileTable::isInputText(Files.range(type->getBraceRange()));
  }

  /// Checks whether a parameter's argument can be a parameter of its own.
  static bool isPassedOn(const ParmVarDecl &parameter) {
    return parameter.getType()->isScalarType() &&
           !parameter.getType()->isMemberPointerType() &&
           !parameter.getType()->isFunctionPointerType();
  }

  SourceRange argumentText(const MethodCall &call, unsigned index) const {
    return Files.wholeText(call.call->getArg(index)->getSourceRange());
  }

  /// Checks whether the value of `argument` is the same before earlier calls.
  bool isSteady(const Expr &argument) const {
    const Expr &expression = *argument.IgnoreParenImpCasts();
    if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
            CXXNullPtrLiteralExpr, CharacterLiteral>(expression))
      return true;
    if (const auto *unary = dyn_cast<UnaryOperator>(&expression))
      return unary->isArithmeticOp() && isSteady(*unary->getSubExpr());
    if (const auto *binary = dyn_cast<BinaryOperator>(&expression))
      return !binary->isAssignmentOp() && isSteady(*binary->getLHS()) &&
             isSteady(*binary->getRHS());
    const auto *use = dyn_cast<DeclRefExpr>(&expression);
    if (use && isa<EnumConstantDecl>(use->getDecl()))
      return true;
    const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    return variable && isSteady(*variable);
  }

  /// Checks whether only the caller itself can change the variable.
  bool isSteady(const VarDecl &variable) const {
    const QualType type = variable.getType();
    if (!type->isScalarType() || type.isVolatileQualified())
      return false;
    if (type.isConstQualified())
      return true;
    const HostScan &scan = Text.unit().functions[Caller].scan;
    return variable.hasLocalStorage() && scan.lambdas.empty() &&
           std::find(scan.addressTaken.begin(), scan.addressTaken.end(),
                     &variable) == scan.addressTaken.end();
  }

  void join(const std::vector<MethodCall> &calls) {
    // Calls of one method may be rounds of a loop.
    if (llvm::all_of(calls, [&](const MethodCall &call) {
          return call.method == calls.front().method;
        }))
      return;
    SourceRange whole = Files.statement(*calls.front().statement);
    whole.end = Files.statement(*calls.back().statement).end;
    if (!Text.isFree(whole))
      return;
    const auto *callee = cast<MemberExpr>(
        calls.front().call->getCallee()->IgnoreParenImpCasts());
    SourceRange object = Files.range(calls.front().call->getSourceRange());
    object.end = Files.range(callee->getMemberLoc()).begin;
    const std::string &name = methodFor(calls, whole.begin);
    MappedText text;
    text.copy(Text.input(), object.begin, object.end);
    text.write(name + "(", whole.begin);
    bool isFirst = true;
    for (const MethodCall &call : calls)
      for (unsigned i = 0; i < call.given(); ++i) {
        if (!isFirst)
          text.write(", ", whole.begin);
        isFirst = false;
        const SourceRange argument = argumentText(call, i);
        text.copy(Text.input(), argument.begin, argument.end);
      }
    text.write(");", whole.begin);
    Text.replace(whole, std::move(text), false, name);
  }

  /// Returns the name of the method that does what the calls do.
  const std::string &methodFor(const std::vector<MethodCall> &calls,
                               std::uint32_t origin) {
    Key key;
    for (const MethodCall &call : calls)
      key.emplace_back(call.method->getCanonicalDecl(), call.given(),
                       llvm::StringRef(call.after).trim().str());
    std::string &name = Names[key];
    if (name.empty()) {
      name = Text.fresh(joinedName(calls));
      define(calls, name, origin);
    }
    return name;
  }

  static std::string joinedName(const std::vector<MethodCall> &calls) {
    constexpr std::size_t MostNames = 3;
    const auto nameOf = [](const MethodCall &call) {
      return call.method->getNameAsString();
    };
    if (calls.size() > MostNames)
      return nameOf(calls.front()) + "_to_" + nameOf(calls.back());
    std::string name;
    for (const MethodCall &call : calls)
      name += (name.empty() ? "" : "_") + nameOf(call);
    return name;
  }

  /// Returns `relax(), update() and damp()`.
  static std::string listed(const std::vector<MethodCall> &calls) {
    std::vector<std::string> names;
    for (const MethodCall &call : calls)
      names.push_back(call.method->getNameAsString() + "()");
    return joined(names);
  }

  /// Writes the method at the end of its class.
  void define(const std::vector<MethodCall> &calls, const std::string &name,
              std::uint32_t origin) {
    const CXXRecordDecl &type =
        *calls.front().method->getParent()->getDefinition();
    const std::uint32_t end = Files.range(type.getBraceRange().getEnd()).begin;
    const std::string line = Text.lineAt(end), inner = line + "  ";
    std::string parameters, body;
    for (const MethodCall &call : calls) {
      std::string arguments;
      for (unsigned i = 0; i < call.given(); ++i) {
        const std::string given =
            call.method->getDefinition()->getParamDecl(i)->getNameAsString();
        const std::string own =
            Text.fresh(call.method->getNameAsString() + "_" +
                       (given.empty() ? "argument" : given));
        parameters +=
            (parameters.empty() ? "" : ", ") +
            declared(*call.method->getCanonicalDecl()->getParamDecl(i), own);
        arguments += (arguments.empty() ? "" : ", ") + own;
      }
      body += inner + "  " + call.method->getNameAsString() + "(" + arguments +
              ");";
      const auto [same, rest] = llvm::StringRef(call.after).split('\n');
      if (!same.trim().empty())
        body += " " + same.trim().str();
      llvm::SmallVector<llvm::StringRef> comments;
      rest.split(comments, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
      for (llvm::StringRef comment : comments)
        if (!comment.trim().empty())
          body += inner + "  " + comment.trim().str();
    }
    std::string text = isPublicAtEnd(type) || !Grown.insert(&type).second
                           ? ""
                           : "public:" + line;
    text += "  // kfuse: " + listed(calls) + ", which are called together." +
            inner + "void " + name + "(" + parameters + ") {" + body + inner +
            "}" + line;
    MappedText written;
    written.write(text, origin);
    Text.insert(end, std::move(written), name);
  }

  /// Returns a parameter's declaration, its type as it is written in the class.
  std::string declared(const ParmVarDecl &parameter,
                       const std::string &name) const {
    const TypeSourceInfo *type = parameter.getTypeSourceInfo();
    if (!parameter.getName().empty() || !type)
      return declarator(Files, parameter, name);
    return Files.text(Files.range(clang::SourceRange(
               parameter.getBeginLoc(), type->getTypeLoc().getEndLoc()))) +
           " " + name;
  }

  static bool isPublicAtEnd(const CXXRecordDecl &type) {
    AccessSpecifier access = type.isClass() ? AS_private : AS_public;
    for (const Decl *member : type.decls())
      if (const auto *specifier = dyn_cast<AccessSpecDecl>(member))
        access = specifier->getAccess();
    return access == AS_public;
  }

  Rewriting &Text;
  FileTable &Files;
  std::set<const FunctionDecl *> Launching;
  const FunctionDecl *Caller = nullptr;
  std::set<const CXXRecordDecl *> Grown; ///< that a new method makes public
  /// The calls of a method made here: whom, with how many arguments, and the
  /// comments after.
  using Key = std::vector<std::tuple<const Decl *, unsigned, std::string>>;
  std::map<Key, std::string> Names;
};

} // namespace

RewrittenText joinMethods(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return Joiner(rewriting).run();
}

} // namespace kfuse
