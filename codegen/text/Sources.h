//===- Sources.h - The texts of a program's files -------------------------===//
#ifndef KFUSE_CODEGEN_TEXT_SOURCES_H
#define KFUSE_CODEGEN_TEXT_SOURCES_H

#include "text/Layout.h"

#include <vector>

namespace kfuse {

/// The program's files, lexed, by their numbers. Only file 0, the input, is
/// ever changed; the others are headers of the user's, from which kernels are
/// copied.
class Sources {
public:
  /// Reads the tokens of the program's files. The program must outlive the
  /// texts.
  explicit Sources(const Program &program);

  const SourceText &operator[](std::uint32_t file) const { return Texts[file]; }
  const SourceText &input() const { return Texts.front(); }
  std::uint32_t count() const {
    return static_cast<std::uint32_t>(Texts.size());
  }

  /// Returns `offset`, or the offset after kfuse's own functions if these are
  /// defined right there, since others may use them.
  std::uint32_t behindDefinitions(std::uint32_t offset) const;

  /// Checks whether the text at `offset` of the input is kfuse's own, which may
  /// be gone in the end.
  bool isOwn(std::uint32_t offset) const;

private:
  std::vector<SourceText> Texts;
  std::vector<TextRange> Definitions; ///< ascending
};

/// Returns the offset in the input at which the stages of a kernel are defined:
/// after it, or after the directive that includes it. Returns nullopt if that
/// is in the middle of another declaration.
std::optional<std::uint32_t> insertionPoint(const Sources &sources,
                                            const KernelText &kernel);

} // namespace kfuse

#endif
