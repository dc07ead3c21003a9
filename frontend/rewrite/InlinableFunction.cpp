//===- InlinableFunction.cpp - Functions whose statements can be copied ---===//

#include "frontend/rewrite/InlinableFunction.h"

#include "frontend/rewrite/Methods.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Whether a parameter's type or default argument names a parameter, which
/// would have another name.
class ParameterUses : public SourceVisitor {
public:
  bool isFound = false;

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    isFound |= isa<ParmVarDecl>(use->getDecl());
    return !isFound;
  }
};

bool parametersDepend(const FunctionDecl &function) {
  ParameterUses uses;
  for (ParmVarDecl *parameter : function.parameters())
    uses.TraverseDecl(parameter);
  const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  return uses.isFound || (pattern && parametersDepend(*pattern));
}

/// Returns why the declaration alone keeps `function` from being inlined.
std::string headObstacle(FileTable &files, const FunctionDecl &function) {
  const bool isLambda = isLambdaCallOperator(&function);
  if (const std::string why = methodObstacle(function);
      !why.empty() && !isLambda)
    return "it " + why;
  if (const auto *method = dyn_cast<CXXMethodDecl>(&function);
      method && method->isVirtual())
    return "it is virtual";
  // Variables get names after it.
  if (!function.getDeclName().isIdentifier() && !isLambda)
    return "it is an operator";
  const QualType returned = function.getReturnType();
  if (!returned->isVoidType() && !returned->isScalarType())
    return "it returns an object or a reference";
  if (function.isVariadic())
    return "it takes any number of arguments";
  if (function.hasAttr<WeakAttr>())
    return "another definition may replace it";
  if (const auto *type = function.getType()->getAs<FunctionProtoType>();
      type && type->isNothrow())
    return "it ends the program where it throws";
  if (!isa<CompoundStmt>(function.getBody()))
    return "its body is a try block";
  if (!FileTable::isInputText(textFromName(files, function)))
    return "it isn't plain text of the input";
  if (parametersDepend(function))
    return "a parameter of it depends on another";
  for (const ParmVarDecl *parameter : function.parameters()) {
    if (parameter->getName().empty())
      return "it has a parameter without a name";
    if (parameter->getType().isDestructedType() != QualType::DK_none)
      return "'" + parameter->getNameAsString() + "' has a destructor";
    if (function.isTemplateInstantiation() &&
        isa<DecayedType>(parameter->getType()) &&
        !isOfLanguage(parameter->getType()))
      return "'" + parameter->getNameAsString() + "' is an array in a template";
  }
  return {};
}

/// Returns why the returned expression can't replace the function's value;
/// empty if it can.
std::string resultObstacle(const FunctionDecl &function,
                           const MovableBlock &block) {
  if (!block.result)
    return function.getReturnType()->isVoidType()
               ? std::string()
               : "it doesn't return at its end";
  const Expr &value = *block.result->value;
  if (isa<ExprWithCleanups>(value))
    return "its result makes temporary objects";
  const QualType type = value.IgnoreUnlessSpelledInSource()->getType();
  const QualType returned = function.getReturnType();
  const bool isSame =
      function.getASTContext().hasSameUnqualifiedType(type, returned);
  // Braces alone would be a list.
  if (isa<InitListExpr>(value.IgnoreImplicit()))
    return "it converts what it returns";
  return isSame || (type->isScalarType() && isOfLanguage(returned))
             ? std::string()
             : "it converts what it returns";
}

} // namespace

SourceRange textFromName(FileTable &files, const FunctionDecl &function) {
  return files.range(
      clang::SourceRange(function.getLocation(), function.getEndLoc()));
}

std::string declarator(FileTable &files, const ParmVarDecl &parameter,
                       const std::string &name) {
  const TypeSourceInfo *info = parameter.getTypeSourceInfo();
  const QualType type = parameter.getType();
  // An array is a pointer.
  if (isa<DecayedType>(type) || !info) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    type.print(stream, parameter.getASTContext().getPrintingPolicy(), name);
    return text;
  }
  const SourceRange before =
      files.charRange(parameter.getBeginLoc(), parameter.getLocation());
  const SourceRange own = files.range(parameter.getLocation());
  const SourceRange written = files.range(info->getTypeLoc().getSourceRange());
  SourceRange after = own;
  after.begin = own.end;
  after.end = std::max(own.end, written.end);
  return files.text(before) + name + files.text(after);
}

std::set<const FunctionDecl *> launchingFunctions(const HostUnit &unit) {
  std::set<const FunctionDecl *> launching;
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (const auto &[function, known] : unit.functions) {
      const auto &callees = known.scan.callees;
      const bool launches =
          known.scan.hasLaunch ||
          std::any_of(callees.begin(), callees.end(),
                      [&](const FunctionDecl *callee) {
                        return launching.count(callee->getDefinition()) != 0;
                      });
      if (launches && launching.insert(function).second)
        isDone = false;
    }
  }
  return launching;
}

MovableBlock analyseInlinable(FileTable &files, Preprocessor &preprocessor,
                              const HostFunction &function) {
  const FunctionDecl &declaration = *function.declaration;
  MovableBlock result;
  result.obstacle = headObstacle(files, declaration);
  if (!result.obstacle.empty())
    return result;
  TemplateParameters parameters = templateParameters(declaration);
  // One without a text is an obstacle where it is mentioned.
  if (parameters.all.empty())
    result.obstacle = parameters.obstacle;
  ParameterPack pack = parameterPack(files, declaration, result.obstacle);
  if (result.obstacle.empty())
    result.obstacle =
        standInObstacle(declaration, parameters.all, preprocessor);
  if (!result.obstacle.empty())
    return result;
  const auto &body = *cast<CompoundStmt>(declaration.getBody());
  const auto *end =
      body.body_empty() ? nullptr : dyn_cast<ReturnStmt>(body.body_back());
  result = analyseBlock(files, preprocessor, body, function.scan,
                        {declaration.param_begin(), declaration.param_end()},
                        std::move(parameters.all), end, std::move(pack));
  if (result.obstacle.empty())
    result.obstacle = resultObstacle(declaration, result);
  return result;
}

} // namespace kfuse
