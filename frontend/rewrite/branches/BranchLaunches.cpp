//===- BranchLaunches.cpp - Branches beside launches ----------------------===//

#include "frontend/rewrite/branches/BranchLaunches.h"

#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

class StatementNameFinder : public SourceVisitor, public StatementNames {
public:
  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    mentioned.insert(use->getDecl()->getDeclName());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *use) override {
    mentioned.insert(use->getMemberDecl()->getDeclName());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    hasStatic |= variable->isStaticLocal();
    // It would go only after what follows the branch.
    return isPlain &=
           variable->getType().isDestructedType() == QualType::DK_none;
  }
  bool VisitTagTypeLoc(TagTypeLoc use) override {
    mentioned.insert(use.getDecl()->getDeclName());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc use) override {
    mentioned.insert(use.getTypedefNameDecl()->getDeclName());
    return true;
  }
  bool VisitNamedDecl(NamedDecl *declaration) override {
    declared.insert(declaration->getDeclName());
    return true;
  }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *) override {
    return isPlain = false;
  }
  bool VisitLambdaExpr(LambdaExpr *) override { return isPlain = false; }
  bool VisitStmtExpr(StmtExpr *) override { return isPlain = false; }
};

} // namespace

Launches::Launches(const HostUnit &unit)
    : Launching(launchingFunctions(unit)) {}

bool Launches::has(const Stmt &statement) const {
  const auto *call = dyn_cast<CallExpr>(&statement);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && (isa<CUDAKernelCallExpr>(call) ||
                    Launching.count(callee->getDefinition()) != 0);
}

bool Launches::isIn(const Stmt *arm) const {
  const auto *block = dyn_cast_or_null<CompoundStmt>(arm);
  return block &&
         std::any_of(block->body_begin(), block->body_end(),
                     [this](const Stmt *child) { return has(*child); });
}

void copyDeeper(const std::string &input, std::uint32_t begin,
                std::uint32_t end, const std::string &step, MappedText &text) {
  while (begin < end) {
    const std::size_t found = input.find('\n', begin);
    const auto next = static_cast<std::uint32_t>(std::min<std::size_t>(
        found == std::string::npos ? end : found + 1, end));
    text.copy(input, begin, next);
    begin = next;
    if (begin < end &&
        std::string_view("\r\n#").find(input[begin]) == std::string_view::npos)
      text.write(step, begin);
  }
}

bool isChosenAtRunTime(const IfStmt &branch) {
  return !branch.isConstexpr() && !branch.isConsteval();
}

StatementNames namesOf(const Stmt &statement) {
  StatementNameFinder finder;
  finder.TraverseStmt(const_cast<Stmt *>(&statement));
  return finder;
}

} // namespace kfuse
