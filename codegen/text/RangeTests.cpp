//===- RangeTests.cpp - Tests that ranges have no byte in common ----------===//
#include "codegen/text/RangeTests.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace kfuse {
namespace {

bool isSame(const ByteRange &one, const ByteRange &other) {
  return one.pointer == other.pointer && one.span == other.span;
}

/// Checks whether `one` is known to hold all bytes of `other`.
bool holds(const ByteRange &one, const ByteRange &other) {
  if (isSame(one, other))
    return true;
  return one.pointer == other.pointer && one.bytes && other.bytes &&
         one.bytes->first <= other.bytes->first &&
         other.bytes->second <= one.bytes->second;
}

bool implies(const RangePair &one, const RangePair &other) {
  return (holds(one.first, other.first) && holds(one.second, other.second)) ||
         (holds(one.first, other.second) && holds(one.second, other.first));
}

/// Pairs of ranges, as the edges of a graph.
class Pairs {
public:
  using Edge = std::pair<std::size_t, std::size_t>;

  void add(const RangePair &pair) {
    const std::size_t one = number(pair.first), other = number(pair.second);
    All.insert(std::minmax(one, other));
    Open.insert(std::minmax(one, other));
  }

  bool areAllTested() const { return Open.empty(); }
  const ByteRange &operator[](std::size_t number) const {
    return Ranges[number];
  }

  /// Each range of `one` is tested against the others of it, and against all of
  /// `others`.
  struct Call {
    std::vector<std::size_t> one, others;
  };

  /// Returns the call that tests most pairs, and takes these for tested.
  Call next() {
    Call best;
    std::size_t most = 0;
    for (std::size_t start = 0; start < Ranges.size(); ++start) {
      Call call = grown(start);
      const std::size_t count = openIn(call).size();
      if (count > most) {
        best = std::move(call);
        most = count;
      }
    }
    const std::set<Edge> tested = openIn(best);
    for (const Edge &edge : tested)
      Open.erase(edge);
    // A single other range makes both lists one.
    if (best.one.size() > 1 && best.others.size() == 1) {
      best.one.push_back(best.others.front());
      best.others.clear();
    }
    std::sort(best.one.begin(), best.one.end());
    return best;
  }

private:
  std::size_t number(const ByteRange &range) {
    const auto found =
        std::find_if(Ranges.begin(), Ranges.end(), [&](const ByteRange &known) {
          return isSame(known, range);
        });
    if (found != Ranges.end())
      return static_cast<std::size_t>(found - Ranges.begin());
    Ranges.push_back(range);
    return Ranges.size() - 1;
  }

  bool mustMeet(std::size_t one, std::size_t other) const {
    return All.count(std::minmax(one, other)) != 0;
  }

  /// Returns what `call` tests that no earlier one did.
  std::set<Edge> openIn(const Call &call) const {
    std::set<Edge> found;
    const auto look = [&](std::size_t one, std::size_t other) {
      const Edge edge = std::minmax(one, other);
      if (Open.count(edge) != 0)
        found.insert(edge);
    };
    for (const std::size_t one : call.one) {
      for (const std::size_t other : call.others)
        look(one, other);
      for (const std::size_t other : call.one)
        look(one, other);
    }
    return found;
  }

  /// Returns the call for `start` alone, with the other ranges moved to its
  /// side by which most is tested.
  Call grown(std::size_t start) const {
    Call call{{start}, {}};
    for (std::size_t other = 0; other < Ranges.size(); ++other)
      if (Open.count(std::minmax(start, other)) != 0)
        call.others.push_back(other);
    while (true) {
      Call best = call;
      for (const std::size_t moved : call.others) {
        Call larger = call;
        larger.one.push_back(moved);
        std::erase_if(larger.others, [&](std::size_t other) {
          return other == moved || !mustMeet(moved, other);
        });
        if (openIn(larger).size() > openIn(best).size())
          best = std::move(larger);
      }
      if (best.one.size() == call.one.size())
        return call;
      call = std::move(best);
    }
  }

  std::vector<ByteRange> Ranges;
  std::set<Edge> All;  ///< pairs, by the numbers of their ranges
  std::set<Edge> Open; ///< those that no call tests yet
};

/// Returns the call in the form that is shortest.
std::string callText(const Pairs &pairs, const Pairs::Call &call,
                     Helpers &helpers) {
  const ByteRange &first = pairs[call.one.front()];
  const bool areAllocations = first.span.empty();
  const auto hasSpanOfFirst = [&](std::size_t range) {
    return pairs[range].span == first.span;
  };
  const bool isUniform =
      std::all_of(call.one.begin(), call.one.end(), hasSpanOfFirst) &&
      std::all_of(call.others.begin(), call.others.end(), hasSpanOfFirst);
  const auto withSpan = [&](std::size_t range) {
    return pairs[range].pointer + ", " + pairs[range].span;
  };
  if (call.one.size() == 1 && call.others.size() == 1) {
    const std::size_t one = call.one.front(), other = call.others.front();
    return areAllocations ? helpers.separate() + "(" + pairs[one].pointer +
                                ", " + pairs[other].pointer + ")"
                          : helpers.disjoint() + "(" + withSpan(one) + ", " +
                                withSpan(other) + ")";
  }
  const auto list = [&](const std::vector<std::size_t> &ranges) {
    std::string text;
    for (const std::size_t range : ranges)
      text += (text.empty() ? "" : ", ") +
              (isUniform ? pairs[range].pointer : "{" + withSpan(range) + "}");
    return "{" + text + "}";
  };
  const std::string name = areAllocations ? helpers.separateLists()
                           : isUniform    ? helpers.disjointPointers()
                                          : helpers.disjointRanges();
  return name + "(" + list(call.one) +
         (call.others.empty() ? "" : ", " + list(call.others)) +
         (isUniform && !areAllocations ? ", " + first.span : "") + ")";
}

} // namespace

std::vector<std::string> rangeTests(const std::vector<RangePair> &pairs,
                                    Helpers &helpers) {
  Pairs ofAllocations, ofSpans;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    bool follows = false;
    for (std::size_t k = 0; k < pairs.size() && !follows; ++k)
      follows = k != i && implies(pairs[k], pairs[i]) &&
                (k < i || !implies(pairs[i], pairs[k]));
    if (!follows)
      (pairs[i].first.span.empty() ? ofAllocations : ofSpans).add(pairs[i]);
  }
  std::vector<std::string> tests;
  for (Pairs *each : {&ofAllocations, &ofSpans})
    while (!each->areAllTested())
      tests.push_back(callText(*each, each->next(), helpers));
  return tests;
}

} // namespace kfuse
