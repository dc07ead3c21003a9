//===- RewriterTest.cpp - CUDA text rewritten to C++ ----------------------===//

#include "runtime/Rewriter.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace kfuse;

namespace {

std::string rewrite(std::string_view text) { return rewriteForCpu(text, ""); }

/// Returns the launch of `callee` with the configuration, for call `call`.
std::string launch(const std::string &callee, const std::string &config,
                   const std::string &call, const std::string &parameters = "",
                   const std::string &evaluated = "") {
  return "::kfuse_cpu::Launch(KFUSE_CPU_TEXT(" + callee + ")," + config +
         ").run([&](" + parameters + ") { " + call + "; }" + evaluated + ")";
}

struct Case {
  const char *text;
  std::string expected;
};

class Rewrites : public testing::TestWithParam<Case> {};

TEST_P(Rewrites, To) {
  EXPECT_EQ(rewrite(GetParam().text), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Launches, Rewrites,
    testing::Values(
        Case{"k<<<1,2>>>();", launch("k", "1,2", "k()") + ";"},
        Case{"k<<<g, b, 0, s>>>(a, p + 1, (float *)q, 2 * n);",
             launch("k", "g, b, 0, s", "k(a, p + 1, (float *)q, kfuseArg0)",
                    "auto &&kfuseArg0", ", ::kfuse_cpu::kept(2 * n)") +
                 ";"},
        Case{"n::k<int, 3><<<g,b>>>(a);",
             launch("n::k<int, 3>", "g,b", "n::k<int, 3>(a)") + ";"},
        Case{"::n::k<<<g,b>>>(a);", launch("::n::k", "g,b", "::n::k(a)") + ";"},
        Case{"k<A<B<int>>><<<g,b>>>(a);",
             launch("k<A<B<int>>>", "g,b", "k<A<B<int>>>(a)") + ";"},
        Case{"(*f)<<<g,b>>>(a);", launch("(*f)", "g,b", "(*f)(a)") + ";"},
        Case{"t[i + 1]<<<g,b>>>(a);",
             launch("t[i + 1]", "g,b", "t[i + 1](a)") + ";"},
        Case{"s->m.k<<<g,b>>>(a);", launch("s->m.k", "g,b", "s->m.k(a)") + ";"},
        Case{"x.template k<T><<<g,b>>>(a);",
             launch("x.template k<T>", "g,b", "x.template k<T>(a)") + ";"},
        Case{"if (c) k<<<g,b>>>(a); else k<<<g,b>>>(c);",
             "if (c) " + launch("k", "g,b", "k(a)") + "; else " +
                 launch("k", "g,b", "k(c)") + ";"},
        Case{"return (k)<<<g,b>>>(a);",
             "return " + launch("(k)", "g,b", "(k)(a)") + ";"},
        Case{"k<<<f(a, b), n<T>(x)>>>(a);",
             launch("k", "f(a, b), n<T>(x)", "k(a)") + ";"}));

INSTANTIATE_TEST_SUITE_P(
    Arguments, Rewrites,
    testing::Values(
        Case{"k<<<g,b>>>(a, f(x));", launch("k", "g,b", "k(a, kfuseArg0...)",
                                            "auto &&...kfuseArg0", ", f(x)") +
                                         ";"},
        Case{"k<<<g,b>>>(s->n, f(x), *p, v[0], s.n, v[xs]...);",
             launch("k", "g,b",
                    "k(kfuseArg0, kfuseArg1..., kfuseArg2, kfuseArg3, "
                    "kfuseArg4, v[xs]...)",
                    "auto &&kfuseArg0, auto &&kfuseArg2, auto &&kfuseArg3, "
                    "auto &&kfuseArg4, auto &&...kfuseArg1",
                    ", ::kfuse_cpu::kept(s->n), ::kfuse_cpu::kept(*p), "
                    "::kfuse_cpu::kept(v[0]), ::kfuse_cpu::kept(s.n), f(x)") +
                 ";"},
        Case{"k<<<g,b>>>(i++, 0, v.data());",
             launch("k", "g,b", "k(kfuseArg0, 0, kfuseArg1)",
                    "auto &&kfuseArg0, auto &&kfuseArg1", ", i++, v.data()") +
                 ";"},
        Case{"k<<<g,b>>>(m<A, B>(x), a < b, c);",
             launch("k", "g,b", "k(kfuseArg0..., a < b, c)",
                    "auto &&...kfuseArg0", ", m<A, B>(x)") +
                 ";"},
        Case{"k<<<g,b>>>({1, f(2)}, NULL, sizeof(x));",
             launch("k", "g,b", "k({1, f(2)}, NULL, sizeof(x))") + ";"},
        Case{"k<<<g,b>>>(a,\n#ifdef X\n f(b)\n#else\n c\n#endif\n);",
             launch("k", "g,b", "k(a,\n#ifdef X\n f(b)\n#else\n c\n#endif\n)") +
                 ";"}));

INSTANTIATE_TEST_SUITE_P(
    Macros, Rewrites,
    testing::Values(
        Case{"#define L(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n",
             "#define L(k, ...) " + launch("k", "1, 2", "k(__VA_ARGS__)") +
                 "\n"},
        Case{"#define L(n) n##_k<<<1, 2>>>(a)",
             "#define L(n) " + launch("n##_k", "1, 2", "n##_k(a)")},
        Case{"#define CONFIG(g, b) <<<g, b>>>\n",
             "#define CONFIG(g, b) ->*::kfuse_cpu::Configuration(g, b)\n"},
        Case{"#define CONFIG <<<1, 2>>>\n",
             "#define CONFIG ->*::kfuse_cpu::Configuration(1, 2)\n"},
        Case{"#define BIND(k) k<<<1, 2>>>\nx(y);",
             "#define BIND(k) k->*::kfuse_cpu::Configuration(1, 2)\nx(y);"}));

INSTANTIATE_TEST_SUITE_P(
    Qualifiers, Rewrites,
    testing::Values(
        Case{"void k() { extern __shared__ float s[]; }",
             "void k() {   float (&s)[] = ::kfuse_cpu::dynamicShared(); }"},
        Case{"void k() { extern __shared__ __align__(16) char s[][8]; }",
             "void k() {    char (&s)[][8] = ::kfuse_cpu::dynamicShared(); }"},
        Case{"void k() { extern volatile __shared__ T s[]; }",
             "void k() {  volatile  T (&s)[] = ::kfuse_cpu::dynamicShared(); "
             "}"},
        Case{"void k() { extern __shared__ int a[], b[]; }",
             "void k() {   int (&a)[] = ::kfuse_cpu::dynamicShared(), (&b)[] = "
             "::kfuse_cpu::dynamicShared(); }"},
        Case{"namespace n { extern __shared__ float s[]; }",
             "namespace n { static ::kfuse_cpu::DynamicShared<float> s   ; }"},
        Case{"static __shared__ int x;", "static  int x;"},
        Case{"__shared__ int x[8];", "__shared__ int x[8];"},
        Case{"__noinline__ int f();", "__attribute__((noinline)) int f();"},
        Case{"__attribute__((__noinline__)) int f();",
             "__attribute__((__noinline__)) int f();"},
        Case{"cudaLaunchKernel((const void *)k, g, b, p);",
             "cudaLaunchKernel(  k, g, b, p);"}));

INSTANTIATE_TEST_SUITE_P(
    LeftAlone, Rewrites,
    testing::Values(Case{"", ""}, Case{"a << b >> c;", "a << b >> c;"},
                    Case{"\"k<<<1,2>>>(a)\"", "\"k<<<1,2>>>(a)\""},
                    Case{"// k<<<1,2>>>(a)", "// k<<<1,2>>>(a)"},
                    Case{"R\"(k<<<1,2>>>())\"", "R\"(k<<<1,2>>>())\""},
                    Case{"k<<<1,2", "k<<<1,2"}, Case{"<<<", "<<<"},
                    Case{"k<<<1,2)>>>(", "k<<<1,2)>>>("},
                    Case{"A<B<C<int>>> x;", "A<B<C<int>>> x;"},
                    Case{"extern __shared__", "extern __shared__"},
                    Case{"}}} ' \" /*", "}}} ' \" /*"},
                    Case{"cudaLaunchKernel(", "cudaLaunchKernel("}));

TEST(Rewriter, KeepsTheNumberOfLines) {
  const char *text = "k\n<<<\n g, // grid\n b\n>>>\n(\n a, // first\n f(\n x) "
                     "// last\n);\nint y;";
  const std::string rewritten = rewrite(text);
  const std::string_view before = text;
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'),
            std::count(rewritten.begin(), rewritten.end(), '\n'));
}

TEST(Rewriter, RewritesLaunchesInArguments) {
  EXPECT_EQ(rewrite("k<<<1,1>>>([=] { j<<<2,2>>>(a); });"),
            launch("k", "1,1", "k(kfuseArg0...)", "auto &&...kfuseArg0",
                   ", [=] { " + launch("j", "2,2", "j(a)") + "; }") +
                ";");
}

TEST(Rewriter, NamesTheFile) {
  EXPECT_EQ(rewriteForCpu("int x;", "a \"b\".cu"),
            "#line 1 \"a \\\"b\\\".cu\"\nint x;");
}

TEST(Rewriter, DropsAByteOrderMark) {
  EXPECT_EQ(rewrite("\xEF\xBB\xBFint x;"), "int x;");
}

} // namespace
