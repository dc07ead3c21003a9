//===- Types.cpp - Types as spelled strings -------------------------------===//

#include "frontend/kernel/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/QualTypeNames.h"
#include "llvm/ADT/STLExtras.h"

namespace kfuse {

using namespace clang;

namespace {

bool hasFloatingPoint(QualType type) {
  if (type->isFloatingType() || type->isHalfType())
    return true;
  if (const ArrayType *array = type->getAsArrayTypeUnsafe())
    return hasFloatingPoint(array->getElementType());
  if (const auto *vector = type->getAs<VectorType>())
    return hasFloatingPoint(vector->getElementType());
  const auto *record = type->getAsRecordDecl();
  if (!record || !record->getDefinition())
    return false;
  if (const auto *derived = dyn_cast<CXXRecordDecl>(record);
      derived && derived->hasDefinition())
    for (const CXXBaseSpecifier &base : derived->bases())
      if (hasFloatingPoint(base.getType()))
        return true;
  // Types such as __half hold their number in an integer.
  if (record->getName().contains("half") ||
      record->getName().contains("bfloat"))
    return true;
  for (const FieldDecl *field : record->fields())
    if (hasFloatingPoint(field->getType()))
      return true;
  return false;
}

/// Checks whether kernels can have a variable of `type` without an initializer.
bool isDefaultable(QualType type) {
  const CXXRecordDecl *record =
      type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || record->hasTrivialDefaultConstructor())
    return true;
  for (const CXXConstructorDecl *constructor : record->ctors())
    if (constructor->isDefaultConstructor() && constructor->isUserProvided())
      return constructor->getAccess() == AS_public &&
             constructor->hasAttr<CUDADeviceAttr>();
  return record->hasDefaultConstructor() &&
         llvm::all_of(record->bases(),
                      [](const CXXBaseSpecifier &base) {
                        return isDefaultable(base.getType());
                      }) &&
         llvm::all_of(record->fields(), [](const FieldDecl *field) {
           return isDefaultable(field->getType());
         });
}

} // namespace

std::string spellType(const ASTContext &ast, QualType type) {
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressTagKeyword = ast.getLangOpts().CPlusPlus;
  policy.FullyQualifiedName = true;
  policy.PrintCanonicalTypes = false;
  policy.Bool = true;
  policy.SuppressUnwrittenScope = true;
  // Address spaces belong to declarations, and an alias adds nothing to a
  // number's type.
  if (ast.getLangOpts().OpenCL) {
    type = ast.removeAddrSpaceQualType(type);
    if (type->isArithmeticType())
      type = type.getCanonicalType();
  }
  // A template's parameter has no meaning outside of its instantiation.
  const bool isSugared =
      type->getAs<SubstTemplateTypeParmType>() ||
      (type->isPointerType() &&
       type->getPointeeType()->getAs<SubstTemplateTypeParmType>());
  if (isSugared)
    type = type.getCanonicalType();
  return TypeName::getFullyQualifiedName(type, ast, policy);
}

IntegerType integerType(clang::QualType type, const clang::ASTContext &ast) {
  if (type.isNull() || !type->isIntegralOrEnumerationType())
    return {};
  return {static_cast<std::uint8_t>(ast.getIntWidth(type)),
          type->isUnsignedIntegerOrEnumerationType()};
}

ElementType describeElement(const ASTContext &ast, QualType type) {
  ElementType result;
  type = type.getNonReferenceType().getUnqualifiedType();
  result.spelling = spellType(ast, type);
  result.canonical = spellType(ast, type.getCanonicalType());
  result.hasFloatingPoint = hasFloatingPoint(type);
  if (type->isIncompleteType() || type->isFunctionType() ||
      type->isDependentType()) {
    result.trivial = false;
    return result;
  }
  result.bytes =
      static_cast<std::uint32_t>(ast.getTypeSizeInChars(type).getQuantity());
  result.trivial = type.isTriviallyCopyableType(ast) && isDefaultable(type);
  result.hasConstructor = result.trivial && !type.isTrivialType(ast);
  result.isCompound = type->isCompoundType();
  return result;
}

bool endsInCode(QualType type) {
  const CXXRecordDecl *record =
      type->isReferenceType()
          ? nullptr
          : type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
    return false;
  const CXXDestructorDecl *destructor = record->getDestructor();
  const FunctionDecl *definition = nullptr;
  if (destructor && !destructor->isDefaulted()) {
    const auto *body =
        destructor->hasBody(definition)
            ? dyn_cast_or_null<CompoundStmt>(definition->getBody())
            : nullptr;
    if (!body || !body->body_empty())
      return true;
  }
  return llvm::any_of(record->bases(),
                      [](const CXXBaseSpecifier &base) {
                        return endsInCode(base.getType());
                      }) ||
         llvm::any_of(record->fields(), [](const FieldDecl *field) {
           return endsInCode(field->getType());
         });
}

QualType typeAt(const VarDecl &variable, llvm::StringRef path) {
  QualType type = variable.getType();
  llvm::SmallVector<llvm::StringRef> names;
  path.split(names, '.', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef name : names) {
    const RecordDecl *record = type->getAsRecordDecl();
    type = variable.getASTContext().VoidTy;
    if (record)
      for (const FieldDecl *field : record->fields())
        if (field->getName() == name)
          type = field->getType();
  }
  return type;
}

bool holdsNumbers(QualType type) {
  type = type.getNonReferenceType();
  if (const ArrayType *array = type->getAsArrayTypeUnsafe())
    return holdsNumbers(array->getElementType());
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record)
    return !type->isFloatingType() && !type->isVectorType();
  const auto *derived = dyn_cast<CXXRecordDecl>(record);
  return !record->getDefinition() || (derived && derived->getNumBases() != 0) ||
         llvm::any_of(record->fields(), [](const FieldDecl *field) {
           return holdsNumbers(field->getType());
         });
}

} // namespace kfuse
