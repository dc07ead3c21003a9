//===- LoopTest.cpp - Grid-stride loops around the stages -----------------===//
#include "ProgramBuilder.h"

#include <gtest/gtest.h>

using namespace kfuse;
using kfuse::testing::ProgramBuilder;

namespace {

std::string kernel(const std::string &name, const std::string &parameters,
                   const std::string &body) {
  return "__global__ void " + name + "(" + parameters + ") {\n" + body +
         "}\n\n";
}

std::string loop(const std::string &bound, const std::string &body) {
  return "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < " + bound +
         ";\n       i += blockDim.x * gridDim.x) " + body + "\n";
}

std::string host(const std::string &m) {
  return "\nvoid run(float *a, float *b, float *c, int n, int m) {\n"
         "  first<<<64, 256>>>(a, b, n);\n  second<<<64, 256>>>(b, c, " +
         m + ");\n}\n";
}

constexpr const char *First = "const float *A, float *B, int n";
constexpr const char *Second = "const float *B, float *C, int m";

GenerateResult fuse(const std::string &first, const std::string &second,
                    const std::string &m = "n") {
  ProgramBuilder builder(kernel("first", First, first) +
                         kernel("second", Second, second) + host(m));
  builder.group({0, 1});
  builder.place("b", PlacementKind::RegisterOnly, {0}, {1});
  return builder.generate();
}

bool contains(const GenerateResult &result, const std::string &part) {
  return result.text.find(part) != std::string::npos;
}

std::string reason(const GenerateResult &result) {
  return result.refused.empty() ? result.text : result.refused[0].second;
}

TEST(Loop, standsAroundTheStages) {
  const GenerateResult result =
      fuse(loop("n", "{\n    B[i] = A[i] * 3; // three\n  }"),
           loop("m", "C[i] = B[i] + 1;"));
  EXPECT_TRUE(contains(result,
                       R"(static __device__ __forceinline__ void first_stage(
    const float *A, float &B_value, int n, int i) {
  B_value = A[i] * 3; // three
}
)")) << reason(result);
  EXPECT_TRUE(contains(result, R"( {
  C[i] = B_value + 1;
}
)")) << reason(result);
  EXPECT_TRUE(contains(result, R"( {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    float B_value = {};
    first_stage(A, B_value, n, i);
    B_value = kfuseIsolate(B_value, kfuseZero.at[0]);
    second_stage(B_value, C, n, i);
  }
}
)")) << reason(result);
}

TEST(Loop, runsToTheLargestBound) {
  const GenerateResult result =
      fuse(loop("n", "B[i] = A[i];"), loop("m", "C[i] = B[i];"), "m");
  EXPECT_TRUE(contains(result, "; i < n || i < m;\n")) << reason(result);
  EXPECT_TRUE(contains(result, R"(    if (i < m) {
      second_stage(B_value, C, m, i);
    }
)")) << reason(result);
}

TEST(Loop, keepsThePrologue) {
  const GenerateResult result =
      fuse("  const float k = 3; // k\n" + loop("n", "B[i] = A[i] * k;"),
           loop("m", "{ C[i] = B[i]; }"));
  EXPECT_TRUE(contains(result, R"({
  const float k = 3; // k
  B_value = A[i] * k;
}
)")) << reason(result);
}

TEST(Loop, continuesByReturning) {
  const GenerateResult result =
      fuse(loop("n", "{\n    if (A[i] < 0) continue;\n"
                     "    for (int k = 0; k < 3; ++k) { if (k) continue; }\n"
                     "    B[i] = A[i];\n  }"),
           loop("m", "{ C[i] = B[i]; }"));
  EXPECT_TRUE(contains(result, "if (A[i] < 0) return;")) << reason(result);
  EXPECT_TRUE(contains(result, "if (k) continue;")) << reason(result);
}

TEST(Loop, isNotSplitWhenItIsLeftOrCarriesAValue) {
  const std::string second = loop("m", "C[i] = B[i];");
  const auto refusal = [&](const std::string &prologue,
                           const std::string &body) {
    return reason(fuse(prologue + loop("n", body), second));
  };
  EXPECT_EQ(refusal("", "{ if (A[i] < 0) return; B[i] = 1; }"),
            "'first': its grid-stride loop is left by a return");
  EXPECT_EQ(refusal("", "{ if (A[i] < 0) break; B[i] = 1; }"),
            "'first': it isn't clear which loop a break leaves");
  EXPECT_EQ(refusal("", "{ while (n) if (A[i] < 0) continue; B[i] = 1; }"),
            "'first': it isn't clear which loop a continue leaves");
  EXPECT_EQ(refusal("  int i = 5;\n", "{ B[i] = A[i]; }"),
            "'i', the variable of the loop of 'first', is declared before it");
  const std::string carries = "the grid-stride loop of 'first' may carry a "
                              "value from one iteration to the next";
  EXPECT_EQ(refusal("  float s = 0;\n", "{ s += A[i]; B[i] = s; }"), carries);
  EXPECT_EQ(refusal("  float s = 0;\n", "{ B[i] = ++s; }"), carries);
  EXPECT_EQ(refusal("  float s[2];\n", "{ s[0] = A[i]; B[i] = s[1]; }"),
            carries);
  EXPECT_EQ(refusal("  float s = 0;\n", "{ next(s); B[i] = s; }"), carries);
  EXPECT_EQ(refusal("", "{ B[i] = n--; }"), carries);
}

TEST(Loop, passesNoValueToAnotherShape) {
  EXPECT_EQ(reason(fuse(loop("n", "B[i] = A[i];"),
                        "  int i = threadIdx.x;\n  C[i] = B[i];\n")),
            "a value passes between grid-stride loops that differ");
}

} // namespace
