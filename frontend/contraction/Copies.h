//===- Copies.h - How often a function's code stands in a kernel ----------===//
//
// Compilers put a copy of a function wherever it is called. If both arms of
// a branch end in sums, they make one of the two, which keeps the line of one.
// If another copy, or another turn of an unrolled loop, keeps the line of the
// sum that is gone, the table of lines tells what became of that one alone.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_COPIES_H
#define KFUSE_FRONTEND_CONTRACTION_COPIES_H

#include <map>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Returns for each function that the kernel runs how many copies of its code
/// the kernel has; 0 if some of their sums may be hidden by others.
std::map<const clang::FunctionDecl *, unsigned>
copiesIn(const clang::ASTContext &ast, const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
