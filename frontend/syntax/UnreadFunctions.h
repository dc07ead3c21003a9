//===- UnreadFunctions.h - Errors where nothing matters -------------------===//
//
// Clang refuses some C++ that nvcc's host compiler takes, such as a pointer to
// an array of variable length. In a function of the host alone that is no
// reason to end: it can be read as one that another file defines. That holds
// only if its text can't tell anything of the unit's launches and variables.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_UNREADFUNCTIONS_H
#define KFUSE_FRONTEND_SYNTAX_UNREADFUNCTIONS_H

#include "clang/Basic/SourceLocation.h"

#include <vector>

namespace clang {
class ASTUnit;
} // namespace clang

namespace kfuse {

/// Takes the bodies from functions of the host alone that have `errors` in
/// them. Returns the errors that are elsewhere.
std::vector<clang::SourceLocation>
dropUnreadFunctions(clang::ASTUnit &unit,
                    const std::vector<clang::SourceLocation> &errors);

} // namespace kfuse

#endif
