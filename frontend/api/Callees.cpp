//===- Callees.cpp - What a function is by its declaration ----------------===//

#include "frontend/api/Callees.h"

#include "frontend/syntax/ImplicitCalls.h"
#include "frontend/syntax/KnownFunctions.h"
#include "frontend/syntax/Lvalues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;

bool isSystem(const FunctionDecl &function, const SourceManager &sources) {
  return function.getBuiltinID() != 0 || function.getLocation().isInvalid() ||
         isMarkedClock(function) ||
         sources.isInSystemHeader(
             sources.getExpansionLoc(function.getLocation()));
}

namespace {

/// Checks whether `declared` is in a namespace `cl` of a system header, which
/// has OpenCL's classes.
bool isInOpenClClasses(const NamedDecl &declared) {
  const DeclContext *outer = declared.getDeclContext();
  while (!outer->isTranslationUnit() &&
         !outer->getParent()->isTranslationUnit())
    outer = outer->getParent();
  const auto *space = dyn_cast<NamespaceDecl>(outer);
  return space && space->getName() == "cl" &&
         declared.getASTContext().getSourceManager().isInSystemHeader(
             declared.getLocation());
}

/// Returns the qualified name of a function of OpenCL's classes, such as
/// `cl::Buffer::Buffer`; empty for an implicit or defaulted one.
std::string nameInOpenCl(const FunctionDecl &function) {
  if (function.isImplicit() || function.isDefaulted())
    return {};
  const auto *constructor = dyn_cast<CXXConstructorDecl>(&function);
  std::string name = constructor ? constructor->getParent()->getNameAsString()
                                 : function.getDeclName().getAsString();
  for (const DeclContext *context = function.getDeclContext();
       !context->isTranslationUnit(); context = context->getParent())
    if (const auto *named = dyn_cast<NamedDecl>(context))
      name.insert(0, named->getNameAsString() + "::");
  return name;
}

} // namespace

llvm::StringRef libraryClass(QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier()
             ? record->getName()
             : llvm::StringRef();
}

bool isOwnOpenCl(const NamedDecl &declared) {
  const SourceManager &sources = declared.getASTContext().getSourceManager();
  return isInOpenClClasses(declared) &&
         sources.getFilename(sources.getExpansionLoc(declared.getLocation()))
             .ends_with("/kfuse_cl.h");
}

std::string plainName(const FunctionDecl &function) {
  // Nothing is known of the runtime's own header.
  if (isInOpenClClasses(function))
    return isOwnOpenCl(function) ? nameInOpenCl(function) : "cl::";
  return function.getDeclName().isIdentifier() && !isa<CXXMethodDecl>(function)
             ? function.getName().str()
             : std::string();
}

std::optional<RuntimeCall> runtimeRole(const FunctionDecl &function,
                                       const SourceManager &sources) {
  std::optional<RuntimeCall> role = runtimeCall(plainName(function));
  if (!role || !function.hasBody() || isSystem(function, sources))
    return role;
  // A header's inline overload is still the runtime's function.
  if (role->role == RuntimeCall::Role::Unknown ||
      sources.isInMainFile(sources.getExpansionLoc(function.getLocation())))
    return std::nullopt;
  return role;
}

bool returnsTwice(const FunctionDecl &function) {
  const std::string name = plainName(function);
  return function.hasAttr<ReturnsTwiceAttr>() || name == "setjmp" ||
         name == "_setjmp" || name == "sigsetjmp" || name == "__sigsetjmp" ||
         name == "vfork" || name == "getcontext";
}

bool mayThrow(const FunctionDecl &function, const SourceManager &sources) {
  const bool isOfC = function.isExternC() || function.getBuiltinID() != 0;
  if (function.isTrivial() || (isOfC && isSystem(function, sources)))
    return false;
  const auto *type = function.getType()->getAs<FunctionProtoType>();
  // One that nobody has asked for yet: a destructor's is noexcept.
  if (type && isUnresolvedExceptionSpec(type->getExceptionSpecType()))
    return !isa<CXXDestructorDecl>(function);
  return !type || !type->isNothrow();
}

bool throwsByItself(const Stmt &statement) {
  if (const auto *made = dyn_cast<CXXNewExpr>(&statement))
    return !made->shouldNullCheckAllocation();
  if (const auto *cast = dyn_cast<CXXDynamicCastExpr>(&statement))
    return cast->isGLValue();
  const auto *type = dyn_cast<CXXTypeidExpr>(&statement);
  return type && type->isPotentiallyEvaluated();
}

bool isOverridable(const FunctionDecl &function, const SourceManager &sources) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  return method && method->isVirtual() && !method->hasAttr<FinalAttr>() &&
         !isSystem(function, sources);
}

bool isDeviceLibrary(const FunctionDecl &function) {
  const std::string name = function.getQualifiedNameAsString();
  for (const char *space : {"thrust::", "cub::", "cooperative_groups::",
                            "cuda::", "nvcuda::", "cutlass::"})
    if (name.starts_with(space))
      return true;
  return false;
}

/// Checks whether `pointer` leads to a file of the C library.
static bool isFile(QualType pointer) {
  const RecordDecl *record = pointer->getPointeeType()->getAsRecordDecl();
  return record &&
         (record->getName() == "_IO_FILE" || record->getName() == "__sFILE");
}

bool mayStoreThrough(const FunctionDecl *callee, const Expr &argument,
                     QualType parameter, const SourceManager &sources) {
  const Expr &given = *argument.IgnoreParenCasts();
  const bool isAddress = addressee(argument) != nullptr;
  const QualType type = parameter.isNull() ? argument.getType() : parameter;
  if (!callee || !type->isAnyPointerType() ||
      type->getPointeeType().isConstQualified() ||
      type->getPointeeType()->isFunctionType() ||
      argument.isNullPointerConstant(callee->getASTContext(),
                                     Expr::NPC_ValueDependentIsNull))
    return false;
  if (parameter.isNull()) // for `...`
    return !isAddress && !isa<StringLiteral>(given);
  if (!runtimeRole(*callee, sources))
    return !(isSystem(*callee, sources) && isFile(type));
  const std::string name = plainName(*callee);
  // An OpenCL handle points to nothing that is tracked.
  const bool isHandle =
      type->getPointeeType()->isIncompleteType() && !type->isVoidPointerType();
  return !isAddress && given.getType()->isAnyPointerType() &&
         !given.getType()->getPointeeType()->isFloatingType() &&
         (name.starts_with("cudaMemcpy") ||
          (name.starts_with("cl") && !isHandle));
}

bool mayReachOpaqueCode(const Expr &argument, ASTContext &ast) {
  const QualType type = argument.getType();
  if (holdsFunction(type, ast.getSourceManager()))
    return true;
  if (!type->isFunctionPointerType() && !type->isMemberFunctionPointerType())
    return false;
  const Expr *given = argument.IgnoreParenImpCasts();
  if (const Expr *named = addressee(*given))
    given = named->IgnoreParens();
  const auto *name = dyn_cast<DeclRefExpr>(given);
  return !(name && isa<FunctionDecl>(name->getDecl())) &&
         argument.isNullPointerConstant(
             ast, Expr::NPC_ValueDependentIsNotNull) == Expr::NPCK_NotNull;
}

} // namespace kfuse
