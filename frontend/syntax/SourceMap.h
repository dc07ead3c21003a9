//===- SourceMap.h - Where the bytes of a changed text come from ----------===//
//
// kfuse reads some inputs with parts of them written otherwise (Rewriting.h).
// What it says of such a text it says of the user's.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_SOURCEMAP_H
#define KFUSE_FRONTEND_SYNTAX_SOURCEMAP_H

#include "graphs/program/Program.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kfuse {

/// A text made of pieces of another one and of new words.
struct MappedText {
  struct Piece {
    std::uint32_t begin = 0;  ///< in the text, up to the next piece
    std::uint32_t origin = 0; ///< in the source
    bool isCopied = false;    ///< else all of it stands for `origin`
  };
  std::string text;
  std::vector<Piece> pieces;

  void copy(std::string_view source, std::uint32_t begin, std::uint32_t end);
  void write(std::string_view words, std::uint32_t origin);
  void append(const MappedText &other);
};

/// The calls and instances that stayed as they are, with why.
struct Refusals {
  using Reasons = std::map<std::string, std::string>;
  /// Why a function's statements don't stand for calls of it, by its qualified
  /// name.
  Reasons calls;
  /// Why an instance of a template has no text of its own, by the template's
  /// qualified name.
  Reasons instances;

  /// Adds `more`; the first of two reasons stays.
  void add(const Refusals &more) {
    calls.insert(more.calls.begin(), more.calls.end());
    instances.insert(more.instances.begin(), more.instances.end());
  }
};

/// The replacements in a text, and what wasn't replaced.
struct Replacements {
  std::vector<Replacement> made;
  Refusals refused;
  std::set<std::string> copied; ///< as RewrittenText::functions, of all rounds
};

struct RewrittenText {
  MappedText text; ///< of the input; empty when there was nothing to do
  /// The headers that are read with other texts too, by path.
  std::map<std::string, std::string> headers;
  Replacements replaced; ///< ranges are those of `text`
  /// Names of the functions whose statements were copied.
  std::set<std::string> functions;
};

/// The user's text, and how the one that was parsed was derived from it.
class Origins {
public:
  Origins() = default;
  explicit Origins(std::string original);

  /// Returns the user's text.
  const std::string &text() const { return Text; }

  /// Adds a derivation of the text: from here on offsets are those of `text`,
  /// which was derived from what they were offsets of so far.
  void add(const MappedText &text) { Rounds.push_back(text.pieces); }

  std::uint32_t of(std::uint32_t offset) const;
  /// Checks whether the user wrote the character at `offset`.
  bool isOriginal(std::uint32_t offset) const;
  /// Returns line and column, counted from 1, of a place in the user's text.
  std::pair<std::uint32_t, std::uint32_t> place(std::uint32_t origin) const;

private:
  /// Returns the offset in the user's text, and whether it is copied from
  /// there.
  std::pair<std::uint32_t, bool> find(std::uint32_t offset) const;

  std::string Text;
  std::vector<std::uint32_t> Lines; ///< where each begins in it
  std::vector<std::vector<MappedText::Piece>> Rounds;
};

} // namespace kfuse

#endif
