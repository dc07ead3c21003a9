//===- ErrorReports.h - Statements that only report errors ----------------===//
#ifndef KFUSE_FRONTEND_API_ERRORREPORTS_H
#define KFUSE_FRONTEND_API_ERRORREPORTS_H

namespace clang {
class ASTContext;
class Stmt;
} // namespace clang

namespace kfuse {

/// Checks whether the statement asks CUDA's runtime for its last error, and
/// does nothing if there is none: `check(cudaGetLastError());`.
bool onlyReportsErrors(const clang::Stmt &statement,
                       const clang::ASTContext &ast);

/// Checks for `error = cudaGetLastError()`, with any variable.
bool takesLastError(const clang::Stmt &statement);

} // namespace kfuse

#endif
