//===- BodyText.h - Pieces of kernels' bodies as text ---------------------===//
#ifndef KFUSE_CODEGEN_TEXT_BODYTEXT_H
#define KFUSE_CODEGEN_TEXT_BODYTEXT_H

#include "text/Tokens.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// Returns the tokens of a text except comments.
std::vector<TextToken> codeOf(std::string_view text);

/// Maps names to their replacements.
using Renames = std::map<std::string, std::string>;

/// Returns the identifiers of the text that aren't members (`.x`, `->x`) or
/// qualified (`::x`), those of directives included.
std::set<std::string> plainIdentifiers(std::string_view text);

/// Returns the text with its plain identifiers renamed.
std::string renamed(std::string_view text, const Renames &names);

/// Returns the text without comments and with its tokens one blank apart, for
/// comparison.
std::string normalised(std::string_view text);

/// Returns the text with `blockIdx.<axis>` replaced; nullopt if it uses
/// `blockIdx` other than for a coordinate.
std::optional<std::string> withBlockIndex(std::string_view text, char axis,
                                          const std::string &replacement);

/// Returns the lines at `indent`, the first one included, instead of the
/// indentation that they have in common. Drops blank lines around them.
std::string reindented(std::string_view text, const std::string &indent);

/// Returns the text with one blank for each stretch of white space.
std::string onOneLine(std::string_view text);

/// Returns the text with lines of more than `columns` columns broken after
/// operators and commas. Lines that brackets hold together are one before that.
std::string wrapped(std::string_view text, std::size_t columns = 80);

/// Returns the text with each line changed, together with those that brackets
/// hold to it. A statement of several lines that changes is broken anew.
std::string
rewrapped(std::string_view text,
          const std::function<std::string(const std::string &)> &change);

/// Splits a condition of coordinates into conjuncts, each written so that equal
/// ones are equal texts: `i >= n` as an exit and `n > i` as a guard are both
/// `i < n`.
std::vector<std::string> conjuncts(std::string_view condition, bool isExit);

} // namespace kfuse

#endif
