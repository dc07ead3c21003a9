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

/// What the analysis of a kernel shares with the rest of the unit.
struct KernelContext {
  clang::ASTContext &ast;
  clang::Preprocessor &preprocessor;
  TermTable &terms;
  FileTable &files;
  /// The array of a `__device__`, `__constant__` or `__managed__` variable, or
  /// of a `__constant` one of OpenCL.
  std::function<ArrayId(const clang::VarDecl &)> deviceVariable;
  CompilerConditionals dependence{files};
};

} // namespace kfuse

#endif
