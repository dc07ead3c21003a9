//===- FusedLaunches.cpp - Which fused kernels ran ------------------------===//
//
// The launches are found in the text that is verified, in which the generator
// wrote each as `kernel<<<...>>>(...)`, under a test as
//
//   if (test) {
//     kernel<<<...>>>(...);
//   } else {
//     the launches apart
//   }
//
//===----------------------------------------------------------------------===//

#include "driver/FusedLaunches.h"

#include "fusion/dependence/Names.h"
#include "runtime/Tokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace kfuse {
namespace {

using Index = std::optional<std::size_t>;

/// The lines of tokens as the compiler counts them, `#line` included.
class LineNumbers {
public:
  explicit LineNumbers(const TokenList &tokens) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      for (; at < tokens[i].begin; ++at)
        Line += tokens.source()[at] == '\n' ? 1 : 0;
      if (tokens.is(i, "#") && tokens[i].directive != 0)
        noteDirective(tokens, i + 1);
      Lines.push_back(static_cast<unsigned>(Line + Shift));
    }
  }
  unsigned operator[](std::size_t token) const { return Lines[token]; }

private:
  void noteDirective(const TokenList &tokens, std::size_t i) {
    unsigned next = 0; // of the line that follows
    if (i + tokens.is(i, "line") < tokens.size() &&
        !llvm::StringRef(tokens[i + tokens.is(i, "line")].text)
             .getAsInteger(10, next))
      Shift = static_cast<std::int64_t>(next) - (Line + 1);
  }

  std::int64_t Line = 1, Shift = 0;
  std::vector<unsigned> Lines;
};

/// Returns the innermost `{` around a token; nullopt if there is none, or if a
/// parenthesis or bracket opens between the two.
Index braceAround(const TokenList &tokens, std::size_t i) {
  for (Index at = tokens.previous(i); at; at = tokens.previous(*at)) {
    const std::string_view text = tokens[*at].text;
    if (text == "{")
      return at;
    if (text == ")" || text == "]" || text == "}")
      at = tokens.opening(*at);
    if (!at || text == "(" || text == "[")
      return std::nullopt;
  }
  return std::nullopt;
}

/// Adds to `launch` the test that the launch at token `i` is written under, if
/// there is one.
void findTest(const TokenList &tokens, std::size_t i, const LineNumbers &lines,
              FusedLaunch &launch) {
  const auto at = [&](Index place, std::string_view text) {
    return place && tokens.is(*place, text);
  };
  const Index brace = braceAround(tokens, i);
  const Index close = brace ? tokens.previous(*brace) : std::nullopt;
  const Index open = at(close, ")") ? tokens.opening(*close) : std::nullopt;
  const Index end = brace ? tokens.closing(*brace) : std::nullopt;
  const Index otherwise = end ? tokens.next(*end) : std::nullopt;
  const Index first = at(otherwise, "else") ? tokens.next(*otherwise) : Index();
  const Index last = at(first, "{") ? tokens.closing(*first) : std::nullopt;
  if (!open || !last || !at(tokens.previous(*open), "if"))
    return;
  for (std::size_t i = *open + 1; i < *close; ++i)
    launch.test +=
        (launch.test.empty() || tokens.gapBefore(i).empty() ? "" : " ") +
        std::string(tokens[i].text);
  launch.otherwiseFirst = lines[*first];
  launch.otherwiseLast = lines[*last];
}

/// Returns the launch of a fused kernel, without its line and its test in the
/// output.
FusedLaunch launchOf(const Program &program, const FusedKernel &kernel) {
  FusedLaunch launch;
  launch.kernel = kernel.name;
  std::vector<std::string> names;
  for (const LaunchId member : kernel.launches) {
    names.push_back("'" + program.kernelOf(member).name + "'");
    launch.members.push_back(program[member].range);
  }
  launch.what = "'" + kernel.name + "' of " + listText(names);
  const SourceRange &range = launch.members.back();
  launch.place = program.files[range.file].path + ":" +
                 std::to_string(range.line) + ":" +
                 std::to_string(range.column);
  for (const Placement &placement : kernel.placements)
    if (placement.kind == PlacementKind::RegisterOnly)
      launch.unstored.push_back(placement.array);
  return launch;
}

} // namespace

std::vector<FusedLaunch> fusedLaunches(const Compilation &compilation) {
  const Program &program = compilation.program;
  const bool isOpenCl = program.language == Language::OpenCL;
  // The text has launches of one name in the order of their groups.
  std::vector<const FusedKernel *> kernels;
  for (const FusedKernel &kernel : compilation.plan.kernels)
    if (kernel.launches.size() > 1 && !kernel.isInCall)
      kernels.push_back(&kernel);
  llvm::sort(kernels, [&](const FusedKernel *lhs, const FusedKernel *rhs) {
    return program[lhs->launches.back()].range.begin <
           program[rhs->launches.back()].range.begin;
  });
  const TokenList tokens = lexRaw(compilation.text);
  const LineNumbers lines(tokens);
  std::map<std::string_view, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens.isIdentifier(i) && tokens.is(i + 1, "<<<"))
      places[tokens[i].text].push_back(i);
  std::map<std::string_view, std::size_t> met;
  std::vector<FusedLaunch> launches;
  for (const FusedKernel *kernel : kernels) {
    FusedLaunch launch = launchOf(program, *kernel);
    const std::vector<std::size_t> &own = places[kernel->name];
    const std::size_t number = met[kernel->name]++;
    if (!isOpenCl && number < own.size()) {
      launch.line = lines[own[number]];
      if (!kernel->conditions.empty())
        findTest(tokens, own[number], lines, launch);
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

bool ranElsewhere(const FusedLaunch &launch,
                  const std::vector<FusedLaunch> &all) {
  return llvm::all_of(launch.members, [&](const SourceRange &member) {
    return llvm::any_of(all, [&](const FusedLaunch &other) {
      return !neverCame(other) &&
             llvm::any_of(other.members, [&](const SourceRange &range) {
               return range.line == member.line &&
                      range.column == member.column;
             });
    });
  });
}

void addCounts(std::vector<FusedLaunch> &launches, std::string_view counted) {
  std::vector<std::uint64_t> apart(launches.size());
  llvm::StringRef rest = counted;
  while (!rest.empty()) {
    llvm::StringRef text;
    std::tie(text, rest) = rest.split('\n');
    std::uint64_t count = 0;
    unsigned line = 0;
    if (text.consumeInteger(10, count) || !text.consume_front(" ") ||
        text.consumeInteger(10, line) || !text.consume_front(" "))
      continue;
    // Without the namespace by which the launch names it.
    text = text.substr(text.rfind(':') + 1);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      FusedLaunch &launch = launches[i];
      if (text == launch.kernel && (launch.line == 0 || line == launch.line))
        launch.fused += count;
      // Each of the members once.
      if (launch.otherwiseFirst != 0 && line >= launch.otherwiseFirst &&
          line <= launch.otherwiseLast)
        apart[i] = std::max(apart[i], count);
    }
  }
  for (std::size_t i = 0; i < launches.size(); ++i)
    launches[i].apart += apart[i];
}

} // namespace kfuse
