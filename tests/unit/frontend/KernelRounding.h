//===- KernelRounding.h - Sums in a kernel's body -------------------------===//
#ifndef KFUSE_TESTS_UNIT_FRONTEND_KERNELROUNDING_H
#define KFUSE_TESTS_UNIT_FRONTEND_KERNELROUNDING_H

#include "KernelTesting.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kfuse {

/// Declares what the bodies of kernels use. These have float arrays A, B and C,
/// an array W of structs, numbers a and b, and the index i.
inline constexpr const char *RoundingHead =
    "__device__ float K;\n"
    "struct V { float x, y; };\n"
    "__device__ float add(float p, float q) { return p + q; }\n"
    "__device__ float second(const float *p) { return p[0] + p[1]; }\n"
    "__device__ void steal(const float *p, float v) { *(float *)p = v; }\n"
    "__device__ void relay(const float *p, float v) { steal(p, v); }\n"
    "__device__ void poke(const float *p, float v) {\n"
    "  asm volatile(\"st.f32 [%0], %1;\" :: \"l\"(p), \"f\"(v)); }\n"
    "__device__ void unseen(const float *p, float v);\n"
    "__device__ const float *Kept;\n"
    "__device__ void keep(const float *p) { Kept = p; }\n"
    "struct Keeps { const float *p; };\n"
    "__device__ void keep(Keeps &k, const float *p) { k = Keeps{p}; }\n"
    "struct Steals { const float *&p; float v;\n"
    "  __device__ ~Steals() { *(float *)p = v; } };\n"
    "__device__ void keepAtEnd(const float *p, float v) { Steals s{p, v}; }\n"
    "__device__ const float *pointer(const float *p) { return p; }\n"
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
    "#define scale(v) thrice(v)\n"
    "__device__ float twice(float v) { return v * 2; }\n"
    "__device__ float thrice(float v) { return v * 3; }\n"
    "__device__ float triple(float v) { float w = v; return thrice(w); }\n"
    "__device__ float square(float v) { return v * v; }\n"
    "__device__ float sixfold(float v) { float w = v * 2; return w * 3; }\n"
    "__device__ float quotient(float p, float q) { return p / q + p * 3; }\n"
    "__device__ float positive(float v) { if (v > 0) return v; return 0; }\n"
    "__device__ float scaledSum(float v, float w) { return v * 0.3f + w; }\n"
    "__device__ float multiplyAdd(float u, float v, float w) {\n"
    "  return u * v + w; }\n"
    "__device__ void addAll(float *to, const float *of, float v) {\n"
    "  for (int k = 0; k < 9; ++k) to[k] = of[k] + v; }\n"
    "__device__ float delayed(float v, float w) {\n"
    "  float s = sqrtf(w); return s - v; }\n"
    "__device__ void storeSome(float *to, float v) {\n"
    "  if (v > 0) *to = v; }\n"
    "__device__ const float Table[] = {0.1f, 0.3f};\n"
    "__device__ void give(float &r, float v) { r = v; }\n"
    "__device__ void pass(float &r, float v) { scaled(r, v); }\n"
    "__device__ float &itself(float &r) { return r; }\n"
    "__device__ void fetch(float &r, const float *p, int k) { r = p[k]; }\n"
    "__device__ void rootsOf(float &r, float &s, float v, float w) {\n"
    "  r = sqrtf(v); float t = v - w; s = sqrtf(t * t + w); }\n"
    "__device__ float same(float v) { return v; }\n"
    "__device__ void set(float *to, int k, float v) { to[k] = v; }\n"
    "__device__ float get(const float *of, int k) { return of[k]; }\n"
    "__device__ float &at(float *of, int k) { return of[k]; }\n"
    "__device__ float addTo(const float *of, int k, float v) {\n"
    "  return of[k] + v; }\n"
    "struct View { float *p; int n;\n"
    "  __device__ float &operator()(int k) const { return p[k + n]; } };\n"
    "struct Pair { float k, l; __device__ float product() const {\n"
    "  return k * l; } };\n"
    "__device__ float product(Pair p, float v) { return p.k * v; }\n"
    "__device__ float first(V v) { return v.x; }\n"
    "__device__ V same(V v) { return v; }\n"
    "struct Outer { V v; float k; };\n"
    "__device__ float weight(int k) { if (k & 1) return 0.1f; return 0.3f; }\n"
    "__device__ float dfls(float v, float w = K * 3) { return v + "
    "w; }\n"
    "__device__ float dflr(float v = K * 3) { return v; }\n"
    "struct D0 { float m = K * 3; }; struct D1 { float m; "
    "__device__ D1() : m(K * 3) {} };\n"
    "__device__ float gd() { D0 d; return d.m; }\n"
    "struct CC { float m; __device__ CC(float v) : m(v) {} "
    "__device__ CC(const CC &o) : m(o.m * 3) {} };\n"
    "struct DD { float v; __device__ ~DD() {} }; __device__ DD "
    "mk(float p, float q) { return {p * q}; }\n"
    "__device__ void bump(float &r, float &o) { o = r; }\n"
    "__device__ void keep(float &o, const float &r) { o = r; }\n"
    "__device__ float pick(float x, float p) { V v = {2 * x, p}; "
    "return v.y; }\n"
    "__device__ V pk(float x, float p) { return {2 * x, p}; }\n"
    "__device__ float agg(float x, float p, float q, float &o) { V "
    "v = {4 * x, p}; o = v.y; return v.y + q; }\n"
    "__device__ void setp(float *p, float v) { *p = v; }\n"
    "__device__ void sumTo(float *to, int k, float v) { to[k] = v + 1; }\n"
    "__device__ void through(float *to, float v) {\n"
    "  sumTo(to + 1, -1, v); to[0] += v; }\n"
    "__device__ void sumBoth(float to[2], float v) {\n"
    "  to[0] = v + 1; *(to + 1) = v + 2; }\n"
    "__device__ void sumRows(float (*to)[2], float v) {\n"
    "  to[0][1] = v + 1; sumTo(to[1], 0, v); }\n"
    "__device__ void scaleTo(float *to, float v) { *to = v * 3; }\n"
    "__device__ void throughScale(float *to, float v) {\n"
    "  scaleTo(to + 1 - 1, v); to[0] += v; }\n"
    "__device__ void scaleBoth(float to[2], float v) {\n"
    "  to[0] = v + 1; *(to + 1) = v * 3; }\n"
    "__device__ void scaleRows(float (*to)[2], float v) {\n"
    "  to[0][1] = v + 1; scaleTo(to[1], v); }\n"
    "__device__ float secondAt(const float *p) { return second(p + 1 - 1); }\n"
    "__device__ float *KeptAt;\n"
    "__device__ void keepAt(float *to) { KeptAt = to; *to = 0; }\n"
    "__device__ float st1(float v) { float t[2] = {v, v}; float *q "
    "= t + 1; *q = v * 3; return t[1]; }\n"
    "__device__ float st2(float v) { float t[2] = {v, v}; set(t + "
    "1, 0, v * 3); return t[1]; }\n"
    "__device__ float st3(float v) { float t; (t = v) *= 3; return "
    "t; }\n"
    "__device__ float st4(float v) { V t[2]; t->x = v * 3; return "
    "t[0].x; }\n"
    "__device__ float st5(float v) { V t; (&t)->x = v * 3; return "
    "t.x; }\n"
    "__device__ void take(float &&r, float v) { r = v; }\n"
    "__device__ float both(float v, float *o) { float t = v * 3; "
    "*o = t; return t; }\n"
    "__device__ float sel2(float v, float w, int k) { if (k) "
    "return 3 * v; return w * 5; }\n"
    "struct M2 { float m, n; __device__ M2(float p, float q) : m(p "
    "+ q), n(p) {} };\n"
    "struct Cel { float d; __device__ float get() const { return "
    "d; } };\n"
    "__device__ void two(float *to, int k) { if (k < 3) *to = 2; }\n"
    "__device__ void twoBy(float &to, int k) { if (k < 3) to = 2; }\n"
    "__device__ void setTwo(float *to) { *to = 2; }\n"
    "struct Gives { __device__ Gives(float &r, float v) { r = v * 3; } };\n"
    "__device__ void unconst(const float &r, float v) { (float &)r = v * 3; }\n"
    "struct Points { float *to; };\n"
    "__device__ void minusOne(int *to) { *to = -1; }\n"
    "__device__ void minusBits(float *to) { *(int *)to = 0xbf800000; }\n"
    "__device__ void minusThrough(float *to) { minusBits(to); }\n"
    "__device__ void put(float *to, float v) { *to = v; }\n"
    "struct Part { int w; float v; };\n"
    "struct Known { static constexpr float K = -3; float v; };\n"
    "__device__ float prodOf(const float &p, const float &q) {\n"
    "  return p * q; }\n"
    "__device__ float sumOf(const float &p, const float &q) {\n"
    "  return p + q; }\n"
    "__device__ V scaledPair(V v, float s) { return {v.x * s, v.y * s}; }\n"
    "struct Grid { int n;\n"
    "  __device__ int at(int k) const { return k * n; } };\n"
    "__device__ int oneAt(int k) { return k > 3 ? 1 : k; }\n"
    "__device__ float madPair(Pair p, float v, float w) {\n"
    "  return w + p.k * v; }\n";

/// Analyses a kernel for each body, all of them in one text.
inline std::vector<AnalysedKernel>
analyseBodies(const std::vector<std::string> &bodies) {
  std::string text = RoundingHead;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    text +=
        "__global__ void kernel" + std::to_string(k) +
        "(const float *A, const float *B, V *W, float *C, float a, float b, "
        "int i) {\n" +
        bodies[k] + "\n}\n";
  return analyseText(text);
}

/// Expects a trait of the kernels with these bodies.
inline void expectEach(const std::vector<std::string> &bodies,
                       bool Kernel::*trait, bool isExpected) {
  const std::vector<AnalysedKernel> all = analyseBodies(bodies);
  ASSERT_EQ(all.size(), bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k)
    EXPECT_EQ(all[k].kernel.*trait, isExpected) << bodies[k];
}

} // namespace kfuse

#endif
