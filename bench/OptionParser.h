//===- OptionParser.h - Options of a command ------------------------------===//
#ifndef KFUSE_BENCH_OPTIONPARSER_H
#define KFUSE_BENCH_OPTIONPARSER_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// An option of a command, as `--seconds=30` or `-p cuda`.
struct BenchOption {
  const char *name; ///< without dashes
  char letter = 0;  ///< of the short form, if there is one
  /// Takes the value; returns what is wrong with it, or an empty text. An
  /// option without one takes none.
  std::function<std::string(const std::string &)> take = {};
  bool *flag = nullptr; ///< that an option without a value sets
};

/// The words that are no options, or why the command line is wrong.
struct ParsedWords {
  std::vector<std::string> words;
  std::size_t argumentCount = 0; ///< of them, the last ones, came after `--`
  std::string error;             ///< empty on success
};

/// Parses the words after the command's name, which is the first, with
/// getopt_long. Words after `--` are no options.
ParsedWords parseWords(int count, char **words,
                       const std::vector<BenchOption> &options);

/// Returns a number above zero that is the whole text; nullopt for anything
/// else.
std::optional<double> positiveNumber(const std::string &text);

} // namespace kfuse

#endif
