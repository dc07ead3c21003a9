//===- frontend/CompilerDependence.h - Texts that ask who reads them ------===//
#ifndef KFUSE_FRONTEND_COMPILERDEPENDENCE_H
#define KFUSE_FRONTEND_COMPILERDEPENDENCE_H

#include "frontend/SourceRanges.h"

#include <optional>

namespace kfuse {

/// Which texts of a program may be others, or have other numbers, for the
/// device's compiler than where kfuse reads them: they ask which compiler that
/// is, in which version, or for which architecture it compiles.
class CompilerDependence {
public:
  explicit CompilerDependence(const FileTable &files) : Files(files) {}

  bool isIn(const SourceRange &range);

private:
  const FileTable &Files;
  /// Whether the user's macros may depend on the compiler.
  std::optional<bool> OfMacros;
};

} // namespace kfuse

#endif
