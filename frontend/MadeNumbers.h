//===- frontend/MadeNumbers.h - Floating point out of integers ------------===//
#ifndef KFUSE_FRONTEND_MADENUMBERS_H
#define KFUSE_FRONTEND_MADENUMBERS_H

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace kfuse {

class KnownNumbers;

/// Whether the function may make floating-point numbers of integers: by
/// converting or reinterpreting them, or by choosing among constants. Two
/// stages can have such numbers in common without loading any.
bool makesNumbers(const clang::ASTContext &ast,
                  const clang::FunctionDecl &definition, KnownNumbers &numbers);

} // namespace kfuse

#endif
