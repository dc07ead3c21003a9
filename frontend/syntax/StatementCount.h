//===- StatementCount.h - How long a body is ------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_STATEMENTCOUNT_H
#define KFUSE_FRONTEND_SYNTAX_STATEMENTCOUNT_H

#include <cstdint>

namespace clang {
class SourceManager;
class Stmt;
} // namespace clang

namespace kfuse {

/// Counts the statements of `body`, however they are formatted: an `if` or a
/// loop counts as one besides those in it. Whatever a macro makes is one: the
/// text has no more.
std::uint32_t statementsIn(const clang::Stmt &body,
                           const clang::SourceManager &sources);

} // namespace kfuse

#endif
