//===- Methods.cpp - Statements of methods in other methods ---------------===//

#include "frontend/rewrite/Methods.h"

#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTLambda.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

/// Returns the classes around a method, inner ones first.
std::vector<const CXXRecordDecl *> classesAround(const FunctionDecl &method) {
  std::vector<const CXXRecordDecl *> classes;
  const DeclContext *scope = method.getDeclContext();
  while (const auto *type = dyn_cast<CXXRecordDecl>(scope)) {
    classes.push_back(type);
    scope = type->getDeclContext();
  }
  return classes;
}

/// How often a function uses its object, and how often only for the value of a
/// member. A static method that is called could be another one if the object is
/// of another kind.
class ObjectUses : public SourceVisitor {
public:
  unsigned mentions = 0, loads = 0;

  bool VisitCXXThisExpr(CXXThisExpr *) override {
    ++mentions;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    mentions += isa<CXXMethodDecl>(use->getDecl());
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    if (cast->getCastKind() != CK_LValueToRValue)
      return true;
    const Expr *place = cast->getSubExpr()->IgnoreParens();
    while (const auto *member = dyn_cast<MemberExpr>(place))
      place = member->getBase()->IgnoreParens();
    loads += isa<CXXThisExpr>(place);
    return true;
  }
};

/// Checks whether `method` does the same for a const object.
bool onlyLoads(const FunctionDecl &method) {
  ObjectUses uses;
  uses.TraverseStmt(method.getBody());
  return uses.mentions == uses.loads;
}

class MemberCollector : public SourceVisitor {
public:
  std::set<DeclarationName> names;

  bool VisitMemberExpr(MemberExpr *use) override {
    const ValueDecl *member = use->getMemberDecl();
    const auto *type = dyn_cast<RecordDecl>(member->getDeclContext());
    const bool hasNoName = type && type->isAnonymousStructOrUnion();
    return (!use->isImplicitAccess() && !hasNoName) || add(member);
  }
  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    return add(use->getDecl());
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc use) override {
    return add(use.getTypedefNameDecl());
  }
  bool VisitTagTypeLoc(TagTypeLoc use) override { return add(use.getDecl()); }
  bool VisitTemplateSpecializationTypeLoc(
      TemplateSpecializationTypeLoc use) override {
    return add(use.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *use) override {
    return add(use->getConstructor()->getParent());
  }

private:
  bool add(const NamedDecl *declaration) {
    const DeclContext *scope =
        declaration ? declaration->getDeclContext()->getRedeclContext()
                    : nullptr;
    if (scope && scope->isRecord())
      names.insert(declaration->getDeclName());
    return true;
  }
};

bool hasMember(const CXXRecordDecl &type, DeclarationName name) {
  const CXXRecordDecl *whole = type.getDefinition();
  return !whole || !whole->lookup(name).empty() ||
         llvm::any_of(whole->bases(), [&](const CXXBaseSpecifier &base) {
           const CXXRecordDecl *other = base.getType()->getAsCXXRecordDecl();
           return !other || hasMember(*other, name);
         });
}

} // namespace

std::string methodObstacle(const FunctionDecl &function) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  if (!method)
    return {};
  if (isLambdaCallOperator(method))
    return "is a lambda";
  if (isa<CXXConstructorDecl>(method) || isa<CXXDestructorDecl>(method))
    return "is a constructor or a destructor";
  if (method->getPrimaryTemplate())
    return "is a template in a class";
  if (method->getRefQualifier() != RQ_None || method->isVolatile() ||
      method->isExplicitObjectMemberFunction())
    return "is only for objects of one kind";
  for (const CXXRecordDecl *type : classesAround(*method)) {
    if (isa<ClassTemplateSpecializationDecl>(type) ||
        type->isDependentContext())
      return "is a member of a class template";
    if (type->isUnion())
      return "is a member of a union";
    if (type->isLocalClass())
      return "is a member of a class in a function";
  }
  return {};
}

std::string objectObstacle(const CallExpr &call, const FunctionDecl &caller) {
  const auto *method = dyn_cast<CXXMethodDecl>(call.getDirectCallee());
  if (!method)
    return {};
  const std::string name = "'" + caller.getNameAsString() + "'";
  const auto *own = dyn_cast<CXXMethodDecl>(&caller);
  if (!own || own->getParent()->getCanonicalDecl() !=
                  method->getParent()->getCanonicalDecl())
    return name + " is no member of its class";
  const auto *use =
      dyn_cast<MemberExpr>(call.getCallee()->IgnoreParenImpCasts());
  if (use && !isa<CXXThisExpr>(use->getBase()->IgnoreParenImpCasts()))
    return "it is called for another object";
  if (!method->isStatic() && method->isConst() != own->isConst() &&
      !onlyLoads(*method->getDefinition()))
    return "it is const, and " + name + " isn't";
  return {};
}

std::set<DeclarationName> usedMembers(const FunctionDecl &function) {
  MemberCollector used;
  used.TraverseDecl(const_cast<FunctionDecl *>(&function));
  return std::move(used.names);
}

bool hidesName(const FunctionDecl &method, DeclarationName name) {
  return llvm::any_of(classesAround(method), [&](const CXXRecordDecl *type) {
    return hasMember(*type, name);
  });
}

} // namespace kfuse
