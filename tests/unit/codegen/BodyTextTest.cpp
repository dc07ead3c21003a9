//===- BodyTextTest.cpp - Pieces of kernels' bodies as text ---------------===//
#include "codegen/text/BodyText.h"

#include <gtest/gtest.h>

using namespace kfuse;

namespace {

std::string joined(const std::vector<std::string> &conjuncts) {
  std::string text;
  for (const std::string &each : conjuncts)
    text += (text.empty() ? "" : " && ") + each;
  return text;
}

TEST(BodyText, writesConjunctsInOneWay) {
  struct Row {
    const char *condition;
    bool isExit;
    const char *conjuncts;
  };
  const Row rows[] = {
      {"i < n", false, "i < n"},
      {"n > i", false, "i < n"},
      {"i >= n", true, "i < n"},
      {"n <= i", true, "i < n"},
      {"!(i < n)", true, "i < n"},
      {"!(i >= n)", false, "i < n"},
      {"((i) >= (n))", true, "(i) < (n)"},
      {"x >= w || y >= h", true, "x < w && y < h"},
      {"x < w && (y < h)", false, "x < w && y < h"},
      {"!(x < w && y < h)", true, "x < w && y < h"},
      {"x < 1 || x > nx - 2", true, "1 <= x && x <= nx - 2"},
      {"i == 0", true, "i != 0"},
      {"i != 0", false, "i != 0"},
      // A condition that isn't a plain comparison is negated as a whole.
      {"i & 1", true, "!(i & 1)"},
      {"i < n & m", true, "!(i < n & m)"},
      {"a && b || c", true, "(!a || !b) && !c"},
      {"!(i < n && flag)", false, "(n <= i || !flag)"},
      {"i >= n && !flag", true, "(i < n || flag)"},
      {"!flag || !(i < n)", true, "flag && i < n"},
      {"x < w && (y < h || c)", true, "(w <= x || !(y < h || c))"},
      {"x < w && y & 1", true, "(w <= x || !(y & 1))"},
      {"a || b", false, "(a || b)"},
      {"i < n and j < n", true, "!(i < n and j < n)"},
      {"f<int>(i) < n", true, "!(f<int>(i) < n)"},
      {"c ? i < n : j < n", true, "!(c ? i < n : j < n)"},
      {"i < n, j < n", true, "!(i < n, j < n)"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(joined(conjuncts(row.condition, row.isExit)), row.conjuncts)
        << row.condition;
}

TEST(BodyText, renamesPlainIdentifiersAlone) {
  const Renames names = {{"x", "a"}, {"n", "count"}};
  EXPECT_EQ(renamed("x[i] = p.x + q->x + s::x + xx; // x", names),
            "a[i] = p.x + q->x + s::x + xx; // x");
  EXPECT_EQ(renamed("#pragma unroll n\nf(\"x\", 'x', n)", names),
            "#pragma unroll count\nf(\"x\", 'x', count)");
}

TEST(BodyText, movesBlocks) {
  EXPECT_EQ(withBlockIndex("blockIdx.x * w + blockIdx.y", 'x', "b"),
            "b * w + blockIdx.y");
  EXPECT_EQ(withBlockIndex("f(blockIdx)", 'x', "b"), std::nullopt);
}

TEST(BodyText, setsLinesIn) {
  EXPECT_EQ(reindented("\n      a;\n\n        b;\n#if 1\n      c;\n    ", "  "),
            "  a;\n\n    b;\n#if 1\n  c;\n");
  EXPECT_EQ(reindented("out[i] = a;", "    "), "    out[i] = a;\n");
}

TEST(BodyText, breaksLongLines) {
  const std::string sum = "aaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbbb, "
                          "cccccccccccccccccccc) + dddddddddddddddddddd;";
  EXPECT_EQ(wrapped("  x = " + sum),
            "  x = aaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbbb, "
            "cccccccccccccccccccc) +\n      dddddddddddddddddddd;\n");
  EXPECT_EQ(wrapped("  short;\n"), "  short;\n");
  // A part within a bracket stands below the bracket's first one.
  const std::string range = "{bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, 0, 1}";
  EXPECT_EQ(wrapped("f({" + range + ", " + range + ", " + range + "}, 2);"),
            "f({" + range + ",\n   " + range + ",\n   " + range + "}, 2);\n");
  // Behind the bracket the line goes on as before it.
  const std::string name(40, 'a');
  EXPECT_EQ(wrapped("  x = f(g(" + name + ", " + name + "), " + name + ") + " +
                    name + ";"),
            "  x = f(g(" + name + ",\n          " + name + "),\n        " +
                name + ") +\n      " + name + ";\n");
  // Too far right there is no room for that: the right side has lines of its
  // own.
  const std::string outer(30, 'o');
  EXPECT_EQ(wrapped("  double x = " + outer + "(" + name + ", " + name + ");"),
            "  double x =\n      " + outer + "(" + name + ",\n" +
                std::string(37, ' ') + name + ");\n");
  // A long line takes those with it that its brackets hold; others stay.
  EXPECT_EQ(wrapped("  f(" + name + " +\n          " + name + " * 2, c);\n"),
            "  f(" + name + " +\n          " + name + " * 2, c);\n");
  EXPECT_EQ(wrapped("  f(" + name + ", " + name + " *\n    2);\n  g();\n"),
            "  f(" + name + ",\n    " + name + " * 2);\n  g();\n");
  // Tabs stay, and lines go on behind them.
  EXPECT_EQ(wrapped("\tf(" + name + ", " + name + " *\n    2);\n"),
            "\tf(" + name + ",\n\t  " + name + " * 2);\n");
  const std::string literal =
      "  f(\"a  b\", " + name + ", " + name + " *\n    2);\n";
  EXPECT_NE(wrapped(literal).find("\"a  b\""), std::string::npos);
}

TEST(BodyText, breaksChangedStatementsAnew) {
  const auto shorter = [](const std::string &part) {
    const std::size_t at = part.find("lib::");
    return at == part.npos ? part : std::string(part).erase(at, 5);
  };
  EXPECT_EQ(rewrapped("  lib::f(a,\n         b);\n  g(a,\n    b);\n", shorter),
            "  f(a, b);\n  g(a,\n    b);\n");
  const std::string lambda = "  h([&] {\n    f(a);\n    g(b);\n  });\n}";
  EXPECT_EQ(rewrapped("  lib::" + lambda.substr(2), shorter), lambda);
}

} // namespace
