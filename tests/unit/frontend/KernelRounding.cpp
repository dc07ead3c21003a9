//===- tests/unit/frontend/KernelRounding.cpp - Ambiguous contractions ----===//

#include "KernelTesting.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

constexpr const char *Head =
    "__device__ float K;\n"
    "struct V { float x, y; };\n"
    "__device__ float add(float p, float q) { return p + q; }\n"
    "__device__ float second(const float *p) { return p[0] + p[1]; }\n"
    "__device__ void scaled(float &r, float v) { r = v * 3; }\n"
    "__device__ V operator*(V v, float s) { return {v.x * s, v.y * s}; }\n"
    "__device__ V operator+(V v, V w) { return {v.x + w.x, v.y + w.y}; }\n"
    "struct S { float k, l; __device__ float sum() const { return k + l; } };\n"
    "struct Made { float m; __device__ Made(float p, float q)\n"
    "    : m(p * 3 + q * 5) {} };\n"
    "struct Ends { float *to; float p, q = p * 3 + p * 5;\n"
    "  __device__ ~Ends() { *to = p * 3 + q * 5; } };\n"
    "struct Holds { Ends ends; __device__ ~Holds() {} };\n"
    "struct Plain { float p, q; __device__ Plain(float v) : p(v), q(0) {} };\n"
    "__device__ float defaults(float v, float w = K * 3 + K * 5);\n"
    "__device__ float twice(float v) { return v * 2; }\n"
    "__device__ float quotient(float p, float q) { return p / q + p * 3; }\n"
    "__global__ void kernel(const float *A, const float *B, V *W, float *C,\n"
    "                       float a, float b, int i) {\n";

bool isAmbiguous(const std::string &body) {
  return analyseOne(Head + body + "\n}\n").kernel.ambiguousSums;
}

TEST(Rounding, SumsOfOneProductAreClear) {
  for (const char *body : {
           "C[i] = A[i] * a + B[i];",
           "C[i] = A[i] + B[i];",
           "float t = A[i] * a; C[i] = t + B[i];",
           "C[i] = add(A[i], B[i] * b);",
           "C[i] = A[i] / b + B[i] * a;",
           "C[i] = A[i] / 2 + B[i];",
           // No compiler multiplies by what isn't the inverse.
           "C[i] = A[i] / 3 + B[i] * b;",
           "float d = b + 1; C[i] = A[i] / d + B[i] * b;",
           "C[i] = quotient(A[i], b) + B[i];",
           "Plain p(A[i]); C[i] = p.q;",
           "C[i] = sqrtf(A[i]) + B[i] * a;",
           "C[i] = fmaf(A[i], a, B[i] * b);",
           "C[i] = __fmul_rn(A[i], a) + B[i] * b;",
           "V v = {A[i], B[i]}; C[i] = v.x + v.y * a;",
           "V v = W[i]; C[i] = v.x + v.y * a;",
           "float t[2] = {A[i], B[i]}; C[i] = t[0] + t[1];",
           "V v = W[i] + W[i + 1]; W[i] = v;",
           "C[i] += A[i] * a;",
           "C[i] = (a * b, A[i]) + B[i] * b;",
           "C[i] = ({ float t = A[i]; t > a ? t : a; }) + B[i] * b;",
           // Twice the same: a product that isn't rounded, one of no sum.
           "C[i] = B[i] - 2 * A[i]; W[i].x = B[i + 1] - 2 * A[i];",
           "C[i] = A[i] * 4.0f + a; W[i].x = A[i] * 4.0f;",
           "C[i] = sqrtf(a * b) + A[i]; W[i].x = a * b;",
           "C[i] = 2 * A[i]; C[i] += b;",
           // What was there before the product was stored.
           "W[i].x = C[i] + b; C[i] = A[i] * a;",
           "__shared__ float s[9]; s[i] = A[i]; s[8] = s[i];\n"
           "C[i] = s[i] - 2 * s[8] + b;",
       })
    EXPECT_FALSE(isAmbiguous(body)) << body;
}

TEST(Rounding, SumsOfSeveralProductsAreNot) {
  for (const char *body : {
           "C[i] = A[i] * a + B[i] * b;",
           "C[i] = A[i] / 2 + B[i] * b;",
           "const float half = 0.5f; C[i] = A[i] / half + B[i] * b;",
           "float d = 2; C[i] = A[i] / d + B[i] * b;",
           "C[i] = quotient(A[i], 4);",
           "Made m(A[i], B[i]); C[i] = m.m;",
           "Ends e = {C + i, a, b};",
           "Ends e = {C + i, a}; e.to = nullptr;",
           "Holds h = {{C + i, a, b}};",
           "C[i] = defaults(A[i]);",
           "float p = A[i] * a; C[i] = p; W[i].x = (p += b);",
           "float t = A[i]; t /= 4; C[i] = t + B[i] * b;",
           "float t = A[i] * a; C[i] = t + B[i] * b;",
           "float t = A[i] * a; C[i] = t + B[i]; W[i].x = t;",
           "C[i] = add(A[i] * a, B[i] * b);",
           "float t[2] = {A[i] * a, B[i] * b}; C[i] = t[0] + t[1];",
           "float t[2]; t[0] = A[i] * a; t[1] = B[i]; C[i] = t[0] + t[1];",
           "float t[2] = {A[i] * a, B[i]}; C[i] = second(t);",
           "V v; v.x = A[i] * a; C[i] = v.x + B[i] * b;",
           "W[i] = W[i] * a + W[i + 1] * b;",
           "float t; scaled(t, A[i]); C[i] = t + B[i] * b;",
           "float t = A[i] * a; float *p = &t; C[i] = *p + B[i] * b;",
           "float t = A[i] * a; float &r = t; C[i] = r + B[i] * b;",
           "C[i] = expf(A[i]) + B[i] * b;",
           "C[i] = __int_as_float(__float_as_int(A[i] * a)) + B[i] * b;",
           "S s = {A[i] * a, B[i] * b}; C[i] = s.sum();",
           "float t; C[i] = (t = A[i] * a) + B[i] * b;",
           "C[i] = (i++, A[i] * a) + B[i] * b;",
           "C[i] = (A[i] * a ?: b) + B[i] * b;",
           "C[i] = ({ float t = A[i] * a; t; }) + B[i] * b;",
           "C[i] = 2 * A[i] + B[i] * b;",
           // The same product twice, however it is written.
           "C[i] = A[i] * a + 1; W[i].x = A[i] * a;",
           "C[i] = A[i] * a + 1; W[i].x = a * A[i];",
           "C[i] = (A[i] + b) * a + 1; W[i].x = a * (b + A[i]);",
           "float s = A[i], t = A[i]; C[i] = s * a + 1; W[i].x = t * a;",
           "C[i] = 0.5f * A[i] + b; W[i].x = 0.5f * A[i];",
           "C[i] = twice(A[i]) + 1; W[i].x = twice(A[i]);",
           // From where it was stored.
           "C[i] = 2 * A[i]; C[i] += B[i] * b;",
           "C[i] = A[i] * a; W[i].x = C[i] + b;",
           "for (int k = 0; k < 9; ++k) { W[k].x = C[k] + b; C[k + 1] = A[k] * "
           "a; }",
       })
    EXPECT_TRUE(isAmbiguous(body)) << body;
}

TEST(Rounding, ReinterpretedIntegersCountAsConverted) {
  EXPECT_TRUE(analyseOne("__global__ void k(float *A, int bits) {\n"
                         "  A[0] = __int_as_float(bits) * 2; }")
                  .kernel.integersToFloating);
  EXPECT_FALSE(analyseOne("__global__ void k(float *A, float b) {\n"
                          "  A[0] = b * 2; }")
                   .kernel.integersToFloating);
}

bool mayShare(const std::string &body) {
  return analyseOne(Head + body + "\n}\n").kernel.sharedProducts;
}

TEST(Rounding, ProductsOfSumsMayBeThoseOfOtherStatements) {
  for (const char *body : {
           "C[i] = A[i] * a + 1; W[i].x = A[i + 1] * a;",
           "C[i] = A[i] * a + 1; W[i].x = a * A[i];",
           "float s = A[i], t = A[i]; C[i] = s * a + 1; W[i].x = t * a;",
           "float t = A[i] * a; C[i] = add(t, 1); W[i].x = t;",
           "C[i] = scale(A[i]) + 1; W[i].x = scale(A[i]);",
           "float t = A[i] * a; C[i] = t - 1; W[i].x = expf(t);",
       })
    EXPECT_TRUE(mayShare("#define scale(v) twice(v)\n" + std::string(body)))
        << body;
  for (const char *body : {
           "C[i] = A[i] * a; W[i].x = A[i] * b;",
           "C[i] = A[i] * a + 1; W[i].x = A[i] + b;",
           "C[i] = (A[i] + 1) * a; W[i].x = (A[i] - 1) * b;",
           "C[i] = A[i] + 1; W[i].x = A[i] - B[i];",
           "C[i] = A[i] * a + 1; W[i].x = sqrtf(B[i]);",
       })
    EXPECT_FALSE(mayShare(body)) << body;
}

TEST(Rounding, ProductsThatAreSharedAreSoInCalledFunctions) {
  EXPECT_TRUE(isAmbiguous("float t = A[i] * a; C[i] = add(t, 1); W[i].x = t;"));
  EXPECT_FALSE(isAmbiguous("float t = A[i] * a; C[i] = add(t, 1);"));
}

} // namespace
} // namespace kfuse
