//===- VariableUses.h - How often a statement names variables -------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_VARIABLEUSES_H
#define KFUSE_FRONTEND_SYNTAX_VARIABLEUSES_H

#include <map>

namespace clang {
class Stmt;
class VarDecl;
} // namespace clang

namespace kfuse {

struct VariableUse {
  unsigned mentions = 0;
  unsigned loads = 0; ///< mentions that only take the value
};
/// Returns the variables that `statement` mentions, in lambdas too, and how
/// often.
std::map<const clang::VarDecl *, VariableUse>
variableUses(const clang::Stmt &statement);

} // namespace kfuse

#endif
