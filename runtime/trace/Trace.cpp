//===- Trace.cpp - Comparison of two traces -------------------------------===//

#include "runtime/trace/Trace.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

/// Represents a line of a trace with its number in the file.
struct Event {
  std::string line;
  std::size_t number = 0;
  std::string name;           ///< the kind and the label
  std::size_t occurrence = 0; ///< number of earlier events with this name
};

/// Holds the events of a trace that are compared.
struct Events {
  std::vector<Event> ordered;
  std::vector<Event> swapped; ///< final contents of swapped arrays
};

using Labels = std::vector<std::string>;

/// Maps an event's name and its number among events of this name to its line.
using Lines = std::map<std::pair<std::string, std::size_t>, std::string>;

/// Returns the word before the first blank and leaves the rest in `text`.
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
                const TraceRules &rules) {
  Events events;
  std::map<std::string, std::size_t> counts;
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
        rules.swapped.begin(), rules.swapped.end(),
        [&](const Labels &labels) { return contains(labels, label); });
    const bool isSwapped = set != rules.swapped.end();
    std::string common = std::string(kind) + " ";
    common += isSwapped ? set->front() : name;
    const std::size_t occurrence = counts[common]++;
    if (rules.unsteady.contains(common, occurrence))
      continue;
    std::string text = common + " ";
    text += rest;
    (isLast && isSwapped ? events.swapped : events.ordered)
        .push_back({isSwapped ? std::move(text) : std::string(line), number,
                    std::move(common), occurrence});
  }
  return events;
}

Lines linesOf(const std::vector<Event> &events) {
  Lines lines;
  for (const Event &event : events)
    lines[{event.name, event.occurrence}] = event.line;
  return lines;
}

/// Returns the names of events that occur in only one of the two.
std::set<std::string> namesOfDifferent(const std::vector<Event> &one,
                                       const std::vector<Event> &other) {
  std::set<std::string> names;
  std::map<std::string, std::ptrdiff_t> counts; // by line
  for (const Event &event : one)
    ++counts[event.line];
  for (const Event &event : other)
    --counts[event.line];
  for (const auto *events : {&one, &other})
    for (const Event &event : *events)
      if (counts[event.line] != 0)
        names.insert(event.name);
  return names;
}

bool haveEqualOrder(const std::vector<Event> &one,
                    const std::vector<Event> &other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const Event &left, const Event &right) {
                      return left.name == right.name;
                    });
}

/// Returns the line in words, like "copy of d_B#0, 4096 bytes, digest 12ab".
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
  if (kind == "read") // from OpenCL, which names no buffer
    return label + " bytes read by the host, digest " + bytes;
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

bool UnsteadyEvents::contains(const std::string &name,
                              std::size_t occurrence) const {
  return all || names.count(name) != 0 || events.count({name, occurrence}) != 0;
}

void addUnsteady(std::string_view one, std::string_view other,
                 TraceRules &rules) {
  UnsteadyEvents &unsteady = rules.unsteady;
  const Events before = eventsOf(one, rules.ignored, rules);
  const Events after = eventsOf(other, rules.ignored, rules);
  const Lines left = linesOf(before.ordered), right = linesOf(after.ordered);
  for (const auto &[key, line] : left)
    if (const auto found = right.find(key); found == right.end())
      unsteady.names.insert(key.first);
    else if (found->second != line)
      unsteady.events.insert(key);
  for (const auto &[key, line] : right)
    if (left.count(key) == 0)
      unsteady.names.insert(key.first);
  unsteady.names.merge(namesOfDifferent(before.swapped, after.swapped));
  // The remaining events are equal, except possibly for their order.
  unsteady.all = unsteady.all ||
                 !haveEqualOrder(eventsOf(one, rules.ignored, rules).ordered,
                                 eventsOf(other, rules.ignored, rules).ordered);
}

ComparedEvents comparedEvents(std::string_view original,
                              const TraceRules &rules) {
  TraceRules everything = rules;
  everything.unsteady = {};
  const Events all = eventsOf(original, rules.ignored, everything);
  ComparedEvents result;
  for (const auto *events : {&all.ordered, &all.swapped})
    for (const Event &event : *events)
      if (!rules.unsteady.contains(event.name, event.occurrence))
        ++result.compared;
      else if (result.unsteady++ == 0)
        result.example = describe(event.line);
  return result;
}

std::optional<TraceDifference> compareTraces(std::string_view original,
                                             std::string_view fused,
                                             const TraceRules &rules) {
  // A label doesn't tell which of the swapped arrays holds the content that
  // nobody reads.
  Labels ignoredLater = rules.ignored;
  std::erase_if(ignoredLater, [&](const std::string &label) {
    return std::any_of(
        rules.swapped.begin(), rules.swapped.end(),
        [&](const Labels &labels) { return contains(labels, label); });
  });
  const Events before = eventsOf(original, rules.ignored, rules);
  Events after = eventsOf(fused, ignoredLater, rules);
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
