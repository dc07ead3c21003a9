//===- StatementCount.h - How long a body is ------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_STATEMENTCOUNT_H
#define KFUSE_FRONTEND_SYNTAX_STATEMENTCOUNT_H

#include <cstdint>

namespace clang {
class Stmt;
} // namespace clang

namespace kfuse {

/// Counts the statements of `body`, however they are formatted: an `if` or a
/// loop counts as one besides those in it.
std::uint32_t statementsIn(const clang::Stmt &body);

} // namespace kfuse

#endif
