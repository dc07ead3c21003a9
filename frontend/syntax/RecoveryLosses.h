//===- RecoveryLosses.h - What errors leave out of functions --------------===//
//
// A missing header leads to errors. The AST keeps the place of most: an
// expression of unknown type, a variable that isn't valid. Other statements are
// left out of it (`Missing::store(B, i);`), and what they do to the data is
// nowhere to be seen.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_RECOVERYLOSSES_H
#define KFUSE_FRONTEND_SYNTAX_RECOVERYLOSSES_H

#include "clang/Basic/SourceLocation.h"

#include <optional>
#include <vector>

namespace clang {
class ASTUnit;
} // namespace clang

namespace kfuse {

/// Returns the first of `errors` that is in a function of the user's, but in
/// nothing that the AST has of it.
std::optional<clang::SourceLocation>
lostText(clang::ASTUnit &unit,
         const std::vector<clang::SourceLocation> &errors);

} // namespace kfuse

#endif
