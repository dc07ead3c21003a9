//===- frontend/VisibleCode.h - What a kernel runs, and how much it is ----===//
#ifndef KFUSE_FRONTEND_VISIBLECODE_H
#define KFUSE_FRONTEND_VISIBLECODE_H

#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

struct VisibleCode {
  /// The function and all that it calls whose bodies are visible, by name or
  /// without a call in the text.
  std::vector<const clang::FunctionDecl *> functions;
  /// Which product which sum takes isn't looked into: the time for that grows
  /// with the values that a variable may have each time that it is read, and
  /// with the calls of calls.
  bool isLarge = false;
};

VisibleCode visibleCode(const clang::FunctionDecl &function);

} // namespace kfuse

#endif
