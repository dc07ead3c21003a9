//===- runtime/Trace.cpp - Comparison of two traces -----------------------===//

#include "runtime/Trace.h"

#include <algorithm>

namespace kfuse {
namespace {

/// A line of a trace and its number in the file.
struct Event {
  std::string_view line;
  std::size_t number = 0;
};

/// The word before the first blank; the rest is left in `text`.
std::string_view takeWord(std::string_view &text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool isIgnored(std::string_view line,
               const std::vector<std::string> &ignoredLabels) {
  const std::string_view kind = takeWord(line);
  if (kind == "launch")
    return true;
  if (kind != "free" && kind != "exit")
    return false;
  std::string_view label = takeWord(line);
  label = label.substr(0, label.rfind('#'));
  return std::find(ignoredLabels.begin(), ignoredLabels.end(), label) !=
         ignoredLabels.end();
}

std::vector<Event> eventsOf(std::string_view trace,
                            const std::vector<std::string> &ignoredLabels) {
  std::vector<Event> events;
  for (std::size_t number = 1; !trace.empty(); ++number) {
    const std::size_t end = std::min(trace.find('\n'), trace.size());
    const std::string_view line = trace.substr(0, end);
    trace.remove_prefix(std::min(end + 1, trace.size()));
    if (!line.empty() && !isIgnored(line, ignoredLabels))
      events.push_back({line, number});
  }
  return events;
}

/// "copy of d_B#0, 4096 bytes, digest 12ab".
std::string describe(std::string_view line) {
  const std::string kind(takeWord(line));
  const std::string label(takeWord(line));
  const std::string bytes(takeWord(line));
  const std::string content = bytes + " bytes, digest " + std::string(line);
  if (kind == "copy")
    return "copy of " + label + " to the host, " + content;
  if (kind == "free")
    return label + " when freed, " + content;
  if (kind == "exit")
    return label + " at exit, " + content;
  return kind + " " + label + " " + bytes + " " + std::string(line);
}

std::string side(const char *name, const std::vector<Event> &events,
                 std::size_t index) {
  std::string text = std::string("  ") + name + ": ";
  if (index < events.size())
    return text + describe(events[index].line) + " (line " +
           std::to_string(events[index].number) + ")";
  return text + "no such event, the trace ends";
}

} // namespace

std::optional<TraceDifference>
compareTraces(std::string_view original, std::string_view fused,
              const std::vector<std::string> &ignoredLabels) {
  const std::vector<Event> left = eventsOf(original, ignoredLabels);
  const std::vector<Event> right = eventsOf(fused, ignoredLabels);
  std::size_t index = 0;
  while (index < left.size() && index < right.size() &&
         left[index].line == right[index].line)
    ++index;
  if (index == left.size() && index == right.size())
    return std::nullopt;
  return TraceDifference{"the traces differ after " + std::to_string(index) +
                         " equal events\n" + side("original", left, index) +
                         "\n" + side("fused   ", right, index)};
}

} // namespace kfuse
