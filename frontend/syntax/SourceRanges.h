//===- SourceRanges.h - Clang's locations as byte ranges ------------------===//
//
// Maps clang::SourceLocation to kfuse::SourceRange with a table of the files
// that were met. File 0 is the input, the only one that kfuse may edit.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_SOURCERANGES_H
#define KFUSE_FRONTEND_SYNTAX_SOURCERANGES_H

#include "frontend/syntax/SourceMap.h"
#include "graphs/program/Program.h"

#include "clang/Basic/SourceLocation.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class LangOptions;
class SourceManager;
class Stmt;
} // namespace clang

namespace kfuse {

class Origins;

/// The files of a translation unit, numbered as they are met.
class FileTable {
public:
  /// Makes the table of a unit. Lines and columns of the input are those from
  /// which its text came.
  explicit FileTable(const clang::ASTContext &context,
                     const Origins *origins = nullptr);
  /// Makes the table of a unit whose main file has this `number` in another
  /// table; what comes from its other files can't be edited.
  FileTable(const clang::ASTContext &context, std::uint32_t number);
  /// Adds a file that isn't of this unit, and returns its number.
  std::uint32_t add(SourceFile file);

  /// Returns the range of `tokens`, whose end is the begin of the last one, as
  /// bytes of the file where they stand or are expanded. `inMacro` is set if
  /// either end comes from a macro. An invalid range has line 0.
  SourceRange range(clang::SourceRange tokens);
  /// Does the same for a range whose end is one past the last byte.
  SourceRange charRange(clang::SourceLocation begin, clang::SourceLocation end);
  SourceRange point(clang::SourceLocation location);
  /// Returns the range of the text that can be replaced for `tokens`, as
  /// range(). If both ends are ends of whole macro uses (`N * WIDTH`,
  /// `CHECK(f(x))`), it covers these uses and `inMacro` isn't set, because
  /// editing the text as a whole is safe.
  SourceRange wholeText(clang::SourceRange tokens);
  /// Returns a statement with the semicolon that ends it, as wholeText().
  SourceRange statement(const clang::Stmt &statement);

  /// Returns the bytes of `range`.
  std::string text(const SourceRange &range) const;
  /// Checks whether `range` is plain text of the input, which may be edited.
  static bool isInputText(const SourceRange &range) {
    return range.file == 0 && range.line != 0 && !range.inMacro;
  }
  bool isInSystemHeader(clang::SourceLocation location) const;
  const std::vector<SourceFile> &files() const { return Files; }
  const clang::SourceManager &sources() const { return Sources; }
  const clang::LangOptions &language() const { return Language; }

private:
  std::uint32_t fileOf(clang::FileID id);
  bool isSystem(clang::FileID id) const;
  SourceRange bytes(clang::SourceLocation begin, clang::SourceLocation end,
                    bool inMacro);

  const clang::SourceManager &Sources;
  const clang::LangOptions &Language;
  const Origins *From = nullptr;
  std::optional<std::uint32_t> Only; ///< the number of the main file, if alone
  std::vector<SourceFile> Files;
  std::vector<clang::FileID> Ids; ///< one that holds each file's text
  std::map<clang::FileID, std::uint32_t> Numbers;
  std::map<std::string, std::uint32_t> Paths;
};

} // namespace kfuse

#endif
