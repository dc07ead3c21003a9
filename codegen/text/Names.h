//===- Names.h - Names that collide with nothing --------------------------===//
#ifndef KFUSE_CODEGEN_TEXT_NAMES_H
#define KFUSE_CODEGEN_TEXT_NAMES_H

#include "codegen/text/Sources.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace kfuse {

/// Adds what `text` names, types above all, so that no parameter hides it.
void addIdentifiers(std::string_view text, std::set<std::string> &names);

/// Returns `name` with a suffix that begins with an underscore. Names with two
/// in a row are the compiler's.
std::string suffixed(std::string_view name, std::string_view suffix);

class Names {
public:
  Names(const Sources &sources, const std::vector<std::string> &macros);

  /// Returns a name for a new entity of the input: no identifier of the user's
  /// files, and never given before.
  std::string fresh(const std::string &wanted);

  /// Returns a name within one function, whose names so far are `taken`, that
  /// isn't an identifier of the source. Adds it to `taken`.
  std::string local(const std::string &wanted,
                    std::set<std::string> &taken) const;

  /// Returns a name within a function that holds no text of the user's: only
  /// macros and the names in `taken` matter. Adds it to `taken`.
  std::string inner(const std::string &wanted,
                    std::set<std::string> &taken) const;

  /// Returns a name within a function whose names and those that its macros
  /// mention are in `taken`. Adds it to `taken`.
  std::string plain(const std::string &wanted,
                    std::set<std::string> &taken) const;

  /// Returns what the macros that are named in `words` mention, and these
  /// macros, other than as their parameters.
  std::set<std::string> mentionedBy(const std::set<std::string> &words) const;

  /// Returns the user's name of a parameter, or adds `suffix` if it is taken or
  /// a macro: a macro may be defined only after the user's kernel.
  std::string parameter(const std::string &wanted, const std::string &suffix,
                        std::set<std::string> &taken) const;

  /// Checks whether `name` is a macro or a macro's definition mentions it: then
  /// a text that uses the macro may mention it too.
  bool inMacro(std::string_view name) const {
    return Macros.count(std::string(name)) != 0;
  }

  bool isMacro(std::string_view name) const {
    return Defined.count(std::string(name)) != 0;
  }

private:
  std::set<std::string> Used;
  std::set<std::string> Macros;
  std::set<std::string> Defined;
  std::set<std::string> Elsewhere; ///< macros of flags, with what they mention
  std::map<std::string, std::set<std::string>> Definitions; ///< of the files
};

} // namespace kfuse

#endif
