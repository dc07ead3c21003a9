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
  /// Lines and columns of the input are those from which its text came.
  explicit FileTable(const clang::ASTContext &context,
                     const Origins *origins = nullptr);
  /// Of a unit whose main file has this number in another table; what comes
  /// from other files of it can't be edited.
  FileTable(const clang::ASTContext &context, std::uint32_t number);
  /// Numbers a file that isn't of this unit.
  std::uint32_t add(SourceFile file);

  /// The range of tokens `tokens` (its end is the begin of the last token), as
  /// bytes of the file where they stand or are expanded. `inMacro` is set when
  /// either end comes from a macro. An invalid range has line 0.
  SourceRange range(clang::SourceRange tokens);
  /// The same for a range whose end is already one past the last byte.
  SourceRange charRange(clang::SourceLocation begin, clang::SourceLocation end);
  SourceRange point(clang::SourceLocation location);
  /// The text that can stand for the tokens: as `range`, but where both ends
  /// are ends of whole macro uses (`N * WIDTH`, `CHECK(f(x))`) the range covers
  /// these uses and `inMacro` isn't set, because editing the text as a whole is
  /// safe. Otherwise the same as `range`.
  SourceRange wholeText(clang::SourceRange tokens);
  /// A statement with the semicolon that ends it, as `wholeText`.
  SourceRange statement(const clang::Stmt &statement);

  /// The bytes of a range.
  std::string text(const SourceRange &range) const;
  /// Plain text of the input: it may be edited.
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
