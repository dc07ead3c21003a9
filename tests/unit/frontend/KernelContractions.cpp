//===- KernelContractions.cpp - Moved and shared sums ---------------------===//

#include "KernelRounding.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

// Checks that products that compilers may move out of the sum's block are
// ambiguous. Compilers don't contract a moved product, but whether they move it
// depends on the surrounding code.
TEST(Rounding, ProductsThatMayMoveAreNotClear) {
  expectEach(
      {
          // The product moves to the branch in which its factor isn't a
          // constant.
          "float s = 0; for (int k = 0; k < i; ++k) s += A[k];\n"
          "C[i] = 0.1f * s + B[i];",
          "float s = 1; if (A[i] > a) s = A[i]; C[i] = 0.1f * s + B[i];",
          "float s = A[i] > a ? 0 : A[i]; C[i] = B[i] - s * 0.1f;",
          "float s; s = A[i]; if (i < 3) s = 2; float t = s * 0.1f;\n"
          "C[i] = t + B[i];",
          "int n = 0; for (int k = 0; k < i; ++k) if (A[k] > a) ++n;\n"
          "C[i] = 0.1f * n + B[i];",
          "C[i] = 0.1f * positive(A[i]) + B[i];",
          "C[i] = scaledSum(A[i] > a ? 0 : A[i], B[i]);",
          "float s = A[i]; two(&s, i); C[i] = 0.1f * s + B[i];",
          "float s = A[i]; twoBy(s, i); C[i] = 0.1f * s + B[i];",
          "float s[2] = {A[i], b}; two(s, i); C[i] = 0.1f * s[0] + B[i];",
          "float s; two(&s, i); setTwo(&s); C[i] = 0.1f * s + B[i];",
          // The product has different values on the two paths.
          "float p; if (i < 3) p = A[i] * a; else p = A[i] * b;\n"
          "C[i] = p + B[i];",
          "float p = 0; if (i < 3) p = A[i] * a; C[i] = p + B[i];",
          // The product moves out of a loop.
          "for (int k = 0; k < 9; ++k) C[k] = a * b + A[k];",
          "for (int k = 0; k < 9; ++k) C[k] = a * A[i] + B[k];",
          "float t; for (int k = 0; k < 9; ++k) { t = A[i]; C[k] = a * t + 1; "
          "}",
          "float p = a * A[i]; for (int k = 0; k < 9; ++k) C[k] = p + B[k];",
          "int k = 0; while (k < 9) { C[k] = a * A[i] + B[k]; ++k; }",
          "int k = 0; do C[k] = a * A[i] + B[k]; while (++k < 9);",
          "for (int j = 0; j < 9; ++j) for (int k = 0; k < 9; ++k)\n"
          "  C[k] = a * A[j] + B[k];",
          "for (int k = 0; k < 9; ++k) C[k] = multiplyAdd(a, A[i], B[k]);",
          "for (int k = 0; k < 9; ++k) C[k] = add(a * A[i], B[k]);",
          "addAll(C, B, a * A[i]);",
          "for (int k = 0; k < 9; ++k) C[k] = B[k] + a * (i + k - k);",
          "for (int k = 0; k < 9; ++k) C[k] = expf(a) + B[k];",
          // The sums merge after a branch.
          "float t; if (i < 3) t = A[i] + a * B[i]; else t = A[i] + b;\n"
          "C[i] = t;",
          "if (i < 3) C[i] += a * B[i]; else C[i] -= b;",
          "if (i < 3) C[i] = A[i] + b; else if (i < 5) C[i] = A[i] + a * "
          "B[i];\n"
          "else C[i] = 3;",
          "C[i] = i < 3 ? A[i] + a * B[i] : A[i] + b;",
      },
      &Kernel::ambiguousSums, true);
  expectEach(
      {
          "float s = 0; for (int k = 0; k < i; ++k) s += A[k] * B[k];\n"
          "C[i] = s;",
          "float s = 0; for (int k = 0; k < i; ++k) s += A[k];\n"
          "C[i] = 0.5f * s; W[i].x = 2 * s + B[i];",
          "for (int k = 0; k < 9; ++k) C[k] = a * A[k] + b;",
          "for (int k = 0; k < 9; ++k) { float t = A[k]; C[k] = a * t + 1; }",
          "for (const float *p = A; p != B; ++p) *C = *C + *p * a;",
          "for (int j = 0; j < 9; ++j) { for (int k = 0; k < 9; ++k) C[k] = "
          "0;\n"
          "  C[j] = a * A[j] + b; }",
          "for (int k = 0; k < 9; ++k) C[k] = multiplyAdd(a, A[k], b);",
          "C[i] = multiplyAdd(a, A[i], b);",
          "float t; if (i < 3) t = A[i] + a * B[i]; else t = b; C[i] = t;",
          "if (i < 3) C[i] = A[i] + a; else C[i] = A[i] + b;",
      },
      &Kernel::ambiguousSums, false);
}

// Checks that a product is ambiguous if a branch separates it from its sum.
// Compilers contract within basic blocks, and some operations expand to
// branches.
TEST(Rounding, ProductsAreNotClearBeforeBranches) {
  expectEach(
      {
          "C[i] = sqrtf(B[i] * b + a / A[i]);",
          "C[i] = A[i] * a - B[i] / b;",
          "C[i] = A[i] * a - B[i] / 3;",
          "C[i] = A[i] * a + sqrtf(B[i]);",
          "C[i] = A[i] * a + sinf(B[i]);",
          "C[i] = A[i] * a - positive(B[i]);",
          "C[i] = A[i] * a - (i > 3 ? B[i] : b);",
          "float t = A[i] * a; W[i].x = B[i] / b; C[i] = B[i] - t;",
          "float t = A[i] * a, s = 0; for (int k = 0; k < i; ++k) s += A[k];\n"
          "C[i] = s - t;",
          "float t = A[i] * a; if (B[i] > b) C[i] = t - b;",
          "float t = A[i] * a; switch (i) { case 1: C[i] = t - b; }",
          "float t = A[i] * a; i /= (long)W[i].x; C[i] = t - b;",
          "C[i] = add(A[i] * a, B[i] / b);",
          "C[i] = delayed(A[i] * a, B[i]);",
          // The order of the operands doesn't matter, because compilers choose
          // it.
          "C[i] = B[i] / b - A[i] * a;",
          "if (i & 1) C[i] = B[i] / b - A[i] * a;",
          "W[i].x = sqrtf(B[i]); C[i] = b - A[i] * a;",
          "C[i] = b - A[i] * a; W[i].x = B[i] / b;",
          "C[i] = quotient(B[i], b); W[i].x = b - A[i] * a;",
          // A value that only one path uses may be moved there.
          "float t = B[i] / b - A[i] * a; if (i & 1) C[i] = t;",
          "float t = a - A[i] * a; if (i & 1) C[i] = t - a;",
          "storeSome(C, a - A[i] * a);",
          "float t = A[i] / b + -B[i] * a; if (i & 1) C[i] = t;",
          // The same holds for a sum that only a branch reads, and for integer
          // divisions.
          "float t = a + A[i] * a; if (i & 1) C[i] = t;",
          "float t = a + A[i] * a; switch (i) { case 1: C[i] = t; }",
          "float t = a + A[i] * a; C[i] = i & 1 ? t : B[i];",
          "float t = a + A[i] * a; C[i] = i & 1 && t > b;",
          "float t; if ((t = a + A[i] * a) > b) C[i] = t;",
          "float t = multiplyAdd(a, A[i], b); if (i & 1) C[i] = t;",
          "C[i] = A[i] * a - B[(i + 1) % (int)B[0]];",
      },
      &Kernel::ambiguousSums, true);
  expectEach(
      {
          "C[i] = B[i] / b + A[i] * a;",
          "C[i] = A[i] * a - fmaxf(B[i], fabsf(b));",
          "C[i] = A[i] * a - __fmul_rn(B[i], b);",
          "float t = B[i] / b; if (t > a) C[i] = t + A[i] * a;",
          "float t = A[i] * a; i /= 3; C[i] = t - b;",
          "C[i] = delayed(A[i], B[i]);",
          "float t = a + A[i] * a; if (i & 1) C[i] = t; W[i].x = t;",
          "float t = a + A[i] * a; if (t > b) C[i] = t;",
          "float t = a + A[i] * a; C[i] = t > b ? t : B[i];",
          "float t = a + A[i] * a; C[i] = i & 1 ? t : a; if (t > a) C[i] = t;",
          "float t = a + A[i] * a; C[i] = t > b && i > 3;",
          "float t = multiplyAdd(a, A[i], b); if (t > b) C[i] = t;",
          "float t = a - A[i] * a; C[i] = t;",
          "C[i] = a - A[i] * a; if (i & 1) W[i].x = b;",
          "C[i] = A[i] * 2 - B[i] / b;",
          "float t = A[i] * a; __syncthreads(); C[i] = B[i] - t;",
          "float t = A[i] * a; C[i] = __shfl_down_sync(~0u, B[i], 1) - t;",
      },
      &Kernel::ambiguousSums, false);
}

// Checks that sums with a negative operand are ambiguous: compilers turn them
// into differences, which they contract late.
TEST(Rounding, SumsOfNegativesAreNotClearBeforeBranches) {
  expectEach(
      {
          "C[i] = B[i] / b + A[i] * -3.0f;",
          "C[i] = B[i] / b + A[i] * (1.0f - 4.0f);",
          "C[i] = B[i] / b + -A[i] * a;",
          "C[i] = B[i] / b + A[i] * -3.0f * a;",
          "C[i] = B[i] / b + a * (A[i] * -3.0f);",
          "C[i] = B[i] / b + A[i] * a * (-1.0f / 3);",
          "C[i] = B[i] / b + -1.0f * (A[i] * a);",
          "C[i] = B[i] / b + (float)-3 * A[i];",
          "W[i].x = sqrtf(b); C[i] = A[i] * a * -3.0f + B[i];",
          "float c = -3; C[i] = B[i] / b + A[i] * c;",
          "float c = 1; c -= 3; C[i] = B[i] / b + A[i] * c;",
          "float c = 1 - i; if (i < 3) c = -2; C[i] = B[i] / b + A[i] * c;",
          "float t = A[i] * -3.0f; C[i] = B[i] / b + t;",
          "float t = A[i] * -3.0f * a, u = t; C[i] = B[i] / b + u;",
          "float t = A[i] * -3.0f; C[i] = B[i] / b + (i < 3 ? b : t);",
          "for (int k = -1; k < 1; ++k) C[i] = B[i] / b + A[i + k] * k;",
          "const float c[2] = {-3, 3}; C[i] = B[i] / b + A[i] * c[0];",
          "C[i] = multiplyAdd(A[i], -3.0f, B[i] / b);",
          "C[i] = multiplyAdd(A[i] / -3.0f, a, B[i] / b);",
          "Pair p = {-3.0f, B[i]}; C[i] = madPair(p, A[i], p.l / b);",
          "float c[2] = {-1, 1}; C[i] = B[i] / b + A[i] * a * c[i & 1];",
          "V c; c = {-1, B[i]}; C[i] = c.y / b + A[i] * a * c.x;",
          "C[i] = B[i] / b + (-0.0f - A[i]) * a;",
          "float z = -0.0f; C[i] = B[i] / b + (z - A[i]) * a;",
          "Part t = {-1, A[i]}; C[i] = B[i] / b + t.v * a * t.w;",
          "Known k = {A[i]}; C[i] = B[i] / b + k.v * k.K * a;",
          "C[i] = B[i] / b + A[i] * a * ((int)sizeof(A[i]) - 5);",
          "int m = (int)A[i]; for (int k = -1; k < 2; ++k) { int l = m + k;\n"
          "  W[k].x = B[i] / b + A[k] * a * (l - m); }",
          "int k = (int)a; minusOne(&k); C[i] = B[i] / b + A[i] * a * k;",
          "float c; minusBits(&c); C[i] = B[i] / b + A[i] * a * c;",
          "float c; minusThrough(&c); C[i] = B[i] / b + A[i] * a * c;",
          "float *p = C; p += i; *p = -3.0f; C[i] = B[i] / b + A[i] * C[i];",
          "float c = A[i]; *(int *)&c = 0xbf800000;\n"
          "C[i] = B[i] / b + A[i] * a * c;",
          "W[i].x = A[i] * -3.0f; C[i] = B[i] / b + W[i].x * a;",
          "C[i] = -3.0f; C[i] = B[i] / b + A[i] * a * C[i];",
          "float *p = C + i; *p = -3.0f; C[i] = B[i] / b + A[i] * C[i];",
          "put(C + i, -3.0f); C[i] = B[i] / b + A[i] * C[i];",
          "C[i] = -3.0f; W[i].x = C[i]; C[i] = B[i] / b + A[i] * W[i].x;",
          "__shared__ float s[9]; s[i] = A[i] * -3.0f;\n"
          "C[i] = B[i] / b + s[i] * a;",
          "C[i] = add(B[i] / b, A[i] * -3.0f);",
      },
      &Kernel::ambiguousSums, true);
  expectEach(
      {
          "C[i] = B[i] / b + A[i] * 3.0f;",
          "C[i] = B[i] / b + A[i] * (4.0f - 1.0f);",
          "C[i] = A[i] * -3.0f; W[i].x = B[i] / b + A[i] * a;",
          "C[i] = -0.01f * (B[i] / b + A[i] * a);",
          "float one = 1; C[i] = B[i] / b + A[i] * a; W[i].x = one - a;",
          "float s = 0; for (int k = 0; k < i; ++k) s += A[k];\n"
          "W[i].x = s - b; C[i] = B[i] / b + A[i] * a;",
          "W[i].x = expf(-2.0f * A[i]); C[i] = B[i] / b + A[i] * "
          "a;",
          "float c = -3; W[i].x = c; C[i] = B[i] / b + A[i] * a;",
          "C[i] = B[i] / b + A[i] * a + -3.0f;",
          "C[i] = A[i] * -3.0f; const float c = 3; W[i].x = B[i] / b + B[i] * "
          "c;",
          "C[i] = A[i] * -3.0f; W[i].x = B[i] / b + fabsf(A[i]) * i * a;",
          "C[i] = A[i] * -3.0f; W[i].x = B[i] / b + A[i] * (blockIdx.x - i);",
          "C[i] = -3.0f * A[i]; W[i].x = B[i] / b + multiplyAdd(a, A[i], b);",
          "C[i] = A[i] * -3.0f; float t = A[i] * B[i];\n"
          "W[i].x = B[i] / b + t * a;",
      },
      &Kernel::ambiguousSums, false);
}

// Checks that each value is visited only once; otherwise this would take far
// too long.
TEST(Rounding, LongChainsOfVariablesAreJudged) {
  std::string body = "float t = A[i], u = a, v = b;";
  for (int k = 0; k < 100; ++k)
    body += "if (t > A[" + std::to_string(k) +
            "]) { t = sqrtf(u + v); u = v + t; v = u > a ? t : u; }\n"
            "else { t = u; v = t + v; u = v; }\n";
  expectEach({body + "C[i] = t + u + v;"}, &Kernel::ambiguousSums, false);
}

TEST(Rounding, NumbersAreMadeOfIntegers) {
  expectEach(
      {
          "C[i] = i * 0.1f;",
          "C[i] = 0.1f * (i < 3);",
          "C[i] = __int_as_float(i) * 2;",
          "C[i] = __int2float_rn(i) * a;",
          "C[i] = ldexpf(0.7f, i);",
          "C[i] = (i & 1 ? 0.3f : 0.1f) * a;",
          "float w = 0.3f; if (i & 1) w = 0.1f; C[i] = w * a;",
          "float w = 0; for (int k = 0; k < i; ++k) w += 0.1f; C[i] = w;",
          "float w; switch (i) { case 0: w = 0.1f; break; default: w = 0.3f; "
          "}\n"
          "C[i] = w;",
          "const float w[] = {0.1f, 0.3f}; C[i] = w[i & 1];",
          "C[i] = Table[i & 1];",
          "C[i] = weight(i);",
          "union { int k; float f; } w; w.k = i; C[i] = w.f;",
          "int k = i; C[i] = *(float *)&k;",
          "int k = i; float f; memcpy(&f, &k, 4); C[i] = f;",
      },
      &Kernel::integersToFloating, true);
  expectEach(
      {
          "C[i] = A[i] * 2 + 1;",
          "C[i] = (i & 1 ? A[i] : 0.1f) * a;",
          "float w = 0; if (i & 1) w = A[i]; C[i] = w * a;",
          "float w = 0; for (int k = 0; k < i; ++k) w += A[k]; C[i] = w;",
          "float w[] = {A[i], 0.3f}; C[i] = w[1];",
          "C[i] = ldexpf(A[i], 2);",
          "C[i] = __shfl_down_sync(~0u, A[i], 1);",
          "C[i] = positive(A[i]);",
          "__shared__ float s[9]; s[i] = A[i]; C[i] = s[i];",
      },
      &Kernel::integersToFloating, false);
}

TEST(Rounding, ProductsOfSumsMayBeThoseOfOtherStatements) {
  expectEach(
      {
          "C[i] = A[i] * a + 1; W[i].x = A[i + 1] * a;",
          "C[i] = A[i] * a + 1; W[i].x = a * A[i];",
          "float s = A[i], t = A[i]; C[i] = s * a + 1; W[i].x = t * a;",
          "float t = A[i] * a; C[i] = add(t, 1); W[i].x = t;",
          "C[i] = scale(A[i]) + 1; W[i].x = scale(A[i]);",
          "float t = A[i] * a; C[i] = t - 1; W[i].x = expf(t);",
      },
      &Kernel::sharedProducts, true);
  expectEach(
      {
          "C[i] = A[i] * a; W[i].x = A[i] * b;",
          "C[i] = A[i] * a + 1; W[i].x = A[i] + b;",
          "C[i] = (A[i] + 1) * a; W[i].x = (A[i] - 1) * b;",
          "C[i] = A[i] + 1; W[i].x = A[i] - B[i];",
          "C[i] = A[i] * a + 1; W[i].x = sqrtf(B[i]);",
      },
      &Kernel::sharedProducts, false);
}

TEST(Rounding, CallsAreFollowedWithinBounds) {
  const auto ends = [](std::string functions, const std::string &value) {
    analyseOne("__device__ float f0(float v) { return v * 3; }\n" + functions +
               "__global__ void kernel(const float *A, float *C, int i) {\n"
               "  C[i] = " +
               value + " + A[i] * 5;\n}\n");
    return true;
  };
  EXPECT_TRUE(ends("__device__ float r(float v, int k) {\n"
                   "  return k ? r(v, k - 1) : v; }\n",
                   "r(A[i], i)"));
  EXPECT_TRUE(ends("__device__ float g(float);\n"
                   "__device__ float h(float v) { return g(v) * 3; }\n"
                   "__device__ float g(float v) { return h(v); }\n",
                   "g(A[i])"));
  std::string wide;
  for (int k = 1; k < 12; ++k) {
    const std::string below = "f" + std::to_string(k - 1);
    wide += "__device__ float f" + std::to_string(k) + "(float v) { return " +
            below + "(v) + " + below + "(v + 1) + " + below + "(v + 2) + " +
            below + "(v + 3); }\n";
  }
  EXPECT_TRUE(ends(wide, "f11(A[i])"));
}

TEST(Rounding, ContractionsHavePlaces) {
  const auto places = [](const std::string &body) {
    const AnalysedKernel found = analyseBodies({body}).front();
    std::string texts;
    for (const SourceRange &each : found.kernel.contractions)
      texts +=
          "|" + (each.begin == found.kernel.text.body.begin
                     ? "all"
                     : found.source.substr(each.begin, each.end - each.begin));
    return texts;
  };
  EXPECT_EQ(places("C[i] = A[i] * a + B[i];"), "| + B[i]");
  EXPECT_EQ(places("C[i] = B[i] + A[i] * a;"), "|");
  EXPECT_EQ(places("float t = A[i] * a; C[i] = B[i] + t;"),
            "|; C[i] = B[i] + t");
  EXPECT_EQ(places("C[i] = A[i] + B[i]; W[i].x = A[i] * 2 + b;"), "");
  // These are contracted late or a second time.
  EXPECT_EQ(places("C[i] = A[i] * a - B[i];"), "|all| - B[i]");
  EXPECT_EQ(places("C[i] = A[i] * a + -B[i];"), "|all| + -B[i]");
  EXPECT_EQ(places("for (int k = 0; k < i; ++k) C[k] += A[k] * A[k + 1];"),
            "|all|");
  EXPECT_EQ(places("#define ADD(p, q) (p) + (q)\n"
                   "C[i] = ADD(A[i] * a, B[i]);"),
            "|all");
}

} // namespace
} // namespace kfuse
