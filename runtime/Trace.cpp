//===- runtime/Trace.cpp - Comparison of two traces -----------------------===//

#include "runtime/Trace.h"

#include <algorithm>

namespace kfuse {
namespace {

/// A line of a trace and its number in the file.
struct Event {
  std::string line;
  std::size_t number = 0;
};

/// What counts of a trace.
struct Events {
  std::vector<Event> ordered;
  std::vector<Event> swapped; ///< the last contents of arrays in a set
};

using Labels = std::vector<std::string>;

/// The word before the first blank; the rest is left in `text`.
std::string_view takeWord(std::string_view &text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool contains(const Labels &labels, std::string_view label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

Events eventsOf(std::string_view trace, const Labels &ignoredLabels,
                const std::vector<Labels> &swappedLabels) {
  Events events;
  for (std::size_t number = 1; !trace.empty(); ++number) {
    const std::size_t end = std::min(trace.find('\n'), trace.size());
    const std::string_view line = trace.substr(0, end);
    trace.remove_prefix(std::min(end + 1, trace.size()));
    std::string_view rest = line;
    const std::string_view kind = takeWord(rest);
    const std::string_view name = takeWord(rest);
    const std::string_view label = name.substr(0, name.rfind('#'));
    const bool isLast = kind == "free" || kind == "exit";
    if (line.empty() || kind == "launch" ||
        (isLast && contains(ignoredLabels, label)))
      continue;
    const auto set = std::find_if(
        swappedLabels.begin(), swappedLabels.end(),
        [&](const Labels &labels) { return contains(labels, label); });
    if (set == swappedLabels.end()) {
      events.ordered.push_back({std::string(line), number});
      continue;
    }
    std::string common = std::string(kind) + " " + set->front() + " ";
    common += rest;
    (isLast ? events.swapped : events.ordered)
        .push_back({std::move(common), number});
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
              const std::vector<std::string> &ignoredLabels,
              const std::vector<std::vector<std::string>> &swappedLabels) {
  // Which of the swapped arrays holds what nobody reads isn't told by a label.
  Labels ignoredLater = ignoredLabels;
  std::erase_if(ignoredLater, [&](const std::string &label) {
    return std::any_of(
        swappedLabels.begin(), swappedLabels.end(),
        [&](const Labels &labels) { return contains(labels, label); });
  });
  const Events before = eventsOf(original, ignoredLabels, swappedLabels);
  Events after = eventsOf(fused, ignoredLater, swappedLabels);
  const std::vector<Event> &left = before.ordered, &right = after.ordered;
  std::size_t index = 0;
  while (index < left.size() && index < right.size() &&
         left[index].line == right[index].line)
    ++index;
  if (index != left.size() || index != right.size())
    return TraceDifference{"the traces differ after " + std::to_string(index) +
                           " equal events\n" + side("original", left, index) +
                           "\n" + side("fused   ", right, index)};
  for (std::size_t i = 0; i < before.swapped.size(); ++i) {
    const auto found = std::find_if(
        after.swapped.begin(), after.swapped.end(), [&](const Event &event) {
          return event.line == before.swapped[i].line;
        });
    if (found == after.swapped.end())
      return TraceDifference{"none of the arrays whose pointers were swapped "
                             "has the content\n" +
                             side("original", before.swapped, i)};
    after.swapped.erase(found);
  }
  return std::nullopt;
}

} // namespace kfuse
