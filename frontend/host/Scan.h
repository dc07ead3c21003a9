//===- Scan.h - What a piece of host code may assign ----------------------===//
//
// A walk over the syntax that needs no values. It says which variables a
// statement may assign, and which ones have an address that others may know. It
// also says which functions the statement calls, and whether it has to do with
// the device at all.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_HOST_SCAN_H
#define KFUSE_FRONTEND_HOST_SCAN_H

#include "frontend/host/HostScan.h"

#include <set>

namespace clang {
class Expr;
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace kfuse {

/// Scans `statement`. The bodies of lambdas are not part of it.
HostScan scanHost(const clang::Stmt &statement,
                  const clang::SourceManager &sources);
/// Scans the body of `function` and, before it, the initialisers of a
/// constructor.
HostScan scanHost(const clang::FunctionDecl &function,
                  const clang::SourceManager &sources);

/// Adds to `overlooked` the differences of pointers, and casts of pointers to
/// numbers, that lead to no array. They are among the statement's own operands,
/// and are compared, printed, or tested for alignment.
void overlookNumbers(const clang::Stmt &statement,
                     std::set<const clang::Expr *> &overlooked);

} // namespace kfuse

#endif
