//===- CallSites.h - Calls that stand beside other launches ---------------===//
//
//   step<<<grid, block>>>(u, n);
//   advect(u, v);                            ◀─ if advect() launches
//   cudaError_t error = diffuse(v, w);       ◀─ and diffuse() does
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_CALLSITES_H
#define KFUSE_FRONTEND_REWRITE_CALLSITES_H

#include "clang/AST/DeclarationName.h"

#include <set>
#include <string>
#include <vector>

namespace clang {
class CallExpr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace kfuse {

/// A call that is a statement of a block with another launch, or all that a
/// local variable is given in one.
struct CallSite {
  const clang::FunctionDecl *caller = nullptr;
  const clang::Stmt *statement = nullptr;
  const clang::CallExpr *call = nullptr;
  const clang::VarDecl *result = nullptr; ///< is given what it returns
  bool hasCleanups = false; ///< it makes objects that nothing would keep

  /// Checks whether the statement declares `result`.
  bool isDeclaration() const;
};

struct CallSites {
  std::vector<CallSite> all;
  /// Calls beside other launches that are only a part of a statement.
  std::vector<const clang::CallExpr *> parts;
  std::set<clang::DeclarationName> names; ///< that the caller declares
  /// Why no statement can be put into the caller; empty if one can.
  std::string obstacle;
};

/// Returns the calls in `caller` of functions in `launching`, if their blocks
/// launch more than once. Skips the bodies of lambdas in `caller`.
CallSites callSites(const clang::FunctionDecl &caller,
                    const std::set<const clang::FunctionDecl *> &launching);

} // namespace kfuse

#endif
