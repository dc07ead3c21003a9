//===- HostTest.cpp - The host side of fused programs ---------------------===//
#include "GenerateTesting.h"

using namespace kfuse;
using namespace kfuse::testing;

namespace {

TEST(Generate, testsConditions) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      kernel("second", "const float *B, float *C", "C[i] = B[i] + 1;") +
      host("  first<<<g, 256>>>(a, b, n);\n"
           "  second<<<h, dim3(256)>>>(b, c, m + 1);\n",
           "float *a, float *b, float *c, int n, int m, int g, int h"));
  FusedKernel &kernel = builder.group({0, 1});
  const auto symbol = [](SymbolKind kind, std::uint32_t index) {
    return Polynomial(Symbol{kind, index});
  };
  const LaunchId first{0}, second{1};
  Condition grid{ConditionKind::EqualGrid, first, second, 0, 0, {}, {}, {}, {}};
  Condition block = grid;
  block.kind = ConditionKind::EqualBlock;
  Condition scalar = grid;
  scalar.kind = ConditionKind::EqualScalar;
  Condition apart = grid;
  apart.kind = ConditionKind::NoOverlap;
  apart.secondIndex = 1;
  Span span;
  span.high = {*subtract(*multiply(symbol(SymbolKind::GridDim, 0),
                                   symbol(SymbolKind::BlockDim, 0)),
                         Polynomial(1)),
               *subtract(symbol(SymbolKind::Parameter, 0), Polynomial(1))};
  span.elementBytes = 4;
  apart.firstSpans = apart.secondSpans = {span};
  Condition positive = grid;
  positive.kind = ConditionKind::AtLeast;
  positive.polynomial = symbol(SymbolKind::GridDim, 0);
  positive.other = symbol(SymbolKind::Parameter, 0);
  kernel.conditions = {grid, block, scalar, apart, apart, positive};
  builder.place("b", Register, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, R"(  if (g == h &&
      kfuseSame(256, dim3(256)) &&
      (int)n == (int)(m + 1) &&
      (long long)(unsigned)g >= (long long)(int)n &&
      kfuseDisjoint(a, 0, 4 * (long long)(int)n, c, 0, 4 * (long long)(int)n)) {
    kfuse_first_second<<<h, dim3(256)>>>(a, b, m + 1, c, KfuseZeros<2>{});
  } else {
    first<<<g, 256>>>(a, b, n);
    second<<<h, dim3(256)>>>(b, c, m + 1);
  }
)"));
  EXPECT_TRUE(has(result, "static inline bool kfuseSame(dim3 a, dim3 b) {"));
  EXPECT_TRUE(has(result, "static inline bool\nkfuseDisjoint(const void *a, "));
}

TEST(Generate, evaluatesArgumentsWhereTheyWere) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      kernel("second", "const float *B, float *C", "C[i] = B[i] + 1;") +
      host("  first<<<n, 256>>>(a, b, m);\n  m = 7;\n"
           "  second<<<n, 256>>>(b, c, m);\n",
           "float *a, float *b, float *c, int n, int m"));
  builder.program.launches[1].scalars = {Polynomial(7)};
  builder.group({0, 1});
  builder.place("b", RegisterOnly, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, R"(  const int kfuse_n = m;
  m = 7;
  kfuse_first_second<<<n, 256>>>(a, kfuse_n, c, m, KfuseZeros<2>{});
)"));
  EXPECT_TRUE(has(result, "A, int n,"));
  EXPECT_TRUE(has(result, "int m"));
}

TEST(Generate, copiesWhatIsNotConverted) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      kernel("second", "const float *B, float *C", "C[i] = B[i] + 1;") +
      host("  first<<<n, 256>>>(a, b, m);\n  m = 7;\n"
           "  second<<<n, 256>>>(b, c, m);\n",
           "float *a, float *b, float *c, int n, int m"));
  builder.program.launches[0].arguments[2].hasParameterType = true;
  builder.program.launches[1].scalars = {Polynomial(7)};
  builder.group({0, 1});
  builder.place("b", RegisterOnly, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "  const auto kfuse_n = m;\n"));
}

TEST(Generate, evaluatesEffectsOnce) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      kernel("second", "const float *B, float *C", "C[i] = B[i] + 1;") +
      host("  first<<<n, 256>>>(a, buffer(), k++);\n"
           "  second<<<n, 256>>>(buffer(), c, n);\n",
           "float *a, float *c, int n, int k"));
  builder.group({0, 1});
  builder.place("buffer()", RegisterOnly, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, R"(  const int kfuse_n = k++;
  static_cast<void>(buffer());
  static_cast<void>(buffer());
  kfuse_first_second<<<n, 256>>>(a, kfuse_n, c, n, KfuseZeros<2>{});
)"));
}

TEST(Generate, keepsTemporariesInTheElse) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      kernel("second", "const float *B, float *C", "C[i] = B[i] + 1;") +
      host("\tfirst<<<g, 256>>>(a, b, n);\n\tg = n;\n"
           "\tsecond<<<g, 256>>>(b,\n\t\tc, n);\n",
           "float *a, float *b, float *c, int n, int g"));
  const LaunchId first{0}, second{1};
  builder.group({0, 1}).conditions = {
      {ConditionKind::EqualGrid, first, second, 0, 0, {}, {}, {}, {}}};
  builder.place("b", Register, {0}, {1});
  EXPECT_TRUE(has(builder.generate(), "\tconst auto kfuse_grid = g;\n"
                                      "\tg = n;\n"
                                      "\tif (kfuse_grid == g) {\n"
                                      "\t\tkfuse_first_second<<<g, 256>>>(a, "
                                      "b, n, c, KfuseZeros<2>{});\n"
                                      "\t} else {\n"
                                      "\t\tfirst<<<kfuse_grid, 256>>>(a, b, "
                                      "n);\n"
                                      "\t\tsecond<<<g, 256>>>(b,\n"
                                      "\t\t\tc, n);\n"
                                      "\t}\n"));
}

TEST(Generate, movesALaunchThatWaits) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      kernel("second", "const float *B, float *C", "C[i] = B[i] + 1;") +
      kernel("other", "const float *B, float *D", "D[n - i] = B[i];") +
      host("  first<<<n, 256>>>(a, b, n);\n  other<<<n, 256>>>(b, d, m);\n"
           "  m = 7;\n  second<<<n, 256>>>(b, c, n);\n",
           "float *a, float *b, float *c, float *d, int n, int m"));
  builder.group({0, 2});
  builder.place("b", Register, {0}, {1});
  EXPECT_TRUE(has(builder.generate(), R"({
  const int kfuse_n = m;
  m = 7;
  kfuse_first_second<<<n, 256>>>(a, b, n, c, KfuseZeros<2>{});
  other<<<n, 256>>>(b, d, kfuse_n);
}
)"));
}

TEST(Generate, leavesOtherTextOnTheLine) {
  ProgramBuilder builder(
      pairOf("  int x = 1; first<<<n, 256>>>(a, b, n); // one\n"
             "  second<<<n, 256>>>(b, c, n); /* two */ x = 2;\n"));
  builder.group({0, 1});
  builder.place("b", RegisterOnly, {0}, {1});
  EXPECT_TRUE(has(builder.generate(), R"({
  int x = 1;  // one
  kfuse_first_second<<<n, 256>>>(a, n, c, KfuseZeros<2>{}); /* two */ x = 2;
}
)"));
}

TEST(Generate, tellsTheCompilerOfLargeBlocks) {
  const auto bounds = [](const std::string &threads, std::uint32_t registers) {
    ProgramBuilder builder(pairOf("  first<<<n, " + threads +
                                  ">>>(a, b, n);\n  second<<<n, " + threads +
                                  ">>>(b, c, n);\n"));
    for (Kernel &kernel : builder.program.kernels)
      kernel.registers = registers;
    builder.group({0, 1});
    builder.place("b", RegisterOnly, {0}, {1});
    const std::string text = builder.generate().text;
    const std::size_t place = text.find("__launch_bounds__(");
    return place == std::string::npos
               ? std::string()
               : text.substr(place + 18, text.find(')', place) - place - 18);
  };
  EXPECT_EQ(bounds("256", 200), "");
  EXPECT_EQ(bounds("512", 60), "");
  EXPECT_EQ(bounds("512", 80), "512");
  EXPECT_EQ(bounds("1024", 20), "");
  EXPECT_EQ(bounds("n", 20), "");
  EXPECT_EQ(bounds("n", 40), "1024");
}

TEST(Generate, passesSharedBytesAndStream) {
  ProgramBuilder builder(pairOf("  first<<<n, 256, 64, s>>>(a, b, n);\n"
                                "  second<<<n, 256, 0, s>>>(b, c, n);\n"));
  builder.program.kernels[0].usesDynamicShared = true;
  builder.program.kernels[0].maxThreads = 512;
  builder.program.kernels[1].maxThreads = 256;
  builder.group({0, 1});
  builder.place("b", RegisterOnly, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "<<<n, 256, 64, s>>>(a, n, c, KfuseZeros<2>{});"));
  EXPECT_TRUE(has(result, "static __global__ void __launch_bounds__(256) "));
}
} // namespace
