//===- Context.h - What analyses of kernels share -------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_CONTEXT_H
#define KFUSE_FRONTEND_KERNEL_CONTEXT_H

#include "frontend/syntax/CompilerConditionals.h"
#include "graphs/program/Program.h"

#include <functional>

namespace clang {
class ASTContext;
class Preprocessor;
class VarDecl;
} // namespace clang

namespace kfuse {

/// The context that a kernel's analysis shares with the rest of the unit.
struct KernelContext {
  clang::ASTContext &ast;
  clang::Preprocessor &preprocessor;
  TermTable &terms;
  FileTable &files;
  /// Returns the array of a `__device__`, `__constant__` or `__managed__`
  /// variable, or of an OpenCL `__constant` one.
  std::function<ArrayId(const clang::VarDecl &)> deviceVariable;
  CompilerConditionals dependence{files};
};

} // namespace kfuse

#endif
