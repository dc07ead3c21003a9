//===- RunComparison.cpp - What two runs have in common -------------------===//

#include "driver/RunComparison.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <optional>

namespace kfuse {
namespace {

using Lines = llvm::SmallVector<llvm::StringRef>;

Lines linesOf(llvm::StringRef text) {
  Lines lines;
  text.split(lines, '\n');
  return lines;
}

std::optional<llvm::StringRef> lineAt(const Lines &lines, std::size_t line) {
  return line < lines.size() ? std::optional(lines[line]) : std::nullopt;
}

/// Returns the first line that differs and counts; none if there is no such
/// line.
std::optional<std::size_t> differingLine(const Lines &one, const Lines &other,
                                         const UnsteadyLines &unsteady = {}) {
  for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i)
    if (lineAt(one, i) != lineAt(other, i) && !unsteady.contains(i))
      return i;
  return std::nullopt;
}

} // namespace

RunDifference compareRuns(const Run &original, const Run &fused,
                          const RunRules &rules) {
  if (!fused.message.empty() ||
      (fused.status != original.status && !rules.isStatusUnsteady))
    return {"the original exits with " + std::to_string(original.status) +
            ", the fused program " + std::to_string(fused.status) + " " +
            fused.message + "\n" + fused.errors};
  if (const auto difference =
          compareTraces(original.trace, fused.trace, rules.trace))
    return {difference->text + "\n"};
  const Lines before = linesOf(original.output), after = linesOf(fused.output);
  const auto line = differingLine(before, after, rules.lines);
  if (!line)
    return {};
  return {"line " + std::to_string(*line + 1) + " of the output\n  original: " +
              lineAt(before, *line).value_or("(nothing)").str() +
              "\n  fused:    " +
              lineAt(after, *line).value_or("(nothing)").str() + "\n",
          true};
}

void addUnsteady(const Run &one, const Run &other, RunRules &rules) {
  addUnsteady(one.trace, other.trace, rules.trace);
  rules.isStatusUnsteady |= one.status != other.status;
  const Lines before = linesOf(one.output), after = linesOf(other.output);
  const auto first = differingLine(before, after);
  // A line more or less changes all that follow it.
  if (first && before.size() != after.size())
    rules.lines.from = std::min(rules.lines.from, *first);
  else
    for (std::size_t i = 0; i < before.size(); ++i)
      if (before[i] != after[i])
        rules.lines.lines.insert(i);
}

LeftOut leftOut(const Run &original, const RunRules &rules) {
  const Lines lines = linesOf(original.output);
  std::size_t printed = 0, unsteady = 0, first = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty())
      continue;
    ++printed;
    if (rules.lines.contains(i) && unsteady++ == 0)
      first = i;
  }
  const ComparedEvents events = comparedEvents(original.trace, rules.trace);
  LeftOut result;
  if (events.unsteady != 0)
    result.text += "not compared: " + std::to_string(events.unsteady) +
                   " contents of arrays that the original itself leaves "
                   "differently from run to run, such as " +
                   events.example + "\n";
  if (unsteady != 0)
    result.text += "not compared: " + std::to_string(unsteady) +
                   " lines of the output that the original itself prints "
                   "differently from run to run, such as line " +
                   std::to_string(first + 1) + "\n";
  if (rules.isStatusUnsteady)
    result.text += "not compared: the exit code, which the original itself "
                   "changes from run to run\n";
  result.isEverything =
      !result.text.empty() && events.compared == 0 && printed == unsteady;
  return result;
}

} // namespace kfuse
