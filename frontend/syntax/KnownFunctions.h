//===- KnownFunctions.h - Functions that a toolkit defines ----------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_KNOWNFUNCTIONS_H
#define KFUSE_FRONTEND_SYNTAX_KNOWNFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class ASTUnit;
class Decl;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Checks whether `declared` is in a namespace `name`, at whatever depth.
bool isInNamespace(const clang::Decl &declared, llvm::StringRef name);

/// Checks whether threads run `function` together: it is one of CUB or of
/// cooperative groups, whose bodies say nothing about the program.
bool isCollective(const clang::FunctionDecl &function);

/// Checks whether `function` is one of cuRAND's for kernels.
bool isRandom(const clang::FunctionDecl &function);

/// Marks the functions with these names, which the user promises to look only
/// at a clock. Returns the first name that no function has, or an empty one.
std::string markClocks(clang::ASTContext &ast,
                       const std::vector<std::string> &names);
bool isMarkedClock(const clang::FunctionDecl &function);

/// Takes the bodies from the mathematics, intrinsics and halves of a toolkit
/// and of Clang, and from cuRAND. kfuse knows them by their names, as its own
/// headers declare them, and could follow neither inline assembly nor a choice
/// by architecture. Other headers in the folder `own` are kfuse's.
void dropKnownBodies(clang::ASTUnit &unit, llvm::StringRef own);

} // namespace kfuse

#endif
