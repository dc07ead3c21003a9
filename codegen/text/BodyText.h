//===- BodyText.h - Pieces of kernels' bodies as text ---------------------===//
#ifndef KFUSE_CODEGEN_TEXT_BODYTEXT_H
#define KFUSE_CODEGEN_TEXT_BODYTEXT_H

#include "text/Tokens.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// Returns the tokens of a text except comments.
std::vector<TextToken> codeOf(std::string_view text);

/// From names to what stands for them.
using Renames = std::map<std::string, std::string>;

/// Calls `action(name)` for each identifier of the text that isn't a member
/// (`.x`, `->x`) or qualified (`::x`), those of directives included.
std::set<std::string> plainIdentifiers(std::string_view text);

/// The text with its plain identifiers renamed.
std::string renamed(std::string_view text, const Renames &names);

/// The text with its tokens one blank apart, for comparison; without comments.
std::string normalised(std::string_view text);

/// Returns the text with `blockIdx.<axis>` replaced; nullopt if it names
/// blockIdx other than for a coordinate.
std::optional<std::string> withBlockIndex(std::string_view text, char axis,
                                          const std::string &replacement);

/// Lines at `indent`, the first one included, in place of the indentation that
/// they have in common; without blank lines around them.
std::string reindented(std::string_view text, const std::string &indent);

/// The text with one blank for each stretch of white space.
std::string onOneLine(std::string_view text);

/// Returns the text with lines of more than 80 columns broken after operators
/// and commas.
std::string wrapped(std::string_view text);

/// A condition of coordinates as conjuncts, each written so that equal ones are
/// equal texts: `i >= n` as an exit and `n > i` as a guard are both `i < n`.
std::vector<std::string> conjuncts(std::string_view condition, bool isExit);

} // namespace kfuse

#endif
