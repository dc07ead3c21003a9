//===- MacroScopes.h - Namespaces that macros open or close ---------------===//
//
//   #define BEGIN namespace grid {
//   BEGIN __global__ void step(float *u); ...
//
// What is written beside such a declaration would be in a scope that the text
// doesn't show.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_MACROSCOPES_H
#define KFUSE_FRONTEND_SYNTAX_MACROSCOPES_H

#include <string>

namespace clang {
class Decl;
} // namespace clang

namespace kfuse {

/// Returns why the input's text doesn't tell which namespaces and `extern "C"`
/// the declaration is in; empty if it does.
std::string macroScopeObstacle(const clang::Decl &declaration);

} // namespace kfuse

#endif
