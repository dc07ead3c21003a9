//===- frontend/TemplateParameters.cpp - What stands for T in an instance -===//

#include "frontend/TemplateParameters.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <cctype>

namespace kfuse {

using namespace clang;

namespace {

/// What a template alone may have.
class TemplateOnlyFinder : public RecursiveASTVisitor<TemplateOnlyFinder> {
public:
  std::string found;

  /// What isn't chosen needn't compile.
  bool VisitIfStmt(IfStmt *branch) {
    if (branch->isConstexpr())
      found = "it is a template with 'if constexpr'";
    return found.empty();
  }
};

/// Whether the macro's text has the name, other than for what it is given.
bool holds(const MacroInfo &macro, const IdentifierInfo *name) {
  return macro.getParameterNum(name) < 0 &&
         std::any_of(
             macro.tokens_begin(), macro.tokens_end(),
             [name](const clang::Token &token) {
               return token.getIdentifierInfo() == name;
             });
}

/// Whether it is the name of a macro of the program, now or once, or in one.
bool isInMacro(const IdentifierInfo *wanted, Preprocessor &preprocessor) {
  const SourceManager &sources = preprocessor.getSourceManager();
  for (const auto &[name, state] : preprocessor.macros())
    for (const MacroDirective *each =
             preprocessor.getLocalMacroDirectiveHistory(name);
         each; each = each->getPrevious())
      if (const auto *definition = dyn_cast<DefMacroDirective>(each))
        if (name == wanted ||
            (!sources.isInSystemHeader(definition->getLocation()) &&
             holds(*definition->getInfo(), wanted)))
          return true;
  return false;
}

std::string printed(const ASTContext &ast, QualType type) {
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.FullyQualifiedName = true;
  policy.PrintCanonicalTypes = true;
  return type.getCanonicalType().getAsString(policy);
}

/// A name, with scopes: `const T`, `T(x)` and macros' arguments mean the same
/// with it in the place of T.
bool isPlainName(const std::string &text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == ':';
  });
}

/// Sets what stands for the parameter; returns why nothing can.
std::string giveText(const ASTContext &ast, const TemplateArgument &argument,
                     TemplateParameter &parameter) {
  if (argument.getKind() == TemplateArgument::Type) {
    if (!isNamable(argument.getAsType()))
      return "it is an instance for a type that a function declares";
    parameter.text = printed(ast, argument.getAsType());
    parameter.head = isPlainName(parameter.text) ? "" : "using ";
    return {};
  }
  if (argument.getKind() != TemplateArgument::Integral)
    return "it is a template for more than types and numbers";
  const QualType type = argument.getIntegralType();
  const llvm::APSInt &value = argument.getAsIntegral();
  if (type->isBooleanType()) {
    parameter.text = value.getBoolValue() ? "true" : "false";
    return {};
  }
  const bool isInt = type.getCanonicalType() == ast.IntTy;
  if (!type->isIntegerType() || type->isEnumeralType())
    return "it is a template for more than types and numbers";
  llvm::SmallString<32> digits;
  value.toString(digits, 10);
  parameter.text = digits.str().str();
  if (!isInt || value.isNegative())
    parameter.head = "constexpr " + printed(ast, type) + " ";
  return {};
}

} // namespace

bool isNamable(QualType type) {
  const Linkage linkage = type->getLinkage();
  return linkage != Linkage::None && linkage != Linkage::VisibleNone;
}

TemplateParameters templateParameters(const FunctionDecl &function,
                                      Preprocessor &preprocessor) {
  TemplateParameters found;
  if (!function.isTemplateInstantiation())
    return found;
  const FunctionTemplateDecl *whole = function.getPrimaryTemplate();
  const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  const TemplateArgumentList *arguments =
      function.getTemplateSpecializationArgs();
  if (!whole || !pattern || !pattern->getDescribedFunctionTemplate() ||
      !arguments) {
    found.obstacle = "it is in a template";
    return found;
  }
  TemplateOnlyFinder finder;
  finder.TraverseStmt(pattern->getBody());
  found.obstacle = finder.found;
  // The definition may name them otherwise than an earlier declaration.
  const TemplateParameterList &list =
      *pattern->getDescribedFunctionTemplate()->getTemplateParameters();
  for (unsigned i = 0; i < list.size() && found.obstacle.empty(); ++i) {
    TemplateParameter parameter{list.getParam(i), {}, {}};
    if (parameter.declaration->isParameterPack())
      found.obstacle = "it is a template with any number of parameters";
    else if (parameter.declaration->getIdentifier() &&
             isInMacro(parameter.declaration->getIdentifier(), preprocessor))
      found.obstacle = "a macro has the name of its template parameter '" +
                       parameter.declaration->getNameAsString() + "'";
    else
      found.obstacle =
          giveText(function.getASTContext(), arguments->get(i), parameter);
    if (parameter.declaration->getIdentifier())
      found.all.push_back(std::move(parameter));
  }
  return found;
}

} // namespace kfuse
