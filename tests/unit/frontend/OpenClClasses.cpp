//===- OpenClClasses.cpp - OpenCL hosts that use the C++ classes ----------===//
//
// Tests what OpenCl.cpp tests on hosts that use cl::Buffer and similar classes.
//
//===----------------------------------------------------------------------===//

#include "OpenClTesting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

namespace kfuse {
namespace {

constexpr const char *Kernels =
    "kernel void f(global const float *from, global float *to, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) to[i] = from[i];\n"
    "}\n";

/// Ends the name of a variable in one of several blocks.
std::string ending(std::size_t block) {
  return block == 0 ? "" : "_" + std::to_string(block);
}

/// Returns the code with names of its own for the variables of a block.
std::string numbered(const std::string &code, std::size_t block) {
  static const std::set<std::string> names = {
      "a",   "all", "b",     "both", "c",    "d", "e",    "event", "f",
      "few", "g",   "h",     "k",    "l",    "m", "many", "n",     "none",
      "o",   "on",  "plane", "r",    "show", "t", "wrong"};
  const auto isPart = [&](std::size_t at) {
    return at < code.size() &&
           (std::isalnum(static_cast<unsigned char>(code[at])) != 0 ||
            code[at] == '_');
  };
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < code.size(); begin = end) {
    while (isPart(end))
      ++end;
    end = std::max(end, begin + 1);
    const std::string word = code.substr(begin, end - begin);
    const bool isVariable =
        names.count(word) != 0 &&
        (begin == 0 || (code[begin - 1] != '"' && code[begin - 1] != '.'));
    text += word + (isVariable ? ending(block) : "");
  }
  return text;
}

/// Returns the host program around the blocks of code, whose OpenCL program is
/// built from `source`.
std::string textOf(const std::vector<std::string> &blocks,
                   const std::string &functions = {},
                   const std::string &source = "text") {
  std::string text = R"(
#include "cl.hpp"
#include <cstdio>
#include <cstdlib>
struct Pair { cl::Buffer one, other; };
int unseen();
void keep(cl::Buffer);
static cl::Buffer shared;
static void set(cl::Kernel &k, cl::Buffer &x) { k.setArg(0, x); }
static const char *text = R"cl()" +
                     std::string(Kernels) + ")cl\";\n" + functions + R"(
int main(int argc, char **argv) {
  cl::Context x(CL_DEVICE_TYPE_ALL);
  cl::CommandQueue q(x);
  cl::Program p(x, )" +
                     source + ", true);\n";
  for (std::size_t i = 0; i < blocks.size(); ++i)
    text += numbered(R"(
  std::vector<float> h(16);
  cl::Kernel k(p, "f");
  cl::KernelFunctor<cl::Buffer, cl::Buffer, int> f(p, "f");
  cl::make_kernel<cl::Buffer, cl::Buffer, float> wrong(p, "f");
  cl::Buffer a(x, h.begin(), h.end(), true);
  cl::Buffer b(x, CL_MEM_READ_WRITE, 64), c;
  c = cl::Buffer(x, CL_MEM_READ_WRITE, 64);
  cl::NDRange all(16), plane(4, 4);
  cl::EnqueueArgs on(q, all);
  cl::Event event;
  int n = 16, t = 0;
)" + blocks[i] + "\n",
                     i);
  return text + "  return 0;\n}\n";
}

std::string launchesOf(const std::string &block,
                       const std::string &functions = {},
                       const std::string &source = "text") {
  return printLaunches(programIn(textOf({block}, functions, source), ".cpp"));
}

/// Blocks of code, and what is known of the launch in each.
using Cases = std::vector<std::pair<std::string, std::string>>;

/// Expects that of blocks which are in one program.
void expectTogether(const Cases &cases) {
  std::vector<std::string> blocks;
  for (const auto &[code, expected] : cases)
    blocks.push_back(code);
  const std::string text = textOf(blocks);
  const Program program = programIn(text, ".cpp");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto &[code, expected] = cases[i];
    const std::size_t begin = text.find('\n' + numbered(code, i) + '\n');
    ASSERT_NE(begin, std::string::npos);
    const auto isElsewhere = [&](const auto &part) {
      return part.range.begin < begin ||
             part.range.begin > begin + numbered(code, i).size();
    };
    Program one = program;
    std::erase_if(one.launches, isElsewhere);
    std::erase_if(one.ignored, isElsewhere);
    std::string told = printLaunches(one);
    for (std::size_t at = 0;
         i > 0 && (at = told.find(ending(i))) != std::string::npos;)
      told.erase(at, ending(i).size());
    EXPECT_EQ(told, expected) << code;
  }
}

TEST(OpenClClasses, FunctorsAreGivenTheirArguments) {
  expectTogether({
      {"f(cl::EnqueueArgs(q, cl::NDRange(16)), a, b, n);", "f(a, b, 16)"},
      {"f(cl::EnqueueArgs(q, all), a, b, 8);", "f(a, b, 8)"},
      {"f(cl::EnqueueArgs(q, all, cl::NDRange(4)), a, b, n);", "f(a, b, 16)"},
      {"f(cl::EnqueueArgs(q, cl::NullRange, all, cl::NullRange), a, b, n);",
       "f(a, b, 16)"},
      {"cl::Buffer d = b; f(cl::EnqueueArgs(q, all), d, c, n);", "f(b, c, 16)"},
      {"cl::Buffer &d = b; f(cl::EnqueueArgs(q, all), d, c, n);",
       "f(b, c, 16)"},
      {"auto g = f; g(cl::EnqueueArgs(q, all), a, b, n);", "f(a, b, 16)"},
      {"c = b; f(cl::EnqueueArgs(q, all), a, c, n);", "f(a, b, 16)"},
      {"if (argc > 1) c = b; f(cl::EnqueueArgs(q, all), a, c, n);",
       "f(a, c, 16)"},
      {"cl::Event e = f(cl::EnqueueArgs(q, all), a, b, n);",
       "- the launch is part of a larger statement"},
      {"event = f(cl::EnqueueArgs(q, all), a, b, n);",
       "- the launch is part of a larger statement"},
      {"f(cl::EnqueueArgs(q, event, all), a, b, n);", "- an event tells of it"},
      {"f(cl::EnqueueArgs(q, cl::NDRange(1), all, all), a, b, n);",
       "- its work-items begin at an offset"},
      {"f(cl::EnqueueArgs(all), a, b, n);", "- its queue has no name"},
      {"f(on, a, b, n);", "- its range can't be followed"},
      {"f(cl::EnqueueArgs(q, all), a, b, t++);",
       "- argument 'n' does more than to name a value"},
      {"f(cl::EnqueueArgs(q, all), a, b, unseen());",
       "- argument 'n' does more than to name a value"},
      {"wrong(cl::EnqueueArgs(q, all), a, b, 1);",
       "- argument 'n' is of another type than the kernel's parameter"},
      {"cl::KernelFunctor<cl::Buffer, cl::Buffer> g(p, \"f\"); "
       "g(cl::EnqueueArgs(q, all), a, b);",
       "- argument 'n' isn't given"},
      {"cl::KernelFunctor<cl::Buffer, cl::Buffer, int> g(p, "
       "std::string(\"fg\", 1)); g(cl::EnqueueArgs(q, all), a, b, n);",
       "- which kernel it is isn't known"},
      {"cl::KernelFunctor<cl::Buffer> g(p, \"g\"); "
       "g(cl::EnqueueArgs(q, all), a);",
       "- which kernel it is isn't known"},
  });
}

TEST(OpenClClasses, KernelsHaveTheArgumentsThatWereSetLast) {
  const std::string set = "k.setArg(0, a); k.setArg(1, b); k.setArg(2, n); ";
  const std::string run = "q.enqueueNDRangeKernel(k, cl::NullRange, all);";
  Cases together = {
      {run, "f(a, b, 16)"},
      {"k.setArg(0, c); " + run, "f(c, b, 16)"},
      {"k.setArg(2, 8); " + run, "f(a, b, 8)"},
      {"n = 8; " + run, "- argument 'n' was set before its variable changed"},
      {"b = c; " + run, "- argument 'to' was set before its variable changed"},
      {"cl::Kernel l = k; l.setArg(1, c); " + run, "f(a, c, 16)"},
      {"set(k, c); " + run, "- which kernel it is isn't known"},
      {"if (argc > 1) k.setArg(0, c); " + run,
       "- argument 'from' isn't known to be the value of a variable"},
      {"for (t = 0; t < 3; ++t) { " + run + " k.setArg(0, c); }",
       "- argument 'from' isn't known to be the value of a variable"},
      {"k.setArg(0, 64, nullptr); " + run,
       "- argument 'from' is of another type than the kernel's parameter"},
      {"k.setArg(2, 1.5f); " + run,
       "- argument 'n' is of another type than the kernel's parameter"},
      {"unseen(); " + run,
       "- argument 'from' isn't known to be the value of a variable"},
      {"int e; e = q.enqueueNDRangeKernel(k, cl::NullRange, all);",
       "f(a, b, 16)"},
      {"if (q.enqueueNDRangeKernel(k, cl::NullRange, all)) return 1;",
       "f(a, b, 16)"},
      {"q.enqueueNDRangeKernel(k, cl::NullRange, all, cl::NDRange(5));",
       "- its local sizes don't divide the global ones"},
      {"q.enqueueNDRangeKernel(k, cl::NDRange(1), all);",
       "- its work-items begin at an offset"},
      {"const cl::NDRange NullRange(8); q.enqueueNDRangeKernel(k, NullRange, "
       "all);",
       "- its work-items begin at an offset"},
      {"q.enqueueNDRangeKernel(k, {}, all, {});", "f(a, b, 16)"},
      {"cl::NDRange none; q.enqueueNDRangeKernel(k, cl::NullRange, all, none);",
       "f(a, b, 16)"},
      {"q.enqueueNDRangeKernel(k, cl::NullRange, all, cl::NDRange(4, 4));",
       "- its local sizes can't be followed"},
      {"k.setArg<short>(2, n); " + run,
       "- argument 'n' isn't known to be the value of a variable"},
      {"{ enum { v = 12 }; k.setArg(2, (int)v); } " + run,
       "- argument 'n' was set from a variable that has no name here"},
      {"k.setArg(2, __LINE__); " + run,
       "- argument 'n' was set from a variable that has no name here"},
      {"q.enqueueNDRangeKernel(k, cl::NullRange, all, cl::NullRange, nullptr, "
       "&event);",
       "- an event tells of it"},
      {"q.enqueueNDRangeKernel(k, cl::NullRange, plane);", "f(a, b, 16)"},
  };
  for (auto &[code, expected] : together)
    code = set + code;
  expectTogether(together);
  // These say something of the whole program.
  const Cases alone = {
      {"cl::CommandQueue o(x, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); " + run,
       "- a command queue may run commands in another order"},
      {"cl::Program r(x, text, true); " + run,
       "- the host makes more than one program"},
      {"p.build(\"-DX\"); " + run, "f(a, b, 16)"},
      {"std::puts(text); " + run,
       "- the host does more with the text of the kernels than to make the "
       "program"},
  };
  for (const auto &[code, expected] : alone)
    EXPECT_EQ(launchesOf(set + code), expected) << code;
}

/// Checks whether b's storage may be known by another name.
TEST(OpenClClasses, HandlesThatOthersKnow) {
  const std::vector<std::pair<std::string, bool>> cases = {
      {"", false},
      {"cl::Buffer d = b;", false},
      {"c = b;", false},
      {"q.enqueueReadBuffer(b, CL_TRUE, 0, 64, h.data());", false},
      {"cl::copy(q, b, h.begin(), h.end());", false},
      {"cl::copy(q, h.begin(), h.end(), b);", false},
      {"k.setArg(0, b);", false},
      {"std::vector<cl::Buffer> many{b};", true},
      {"std::vector<cl::Buffer> many; many.push_back(b);", true},
      {"Pair both{a, b};", true},
      {"Pair both; both.one = b;", true},
      {"auto *d = new cl::Buffer(b);", true},
      {"auto *d = new Pair{a, b};", true},
      {"cl::Buffer *d = &b;", true},
      {"cl::Buffer few[2] = {a, b};", true},
      {"auto show = [b] { keep(b); };", true},
      {"keep(b);", true},
      {"shared = b;", true},
      {"static cl::Buffer d = b;", true},
      {"cl_mem d = b();", true},
      {"cl_mem d = b.get();", true},
      {"std::swap(b, c);", true},
      {"auto d = std::move(b);", true},
      {"for (t = 0; t < 2; ++t) { auto d = c; c = b; b = d; }", true},
      {"cl::Buffer d = argc > 1 ? b : c;", true},
      {"const cl::Buffer &d = argc > 1 ? b : c;", true},
      {"cl::Buffer d, e; d = e = b;", true},
      {"cl::Buffer d = ((void)0, b);", true},
      {"cl::Buffer d; d.operator=(b);", true},
      {"cl::Buffer d; argc > 1 && (d = b, true);", true},
      {"cl::Buffer d[2] = {argc > 1 ? b : c, a};", true},
      {"cl::Memory m = b;", true},
      {"cl::Buffer d; for (; t < 2; ++t) if (t) { d = b; break; }", true},
      {"cl::Buffer d; switch (t) { case 1: d = b; break; default: d = c; }",
       true},
      {"cl::Buffer d; try { d = b; if (t) throw 1; d = c; } catch (int) { d; }",
       true},
  };
  std::vector<std::string> blocks;
  for (const auto &[code, expected] : cases)
    blocks.push_back("f(cl::EnqueueArgs(q, all), a, b, n);" + code);
  const Program program = programIn(textOf(blocks), ".cpp");
  ASSERT_EQ(program.launches.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(program[program.launches[i].pointers[1].array].escapes,
              cases[i].second)
        << cases[i].first;
}

TEST(OpenClClasses, KernelsAreInStringsAndFiles) {
  const std::string path = ::testing::TempDir() + "kfuse-kernels.cl";
  std::ofstream(path) << Kernels;
  const std::string known = "f(a, b, 16)";
  const std::string unknown =
      "- the text of the kernels is no string of the file that stays what it "
      "is";
  const std::string head = "#include <fstream>\n#include <sstream>\n"
                           "static std::string load(std::string path) { ";
  const std::string open = "std::ifstream in(path.c_str()); ";
  const std::string all = "std::string(std::istreambuf_iterator<char>(in), "
                          "std::istreambuf_iterator<char>())";
  const std::string file = "load(\"" + path + "\")";
  struct Case {
    std::string functions, source, expected;
  };
  const std::vector<Case> cases = {
      {"", "text", known},
      {"", "std::string(text)", known},
      {"static const std::string whole = text;", "whole", known},
      {"static const std::string whole = text;", "whole.c_str()", known},
      {"static std::string whole = text; void more() { whole += \"x\"; }",
       "whole",
       "- the host does more with the text of the kernels than to make the "
       "program"},
      {"static std::string whole;", "whole", unknown},
      {"", "std::string(text, 2)", unknown},
      {"struct Text { Text(const char *); operator std::string(); };",
       "Text(text)", unknown},
      {"struct Text { const char *c_str(); } whole;", "whole.c_str()", unknown},
      {"static auto *own = &clBuildProgram;", "text",
       "- the host may build the program through a pointer"},
      {head + open + "return " + all + "; }", file, known},
      {head + "std::ifstream in(path); return " + all + "; }", file, known},
      {head + open + "if (!in.is_open()) { std::exit(1); } return " + all +
           "; }",
       file, known},
      {head + open + "if (!in) throw 1; std::string whole = " + all +
           "; return whole; }",
       file, known},
      {head + open + "std::stringstream s; s << in.rdbuf(); return s.str(); }",
       file, known},
      {head + open + "return " + all + "; }", "load(\"none.cl\")",
       "- the kernels' file '" + ::testing::TempDir() +
           "none.cl' can't be read"},
      {head + open + "return " + all + "; }", "load(argv[0])", unknown},
      {head + open + "if (path == \"\") return \"\"; return " + all + "; }",
       file, unknown},
      {head + open + "in.get(); return " + all + "; }", file, unknown},
      {head + open + "std::string first; in >> first; return " + all + "; }",
       file, unknown},
      {head + open + "std::string one = " + all + "; std::string two = " + all +
           "; return two; }",
       file, unknown},
      {head + "path += \"x\"; " + open + "return " + all + "; }", file,
       unknown},
      {head + open + "return " + all + " + \"x\"; }", file, unknown},
      {head + "static std::ifstream in(path); return " + all + "; }", file,
       unknown},
      {head + "std::ifstream in(path, std::ios::binary); return " + all + "; }",
       file, known},
      {head + "std::ifstream in(path, std::ios::ate); return " + all + "; }",
       file, unknown},
  };
  for (const Case &each : cases)
    EXPECT_EQ(launchesOf("f(cl::EnqueueArgs(q, all), a, b, n);", each.functions,
                         each.source),
              each.expected)
        << each.functions << each.source;
}

} // namespace
} // namespace kfuse
