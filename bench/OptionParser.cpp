//===- OptionParser.cpp - Options of a command ----------------------------===//

#include "bench/OptionParser.h"

#include <getopt.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace kfuse {

ParsedWords parseWords(int count, char **words,
                       const std::vector<BenchOption> &options) {
  // Codes of options start above all letters.
  constexpr int First = 256;
  std::vector<option> table;
  std::string letters = ":"; // so that a missing value is told apart
  for (std::size_t i = 0; i < options.size(); ++i) {
    const BenchOption &each = options[i];
    const bool hasValue = each.take != nullptr;
    table.push_back({each.name, hasValue ? required_argument : no_argument,
                     nullptr, First + static_cast<int>(i)});
    if (each.letter != 0)
      letters += std::string(1, each.letter) + (hasValue ? ":" : "");
  }
  table.push_back({});
  ParsedWords parsed;
  // getopt_long moves words, but none over the `--`.
  const auto dashes = std::find(words, words + count, std::string_view("--"));
  if (dashes != words + count)
    parsed.argumentCount = static_cast<std::size_t>(words + count - dashes) - 1;
  opterr = 0;
  optind = 1;
  for (;;) {
    const int found =
        getopt_long(count, words, letters.c_str(), table.data(), nullptr);
    if (found < 0)
      break;
    if (found == '?' || found == ':') {
      const std::string word = words[optind - 1];
      parsed.error = "'" + word + "'" +
                     (found == ':' ? " wants a value" : " is no option");
      return parsed;
    }
    for (std::size_t i = 0; i < options.size(); ++i) {
      const BenchOption &each = options[i];
      if (found != First + static_cast<int>(i) && found != each.letter)
        continue;
      if (each.flag)
        *each.flag = true;
      else if (parsed.error = each.take(optarg); !parsed.error.empty())
        return parsed;
    }
  }
  parsed.words.assign(words + optind, words + count);
  return parsed;
}

std::optional<double> positiveNumber(const std::string &text) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value) || value <= 0)
    return std::nullopt;
  return value;
}

} // namespace kfuse
