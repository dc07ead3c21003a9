//===- ImplicitCalls.cpp - Functions that no text calls -------------------===//

#include "frontend/syntax/ImplicitCalls.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kfuse {

using namespace clang;

namespace {

/// Collects the user's classes in a type: itself, its bases and members, and
/// the arguments of templates.
class ClassFinder {
public:
  explicit ClassFinder(const SourceManager &sources) : Sources(sources) {}

  std::vector<const CXXRecordDecl *> found;

  void visit(QualType type) {
    if (type.isNull())
      return;
    if (type->isAnyPointerType() || type->isReferenceType())
      return visit(type->getPointeeType());
    if (const auto *array = type->getAsArrayTypeUnsafe())
      return visit(array->getElementType());
    if (const CXXRecordDecl *record = type->getAsCXXRecordDecl())
      visit(*record);
  }

  void visit(const CXXRecordDecl &declaration) {
    const CXXRecordDecl *record = declaration.getDefinition();
    if (!record || !Seen.insert(record).second)
      return;
    if (const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record))
      visit(made->getTemplateArgs().asArray());
    if (Sources.isInSystemHeader(
            Sources.getExpansionLoc(record->getLocation())))
      return;
    found.push_back(record);
    for (const CXXBaseSpecifier &base : record->bases())
      visit(base.getType());
    for (const FieldDecl *field : record->fields())
      if (!field->getType()->isAnyPointerType() &&
          !field->getType()->isReferenceType())
        visit(field->getType());
  }

  void visit(llvm::ArrayRef<TemplateArgument> arguments) {
    for (const TemplateArgument &argument : arguments) {
      if (argument.getKind() == TemplateArgument::Type)
        visit(argument.getAsType());
      else if (argument.getKind() == TemplateArgument::Pack)
        visit(argument.getPackAsArray());
    }
  }

private:
  const SourceManager &Sources;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Seen;
};

bool isWritten(const CXXMethodDecl &method) {
  return !method.isImplicit() && !method.isDefaulted() && !method.isDeleted();
}

std::vector<const Expr *>
initialisersOf(const std::vector<const CXXRecordDecl *> &records) {
  std::vector<const Expr *> found;
  for (const CXXRecordDecl *record : records)
    for (const FieldDecl *field : record->fields())
      if (const Expr *init = field->getInClassInitializer())
        found.push_back(init);
  return found;
}

bool namesFunction(llvm::ArrayRef<TemplateArgument> arguments,
                   const SourceManager &sources) {
  return llvm::any_of(arguments, [&](const TemplateArgument &argument) {
    if (argument.getKind() == TemplateArgument::Pack)
      return namesFunction(argument.getPackAsArray(), sources);
    if (argument.getKind() != TemplateArgument::Type)
      return false;
    const QualType type = argument.getAsType().getNonReferenceType();
    return type->isFunctionType() || type->isFunctionPointerType() ||
           type->isMemberFunctionPointerType() || holdsFunction(type, sources);
  });
}

} // namespace

FunctionList destructorsOf(QualType type, const SourceManager &sources) {
  FunctionList functions;
  if (type.isNull() || type->isAnyPointerType() || type->isReferenceType())
    return functions;
  ClassFinder finder(sources);
  finder.visit(type);
  for (const CXXRecordDecl *record : finder.found)
    if (const CXXDestructorDecl *destructor = record->getDestructor();
        destructor && isWritten(*destructor))
      functions.push_back(destructor);
  return functions;
}

FunctionList destructorsRunFor(const VarDecl &variable,
                               const SourceManager &sources) {
  FunctionList functions = destructorsOf(variable.getType(), sources);
  if (const auto *cleanup = variable.getAttr<CleanupAttr>())
    functions.push_back(cleanup->getFunctionDecl());
  return functions;
}

ImplicitCalls calledByImplicit(const CXXMethodDecl &method,
                               const SourceManager &sources) {
  ClassFinder finder(sources);
  finder.visit(*method.getParent());
  ImplicitCalls calls;
  for (const CXXRecordDecl *record : finder.found)
    for (const CXXMethodDecl *each : record->methods())
      if (each != &method && isWritten(*each) &&
          (isa<CXXConstructorDecl>(each) || isa<CXXDestructorDecl>(each) ||
           each->isCopyAssignmentOperator() ||
           each->isMoveAssignmentOperator()))
        calls.functions.push_back(each);
  const auto *constructor = dyn_cast<CXXConstructorDecl>(&method);
  if (constructor && !constructor->isCopyOrMoveConstructor())
    calls.initialisers = initialisersOf(finder.found);
  return calls;
}

ImplicitCalls calledByTemplate(const FunctionDecl &function,
                               const SourceManager &sources) {
  ClassFinder finder(sources);
  if (const auto *method = dyn_cast<CXXMethodDecl>(&function))
    finder.visit(*method->getParent());
  if (const TemplateArgumentList *arguments =
          function.getTemplateSpecializationArgs())
    finder.visit(arguments->asArray());
  ImplicitCalls calls;
  for (const CXXRecordDecl *record : finder.found)
    if (!record->isLambda())
      for (const CXXMethodDecl *each : record->methods())
        if (isWritten(*each))
          calls.functions.push_back(each);
  calls.initialisers = initialisersOf(finder.found);
  return calls;
}

bool holdsFunction(QualType type, const SourceManager &sources) {
  const CXXRecordDecl *record =
      type.isNull() ? nullptr
                    : type.getNonReferenceType()->getAsCXXRecordDecl();
  const auto *made = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  return made &&
         sources.isInSystemHeader(
             sources.getExpansionLoc(made->getLocation())) &&
         namesFunction(made->getTemplateArgs().asArray(), sources);
}

} // namespace kfuse
