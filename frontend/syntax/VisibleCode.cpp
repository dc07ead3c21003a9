//===- VisibleCode.cpp - What a kernel runs -------------------------------===//

#include "frontend/syntax/VisibleCode.h"

#include "frontend/syntax/KnownFunctions.h"
#include "frontend/syntax/MeaningVisitor.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <set>

namespace kfuse {
namespace {

using namespace clang;

/// Collects the functions that one function runs.
class Contents : public MeaningVisitor {
public:
  std::vector<const FunctionDecl *> callees;

  bool VisitCallExpr(CallExpr *call) override {
    add(call->getDirectCallee());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    add(made->getConstructor());
    return true;
  }
  bool
  VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *inherited) override {
    add(inherited->getConstructor());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    addDestructor(variable->getType());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *temporary) override {
    addDestructor(temporary->getType());
    return true;
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *member) override {
    return TraverseStmt(member->getExpr());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) override {
    return TraverseStmt(argument->getExpr());
  }

private:
  void add(const FunctionDecl *callee) {
    // Trivial constructors are defined, and have none. Collectives are known by
    // what they do.
    if (const FunctionDecl *body = nullptr;
        callee && callee->hasBody(body) && !isCollective(*callee))
      callees.push_back(body);
  }
  void addDestructor(QualType type) {
    const CXXRecordDecl *record =
        type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
      return;
    add(record->getDestructor());
    for (const CXXBaseSpecifier &base : record->bases())
      addDestructor(base.getType());
    for (const FieldDecl *field : record->fields())
      addDestructor(field->getType());
  }
};

Contents contentsOf(const FunctionDecl &function) {
  Contents contents;
  contents.TraverseStmt(function.getBody());
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&function))
    for (const CXXCtorInitializer *member : constructor->inits())
      contents.TraverseStmt(member->getInit());
  return contents;
}

} // namespace

std::vector<const FunctionDecl *> visibleCode(const FunctionDecl &function) {
  std::vector<const FunctionDecl *> all{&function};
  std::set<const FunctionDecl *> known{&function};
  for (std::size_t at = 0; at < all.size(); ++at)
    for (const FunctionDecl *callee : contentsOf(*all[at]).callees)
      if (known.insert(callee).second)
        all.push_back(callee);
  return all;
}

} // namespace kfuse
