//===- CompilerConditionals.h - Texts that ask who reads them -------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_COMPILERCONDITIONALS_H
#define KFUSE_FRONTEND_SYNTAX_COMPILERCONDITIONALS_H

#include "frontend/syntax/SourceRanges.h"

#include <optional>

namespace kfuse {

/// Which texts of a program the device's compiler may read otherwise than
/// kfuse, or with other numbers. They ask which compiler that is, in which
/// version, or for which architecture it compiles.
class CompilerConditionals {
public:
  explicit CompilerConditionals(const FileTable &files) : Files(files) {}

  bool isIn(const SourceRange &range);

private:
  const FileTable &Files;
  /// Whether the user's macros may depend on the compiler.
  std::optional<bool> OfMacros;
};

/// Checks whether `text`, of OpenCL kernels, may differ on another device: it
/// asks what only its compiler defines. Doubles don't count: without them, code
/// that has some doesn't compile.
bool asksOpenClCompiler(const std::string &text);

/// Checks whether an OpenCL `text` begins by telling the compiler not to
/// contract sums: `#pragma OPENCL FP_CONTRACT OFF`.
bool contractsNothing(const std::string &text);

/// Checks whether the meaning of code in an OpenCL `text` depends on its place.
/// It does if the text, behind its beginning, tells the compiler to contract
/// sums or not, or to forget an extension.
bool changesItsMeaning(const std::string &text);

} // namespace kfuse

#endif
