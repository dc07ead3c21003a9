//===- TypeNames.h - Names of the types that a fused kernel mentions ------===//
#ifndef KFUSE_FRONTEND_KERNEL_TYPENAMES_H
#define KFUSE_FRONTEND_KERNEL_TYPENAMES_H

#include "clang/Basic/SourceLocation.h"

#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// The names in the types of a kernel's parameters, of what these lead to, and
/// of its template arguments: of `lib::Vec<real>` all three. Types are spelled
/// from the global scope (Types.h), and keywords are no names.
struct TypeNames {
  std::set<std::string> all;
  std::set<std::string> outermost;             ///< `lib` and `real`
  std::vector<clang::SourceLocation> declared; ///< where they are complete
};

TypeNames typeNames(const clang::ASTContext &ast,
                    const clang::FunctionDecl &kernel,
                    const std::string &templateArguments);

/// Returns the first of the names that a namespace around the kernel declares,
/// so that they mean something else there; empty if there is none.
std::string hiddenName(const clang::ASTContext &ast,
                       const clang::FunctionDecl &kernel,
                       const std::set<std::string> &outermost);

} // namespace kfuse

#endif
