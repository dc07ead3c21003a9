//===- PiecesTest.cpp - Tokens, edits, places, names, expressions ---------===//
#include "codegen/text/Expressions.h"
#include "codegen/text/Helpers.h"
#include "codegen/text/Names.h"
#include "codegen/text/ParameterText.h"
#include "codegen/text/PlainLoads.h"
#include "text/Edits.h"
#include "text/Layout.h"
#include "text/Tokens.h"

#include <gtest/gtest.h>

using namespace kfuse;

namespace {

/// Returns the spellings of the tokens, joined by `|`.
std::string tokens(const std::string &text) {
  std::string result;
  for (const TextToken &token : tokensOf(text))
    result += (result.empty() ? "" : "|") + std::string(spelling(text, token));
  return result;
}

TEST(Tokens, separateCodeFromTheRest) {
  EXPECT_EQ(tokens("a+++b"), "a|++|+|b");
  EXPECT_EQ(tokens("x<<=1;y>>>z"), "x|<<=|1|;|y|>>|>|z");
  EXPECT_EQ(tokens("1.5e-3f 0x1p+2 1'000"), "1.5e-3f|0x1p+2|1'000");
  EXPECT_EQ(tokens("a // b\nc /* d */ e"), "a|// b|c|/* d */|e");
  EXPECT_EQ(tokens("\"//\" 'a' '\\'' L\"x\""), "\"//\"|'a'|'\\''|L\"x\"");
  EXPECT_EQ(tokens("R\"x(a)\" )x\" b"), "R\"x(a)\" )x\"|b");
  EXPECT_EQ(tokens("#define A \\\n b\nc"), "#define A \\\n b|c");
  EXPECT_EQ(tokens("a # b"), "a|#|b");
  EXPECT_EQ(tokens("\xC3\xA4 = 1"), "\xC3\xA4|=|1");
}

TEST(Tokens, neverFail) {
  for (const char *text : {"", "\"a", "'", "/* a", "R\"x(", "R\"", "#", "\\",
                           "a\\", "// \\\n", "\"\\", "0x"})
    EXPECT_LE(tokensOf(text).size(), 2u) << text;
}

TEST(Tokens, mentionNames) {
  EXPECT_TRUE(mentions("f(B)", "B"));
  EXPECT_TRUE(mentions("#define X B\n", "B"));
  EXPECT_FALSE(mentions("B_value + \"B\" // B", "B"));
}

TEST(EditsTest, applyInOneGo) {
  Edits edits;
  edits.replace(4, 5, "X");
  edits.insert(4, "<");
  edits.insert(5, ">");
  edits.insert(0, "1");
  edits.insert(0, "2");
  EXPECT_EQ(edits.apply("abcdefg", 0, 7), "12abcd<X>fg");
}

TEST(EditsTest, refuseOverlap) {
  Edits edits;
  edits.replace(1, 4, "");
  edits.replace(3, 5, "");
  EXPECT_FALSE(edits.apply("abcdefg", 0, 7));
  Edits outside;
  outside.insert(6, "x");
  EXPECT_FALSE(outside.apply("abcdefg", 0, 5));
  EXPECT_FALSE(Edits().apply("abc", 2, 9));
}

/// Returns the text with a `^` inserted at `offset`.
std::string marked(std::string text, std::uint32_t offset) {
  return text.insert(offset, "^");
}

TEST(Layout, placesBeforeCommentsAndClasses) {
  const auto before = [](std::string text) {
    const auto offset = static_cast<std::uint32_t>(text.find('@'));
    const SourceText source(text);
    return marked(text, placeBefore(source, offset));
  };
  EXPECT_EQ(before("int a;\n\n// one\n// two\n@f() {}"),
            "int a;\n\n^// one\n// two\n@f() {}");
  EXPECT_EQ(before("int a; // one\n@f() {}"), "int a; // one\n^@f() {}");
  EXPECT_EQ(before("// one\n\n@f() {}"), "// one\n\n^@f() {}");
  EXPECT_EQ(before("int a;\nstruct S {\n  @f() {}\n};"),
            "int a;\n^struct S {\n  @f() {}\n};");
  EXPECT_EQ(before("namespace n {\n/* x */\n@f() {}\n}"),
            "namespace n {\n^/* x */\n@f() {}\n}");
}

TEST(Layout, placesAtTheTop) {
  const std::string text = "int a;\n\nextern \"C\" {\nnamespace b {\n@f() {}}}";
  const SourceText source(text);
  const auto offset = static_cast<std::uint32_t>(text.find('@'));
  EXPECT_EQ(placeAtTop(source, offset), text.find("extern"));
  EXPECT_EQ(namespacesAt(source, offset)->size(), 2u);
}

TEST(Layout, branchesOfDirectivesBeginAlike) {
  const auto open = [](const std::string &text) {
    const auto places = namespacesAt(
        SourceText(text), static_cast<std::uint32_t>(text.find('@')));
    return places ? static_cast<int>(places->size()) : -1;
  };
  EXPECT_EQ(open("void f() {\n#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\n"
                 "} }\n@"),
            0);
  EXPECT_EQ(open("#if A\nvoid f() {\n#elif B\nvoid g() {\n# else\n"
                 "void h() {\n#endif\n}\n@"),
            0);
  EXPECT_EQ(open("namespace n {\n#if A\nnamespace a {\n#else\n"
                 "namespace b {\n@\n#endif\n} }"),
            2);
  EXPECT_EQ(open("#if A\nvoid f() {\n@\n}\n#endif"), -1);
  EXPECT_EQ(open("#if A\n#if B\nf() {\n#endif\n#else\n@\n#endif"), 0);
}

TEST(Layout, knowsStatements) {
  const auto begins = [](const std::string &text) {
    return beginsStatement(SourceText(text),
                           static_cast<std::uint32_t>(text.find('@')));
  };
  EXPECT_TRUE(begins("{ a; @b; }"));
  EXPECT_TRUE(begins("{ @b; }"));
  EXPECT_TRUE(begins("{ } /* c */ { a;\n#endif\n @b; }"));
  EXPECT_FALSE(begins("{ if (a) @b; }"));
  EXPECT_FALSE(begins("{ else @b; }"));
  EXPECT_FALSE(begins("{ label: @b; }"));
  EXPECT_FALSE(begins("{\n#pragma unroll\n @b; }"));
  EXPECT_FALSE(begins("{ for (a; @b; c) {} }"));
  EXPECT_FALSE(begins("@b;"));
}

TEST(Layout, knowsDependentTypes) {
  const auto depends = [](const std::string &text) {
    const SourceText source(text);
    return dependsOnTypes(source,
                          {0, 0, static_cast<std::uint32_t>(text.size())});
  };
  for (const char *text :
       {"auto i = f(x);", "const auto &v = b[i];", "v.x < w && f(v.y)"})
    EXPECT_FALSE(depends(text)) << text;
  for (const char *text :
       {"auto &v = b[i];", "auto &&v = b[i];", "decltype(v)::type w;",
        "v.get<2>()", "p->at<0>()", "typeof(b[0]) w;"})
    EXPECT_TRUE(depends(text)) << text;
}

TEST(Layout, removesLines) {
  const auto without = [](const std::string &text) {
    const SourceText source(text);
    SourceRange range;
    range.begin = static_cast<std::uint32_t>(text.find('@'));
    range.end = static_cast<std::uint32_t>(text.find(';', range.begin) + 1);
    const TextRange extent = removal(source, range);
    return text.substr(0, extent.begin) + text.substr(extent.end);
  };
  EXPECT_EQ(without("a;\n  @b; \nc;\n"), "a;\nc;\n");
  EXPECT_EQ(without("a;\r\n  @b;\r\nc;\r\n"), "a;\r\nc;\r\n");
  EXPECT_EQ(without("  @b; c;\n"), "  c;\n");
  EXPECT_EQ(without("  a; @b;\n"), "  a; \n");
  EXPECT_EQ(without("  a; @b; c;\n"), "  a; c;\n");
  EXPECT_EQ(without("  @b; // c\n"), "  // c\n");
  EXPECT_EQ(without("  @b;"), "");
}

TEST(NamesTest, areNew) {
  Program program;
  program.files = {
      {"input.cu", "int a, b; // c\n"},
      {"header.h", "int h;\n#define M d\n#define AT(i, j) a[i * n + j]\n"}};
  const Sources sources(program);
  Names names(sources, {"FLAG"});
  EXPECT_EQ(names.fresh("FLAG"), "FLAG2");
  EXPECT_EQ(names.fresh("h"), "h2");
  EXPECT_EQ(names.fresh("a"), "a2");
  EXPECT_EQ(names.fresh("a"), "a3");
  EXPECT_EQ(names.fresh("c"), "c");
  EXPECT_EQ(names.fresh("M"), "M2");
  EXPECT_EQ(suffixed("pcm_", "_out"), "pcm_out");
  EXPECT_EQ(suffixed("x", "_out"), "x_out");
  std::set<std::string> taken;
  EXPECT_EQ(names.parameter("a", "k", taken), "a");
  EXPECT_EQ(names.parameter("a", "k", taken), "a_k");
  EXPECT_EQ(names.local("e", taken), "e");
  EXPECT_EQ(names.local("e", taken), "e2");
  EXPECT_TRUE(names.inMacro("d"));
  EXPECT_TRUE(names.inMacro("n"));
  EXPECT_FALSE(names.inMacro("i"));
  EXPECT_FALSE(names.inMacro("b"));
}

TEST(ParameterTextTest, editsDeclarations) {
  EXPECT_EQ(withoutRestrict("const float *__restrict__ A"), "const float *A");
  EXPECT_EQ(withoutRestrict("float * __restrict A"), "float * A");
  EXPECT_EQ(withoutRestrict("float (*__restrict__ p)[4]"), "float (*p)[4]");
  EXPECT_EQ(withoutConst("const float *const"), "float *");
  EXPECT_EQ(withoutConst("float const *"), "float *");
  EXPECT_EQ(withoutDefault("int n = 3"), "int n");
  EXPECT_EQ(pointeeText("const T *__restrict__ A"), "T");
  EXPECT_EQ(pointeeText("unsigned char const* A"), "unsigned char");
  EXPECT_EQ(pointeeText("std::pair<int, T> *A"), "std::pair<int, T>");
  for (const char *other : {"float A[]", "float **A", "float (*A)[4]", "P A",
                            "volatile int *A", "int n", ""})
    EXPECT_FALSE(pointeeText(other)) << other;
  EXPECT_EQ(declare("const float *", "A", true), "const float *__restrict__ A");
  EXPECT_EQ(declare("float (*)[16]", "A", false), "float (*A)[16]");
  EXPECT_EQ(declare("int", "n", false), "int n");
  EXPECT_FALSE(isSpellable("(lambda at a.cu:1:2)"));
  EXPECT_TRUE(isSpellable("automaton"));
}

TEST(ParameterTextTest, breaksLines) {
  EXPECT_EQ(listed("f(", {}, ");", "  "), "  f();");
  EXPECT_EQ(listed("f(", {"a", "b"}, ");", "  "), "  f(a, b);");
  const std::string item(30, 'x');
  EXPECT_EQ(listed("f(", {item, item, item}, ")", ""),
            "f(" + item + ", " + item + ",\n  " + item + ")");
  const std::string name(60, 'f');
  EXPECT_EQ(listed(name + "(", {item, "b"}, ")", ""),
            name + "(\n    " + item + ", b)");
}

TEST(ExpressionsTest, arePrinted) {
  TermTable terms;
  const Polynomial n(Symbol{SymbolKind::Parameter, 0});
  const Polynomial two(std::int64_t{2});
  const Polynomial half(terms.intern({TermKind::Divide, 0, {n, two}}));
  const Polynomial least(terms.intern({TermKind::Minimum, 0, {half, n}}));
  const auto text = [&](const Polynomial &polynomial) {
    return expressionText(
        polynomial, terms,
        [](Symbol symbol, bool isWidened) -> std::optional<std::string> {
          if (symbol.kind == SymbolKind::Parameter)
            return isWidened ? "m" : "n";
          return std::nullopt;
        });
  };
  EXPECT_EQ(text(*multiply(two, half)), "2 * (n / 2)");
  EXPECT_EQ(text(*multiply(n, n)), "n * m"); // as wide as n
  EXPECT_EQ(text(*multiply(half, n)), "n * (n / 2)");
  EXPECT_EQ(text(*subtract(*multiply(two, n), n)), "n");
  EXPECT_EQ(text(*subtract(two, *multiply(two, n))), "-2 * n + 2");
  EXPECT_EQ(text(least), "(((n / 2) < n) ? (n / 2) : n)");
  // A kernel guards such operations, but the host, which tests before the
  // launch, doesn't.
  const Polynomial part(terms.intern({TermKind::Divide, 0, {two, n}}));
  EXPECT_EQ(text(part), "(n != 0 ? (2 / n) : 0)");
  const Polynomial shifted(terms.intern({TermKind::ShiftRight, 0, {two, n}}));
  EXPECT_EQ(text(shifted), "(0 <= n && n < 64 ? (2 >> n) : 0)");
  EXPECT_FALSE(text(Polynomial(terms.unique())));
  EXPECT_FALSE(text(Polynomial(Symbol{SymbolKind::GridDim, 0})));
  EXPECT_EQ(asOperand("a"), "a");
  EXPECT_EQ(asOperand("42"), "42");
  EXPECT_EQ(asOperand("a + b"), "(a + b)");
  EXPECT_EQ(asOperand("(a + b)"), "(a + b)");
  EXPECT_EQ(asOperand("(a) + (b)"), "((a) + (b))");
  EXPECT_EQ(asOperand("(long)n"), "((long)n)");
  EXPECT_EQ(asOperand("mesh.nx"), "mesh.nx");
  EXPECT_EQ(asOperand("level[i + 1]->get()"), "level[i + 1]->get()");
  EXPECT_EQ(asOperand("f(a)(b)"), "f(a)(b)");
  EXPECT_EQ(asOperand("get() + 1"), "(get() + 1)");
  EXPECT_EQ(asOperand("a ? b : c"), "(a ? b : c)");
  EXPECT_EQ(asOperand("sizeof a"), "(sizeof a)");
  EXPECT_EQ(asOperand("a, b"), "(a, b)");
}

TEST(PlainLoads, takeTheShortestForm) {
  Program program;
  program.files.push_back({});
  Names names(Sources(program), {"PREVIOUS"});
  const Helpers helpers(names);
  const auto plain = [&](const std::string &text) {
    return withPlainLoads(text, helpers);
  };
  EXPECT_EQ(plain("x = __ldg(&a[i]) + __ldg( a + i );"), "x = a[i] + a[i];");
  EXPECT_EQ(plain("__ldg(&g.values[i * 2]).x"), "g.values[i * 2].x");
  EXPECT_EQ(plain("__ldg(a + __ldg(&list[i]))"), "a[list[i]]");
  EXPECT_EQ(plain("__ldg(a + (i - 1))"), "a[(i - 1)]");
  // The index may be unsigned, the pointer's steps aren't.
  EXPECT_EQ(plain("__ldg(a + i - 1)"), "(*(a + i - 1))");
  EXPECT_EQ(plain("__ldg(a + PREVIOUS)"), "(*(a + PREVIOUS))");
  EXPECT_EQ(plain("__ldg(&a[i] + 1)"), "(*(&a[i] + 1))");
  EXPECT_EQ(plain("__ldg(b ? a : c)"), "(*(b ? a : c))");
  EXPECT_EQ(plain("// __ldg(p)"), "// __ldg(p)");
}

} // namespace
