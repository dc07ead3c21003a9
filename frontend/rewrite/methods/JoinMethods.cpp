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

/// The arguments of calls, each variable once: then the methods know that it is
/// the same.
struct Passed {
  struct Argument {
    SourceRange text;
    const MethodCall *call = nullptr; ///< the first that is given it
    unsigned parameter = 0;           ///< of its method
  };
  std::vector<Argument> all;
  std::vector<std::vector<std::size_t>> places; ///< in `all`, by call
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
    const Passed passed = passedTo(calls);
    const std::string &name = methodFor(calls, passed, whole.begin);
    MappedText text;
    text.copy(Text.input(), object.begin, object.end);
    text.write(name + "(", whole.begin);
    for (const Passed::Argument &argument : passed.all) {
      if (&argument != &passed.all.front())
        text.write(", ", whole.begin);
      text.copy(Text.input(), argument.text.begin, argument.text.end);
    }
    text.write(");", whole.begin);
    Text.replace(whole, std::move(text), false, name);
  }

  Passed passedTo(const std::vector<MethodCall> &calls) const {
    Passed passed;
    std::map<std::pair<std::string, const Type *>, std::size_t> known;
    for (const MethodCall &call : calls) {
      passed.places.emplace_back();
      for (unsigned i = 0; i < call.given(); ++i) {
        const SourceRange text = argumentText(call, i);
        const Type *type = call.method->getParamDecl(i)
                               ->getType()
                               .getCanonicalType()
                               .getTypePtr();
        const auto [place, isNew] =
            known.emplace(std::pair(Files.text(text), type), passed.all.size());
        const bool isVariable =
            isa<DeclRefExpr>(call.call->getArg(i)->IgnoreParenImpCasts());
        if (!isVariable)
          place->second = passed.all.size();
        if (isNew || !isVariable)
          passed.all.push_back({text, &call, i});
        passed.places.back().push_back(place->second);
      }
    }
    return passed;
  }

  /// Returns the name of the method that does what the calls do.
  const std::string &methodFor(const std::vector<MethodCall> &calls,
                               const Passed &passed, std::uint32_t origin) {
    Key key;
    for (std::size_t i = 0; i < calls.size(); ++i)
      key.emplace_back(calls[i].method->getCanonicalDecl(), passed.places[i],
                       llvm::StringRef(calls[i].after).trim().str());
    std::string &name = Names[key];
    if (name.empty()) {
      name = Text.fresh(joinedName(calls));
      define(calls, passed, name, origin);
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
  void define(const std::vector<MethodCall> &calls, const Passed &passed,
              const std::string &name, std::uint32_t origin) {
    const CXXRecordDecl &type =
        *calls.front().method->getParent()->getDefinition();
    const std::uint32_t end = Files.range(type.getBraceRange().getEnd()).begin;
    const std::string line = Text.lineAt(end), inner = line + "  ";
    std::vector<std::string> names;
    std::string parameters, body;
    for (const auto &[argument, call, index] : passed.all) {
      const std::string given =
          call->method->getDefinition()->getParamDecl(index)->getNameAsString();
      names.push_back(Text.fresh(call->method->getNameAsString() + "_" +
                                 (given.empty() ? "argument" : given)));
      parameters +=
          (parameters.empty() ? "" : ", ") +
          declared(*call->method->getCanonicalDecl()->getParamDecl(index),
                   names.back());
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const MethodCall &call = calls[i];
      std::string arguments;
      for (const std::size_t place : passed.places[i])
        arguments += (arguments.empty() ? "" : ", ") + names[place];
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
    // Each by itself: another one may be put back.
    std::string text = isPublicAtEnd(type) ? "" : "public:" + line;
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
  /// The calls of a method made here: whom, with which of its parameters, and
  /// the comments after.
  using Key = std::vector<
      std::tuple<const Decl *, std::vector<std::size_t>, std::string>>;
  std::map<Key, std::string> Names;
};

} // namespace

RewrittenText joinMethods(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return Joiner(rewriting).run();
}

} // namespace kfuse
