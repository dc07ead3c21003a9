//===- OriginsTests.cpp - Places of a changed text in the user's ----------===//

#include "frontend/syntax/SourceMap.h"

#include "gtest/gtest.h"

using namespace kfuse;

namespace {

TEST(SourceMap, followsPiecesThroughRounds) {
  const std::string source = "one\ntwo\nthree\n";
  MappedText first; // one, [two], two, three
  first.copy(source, 0, 4);
  first.write("[", 4);
  first.copy(source, 4, 7);
  first.write("]\n", 6);
  first.copy(source, 4, 14);
  EXPECT_EQ(first.text, "one\n[two]\ntwo\nthree\n");
  MappedText second;
  second.write("// ", 4);
  second.copy(first.text, 4, 20);
  EXPECT_EQ(second.text, "// [two]\ntwo\nthree\n");

  Origins origins(source);
  EXPECT_EQ(origins.of(5), 5U);
  origins.add(first);
  EXPECT_EQ(origins.of(5), 4U);
  EXPECT_EQ(origins.of(8), 6U);
  EXPECT_EQ(origins.of(14), 8U);
  origins.add(second);
  EXPECT_EQ(origins.of(0), 4U);
  EXPECT_EQ(origins.of(5), 5U);
  EXPECT_EQ(origins.of(15), 10U);
  EXPECT_EQ(origins.place(10), std::pair(3U, 3U));
  EXPECT_EQ(origins.place(0), std::pair(1U, 1U));
}

TEST(SourceMap, appendsTexts) {
  const std::string source = "abcdef";
  MappedText inner, outer;
  inner.copy(source, 3, 6);
  outer.copy(source, 0, 2);
  outer.append(inner);
  EXPECT_EQ(outer.text, "abdef");
  Origins origins(source);
  origins.add(outer);
  EXPECT_EQ(origins.of(1), 1U);
  EXPECT_EQ(origins.of(2), 3U);
  EXPECT_EQ(origins.of(4), 5U);
}

} // namespace
