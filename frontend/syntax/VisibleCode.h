//===- VisibleCode.h - What a kernel runs ---------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_VISIBLECODE_H
#define KFUSE_FRONTEND_SYNTAX_VISIBLECODE_H

#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Returns `function` and all that it calls whose bodies are visible, by name
/// or without a call in the text.
std::vector<const clang::FunctionDecl *>
visibleCode(const clang::FunctionDecl &function);

} // namespace kfuse

#endif
