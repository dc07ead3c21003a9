//===- NameMentions.h - Where a text names what stands in namespaces ------===//
#ifndef KFUSE_FRONTEND_REWRITE_NAMEMENTIONS_H
#define KFUSE_FRONTEND_REWRITE_NAMEMENTIONS_H

#include "clang/AST/DeclarationName.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>
#include <set>

namespace clang {
class NamedDecl;
class SourceManager;
class Stmt;
class VarDecl;
} // namespace clang

namespace kfuse {

/// Mentions of what stands in a namespace, by its name alone.
struct NameMentions {
  std::map<std::uint32_t, const clang::NamedDecl *> at; ///< by offset
  std::set<clang::DeclarationName> inMacros;            ///< names of others
};

/// Returns the mentions in `body` and in the declarations of `parameters`.
NameMentions nameMentions(const clang::SourceManager &sources,
                          const clang::Stmt &body,
                          llvm::ArrayRef<const clang::VarDecl *> parameters);

} // namespace kfuse

#endif
