//===- Layout.h - Where text can be put into a source file ----------------===//
#ifndef KFUSE_TEXT_LAYOUT_H
#define KFUSE_TEXT_LAYOUT_H

#include "graphs/program/Program.h"
#include "text/Tokens.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// The longest line that is written if it can be broken.
constexpr std::size_t Columns = 80;

/// A file, lexed once.
struct SourceText {
  explicit SourceText(std::string_view text, std::uint32_t file = 0);

  std::string_view text;
  std::uint32_t file = 0; ///< index into Program::files
  std::vector<TextToken> tokens;
  bool crlf = false; ///< its lines end in CR LF

  /// Returns the text at a range; empty when the range isn't one of this file.
  std::string_view at(const SourceRange &range) const;
  bool holds(const SourceRange &range) const;
};

/// Returns the index of the first token that begins at or after `offset`.
std::size_t tokenAt(const SourceText &source, std::uint32_t offset);

/// Returns `text` with every line after the first moved right by `indent`.
std::string shifted(const std::string &text, const std::string &indent);

/// Returns `text` with the line ends of the file.
std::string withLineEnds(const SourceText &source, std::string_view text);

/// Returns the white space that the line of `offset` begins with.
std::string indentation(const SourceText &source, std::uint32_t offset);

/// Checks whether a whole statement can begin at `offset`. It is no branch of
/// an `if` or loop, and no pragma belongs to it. Only `case` may label it.
bool beginsStatement(const SourceText &source, std::uint32_t offset);

struct TextRange {
  std::uint32_t begin = 0, end = 0;
};
/// Returns the range to delete so that the statement leaves no hole, which is
/// its whole line if nothing else is on it.
TextRange removal(const SourceText &source, const SourceRange &statement);

/// Returns the offsets of the braces open at `offset`, outermost first; nullopt
/// when one of them opens anything but a namespace or a linkage specification.
std::optional<std::vector<std::uint32_t>> namespacesAt(const SourceText &source,
                                                       std::uint32_t offset);

/// Returns a place for a function before the declaration that begins at
/// `offset`: before the comments that belong to it, and outside the classes
/// that enclose it.
std::uint32_t placeBefore(const SourceText &source, std::uint32_t offset);

/// Returns the begin of the comments right above `offset`, each on lines of its
/// own; `offset` if there are none.
std::uint32_t commentsAbove(const SourceText &source, std::uint32_t offset);

/// Returns a place for a function before the outermost declaration around
/// `offset`, outside all namespaces and above the declaration's comments.
std::uint32_t placeAtTop(const SourceText &source, std::uint32_t offset);

/// Checks whether every branch of a `#if` that `place` is in holds `offset`
/// too.
bool isCompiledWith(const SourceText &source, std::uint32_t place,
                    std::uint32_t offset);

/// Checks whether each word in the range that is `name` begins an element, as
/// `name[i]` does, at one of `places`: it is no other variable, and goes
/// nowhere else.
bool mentionsAreElements(const SourceText &source, const SourceRange &range,
                         std::string_view name,
                         const std::set<std::uint32_t> &places);

/// Checks whether the text names types or members that depend on the types of
/// its values (`decltype`, `v.get<2>()`), so that as a template it would need
/// `typename` or `template` there. So does a reference (`auto &`), which can't
/// be one to a value that is computed.
bool dependsOnTypes(const SourceText &source, const SourceRange &range);

/// Returns the end of the line's text after a statement's end: its own end, or
/// that of the comment after it. Returns nullopt if more follows.
std::optional<std::uint32_t> endOfLine(const SourceText &source,
                                       std::uint32_t end);

/// Checks whether all directives in the range are those of `#if`s that begin
/// and end in it, so that a copy of it beside it is compiled as it is.
bool hasWholeConditionals(const SourceText &source, const SourceRange &range);

/// Checks whether a line of the text is a preprocessor directive, so that a
/// compiler may see another text.
bool hasDirective(std::string_view text);

} // namespace kfuse

#endif
