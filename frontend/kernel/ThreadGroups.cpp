//===- ThreadGroups.cpp - Groups of threads and their collectives ---------===//

#include "frontend/kernel/ThreadGroups.h"

#include "frontend/syntax/KnownFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace kfuse {

using namespace clang;

namespace {

llvm::StringRef nameOf(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  return callee && callee->getIdentifier() ? callee->getName()
                                           : llvm::StringRef();
}

/// Checks whether `code` is made of constants, parameters and variables of its
/// own, and calls only the system's functions.
bool onlyComputes(const Stmt &code) {
  if (const auto *name = dyn_cast<DeclRefExpr>(&code)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    if (variable)
      return variable->hasLocalStorage() &&
             !name->refersToEnclosingVariableOrCapture();
    const auto *function = dyn_cast<FunctionDecl>(name->getDecl());
    return isa<EnumConstantDecl>(name->getDecl()) ||
           (function && !function->isVariadic() &&
            function->getASTContext().getSourceManager().isInSystemHeader(
                function->getLocation()) &&
            llvm::none_of(function->parameters(), [](const ParmVarDecl *each) {
              return each->getType()->isPointerType();
            }));
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(&code);
      unary &&
      (unary->getOpcode() == UO_Deref || unary->getOpcode() == UO_AddrOf))
    return false;
  if (const auto *member = dyn_cast<MemberExpr>(&code);
      member && (member->isArrow() || !isa<FieldDecl>(member->getMemberDecl())))
    return false;
  if (const auto *made = dyn_cast<CXXConstructExpr>(&code);
      made && !made->getConstructor()->isTrivial())
    return false;
  if (!isa<CompoundStmt, ReturnStmt, DeclStmt, IfStmt, BinaryOperator,
           UnaryOperator, ConditionalOperator, DeclRefExpr, MemberExpr,
           ParenExpr, CastExpr, CallExpr, InitListExpr, CXXConstructExpr,
           MaterializeTemporaryExpr, FullExpr, IntegerLiteral, FloatingLiteral,
           CXXBoolLiteralExpr, CharacterLiteral>(&code) ||
      isa<CXXOperatorCallExpr, CXXMemberCallExpr>(&code))
    return false;
  return llvm::all_of(code.children(), [](const Stmt *part) {
    return !part || onlyComputes(*part);
  });
}

} // namespace

std::optional<ThreadGroup> threadGroup(QualType type) {
  const CXXRecordDecl *record =
      type.isNull() ? nullptr
                    : type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier() ||
      !isInNamespace(*record, "cooperative_groups"))
    return std::nullopt;
  const auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(record);
  if (!instance)
    return record->getName() == "thread_block" ? std::optional(ThreadGroup{})
                                               : std::nullopt;
  const auto &arguments = instance->getTemplateArgs();
  if (record->getName() != "thread_block_tile" || arguments.size() == 0 ||
      arguments[0].getKind() != TemplateArgument::Integral)
    return std::nullopt;
  const std::int64_t threads = arguments[0].getAsIntegral().getExtValue();
  return threads > 0 && threads <= WarpThreads
             ? std::optional(ThreadGroup{threads})
             : std::nullopt;
}

std::optional<ThreadGroup> groupOf(const CallExpr &call) {
  const auto *member = dyn_cast<CXXMemberCallExpr>(&call);
  const Expr *group = member ? member->getImplicitObjectArgument()
                      : call.getNumArgs() != 0 ? call.getArg(0)
                                               : nullptr;
  return group ? threadGroup(group->IgnoreParenImpCasts()->getType())
               : std::nullopt;
}

bool isOfWholeBlock(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !isInNamespace(*callee, "cooperative_groups"))
    return false;
  if (threadGroup(call.getType()))
    return true;
  const auto group = groupOf(call);
  return group && llvm::StringSwitch<bool>(nameOf(call))
                      .Cases("size", "num_threads", "meta_group_size", true)
                      .Cases("group_index", "group_dim", "dim_threads", true)
                      .Default(false);
}

bool isOfWholeWarp(const CallExpr &call) {
  const auto group = groupOf(call);
  return group && group->threads == WarpThreads &&
         nameOf(call) == "meta_group_rank";
}

std::optional<Collective> collective(const CallExpr &call) {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(call.getDirectCallee());
  if (!method || !isa<CXXMemberCallExpr>(call) ||
      !isInNamespace(*method, "cub") || !method->getIdentifier())
    return std::nullopt;
  const llvm::StringRef kind = method->getParent()->getName();
  const bool isOfBlock = kind.starts_with("Block");
  if (!isOfBlock && !kind.starts_with("Warp"))
    return std::nullopt;
  return Collective{isOfBlock, kind.ends_with("Load")};
}

bool keepsNothing(const CXXRecordDecl &record) {
  const ASTContext &ast = record.getASTContext();
  const bool isOfCub =
      record.getIdentifier() && (record.getName().starts_with("Block") ||
                                 record.getName().starts_with("Warp"));
  return threadGroup(ast.getTypeDeclType(&record)) ||
         (isOfCub && isInNamespace(record, "cub"));
}

bool isPlainOperand(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    type = type->getPointeeType();
  type = QualType(type->getBaseElementTypeUnsafe(), 0);
  if (type->isArithmeticType() || type->isEnumeralType())
    return true;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  const SourceManager &sources = record->getASTContext().getSourceManager();
  if (sources.isInSystemHeader(record->getLocation()))
    return llvm::all_of(record->fields(), [](const FieldDecl *field) {
      return field->getType()->isArithmeticType();
    });
  if (!record->field_empty() || record->getNumBases() != 0)
    return false;
  const auto calls = record->lookup(
      record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call));
  return !calls.empty() && llvm::all_of(calls, [](const NamedDecl *each) {
    const auto *shared = dyn_cast<FunctionTemplateDecl>(each);
    const auto *function =
        dyn_cast<FunctionDecl>(shared ? shared->getTemplatedDecl() : each);
    const FunctionDecl *definition = nullptr;
    return function && function->hasBody(definition) &&
           onlyComputes(*definition->getBody());
  });
}

} // namespace kfuse
