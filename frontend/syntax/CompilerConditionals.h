//===- CompilerConditionals.h - Texts that ask who reads them -------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_COMPILERCONDITIONALS_H
#define KFUSE_FRONTEND_SYNTAX_COMPILERCONDITIONALS_H

#include "frontend/syntax/SourceRanges.h"

#include <optional>

namespace kfuse {

/// Which texts of a program may be others, or have other numbers, for the
/// device's compiler than where kfuse reads them: they ask which compiler that
/// is, in which version, or for which architecture it compiles.
class CompilerConditionals {
public:
  explicit CompilerConditionals(const FileTable &files) : Files(files) {}

  bool isIn(const SourceRange &range);

private:
  const FileTable &Files;
  /// Whether the user's macros may depend on the compiler.
  std::optional<bool> OfMacros;
};

/// Whether a text of OpenCL kernels is another one for another device: it asks
/// what only its compiler defines, but for doubles, without which what has some
/// doesn't compile.
bool asksOpenClCompiler(const std::string &text);

/// Whether what a text of OpenCL kernels means depends on where in it it
/// stands: it tells the compiler to contract sums or not, or to forget an
/// extension.
bool changesItsMeaning(const std::string &text);

} // namespace kfuse

#endif
