//===- Scan.h - What a piece of host code may assign ----------------------===//
//
// A walk over the syntax that needs no values: which variables a statement may
// assign, which ones have an address that others may know, which functions it
// calls, whether it has to do with the device at all.
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
/// The body, with what a constructor initialises before it.
HostScan scanHost(const clang::FunctionDecl &function,
                  const clang::SourceManager &sources);

/// Adds the pointers' differences, and casts of pointers to numbers, in the
/// statement's own operands that lead nowhere: they are compared or printed, or
/// tell of an alignment.
void overlookNumbers(const clang::Stmt &statement,
                     std::set<const clang::Expr *> &overlooked);

} // namespace kfuse

#endif
