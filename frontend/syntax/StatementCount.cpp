//===- StatementCount.cpp - How long a body is ----------------------------===//
#include "frontend/syntax/StatementCount.h"

#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

using namespace clang;

namespace kfuse {

std::uint32_t statementsIn(const Stmt &body, const SourceManager &sources) {
  std::uint32_t count = 0;
  llvm::DenseSet<clang::SourceLocation> macros;   // those that were counted
  llvm::SmallVector<const Stmt *> open = {&body}; // chains of `else` are deep
  while (!open.empty()) {
    const Stmt *statement = open.pop_back_val();
    if (!statement || isa<NullStmt>(statement))
      continue;
    if (isa<CompoundStmt>(statement)) {
      open.append(statement->child_begin(), statement->child_end());
      continue;
    }
    if (const auto *label = dyn_cast<SwitchCase>(statement)) {
      open.push_back(label->getSubStmt());
      continue;
    }
    const clang::SourceLocation begin = statement->getBeginLoc();
    if (!begin.isMacroID() ||
        macros.insert(sources.getExpansionLoc(begin)).second)
      ++count;
    if (const auto *branch = dyn_cast<IfStmt>(statement))
      open.append({branch->getThen(), branch->getElse()});
    else if (const auto *choice = dyn_cast<SwitchStmt>(statement))
      open.push_back(choice->getBody());
    else if (const auto *loop = dyn_cast<ForStmt>(statement))
      open.push_back(loop->getBody());
    else if (const auto *loop = dyn_cast<WhileStmt>(statement))
      open.push_back(loop->getBody());
    else if (const auto *loop = dyn_cast<DoStmt>(statement))
      open.push_back(loop->getBody());
  }
  return count;
}

} // namespace kfuse
