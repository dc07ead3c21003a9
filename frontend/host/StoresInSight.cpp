//===- StoresInSight.cpp - Pointers that other files can't change ---------===//

#include "frontend/host/StoresInSight.h"

#include "frontend/host/Unit.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include "llvm/ADT/STLExtras.h"

namespace kfuse {

using namespace clang;

namespace {

/// Checks what the functions of a class template do that the unit doesn't
/// call. Their text has no types yet. The member may be passed to the runtime,
/// returned, compared, and be given null or the same member of another object.
class UncalledText : public SourceVisitor {
public:
  explicit UncalledText(const FieldDecl &field) : Field(field) {}

  bool isPlain = true;

  /// Checks whether `value` is null or what the member of an object holds.
  bool isMembersValue(const Expr &value) const {
    const Expr *inner = value.IgnoreParenCasts();
    if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(inner) || isField(*inner))
      return true;
    const auto *list = dyn_cast<InitListExpr>(inner);
    if (const auto *several = dyn_cast<ParenListExpr>(inner))
      return several->getNumExprs() == 1 &&
             isMembersValue(*several->getExpr(0));
    if (list)
      return list->getNumInits() == 0 ||
             (list->getNumInits() == 1 && isMembersValue(*list->getInit(0)));
    const auto *call = dyn_cast<CallExpr>(inner);
    const llvm::StringRef name = call ? nameOf(*call->getCallee()) : "";
    return (name == "move" || name == "exchange") &&
           llvm::all_of(call->arguments(), [&](const Expr *each) {
             return isMembersValue(*each);
           });
  }

  bool enterStmt(Stmt *statement) override {
    if (const auto *result = dyn_cast<ReturnStmt>(statement))
      return !result->getRetValue() || !isMembersValue(*result->getRetValue());
    if (const auto *call = dyn_cast<CallExpr>(statement))
      return enterCall(*call);
    if (const auto *operation = dyn_cast<BinaryOperator>(statement);
        operation && isField(*operation->getLHS()) &&
        (operation->getOpcode() == BO_Assign || operation->isComparisonOp()))
      return !isMembersValue(*operation->getRHS());
    if (const auto *test = dyn_cast<UnaryOperator>(statement);
        test && test->getOpcode() == UO_LNot)
      return !isField(*test->getSubExpr());
    if (const auto *value = dyn_cast<Expr>(statement))
      isPlain = isPlain && nameOf(*value) != Field.getName();
    return isPlain;
  }

private:
  static llvm::StringRef nameOf(const Expr &raw) {
    const Expr *expression = raw.IgnoreParenImpCasts();
    DeclarationName name;
    if (const auto *member = dyn_cast<MemberExpr>(expression))
      name = member->getMemberDecl()->getDeclName();
    else if (const auto *open =
                 dyn_cast<CXXDependentScopeMemberExpr>(expression))
      name = open->getMember();
    else if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
      name = reference->getDecl()->getDeclName();
    else if (const auto *overloads = dyn_cast<OverloadExpr>(expression))
      name = overloads->getName();
    return name.isIdentifier() && name.getAsIdentifierInfo()
               ? name.getAsIdentifierInfo()->getName()
               : llvm::StringRef();
  }
  bool isField(const Expr &value) const {
    return nameOf(*value.IgnoreParenCasts()) == Field.getName();
  }
  bool enterCall(const CallExpr &call) {
    const llvm::StringRef name = nameOf(*call.getCallee());
    const bool isOfRuntime = name.starts_with("cuda");
    if (name == "swap" && llvm::all_of(call.arguments(), [&](const Expr *each) {
          return isField(*each);
        }))
      return false;
    for (const Expr *argument : call.arguments()) {
      const Expr *place = addressee(*argument);
      if (!(isOfRuntime && isField(*argument)) &&
          !(name.starts_with("cudaMalloc") && place && isField(*place)))
        TraverseStmt(const_cast<Expr *>(argument));
    }
    TraverseStmt(const_cast<Expr *>(call.getCallee()));
    return false;
  }

  const FieldDecl &Field;
};

class SightCheck {
public:
  explicit SightCheck(const HostUnit &unit) : Unit(unit) {}

  bool of(const Decl &pointer) const {
    if (const auto *parameter = dyn_cast<ParmVarDecl>(&pointer)) {
      const auto *function =
          dyn_cast<FunctionDecl>(parameter->getDeclContext());
      // Calls that have other text now may be written again.
      return function && !isa<CXXMethodDecl>(function) &&
             !function->isExternallyVisible() &&
             Unit.copied.count(function->getQualifiedNameAsString()) == 0;
    }
    if (const auto *variable = dyn_cast<VarDecl>(&pointer))
      return !variable->getType()->isReferenceType() &&
             !variable->getType().isVolatileQualified() &&
             !variable->isInitCapture() && !variable->isExceptionVariable() &&
             (variable->isLocalVarDecl() || !variable->isExternallyVisible());
    if (const auto *field = dyn_cast<FieldDecl>(&pointer))
      return !field->getType().isVolatileQualified() && ofMember(*field);
    const auto *function = dyn_cast<FunctionDecl>(&pointer);
    const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
    return function && Unit.find(*function) && !(method && method->isVirtual());
  }

private:
  bool ofMember(const FieldDecl &field) const {
    const RecordDecl &parent = *field.getParent();
    if (parent.isUnion())
      return false;
    const SourceManager &sources = Unit.model.files.sources();
    if (field.getAccess() != AS_private)
      return sources.isInMainFile(
          sources.getExpansionLoc(parent.getLocation()));
    return llvm::all_of(parent.decls(), [&](const Decl *each) {
      return isInSight(*each, field);
    });
  }

  /// Checks a declaration in the member's class.
  bool isInSight(const Decl &declaration, const FieldDecl &field) const {
    if (declaration.isImplicit())
      return true;
    if (isa<FriendDecl, FriendTemplateDecl, CXXRecordDecl, ClassTemplateDecl>(
            declaration))
      return false;
    const Decl *each = &declaration;
    if (const auto *pattern = dyn_cast<FunctionTemplateDecl>(each))
      each = pattern->getTemplatedDecl();
    const auto *method = dyn_cast<CXXMethodDecl>(each);
    if (!method || method->isDefaulted() || method->isDeleted() ||
        method->isPureVirtual() || Unit.find(*method))
      return true;
    const FunctionDecl *text = method->getTemplateInstantiationPattern();
    if (!text)
      text = method->getDefinition();
    if (!text || !text->hasBody())
      return false;
    UncalledText uncalled(field);
    if (const auto *made = dyn_cast<CXXConstructorDecl>(text))
      for (const CXXCtorInitializer *init : made->inits()) {
        const bool isOfField = init->getMember() &&
                               init->getMember()->getName() == field.getName();
        if (isOfField && !uncalled.isMembersValue(*init->getInit()))
          return false;
        if (!isOfField)
          uncalled.TraverseStmt(init->getInit());
      }
    uncalled.TraverseStmt(text->getBody());
    return uncalled.isPlain;
  }

  const HostUnit &Unit;
};

} // namespace

bool areStoresInSight(const HostUnit &unit, const Decl &pointer) {
  return SightCheck(unit).of(pointer);
}

} // namespace kfuse
