//===- WrapperArguments.cpp - What a call gives a wrapper's statements ----===//

#include "frontend/rewrite/wrappers/WrapperArguments.h"

#include "frontend/rewrite/InlinableFunction.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether `call` leaves out an argument that the template computes.
bool dependsOnTemplate(const CallExpr &call, unsigned index) {
  const FunctionDecl *pattern =
      call.getDirectCallee()->getTemplateInstantiationPattern();
  if (!pattern || !isa<CXXDefaultArgExpr>(call.getArg(index)->IgnoreImplicit()))
    return false;
  if (index >= pattern->getNumParams() || isa<CXXOperatorCallExpr>(call))
    return true;
  const ParmVarDecl *parameter = pattern->getParamDecl(index);
  return !parameter->hasDefaultArg() || parameter->hasUnparsedDefaultArg() ||
         parameter->getDefaultArg()->isInstantiationDependent();
}

/// Checks whether `argument` is a default argument of a declaration that isn't
/// the definition; names may mean something else there.
bool isFromElsewhere(const Expr &argument, const ParmVarDecl &parameter) {
  return isa<CXXDefaultArgExpr>(argument.IgnoreImplicit()) &&
         (!parameter.hasDefaultArg() || parameter.hasInheritedDefaultArg());
}

bool isPlainNumber(const Expr &argument) {
  const auto *sign = dyn_cast<UnaryOperator>(&argument);
  const Expr &digits = sign ? *sign->getSubExpr() : argument;
  return !argument.getBeginLoc().isMacroID() &&
         !digits.getBeginLoc().isMacroID() &&
         (isa<IntegerLiteral>(digits) || isa<FloatingLiteral>(digits) ||
          isa<CXXBoolLiteralExpr>(digits));
}

const Expr &argumentOf(const CallExpr &call, unsigned index) {
  const Expr *argument = call.getArg(index)->IgnoreImplicit();
  if (const auto *standard = dyn_cast<CXXDefaultArgExpr>(argument))
    return *standard->getExpr()->IgnoreImplicit();
  return *argument;
}

/// Returns what the function is called: a lambda as its variable is.
std::string nameOf(const CallExpr &call) {
  const auto *closure =
      isa<CXXOperatorCallExpr>(call)
          ? dyn_cast<DeclRefExpr>(call.getArg(0)->IgnoreParenImpCasts())
          : nullptr;
  return closure ? closure->getDecl()->getNameAsString()
                 : call.getDirectCallee()->getNameAsString();
}

/// Returns the words of a text that may be names.
std::set<std::string> wordsOf(const std::string &text) {
  std::set<std::string> words;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), isIdentifierCharacter);
    if (end != at)
      words.emplace(at, end);
    at = end == text.end() ? end : end + (end == at ? 1 : 0);
  }
  return words;
}

class ArgumentWriter {
public:
  ArgumentWriter(Rewriting &rewriting, const MovableBlock &wrapper,
                 const CallSite &site, std::uint32_t begin, NewNames &names,
                 MappedText &text)
      : Text(rewriting), Files(rewriting.files()), Unit(rewriting.unit()),
        Ast(Unit.model.ast), Wrapper(wrapper), Site(site), Begin(begin),
        Line(rewriting.lineAt(begin)), Callee(nameOf(*site.call)), Names(names),
        Out(text) {}

  std::string run() {
    for (const TemplateParameter &parameter : Wrapper.templateParameters)
      declare(parameter);
    // The first argument of an operator is its object.
    const unsigned first = isa<CXXOperatorCallExpr>(Site.call) ? 1 : 0;
    for (unsigned i = 0; i < Wrapper.variables.size(); ++i) {
      const ValueDecl *variable = Wrapper.variables[i];
      const auto *parameter = dyn_cast<ParmVarDecl>(variable);
      if (!parameter) {
        Names[variable] = fresh(*variable);
        continue;
      }
      if (std::string why = give(*parameter, i + first); !why.empty())
        return why;
    }
    return {};
  }

private:
  std::string fresh(const NamedDecl &declaration) {
    return Text.fresh(Callee + "_" + declaration.getNameAsString());
  }

  /// Sets the text that replaces `parameter`; may declare a name for it.
  void declare(const TemplateParameter &parameter) {
    std::string &name = Names[parameter.declaration];
    name = parameter.text;
    if (!parameter.needsName || !parameter.obstacle.empty() ||
        !parameter.declaration->getIdentifier())
      return;
    name = fresh(*parameter.declaration);
    Out.write(Line + "using " + name + " = " + parameter.text + ";", Begin);
  }

  /// Gives the parameter the argument at `index`.
  std::string give(const ParmVarDecl &parameter, unsigned index) {
    if (dependsOnTemplate(*Site.call, index))
      return "a default argument of it depends on its template";
    const Expr &argument = argumentOf(*Site.call, index);
    if (isFromElsewhere(*Site.call->getArg(index), parameter) &&
        !isPlainNumber(argument))
      return "a default argument of it stands in another declaration";
    const SourceRange written = Files.wholeText(argument.getSourceRange());
    std::string value = Files.text(written);
    if (value.empty() || written.inMacro || written.file != 0)
      return "an argument of a call of it isn't plain text";
    if (isa<CXXDefaultArgExpr>(Site.call->getArg(index)->IgnoreImplicit()))
      value = withNames(value, Names);
    std::string kernel = kernelText(argument, parameter);
    if (!kernel.empty()) {
      Names[&parameter] = std::move(kernel);
      return {};
    }
    if (replacesMentions(argument, parameter)) {
      Names[&parameter] = value;
      return {};
    }
    const std::string name = fresh(parameter);
    const std::string declared = declarationOf(parameter, index, name);
    if (declared.empty())
      return "the type of '" + parameter.getNameAsString() +
             "' has no plain name";
    Names[&parameter] = name;
    Out.write(Line + declared + " = " + value + ";", Begin);
    return {};
  }

  /// Returns the declaration of `parameter` with another name; empty if its
  /// type has none.
  std::string declarationOf(const ParmVarDecl &parameter, unsigned index,
                            const std::string &name) {
    std::string declared = declarator(Files, parameter, name);
    const auto &elements = Wrapper.pack.elements;
    const auto element = llvm::find(elements, &parameter);
    const auto number = static_cast<std::size_t>(element - elements.begin());
    if (const std::size_t dots = declared.find("...");
        element != elements.end() && dots != std::string::npos)
      declared.erase(dots, 3);
    NewNames own = Names;
    const std::set<std::string> words = wordsOf(declared);
    for (const TemplateParameter &each : Wrapper.templateParameters) {
      if (!each.declaration->getIdentifier() ||
          words.count(each.declaration->getNameAsString()) == 0)
        continue;
      const bool isElement = each.isPack && element != elements.end() &&
                             number < each.elements.size();
      const TemplateParameter &given = isElement ? each.elements[number] : each;
      // There is no name for one of a pack.
      const bool isText =
          given.obstacle.empty() && !(isElement && given.needsName);
      if (!isText && (each.isPack != isElement || !isDeduced(parameter, index)))
        return {};
      if (!isText)
        own[each.declaration] = "auto";
      else if (isElement)
        own[each.declaration] = given.text;
    }
    return withNames(declared, own);
  }

  /// Checks whether `auto` in place of the template's parameter is the same
  /// type: that of the argument.
  bool isDeduced(const ParmVarDecl &parameter, unsigned index) const {
    const Expr &argument = argumentOf(*Site.call, index);
    const QualType given = argument.getType(),
                   type = parameter.getType().getNonReferenceType();
    return Ast.hasSameUnqualifiedType(given, type) ||
           (given->isFunctionType() &&
            Ast.hasSameUnqualifiedType(Ast.getPointerType(given), type));
  }

  /// Returns how a launch names the kernel that is the argument; empty if it is
  /// none, or the wrapper may do something else with it.
  std::string kernelText(const Expr &argument,
                         const ParmVarDecl &parameter) const {
    const Expr *given = argument.IgnoreParenImpCasts();
    if (const auto *address = dyn_cast<UnaryOperator>(given);
        address && address->getOpcode() == UO_AddrOf)
      given = address->getSubExpr()->IgnoreParenImpCasts();
    const auto *use = dyn_cast<DeclRefExpr>(given);
    const auto *kernel = use ? dyn_cast<FunctionDecl>(use->getDecl()) : nullptr;
    // The name alone could be another kernel.
    if (!kernel || !kernel->hasAttr<CUDAGlobalAttr>() ||
        !kernel->getDeclContext()
             ->lookup(kernel->getDeclName())
             .isSingleResult())
      return {};
    const QualType type = parameter.getType();
    const bool isBound =
        type->isReferenceType() && type->getPointeeType()->isFunctionType();
    if (!isBound && (Wrapper.values.count(&parameter) == 0 ||
                     !Ast.hasSameUnqualifiedType(
                         type, Ast.getPointerType(kernel->getType()))))
      return {};
    const SourceRange name =
        Files.range(clang::SourceRange(use->getBeginLoc(), use->getLocation()));
    if (!FileTable::isInputText(name))
      return {};
    std::string text = Files.text(name);
    if (kernel->isTemplateInstantiation()) {
      const TemplateParameters parameters = templateParameters(*kernel);
      if (parameters.all.empty() || !parameters.obstacle.empty())
        return {};
      const bool isWhole = use->getNumTemplateArgs() == parameters.all.size();
      const SourceRange whole = Files.range(use->getSourceRange());
      if (isWhole && FileTable::isInputText(whole)) {
        text = Files.text(whole);
      } else {
        std::string list;
        for (const TemplateParameter &each : parameters.all)
          list += (list.empty() ? "" : ", ") + each.text;
        text += "<" + list + ">";
      }
    }
    for (const std::string &word : wordsOf(text))
      if (Wrapper.innerNames.count(word) != 0)
        return {};
    return text;
  }

  /// Checks whether the types are the same, except for their own `const`. If
  /// `mayAddConst`, `wanted` may also add `const` to what `given` points to.
  bool isSameType(QualType given, QualType wanted, bool mayAddConst) const {
    if (Ast.hasSameUnqualifiedType(given, wanted))
      return true;
    return mayAddConst && given->isPointerType() && wanted->isPointerType() &&
           Ast.hasSameType(given->getPointeeType().withConst(),
                           wanted->getPointeeType());
  }

  /// Checks whether the text of `argument` can replace each mention of
  /// `parameter`. It may be a local variable that nothing in the wrapper or the
  /// call can change, or a number, except a zero that could be a pointer.
  bool replacesMentions(const Expr &argument, const ParmVarDecl &parameter) {
    if (Wrapper.values.count(&parameter) == 0 ||
        argument.getBeginLoc().isMacroID() ||
        !isSameType(argument.getType(), parameter.getType(),
                    Wrapper.passed.count(&parameter) != 0))
      return false;
    if (const auto *number = dyn_cast<IntegerLiteral>(&argument))
      return number->getValue() != 0 || Wrapper.passed.count(&parameter) != 0;
    const auto *use = dyn_cast<DeclRefExpr>(&argument);
    const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!variable || variable->hasGlobalStorage() ||
        variable->getType()->isReferenceType() ||
        variable->getType().isVolatileQualified() ||
        Wrapper.innerNames.count(variable->getNameAsString()) != 0)
      return false;
    const auto isIn = [variable](const std::vector<const ValueDecl *> &all) {
      return std::find(all.begin(), all.end(), variable->getCanonicalDecl()) !=
             all.end();
    };
    return !isIn(Unit.functions[Site.caller].scan.addressTaken) &&
           !isIn(scanHost(*Site.call, Files.sources()).assigned);
  }

  Rewriting &Text;
  FileTable &Files;
  HostUnit &Unit;
  const ASTContext &Ast;
  const MovableBlock &Wrapper;
  const CallSite &Site;
  std::uint32_t Begin;
  std::string Line;
  std::string Callee; ///< begins the names that are made
  NewNames &Names;
  MappedText &Out;
};

} // namespace

std::string writeArguments(Rewriting &rewriting, const MovableBlock &wrapper,
                           const CallSite &site, std::uint32_t begin,
                           NewNames &names, MappedText &text) {
  return ArgumentWriter(rewriting, wrapper, site, begin, names, text).run();
}

} // namespace kfuse
