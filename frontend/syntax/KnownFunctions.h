//===- KnownFunctions.h - Functions that a toolkit defines ----------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_KNOWNFUNCTIONS_H
#define KFUSE_FRONTEND_SYNTAX_KNOWNFUNCTIONS_H

namespace clang {
class ASTUnit;
} // namespace clang

namespace kfuse {

/// Takes the bodies from the mathematics, intrinsics and halves of a toolkit
/// and of Clang. kfuse knows them by their names, as its own headers declare
/// them, and could follow neither inline assembly nor a choice by architecture.
void dropKnownBodies(clang::ASTUnit &unit);

} // namespace kfuse

#endif
