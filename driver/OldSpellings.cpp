//===- OldSpellings.cpp - Options that have other names now ---------------===//

#include "driver/OldSpellings.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <utility>

namespace kfuse {
namespace {

struct Renamed {
  llvm::StringRef option; ///< without dashes
  llvm::StringRef value;  ///< of the option, which keeps its name; or empty
  llvm::StringRef name;   ///< of the value, else of the option
};

constexpr Renamed All[] = {
    {"effort", "", "search-budget"},
    {"no-conditions", "", "no-runtime-checks"},
    {"dead", "", "assume-dead"},
    {"defer-checks", "", "sink-fatal-checks"},
    {"assume", "long-rows", "pitch-covers-row"},
    {"assume", "enough-threads", "grid-covers-data"},
    {"search", "plain-genetic", "sc14-ga"},
    {"cost-without", "start", "starts"},
    {"cost-without", "block-ramp", "starts"},
};

} // namespace

std::string newSpelling(std::string_view word) {
  llvm::StringRef rest(word);
  if (!rest.consume_front("-"))
    return {};
  rest.consume_front("-");
  const auto [option, values] = rest.split('=');
  llvm::SmallVector<llvm::StringRef> given;
  values.split(given, ',');
  for (const Renamed &each : All) {
    if (option != each.option)
      continue;
    if (each.value.empty())
      return "--" + each.name.str();
    for (const llvm::StringRef value : given)
      if (value == each.value)
        return "--" + option.str() + "=" + each.name.str();
  }
  return {};
}

} // namespace kfuse
