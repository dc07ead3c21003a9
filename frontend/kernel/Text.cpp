//===- Text.cpp - The text of a kernel ------------------------------------===//

#include "frontend/kernel/Text.h"

#include "frontend/kernel/InsertionPoint.h"
#include "frontend/kernel/TypeNames.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/TemplateParameters.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

namespace kfuse {

using namespace clang;

namespace {

/// Returns the declaration with the kernel's text: an instantiation's pattern.
const FunctionDecl &patternOf(const FunctionDecl &kernel) {
  const FunctionDecl *pattern = kernel.getTemplateInstantiationPattern();
  return pattern ? *pattern : kernel;
}

/// Returns the template's arguments, those of packs one by one.
std::vector<TemplateArgument> argumentsOf(const FunctionDecl &kernel) {
  std::vector<TemplateArgument> flat;
  if (const TemplateArgumentList *arguments =
          kernel.getTemplateSpecializationArgs())
    for (const TemplateArgument &argument : arguments->asArray()) {
      if (argument.getKind() == TemplateArgument::Pack)
        flat.insert(flat.end(), argument.pack_begin(), argument.pack_end());
      else
        flat.push_back(argument);
    }
  return flat;
}

std::string printArguments(const ASTContext &ast, const FunctionDecl &kernel) {
  if (!kernel.getTemplateSpecializationArgs())
    return {};
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.FullyQualifiedName = true;
  policy.Bool = true;
  policy.PrintCanonicalTypes = true;
  policy.SuppressUnwrittenScope = true;
  std::string text;
  llvm::raw_string_ostream stream(text);
  printTemplateArgumentList(stream, argumentsOf(kernel), policy);
  return stream.str();
}

/// Finds whether a text asks for its place, itself or by a default argument.
class PlaceFinder : public SourceVisitor {
public:
  bool isFound = false;

  bool VisitSourceLocExpr(SourceLocExpr *) override {
    isFound = true;
    return false;
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) override {
    return TraverseStmt(argument->getExpr());
  }
};

/// Returns an attribute that has a meaning on kernels only, or an empty string.
std::string kernelAttribute(const FunctionDecl &kernel) {
  const auto annotation = [](const Decl &declaration) {
    const auto *found = declaration.getAttr<AnnotateAttr>();
    return found ? found->getAnnotation().str() : std::string();
  };
  for (const ParmVarDecl *parameter : kernel.parameters())
    if (std::string name = annotation(*parameter); !name.empty())
      return name;
  return annotation(kernel);
}

std::string obstacleOf(KernelContext &context, const FunctionDecl &kernel,
                       const KernelText &text) {
  if (isa<CXXMethodDecl>(kernel))
    return "it is a member of a class";
  if (text.body.line == 0)
    return "its body is not visible";
  if (text.declaration.inMacro || text.body.inMacro ||
      text.parameters.inMacro || text.name.inMacro)
    return "part of it comes from a macro";
  if (text.declaration.file != text.body.file)
    return "its text is spread over files";
  for (const TemplateArgument &argument : argumentsOf(kernel))
    if (argument.getKind() == TemplateArgument::Type &&
        !isNamable(argument.getAsType()))
      return "it is an instance for a type that a function declares";
  for (const FunctionDecl *each : patternOf(kernel).redecls())
    if (each->getFriendObjectKind() != Decl::FOK_None)
      return "it is a friend of a class";
  if (const FunctionTemplateDecl *described =
          patternOf(kernel).getDescribedFunctionTemplate();
      described && llvm::any_of(*described->getTemplateParameters(),
                                [](const NamedDecl *parameter) {
                                  return parameter->isImplicit();
                                }))
    return "`auto` makes it a template";
  if (kernel.isVariadic())
    return "it takes a variable number of arguments";
  if (const std::string name = kernelAttribute(kernel); !name.empty())
    return "it has '" + name + "', as only kernels have";
  // An instance has one parameter for each element of a pack.
  for (const ParmVarDecl *parameter : patternOf(kernel).parameters())
    if (parameter->isParameterPack())
      return "it has a parameter pack";
  for (const ParmVarDecl *parameter : kernel.parameters())
    if (context.files.wholeText(parameter->getSourceRange()).inMacro)
      return "a parameter comes from a macro";
  PlaceFinder places;
  places.TraverseStmt(kernel.getBody());
  return places.isFound ? "it asks where in the file it stands" : "";
}

} // namespace

KernelText kernelText(KernelContext &context, const FunctionDecl &kernel) {
  KernelText text;
  const FunctionDecl *definition = nullptr;
  const FunctionDecl &visible =
      patternOf(kernel.hasBody(definition) ? *definition : kernel);
  const FunctionTemplateDecl *described =
      visible.getDescribedFunctionTemplate();
  clang::SourceRange whole = visible.getSourceRange();
  if (described) {
    whole.setBegin(described->getBeginLoc());
    text.templateHeader = context.files.text(context.files.range(
        {described->getBeginLoc(),
         described->getTemplateParameters()->getRAngleLoc()}));
  }
  // `__global__` is an attribute before what Clang counts as the declaration.
  // An explicit specialisation begins with `template`, and has its template's,
  // too.
  const bool beginsWithTemplate =
      described || visible.isFunctionTemplateSpecialization();
  for (const Attr *attribute : visible.attrs()) {
    const SourceLocation start = context.ast.getSourceManager().getExpansionLoc(
        attribute->getLocation());
    if (!beginsWithTemplate && start.isValid() &&
        context.ast.getSourceManager().isBeforeInTranslationUnit(
            start, whole.getBegin()))
      whole.setBegin(start);
  }
  text.declaration = context.files.range(whole);
  // `__global__` itself is a macro: whole uses of macros are plain text.
  if (const SourceRange plain = context.files.wholeText(whole); !plain.inMacro)
    text.declaration = plain;
  text.name = context.files.point(visible.getLocation());
  text.name.end =
      text.name.begin + static_cast<std::uint32_t>(visible.getName().size());
  if (const FunctionTypeLoc type = visible.getFunctionTypeLoc()) {
    const SourceRange parentheses =
        context.files.range({type.getLParenLoc(), type.getRParenLoc()});
    text.parameters = parentheses;
    if (parentheses.end >= parentheses.begin + 2) {
      ++text.parameters.begin;
      ++text.parameters.column;
      --text.parameters.end;
    }
  }
  if (const Stmt *body = visible.getBody())
    text.body = context.files.range(body->getSourceRange());
  // The text of an explicit specialisation is of a function like any other.
  if (kernel.isTemplateInstantiation())
    text.templateArguments = printArguments(context.ast, kernel);
  text.obstacle = obstacleOf(context, kernel, text);
  if (text.obstacle.empty())
    text.obstacle = findStagePlace(context, visible, text);
  TypeNames types = typeNames(context.ast, kernel, text.templateArguments);
  if (text.obstacle.empty())
    if (const std::string hidden =
            hiddenName(context.ast, visible, types.outermost);
        !hidden.empty())
      text.obstacle = "'" + hidden +
                      "' of a parameter's type is another one in its "
                      "namespace";
  text.copyable = text.obstacle.empty();
  if (text.copyable) {
    text.changesAt = firstChange(context, visible, text);
    findTypes(context, visible, types, text);
  }
  text.typeNames = std::move(types.outermost);
  return text;
}

} // namespace kfuse
