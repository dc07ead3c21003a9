//===- RegisterPressure.h - Variables that live at once -------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_RESOURCES_REGISTERPRESSURE_H
#define KFUSE_FRONTEND_KERNEL_RESOURCES_REGISTERPRESSURE_H

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Returns the most 32-bit words that local variables of `function` hold at one
/// place, with those of the functions called there. A variable lives from its
/// first mention to its last, and through each loop around a mention that is
/// not around its declaration. The words that a compiler needs are less or
/// more; large arrays, which it keeps in memory, count no more than a few
/// hundred words.
unsigned liveWords(const clang::ASTContext &ast,
                   const clang::FunctionDecl &function);

} // namespace kfuse

#endif
