//===- RangeTestsTest.cpp - Which pairs of ranges the calls test ----------===//
#include "codegen/text/RangeTests.h"
#include "codegen/text/Names.h"
#include "codegen/text/Sources.h"
#include "graphs/program/Program.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>

using namespace kfuse;

namespace {

/// Returns the calls for pairs such as `a:0,4 b:4,8`, one in a line; `a b` are
/// allocations.
std::string calls(const std::vector<std::string> &pairs) {
  const auto range = [](const std::string &text) {
    const std::size_t colon = text.find(':');
    ByteRange found{text.substr(0, colon), {}, {}};
    if (colon == std::string::npos)
      return found;
    found.span = text.substr(colon + 1);
    found.span.replace(found.span.find(','), 1, ", ");
    std::istringstream numbers(found.span);
    std::int64_t begin = 0, end = 0;
    char comma = 0;
    if (numbers >> begin >> comma >> end)
      found.bytes = {begin, end};
    return found;
  };
  std::vector<RangePair> all;
  for (const std::string &pair : pairs) {
    const std::size_t blank = pair.find(' ');
    all.push_back(
        {range(pair.substr(0, blank)), range(pair.substr(blank + 1))});
  }
  const Program program;
  const Sources sources(program);
  Names names(sources, {});
  Helpers helpers(names);
  std::string result;
  for (const std::string &test : rangeTests(all, helpers))
    result += test + "\n";
  return result;
}

TEST(RangeTests, areFewCalls) {
  EXPECT_EQ(calls({}), "");
  EXPECT_EQ(calls({"a:0,n b:0,m"}), "kfuseDisjoint(a, 0, n, b, 0, m)\n");
  EXPECT_EQ(calls({"a b"}), "kfuseSeparate(a, b)\n");
  // One against several, all against all, and written ones against the rest.
  EXPECT_EQ(calls({"a:0,n c:0,n", "b:0,n c:0,n"}),
            "kfuseDisjoint({c}, {a, b}, 0, n)\n");
  EXPECT_EQ(calls({"a c", "b c", "a b"}), "kfuseSeparate({a, c, b})\n");
  EXPECT_EQ(calls({"w:0,n v:0,n", "w:0,n r:0,n", "v:0,n r:0,n", "w:0,n s:0,n",
                   "v:0,n s:0,n"}),
            "kfuseDisjoint({w, v}, {r, s}, 0, n)\n");
  EXPECT_EQ(calls({"w:0,n r:0,m", "w:0,n s:1,m"}),
            "kfuseDisjoint({{w, 0, n}}, {{r, 0, m}, {s, 1, m}})\n");
  // All that is written is on one side, even if some pairs come late.
  EXPECT_EQ(calls({"r:0,n w:0,n", "r:0,n v:0,n", "w:0,n v:0,n", "w:0,n s:0,n",
                   "v:0,n s:0,n", "r:0,n u:0,n", "w:0,n u:0,n", "v:0,n u:0,n",
                   "s:0,n u:0,n"}),
            "kfuseDisjoint({w, v, u}, {r, s}, 0, n)\n");
  // Two that needn't be apart aren't tested.
  EXPECT_EQ(calls({"w:0,n r:0,n", "v:0,n r:0,n", "w:0,n s:0,n", "v:0,n s:0,n"}),
            "kfuseDisjoint({w}, {r, s}, 0, n)\n"
            "kfuseDisjoint({v}, {r, s}, 0, n)\n");
  EXPECT_EQ(calls({"a:0,n b:0,n", "a b"}),
            "kfuseSeparate(a, b)\nkfuseDisjoint(a, 0, n, b, 0, n)\n");
}

TEST(RangeTests, leaveOutWhatFollows) {
  EXPECT_EQ(calls({"a:0,4 b:0,4", "b:0,4 a:0,4", "a:0,4 b:0,4"}),
            "kfuseDisjoint(a, 0, 4, b, 0, 4)\n");
  EXPECT_EQ(calls({"b:1,3 a:0,4", "a:0,8 b:0,4", "a:0,4 b:0,4"}),
            "kfuseDisjoint(a, 0, 8, b, 0, 4)\n");
  EXPECT_EQ(
      calls({"a:0,4 b:0,8", "a:0,8 b:0,4"}),
      "kfuseDisjoint(a, 0, 4, b, 0, 8)\nkfuseDisjoint(a, 0, 8, b, 0, 4)\n");
}

/// Returns the pairs of letters that calls with one span test.
std::set<std::string> testedBy(const std::string &calls) {
  std::set<std::string> pairs;
  std::istringstream lines(calls);
  for (std::string line; std::getline(lines, line);) {
    // Letters in the first braces are of `one`, as are those without braces.
    std::string one, others;
    int list = 0;
    for (const char c : line.substr(line.find('(') + 1)) {
      list += c == '}';
      if (c >= 'a' && c <= 'h')
        (list == 0 ? one : others) += c;
    }
    for (std::size_t i = 0; i < one.size(); ++i)
      for (const char other : one.substr(i + 1) + others)
        pairs.insert({std::min(one[i], other), std::max(one[i], other)});
  }
  return pairs;
}

TEST(RangeTests, testExactlyThePairs) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::set<std::string> wanted;
    std::vector<std::string> pairs;
    for (char one = 'a'; one <= 'h'; ++one)
      for (char other = static_cast<char>(one + 1); other <= 'h'; ++other)
        if (random() % 8 < static_cast<unsigned>(round) % 8) {
          wanted.insert({one, other});
          pairs.push_back(
              {one, ':', '0', ',', '9', ' ', other, ':', '0', ',', '9'});
        }
    EXPECT_EQ(testedBy(calls(pairs)), wanted);
  }
}

} // namespace
