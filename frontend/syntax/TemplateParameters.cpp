//===- TemplateParameters.cpp - What stands for T in an instance ----------===//

#include "frontend/syntax/TemplateParameters.h"

#include "frontend/syntax/MacroNames.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Finds what only a template may have.
class TemplateOnlyFinder : public SourceVisitor {
public:
  std::string found;
  std::vector<const Decl *> zeros; ///< parameters that are 0

  /// Refuses `if constexpr`: a branch that isn't chosen needn't compile.
  bool VisitIfStmt(IfStmt *branch) override {
    if (branch->isConstexpr())
      found = "it is a template with 'if constexpr'";
    return found.empty();
  }
  /// Refuses calls of the destructor of any type, because there is no `~float`.
  bool VisitCXXPseudoDestructorExpr(CXXPseudoDestructorExpr *) override {
    found = "it is a template that calls the destructor of any type";
    return false;
  }
  /// Refuses calls with a parameter that is 0, because the literal 0 may choose
  /// a function of a pointer.
  bool VisitCallExpr(CallExpr *call) override {
    for (const Expr *argument : call->arguments())
      if (const auto *use =
              dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts()))
        if (llvm::is_contained(zeros, use->getDecl()))
          found =
              "it is a template that calls a function with its parameter '" +
              use->getNameInfo().getAsString() + "', which is 0";
    return found.empty();
  }
};

/// Returns `::app::`, which stands before the name of `declaration`; empty if
/// it isn't in namespaces alone. One without a name is searched with the one
/// around it, unless that has the name itself.
std::string scopeText(const NamedDecl &declaration) {
  std::string names;
  for (const DeclContext *scope = declaration.getDeclContext();
       !scope->isTranslationUnit(); scope = scope->getParent()) {
    if (isa<LinkageSpecDecl>(scope))
      continue;
    const auto *space = dyn_cast<NamespaceDecl>(scope);
    if (!space ||
        (space->isAnonymousNamespace() &&
         (isa<TagDecl>(declaration) ||
          !scope->getParent()->lookup(declaration.getDeclName()).empty())))
      return {};
    if (!space->isAnonymousNamespace())
      names = space->getNameAsString() + "::" + names;
  }
  return "::" + names;
}

/// Returns `::app::Mode`, which means the same in each scope; empty for what
/// has no such name.
std::string globalName(const TagDecl &declaration) {
  if (isa<ClassTemplateSpecializationDecl>(declaration) ||
      !declaration.getIdentifier())
    return {};
  const std::string scope = scopeText(declaration);
  return scope.empty() ? scope : scope + declaration.getNameAsString();
}

std::string typeText(const ASTContext &ast, QualType type) {
  type = type.getCanonicalType();
  if (isOfLanguage(type.getNonReferenceType()))
    return type.getAsString(PrintingPolicy(ast.getLangOpts()));
  const TagDecl *declaration = type->getAsTagDecl();
  return declaration && !type.hasQualifiers() ? globalName(*declaration)
                                              : std::string();
}

/// Returns a text for a number that means the same in each scope; empty if its
/// type has no such name. A literal 0 would be a pointer too, so it gets a
/// cast.
std::string numberText(const ASTContext &ast,
                       const TemplateArgument &argument) {
  const QualType type = argument.getIntegralType().getCanonicalType();
  const llvm::APSInt &value = argument.getAsIntegral();
  llvm::SmallString<32> digits;
  value.toString(digits, 10);
  if (type->isBooleanType())
    return value.getBoolValue() ? "true" : "false";
  if (value.isStrictlyPositive() && type == ast.IntTy)
    return digits.str().str();
  if (value.isStrictlyPositive() && type == ast.UnsignedIntTy)
    return digits.str().str() + "u";
  const std::string name = typeText(ast, type);
  return name.empty() ? name : "((" + name + ")" + digits.str().str() + ")";
}

constexpr const char *OtherArgument =
    "it is a template for more than types and numbers";

/// Returns the kernel that a template is instantiated for, or nullptr.
const FunctionDecl *kernelGiven(const TemplateArgument &argument) {
  const auto *kernel = argument.getKind() == TemplateArgument::Declaration
                           ? dyn_cast<FunctionDecl>(argument.getAsDecl())
                           : nullptr;
  return kernel && kernel->hasAttr<CUDAGlobalAttr>() ? kernel : nullptr;
}

/// Returns `::app::step`, which launches the kernel from each scope; empty if
/// that could be another one.
std::string kernelText(const FunctionDecl &kernel) {
  if (kernel.isTemplateInstantiation() || isa<CXXMethodDecl>(kernel) ||
      !kernel.getDeclContext()->lookup(kernel.getDeclName()).isSingleResult())
    return {};
  const std::string scope = scopeText(kernel);
  return scope.empty() ? scope : scope + kernel.getNameAsString();
}

/// Sets the text that replaces the parameter, or why there is none.
void giveText(const ASTContext &ast, const TemplateArgument &argument,
              TemplateParameter &parameter) {
  if (argument.getKind() == TemplateArgument::Type) {
    parameter.text = typeText(ast, argument.getAsType());
    parameter.needsName = !llvm::all_of(parameter.text, llvm::isAlpha);
  } else if (argument.getKind() == TemplateArgument::Integral) {
    parameter.text = numberText(ast, argument);
    parameter.isZero = argument.getAsIntegral().isZero() &&
                       !argument.getIntegralType()->isBooleanType();
  } else if (const FunctionDecl *kernel = kernelGiven(argument)) {
    parameter.text = kernelText(*kernel);
  } else {
    parameter.obstacle = OtherArgument;
  }
  if (parameter.text.empty() && parameter.obstacle.empty())
    parameter.obstacle = "it is an instance for a type that has no plain name";
}

TemplateParameters withTexts(const TemplateParameterList &list,
                             const TemplateArgumentList &arguments,
                             const ASTContext &ast) {
  TemplateParameters found;
  for (unsigned i = 0; i < list.size(); ++i) {
    const TemplateArgument &argument = arguments.get(i);
    TemplateParameter parameter;
    parameter.declaration = list.getParam(i);
    parameter.isPack = parameter.declaration->isParameterPack();
    if (parameter.isPack) {
      parameter.obstacle = "it is a template with any number of parameters";
      for (const TemplateArgument &each : argument.pack_elements())
        giveText(ast, each, parameter.elements.emplace_back());
    } else {
      giveText(ast, argument, parameter);
    }
    if (found.obstacle.empty())
      found.obstacle =
          kernelGiven(argument) ? OtherArgument : parameter.obstacle;
    found.all.push_back(std::move(parameter));
  }
  return found;
}

} // namespace

bool isNamable(QualType type) {
  const Linkage linkage = type->getLinkage();
  return linkage != Linkage::None && linkage != Linkage::VisibleNone;
}

bool isOfLanguage(QualType type) {
  type = type.getCanonicalType();
  while (type->isPointerType() || type->isArrayType())
    type = type->isPointerType()
               ? type->getPointeeType()
               : QualType(type->getArrayElementTypeNoTypeQual(), 0);
  return type->isBuiltinType();
}

TemplateParameters templateParameters(const FunctionDecl &function) {
  if (!function.isTemplateInstantiation())
    return {};
  const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  const TemplateArgumentList *arguments =
      function.getTemplateSpecializationArgs();
  if (!function.getPrimaryTemplate() || !pattern ||
      !pattern->getDescribedFunctionTemplate() || !arguments)
    return {{}, "it is in a template"};
  // The definition may name them otherwise than an earlier declaration.
  return withTexts(
      *pattern->getDescribedFunctionTemplate()->getTemplateParameters(),
      *arguments, function.getASTContext());
}

std::set<DeclarationName> namesGiven(const FunctionDecl &function) {
  std::set<DeclarationName> names;
  const auto add = [&names](const TemplateArgument &given) {
    const TagDecl *type = given.getKind() == TemplateArgument::Type
                              ? given.getAsType()->getAsTagDecl()
                              : nullptr;
    if (type)
      names.insert(type->getDeclName());
    if (const FunctionDecl *kernel = kernelGiven(given))
      names.insert(kernel->getDeclName());
  };
  if (const TemplateArgumentList *given =
          function.getTemplateSpecializationArgs())
    for (const TemplateArgument &each : given->asArray()) {
      if (each.getKind() == TemplateArgument::Pack)
        llvm::for_each(each.pack_elements(), add);
      else
        add(each);
    }
  return names;
}

const TemplateArgumentList *argumentsOfClass(const FunctionDecl &function) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  const auto *whole =
      method ? dyn_cast<ClassTemplateSpecializationDecl>(method->getParent())
             : nullptr;
  return whole ? &whole->getTemplateArgs() : nullptr;
}

TemplateParameters parametersOfClass(const FunctionDecl &method) {
  const FunctionDecl *pattern = method.getTemplateInstantiationPattern();
  const TemplateArgumentList *arguments = argumentsOfClass(method);
  const ClassTemplateDecl *whole = pattern && isa<CXXMethodDecl>(pattern)
                                       ? cast<CXXMethodDecl>(pattern)
                                             ->getParent()
                                             ->getDescribedClassTemplate()
                                       : nullptr;
  if (!whole || !arguments || method.getPrimaryTemplate())
    return {{}, "it isn't a member of a class template alone"};
  // So may one outside of its class.
  const TemplateParameterList *list =
      pattern->isOutOfLine() && pattern->getNumTemplateParameterLists() == 1
          ? pattern->getTemplateParameterList(0)
          : whole->getTemplateParameters();
  return withTexts(*list, *arguments, method.getASTContext());
}

std::string standInObstacle(const FunctionDecl &function,
                            const std::vector<TemplateParameter> &parameters,
                            Preprocessor &preprocessor) {
  const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  if (!pattern)
    return {};
  TemplateOnlyFinder finder;
  for (const TemplateParameter &parameter : parameters) {
    const IdentifierInfo *name = parameter.declaration->getIdentifier();
    if (name && isInMacro(name->getName(), preprocessor))
      return "a macro has the name of its template parameter '" +
             name->getName().str() + "'";
    if (parameter.isZero)
      finder.zeros.push_back(parameter.declaration);
  }
  finder.TraverseStmt(pattern->getBody());
  return finder.found;
}

} // namespace kfuse
