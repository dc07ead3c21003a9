//===- TraceTest.cpp - Comparison of traces -------------------------------===//

#include "runtime/trace/Trace.h"

#include <gtest/gtest.h>

using namespace kfuse;

namespace {

struct Case {
  const char *original;
  const char *fused;
  std::vector<std::string> ignored;
  const char *difference; ///< a part of the text; null when equal
  std::vector<std::vector<std::string>> swapped = {};
};

class Traces : public testing::TestWithParam<Case> {};

TEST_P(Traces, Compare) {
  const Case &test = GetParam();
  const auto difference =
      compareTraces(test.original, test.fused, {test.ignored, test.swapped});
  ASSERT_EQ(difference.has_value(), test.difference != nullptr)
      << (difference ? difference->text : "");
  if (difference)
    EXPECT_NE(difference->text.find(test.difference), std::string::npos)
        << difference->text;
}

INSTANTIATE_TEST_SUITE_P(
    All, Traces,
    testing::Values(
        Case{"", "", {}, nullptr},
        Case{"copy a#0 4 1f\n", "copy a#0 4 1f", {}, nullptr},
        Case{"copy a#0 4 1f\n",
             "copy a#0 4 2f\n",
             {},
             "original: copy of a#0 to the host, 4 bytes, digest 1f (line 1)"},
        Case{"copy a#0 4 1f\n",
             "copy a#0 8 1f\n",
             {},
             "fused   : copy of a#0 to the host, 8 bytes, digest 1f"},
        Case{"free a#0 4 1\nexit b#0 4 2\n",
             "free a#0 4 1\n",
             {},
             "fused   : no such event"},
        Case{"", "free a#0 4 1\n", {}, "original: no such event"},
        // Dead arrays are ignored on both sides, whichever allocation they come
        // from.
        Case{"free t#0 4 1\nfree t#1 4 1\nexit a#0 4 2\n",
             "exit a#0 4 2\n",
             {"t"},
             nullptr},
        Case{"exit a#0 4 2\n", "exit t#3 4 9\nexit a#0 4 2\n", {"t"}, nullptr},
        // Similar labels aren't ignored, nor is what the host reads.
        Case{"free tt#0 4 1\n", "", {"t"}, "tt#0 when freed"},
        Case{"copy t#0 4 1\n", "copy t#0 4 2\n", {"t"}, "copy of t#0"},
        Case{"launch k\nlaunch j\ncopy a#0 4 1\n",
             "launch k_j\ncopy a#0 4 1\n",
             {},
             nullptr},
        // The order of events matters.
        Case{"free a#0 4 1\nfree b#0 4 1\n",
             "free b#0 4 1\nfree a#0 4 1\n",
             {},
             "a#0 when freed"},
        // The host may have swapped a and b. Their contents are compared, and
        // so is which one is read, except what the original leaves in a dead
        // array.
        Case{"copy a#0 4 1\nfree a#0 4 1\nfree b#0 4 2\n",
             "copy b#0 4 1\nfree b#0 4 1\nfree a#0 4 2\n",
             {},
             nullptr,
             {{"a", "b"}}},
        Case{"free a#0 4 1\nfree b#0 4 2\n",
             "free b#0 4 1\nfree a#0 4 3\n",
             {},
             "a when freed, 4 bytes, digest 2",
             {{"a", "b"}}},
        Case{"free a#0 4 1\nexit b#0 4 2\n",
             "free b#0 4 1\nexit a#0 4 3\n",
             {"b"},
             nullptr,
             {{"a", "b"}}},
        Case{"free a#0 4 1\nexit b#0 4 2\n",
             "free b#0 4 3\nexit a#0 4 2\n",
             {"b"},
             "a when freed",
             {{"a", "b"}}},
        Case{"exit a#0 4 1\nexit b#0 4 1\n",
             "exit a#0 4 1\nexit b#0 4 2\n",
             {},
             "none of the arrays",
             {{"a", "b"}}},
        Case{"copy a#0 4 1\n",
             "copy b#0 4 2\n",
             {},
             "copy of a to the host",
             {{"a", "b"}}},
        Case{"copy a#0 4 1\n",
             "copy c#0 4 1\n",
             {},
             "copy of a to the host",
             {{"a", "b"}}},
        Case{"nonsense\n", "nonsense\n", {}, nullptr}));

/// Holds the traces of two runs of the original and of the fused program.
struct UnsteadyCase {
  const char *one, *other, *fused;
  const char *difference; ///< a part of the text; null when equal
  std::size_t compared, unsteady;
  std::vector<std::vector<std::string>> swapped = {};
};

class UnsteadyTraces : public testing::TestWithParam<UnsteadyCase> {};

TEST_P(UnsteadyTraces, Compare) {
  const UnsteadyCase &test = GetParam();
  TraceRules rules{{"dead"}, test.swapped, {}};
  addUnsteady(test.one, test.other, rules);
  const auto difference = compareTraces(test.one, test.fused, rules);
  ASSERT_EQ(difference.has_value(), test.difference != nullptr)
      << (difference ? difference->text : "");
  if (difference)
    EXPECT_NE(difference->text.find(test.difference), std::string::npos)
        << difference->text;
  const ComparedEvents events = comparedEvents(test.one, rules);
  EXPECT_EQ(events.compared, test.compared);
  EXPECT_EQ(events.unsteady, test.unsteady);
}

INSTANTIATE_TEST_SUITE_P(
    All, UnsteadyTraces,
    testing::Values(
        // Only the copy that differs between the runs is ignored.
        UnsteadyCase{"copy a#0 4 1\ncopy a#0 4 2\n",
                     "copy a#0 4 1\ncopy a#0 4 3\n",
                     "copy a#0 4 1\ncopy a#0 4 4\n", nullptr, 1, 1},
        UnsteadyCase{"copy a#0 4 1\ncopy a#0 4 2\n",
                     "copy a#0 4 1\ncopy a#0 4 3\n",
                     "copy a#0 4 5\ncopy a#0 4 2\n", "copy of a#0", 1, 1},
        UnsteadyCase{"copy a#0 4 1\nexit b#0 4 1\n",
                     "copy a#0 4 2\nexit b#0 4 1\n",
                     "copy a#0 4 3\nexit b#0 4 2\n", "b#0 at exit", 1, 1},
        // One run has one iteration more, so it isn't known which copy is
        // which.
        UnsteadyCase{"copy a#0 4 1\nexit b#0 4 1\n",
                     "copy a#0 4 1\ncopy a#0 4 2\nexit b#0 4 1\n",
                     "copy a#0 4 1\ncopy a#0 4 2\ncopy a#0 4 3\nexit b#0 4 1\n",
                     nullptr, 1, 1},
        UnsteadyCase{"exit b#0 4 1\n", "copy a#0 4 1\nexit b#0 4 1\n",
                     "copy a#0 4 2\nexit b#0 4 1\n", nullptr, 1, 0},
        // Dead arrays are ignored anyway.
        UnsteadyCase{"copy a#0 4 1\nexit dead#0 4 1\n",
                     "copy a#0 4 1\nexit dead#0 4 2\n", "copy a#0 4 1\n",
                     nullptr, 1, 0},
        UnsteadyCase{"copy a#0 4 1\ncopy b#0 4 1\n",
                     "copy b#0 4 1\ncopy a#0 4 1\n", "copy b#0 4 2\n", nullptr,
                     0, 2},
        UnsteadyCase{"free a#0 4 1\nfree b#0 4 2\nfree c#0 4 1\n",
                     "free a#0 4 3\nfree b#0 4 2\nfree c#0 4 1\n",
                     "free a#0 4 4\nfree b#0 4 5\nfree c#0 4 1\n",
                     nullptr,
                     1,
                     2,
                     {{"a", "b"}}},
        UnsteadyCase{"read 8 1\nread 8 2\n", "read 8 1\nread 8 3\n",
                     "read 8 2\nread 8 3\n",
                     "8 bytes read by the host, digest 1", 1, 1}));

} // namespace
