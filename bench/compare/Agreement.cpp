//===- Agreement.cpp - Do two programs do the same? -----------------------===//

#include "bench/compare/Agreement.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

namespace kfuse {
namespace {

/// How often the original runs again to show what it doesn't repeat. Times may
/// be printed in few digits, and be the same twice for once.
constexpr unsigned Repetitions = 3;

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// Lines, counted from 0, in which two outputs differ.
std::set<std::size_t> differingLines(const std::vector<std::string> &one,
                                     const std::vector<std::string> &other) {
  std::set<std::size_t> lines;
  for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i)
    if (i >= one.size() || i >= other.size() || one[i] != other[i])
      lines.insert(i);
  return lines;
}

/// Returns the events by which the host receives something.
std::string received(const std::string &trace) {
  std::string events;
  for (const std::string &line : linesOf(trace))
    if (line.starts_with("copy ") || line.starts_with("read "))
      events += line + "\n";
  return events;
}

} // namespace

Agreement agreementOf(const ProgramRun &original, const ProgramRun &fused,
                      const std::optional<TraceRules> &rules,
                      const std::function<ProgramRun()> &again) {
  const auto traceOf = [&](const ProgramRun &run) {
    return rules ? run.trace : received(run.trace);
  };
  Agreement found;
  found.hasTraces = !original.trace.empty();
  if (original.status != fused.status) {
    found.difference =
        "the original ends with " + std::to_string(original.status) +
        ", the fused program with " + std::to_string(fused.status);
    return found;
  }
  TraceRules traces = rules.value_or(TraceRules{});
  const std::string trace = traceOf(original);
  std::set<std::size_t> lines =
      differingLines(linesOf(original.output), linesOf(fused.output));
  auto difference = compareTraces(trace, traceOf(fused), traces);
  for (unsigned i = 0; i < Repetitions && (!lines.empty() || difference); ++i) {
    const ProgramRun repeated = again();
    for (const std::size_t line :
         differingLines(linesOf(original.output), linesOf(repeated.output)))
      found.unsteadyLines += lines.erase(line);
    addUnsteady(trace, traceOf(repeated), traces);
    difference = compareTraces(trace, traceOf(fused), traces);
  }
  if (!lines.empty())
    found.difference =
        "what they print differs in line " + std::to_string(*lines.begin() + 1);
  else if (difference)
    found.difference = "what they leave differs: " + difference->text;
  found.unsteadyEvents = comparedEvents(trace, traces).unsteady;
  return found;
}

} // namespace kfuse
