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
           "C[i] = twice(A[i]) + 1; W[i].x = twice(A[i]);",
           "float t = A[i]; t *= a; W[i].x = t; C[i] = A[i] * b + 1;",
           "V v = W[i]; C[i] = v.x * a + b; W[i].y = v.y * a;",
           "C[i] = A[i] * b + a; for (int k = 0; k < i; ++k) W[k].x = B[k] * "
           "b;",
           // Calls of one function, for other values.
           "C[i] = thrice(A[i]) + 1; W[i].x = thrice(B[i]);",
           "C[i] = multiplyAdd(A[i], b, a); W[i].x = multiplyAdd(B[i], b, a);",
           "C[i] = multiplyAdd(A[i], b, a); W[i].x = multiplyAdd(A[i + 1], b, "
           "a);",
           "auto f = [&](float v) { return v * a; };\n"
           "C[i] = f(A[i]) + b; W[i].x = f(B[i]);",
           "C[i] = A[i] / 4 * b + a; W[i].x = A[i] * 0.5f * b;",
           // In another element, before, or without a product.
           "set(C, i, A[i] * a); W[i].x = C[i + 1] + b;",
           "W[i].x = get(C, i) + b; set(C, i, A[i] * a);",
           "set(C, i, A[i] + a); W[i].x = C[i] + b * a;",
           "View v = {C, 1}; v(i) = A[i] * a; W[i].x = C[i] + b;",
           "Pair p = {a, B[i]}; C[i] = product(p, A[i]) + b;\n"
           "W[i].x = A[i] * p.l;",
           "const float *q = A; q += i; C[i] = *q * a + b; W[i].x = B[i] * a;",
           "const float *q = A; q += i; set(C, i, a * b); W[i].x = *q + b;",
           "View v = {C, 1}; W[i].x = v(i) * a + b; W[i].y = v(i + 1) * a;",
           "C[i] = fabsf(A[i]) * a + b; W[i].x = fabs(B[i]) * a;",
           "Pair p = {A[i], a}; C[i] = p.product() + b; W[i].x = B[i] * a;",
           "__shared__ float s[9]; s[i] = A[i]; s[8] = s[i];\n"
           "C[i] = s[i] - 2 * s[8] + b;",
           // Products that aren't rounded: of an integer, of powers of two.
           "const float half = 0.5f; float t = half * i;\n"
           "C[i] = t + a; W[i].x = t + b;",
           "const int m = 1 << 20; C[i] = (float)i / (float)m * a + b;",
           "C[i] = 2 * (A[i] + a) + b;",
           "W[i].x = 2 * (A[i] / b); C[i] = 4 * (A[i] * a);",
           "Cel c = {A[i]}; C[i] = c.get() + B[i] * b;",
           "double d = 10 * (i % 7); C[i] = (float)(d * 3) + B[i] * b;",
           // What a function gives back isn't one.
           "C[i] = positive(A[i]) + B[i] * b;",
           "C[i] = delayed(A[i], b) + B[i] * b;",
           "float t, u; rootsOf(t, u, A[i], B[i]); C[i] = t + u + B[i] * b;",
           "C[i] = 4 * A[i]; C[i] = add(C[i], B[i]);",
           "W[i].x = A[i] + a; C[i] = W[i].x; W[i].y = C[i] + B[i] * b;",
           // A call that is a number.
           "__shared__ float s[9]; float m = -__builtin_inff();\n"
           "for (int k = 0; k < i; ++k) m = fmaxf(m, A[k]);\n"
           "s[i] = m; C[i] = s[i] + s[i + 1];",
       })
    EXPECT_FALSE(isAmbiguous(body)) << body;
}

TEST(Rounding, SumsOfSeveralProductsAreNot) {
  for (const char *body : {
           "C[i] = A[i] * a + B[i] * b;",
           "C[i] = A[i] / 2 + B[i] * b;",
           "C[i] = (float)i / 1024.0f + A[i] * a;",
           // Of no integer, or too small for the type.
           "float t = A[i] * 0.5f; C[i] = t + a; W[i].x = t + b;",
           "float t = i * 1e-40f; C[i] = t + a; W[i].x = t + b;",
           // Nor with a factor that compilers leave out, or add for.
           "const float one = 1; C[i] = one * (A[i] * a) + b; W[i].x = "
           "A[i] * a;",
           "C[i] = 1.0f * (A[i] * a) + b; W[i].x = A[i] * a;",
           "float t = 1.0f * (A[i] * a); C[i] = t + B[i]; W[i].x = t;",
           "float t = A[i] * a / 1.0f; C[i] = t + B[i]; W[i].x = t;",
           "C[i] = -1.0f * (A[i] * a) + b; W[i].x = A[i] * a;",
           "C[i] = 2 * (A[i] * a); W[i].x = A[i] * a;",
           "float t = A[i] * a; C[i] = 2 * t; W[i].x = t;",
           "float t = A[i] * a; t *= 2; C[i] = t; W[i].x = A[i] * a;",
           "C[i] = 2 * square(A[i]);",
           "float t = A[i] * a; t *= 1; C[i] = t + b; W[i].x = A[i] * a;",
           // What isn't written where it is used.
           "C[i] = dfls(B[i]); W[i].x = K * 3;",
           "C[i] = dflr() + B[i] * b;",
           "D0 d; C[i] = d.m + B[i]; W[i].x = K * 3;",
           "D1 d; C[i] = d.m + B[i] * b;",
           "C[i] = gd() + B[i] * b;",
           "CC c(A[i]); CC d = c; C[i] = d.m + B[i] * b;",
           "C[i] = float{A[i] * a} + B[i] * b;",
           "C[i] = mk(A[i], a).v + B[i] * b;",
           "float t = A[i] * a; C[i] = t + B[i]; bump(t, W[i].x);",
           "float t = A[i] * a; C[i] = t + B[i]; keep(W[i].x, t);",
           "float t = A[i] * a; const float &r = t; C[i] = t + B[i]; "
           "W[i].x = r;",
           "float u = pick(A[i], B[i] * b); C[i] = u + a; W[i].x = u;",
           "C[i] = pick(A[i], B[i] * b) - sqrtf(a);",
           "V u = pk(A[i], B[i] * b); C[i] = u.y + a; W[i].x = u.y;",
           "C[i] = agg(A[i], A[i] * a, B[i], W[i].x);",
           // In places that are named in other ways, or used in calls.
           "C[i] = st1(A[i]) + B[i] * b;",
           "C[i] = st2(A[i]) + B[i] * b;",
           "C[i] = st3(A[i]) + B[i] * b;",
           "C[i] = st4(A[i]) + B[i] * b;",
           "C[i] = st5(A[i]) + B[i] * b;",
           "float t[2] = {a, b}; float *q = t + 1; *q = A[i] * a; C[i] = "
           "t[1] + B[i] * b;",
           "float t[2] = {a, b}; setp(t + 1, A[i] * a); C[i] = t[1] + "
           "B[i] * b;",
           "struct R { float *p; }; float t = a; R r = {&t}; *r.p = A[i] "
           "* a; C[i] = t + B[i] * b;",
           "V v = {a, b}; (&v)->x = A[i] * a; C[i] = v.x + B[i] * b;",
           "V v[2]; v->x = A[i] * a; C[i] = v[0].x + B[i] * b;",
           "float t = a; (i, t) = A[i] * a; C[i] = t + B[i] * b;",
           "float t = a; (t = A[i]) *= a; C[i] = t + B[i] * b;",
           "float t = a; ++t *= a; C[i] = t + B[i] * b;",
           "float t = a; (float &)t = A[i] * a; C[i] = t + B[i] * b;",
           "float t = a; static_cast<float &>(t) = A[i] * a; C[i] = t + "
           "B[i] * b;",
           "float t = a; take(static_cast<float &&>(t), A[i] * a); C[i] = "
           "t + B[i] * b;",
           "float t = A[i] * a; C[i] = same(t) + B[i]; W[i].x = t;",
           "C[i] = both(A[i], &W[i].x) + B[i];",
           "C[i] = sel2(A[i], B[i], i & 1) + a;",
           "M2 m(A[i] * a, B[i]); C[i] = m.m; W[i].x = m.n;",
           "C[i] = A[i] * a; V v; v.x = C[i]; v.y = b; W[i].x = v.x; "
           "W[i].y = W[i].x + b;",
           // Parts of what is computed, and what pointers lead to.
           "C[i] = (W[i] * a).x + B[i] * b;",
           "V v = W[i] * a; C[i] = same(v).x + B[i] * b;",
           "C[i] = W[i].x * b + (i > 3 ? W[i] * a : W[i]).x;",
           "float t[2] = {A[i] * a, B[i]}; const float *q = t + 1;\n"
           "C[i] = q[-1] + B[i] * b;",
           "struct R { float *p; }; float t = A[i] * a; R r = {&t};\n"
           "C[i] = *r.p + B[i] * b;",
           "float t = B[i]; *(&t) = A[i] * a; C[i] = t + B[i] * b;",
           "float t[2] = {B[i]}; *(t + 1) = A[i] * a; C[i] = t[1] + B[i] * b;",
           "float t = A[i], u = B[i]; (i > 3 ? t : u) = A[i] * a;\n"
           "C[i] = t + B[i] * b;",
           // What functions give to references.
           "float t; give(t, A[i] * a); C[i] = t + B[i] * b;",
           "float t; pass(t, A[i]); C[i] = t + B[i] * b;",
           "float t = A[i]; itself(t) = A[i] * a; C[i] = t + B[i] * b;",
           "float t; fetch(t, C, i); C[i] = t + b; C[i + 1] = a * b;",
           // Products that are stored, loaded, and stored elsewhere.
           "C[i] = A[i] * a; W[i].x = C[i]; W[i].y = W[i].x + b;",
           "C[i] = 4 * A[i]; W[i].x = C[i]; W[i].y = W[i].x + B[i] * b;",
           "C[i] = A[i] * a; W[i].x = get(C, i); W[i].y = W[i].x + b;",
           "C[i] = A[i] * a; set(C, i + 1, C[i]); W[i].x = C[i + 1] + b;",
           "C[i] = 4 * A[i]; C[i + 1] = multiplyAdd(B[i], b, C[i]);",
           "C[i] = 4 * A[i]; C[i + 1] = same(C[i]) + B[i] * b;",
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
           "float t = A[i] * a, u = t; C[i] = u + B[i]; W[i].x = t;",
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
           "C[i] = thrice(A[i]) + 1; W[i].x = thrice(A[i]);",
           // In called functions as in this one.
           "C[i] = thrice(A[i]) + 1; W[i].x = triple(A[i]);",
           "C[i] = thrice(A[i]) + 1; W[i].x = A[i] * 3;",
           "C[i] = A[i] * 3 + 1; W[i].x = thrice(A[i]);",
           "float v = A[i]; C[i] = multiplyAdd(v, v, a); W[i].x = A[i] * A[i];",
           "C[i] = multiplyAdd(A[i], b, a); W[i].x = multiplyAdd(b, A[i], a);",
           "C[i] = square(A[i]) + b; float v = -A[i]; W[i].x = v * v;",
           "C[i] = square(A[i]) + b; float v = -A[i]; W[i].x = A[i] * v;",
           "V v = {A[i], b}; C[i] = square(v.x) + b; W[i].x = A[i] * A[i];",
           "auto f = [&](float v) { return v * a; };\n"
           "C[i] = f(A[i]) + b; W[i].x = A[i] * a;",
           "C[i] = sixfold(A[i]) + b; W[i].x = 2 * A[i] * 3;",
           "C[i] = A[i] * b + a; W[i].x = A[i] * b + b;",
           // Of the same element.
           "int j = i - 1; C[i] = A[i - 1] * a + b; W[i].x = A[j] * a;",
           "C[i] = A[2 * (i + 1)] * a + b; W[i].x = *(A + i * 2 + 2) * a;",
           "const float *p = A + i; C[i] = A[i + 1] * a + b; W[i].x = p[1] * "
           "a;",
           "C[i] = A[i] * a + b; float t[2] = {b, A[i]}; W[i].x = t[1] * a;",
           "C[i] = A[i] / 4 * b + a; W[i].x = A[i] * 0.25f * b;",
           // What variables and arrays were given.
           "float t = A[i]; t *= a; W[i].x = t; C[i] = A[i] * a + b;",
           "float t = B[i]; t = A[i]; C[i] = t * a + b; W[i].x = A[i] * a;",
           "V v; v.x = A[i]; C[i] = v.x * a + b; W[i].x = A[i] * a;",
           "V v = W[i]; C[i] = v.x * a + b; W[i].y = W[i].x * a;",
           "float t[2]; t[0] = A[i]; C[i] = t[0] * a + b; W[i].x = A[i] * a;",
           "int j = i; j += 1; C[i] = A[j] * a + b; W[i].x = A[i + 1] * a;",
           "for (int k = 0; k < 2; ++k) C[k] = A[k] * B[i] + b;\n"
           "W[i].x = A[i] * B[i];",
           "C[i] = A[i]; C[i] = C[i] * a + b; W[i].x = A[i] * a;",
           "__shared__ float s[9]; s[i] = A[i];\n"
           "C[i] = s[i] * a + b; W[i].x = A[i] * a;",
           "C[i] = (A[i] + A[i]) * a + b; W[i].x = 2 * A[i] * a;",
           "C[i] = A[i] * -1.0f * a + b; W[i].x = (0.0f + A[i]) * a;",
           "C[i] = (i > 3 ? A[i] : A[i]) * a + b; W[i].x = A[i] * a;",
           // From where it was stored.
           "C[i] = 2 * A[i]; C[i] += B[i] * b;",
           "C[i] = A[i] * a; W[i].x = C[i] + b;",
           "C[i] = A[i]; W[i].x = C[i] * a + b; W[i].y = A[i] * a;",
           // By whatever way it was stored, and is loaded.
           "set(C, i, A[i] * a); W[i].x = C[i] + b;",
           "C[i] = A[i] * a; W[i].x = get(C, i) + b;",
           "set(C, i, A[i] * a); W[i].x = addTo(C, i, b);",
           "give(C[i], A[i] * a); W[i].x = C[i] + b;",
           "at(C, i) = A[i] * a; W[i].x = C[i] + b;",
           "float *q = C + i; *q = A[i] * a; W[i].x = C[i] + b;",
           "float &q = C[i]; q = A[i] * a; W[i].x = C[i] + b;",
           "C[i] = A[i] * a; float *q = C; W[i].x = q[i] + b;",
           "float *q = i > 3 ? C : C + 1; q[i] = A[i] * a; W[i].x = C[i] + b;",
           "float *q = C; if (i > 3) q = C + 1;\n"
           "*q = A[i] * a; W[i].x = C[1] + b;",
           "View v = {C, 1}; v(i) = A[i] * a; W[i].x = C[i + 1] + b;",
           "set(C, i, A[i]); W[i].x = C[i] * a + b; W[i].y = A[i] * a;",
           "W[i] = V{A[i] * a, b}; C[i] = W[i].x + b;",
           // What objects hold.
           "Pair p = {A[i], a}; C[i] = p.product() + b; W[i].x = A[i] * a;",
           "Pair p = {A[i], a}, *q = &p; C[i] = q->k * q->l + b;\n"
           "W[i].x = A[i] * a;",
           "Pair p; p.k = A[i]; p.l = a; C[i] = p.product() + b;\n"
           "W[i].x = A[i] * a;",
           // Functions of one meaning.
           "C[i] = fabsf(A[i]) * a + b; W[i].x = fabs(A[i]) * a;",
           "C[i] = fmaxf(A[i], b) * a + b; W[i].x = max(A[i], b) * a;",
           "C[i] = __fsqrt_rn(A[i]) * a + b; W[i].x = sqrtf(A[i]) * a;",
           "C[i] = float(double(A[i])) * a + b; W[i].x = A[i] * a;",
           "C[i] = __int_as_float(__float_as_int(A[i])) * a + b;\n"
           "W[i].x = A[i] * a;",
           "C[i] = __int_as_float(__float_as_int(A[i]) ^ 0) * a + b;\n"
           "W[i].x = A[i] * a;",
           "Pair p = {a, A[i]}; C[i] = product(p, A[i]) + b;\n"
           "W[i].x = A[i] * p.k;",
           "C[i] = first(W[i]) * a + b; W[i].y = W[i].x * a;",
           "V v = same(W[i]); C[i] = v.x * a + b; W[i].y = W[i].x * a;",
           "Outer o = {W[i], a}, q = o; C[i] = q.v.x * q.k + b;\n"
           "W[i].y = W[i].x * a;",
           "int j = (int)A[i]; C[i] = (j & 8) * a + b; W[i].x = (8 & j) * a;",
           "C[i] = (A[i] > 3) * a + b; W[i].x = (3 < A[i]) * a;",
           "C[i] = (i % 8u) * a + b; W[i].x = (i & 7) * a;",
           "C[i] = abs(i) * a + b; W[i].x = abs(-i) * a;",
           "C[i] = __float2int_rz(A[i]) * a + b; W[i].x = (int)A[i] * a;",
           "C[i] = rintf(A[i]) * a + b; W[i].x = nearbyintf(A[i]) * a;",
           "C[i] = fmaxf(fmaxf(A[i], b), b) * a + b;\n"
           "W[i].x = fmaxf(A[i], b) * a;",
           "C[i] = __expf(A[i]) * a + b; W[i].x = exp2f(A[i] * 1.44f) * a;",
           "const float *q = A; q += i; C[i] = *q * a + b; W[i].x = A[i] * a;",
           "C[i] = fabsf(i > 3 ? A[i] : b) * a + b;\n"
           "W[i].x = fabsf(A[i]) * a;",
           "for (int k = 0; k < 9; ++k) { W[k].x = C[k] + b; C[k + 1] = A[k] * "
           "a; }",
       })
    EXPECT_TRUE(isAmbiguous(body)) << body;
}

// Compilers move such products out of the sum's block, and don't contract them
// with it then; or don't move them, in other surroundings.
TEST(Rounding, ProductsThatMayMoveAreNotClear) {
  for (const char *body : {
           // Into the way on which a factor isn't known.
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
           // Several values.
           "float p; if (i < 3) p = A[i] * a; else p = A[i] * b;\n"
           "C[i] = p + B[i];",
           "float p = 0; if (i < 3) p = A[i] * a; C[i] = p + B[i];",
           // Out of a loop.
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
           // Sums that meet behind a branch.
           "float t; if (i < 3) t = A[i] + a * B[i]; else t = A[i] + b;\n"
           "C[i] = t;",
           "if (i < 3) C[i] += a * B[i]; else C[i] -= b;",
           "if (i < 3) C[i] = A[i] + b; else if (i < 5) C[i] = A[i] + a * "
           "B[i];\n"
           "else C[i] = 3;",
           "C[i] = i < 3 ? A[i] + a * B[i] : A[i] + b;",
       })
    EXPECT_TRUE(isAmbiguous(body)) << body;
  for (const char *body : {
           "float s = 0; for (int k = 0; k < i; ++k) s += A[k] * B[k];\n"
           "C[i] = s;",
           "float s = A[i]; for (int k = 0; k < i; ++k) s += A[k];\n"
           "C[i] = 0.1f * s + B[i];",
           "float s = 0; for (int k = 0; k < i; ++k) s += A[k];\n"
           "C[i] = a * s + B[i];",
           "float s = 0; for (int k = 0; k < i; ++k) s += A[k];\n"
           "C[i] = 0.5f * s; W[i].x = 2 * s + B[i];",
           "float s = A[i] > a ? B[i] : A[i]; C[i] = B[i] - s * 0.1f;",
           "for (int k = 0; k < 9; ++k) C[k] = a * A[k] + b;",
           "for (int k = 0; k < 9; ++k) { float t = A[k]; C[k] = a * t + 1; }",
           "for (const float *p = A; p != B; ++p) *C = *C + *p * a;",
           "for (int j = 0; j < 9; ++j) { for (int k = 0; k < 9; ++k) C[k] = "
           "0;\n"
           "  C[j] = a * A[j] + b; }",
           "for (int k = 0; k < 9; ++k) C[k] = multiplyAdd(a, A[k], b);",
           "C[i] = multiplyAdd(a, A[i], b);",
           "float t; if (i < 3) t = A[i] + a * B[i]; else t = b; C[i] = t;",
           "if (i < 3) C[i] = A[i] + a * B[i]; else W[i].x = A[i] + b;",
           "if (i < 3) C[i] = A[i] + a; else C[i] = A[i] + b;",
       })
    EXPECT_FALSE(isAmbiguous(body)) << body;
}

// Branches, and what is computed with some, part blocks within which compilers
// contract.
TEST(Rounding, ProductsAreNotClearBeforeBranches) {
  for (const char *body : {
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
           // In any order, since compilers choose it, and
           "C[i] = B[i] / b - A[i] * a;",
           "if (i & 1) C[i] = B[i] / b - A[i] * a;",
           "W[i].x = sqrtf(B[i]); C[i] = b - A[i] * a;",
           "C[i] = b - A[i] * a; W[i].x = B[i] / b;",
           "C[i] = quotient(B[i], b); W[i].x = b - A[i] * a;",
           // since what one way alone uses may be moved there.
           "float t = B[i] / b - A[i] * a; if (i & 1) C[i] = t;",
           "float t = a - A[i] * a; if (i & 1) C[i] = t - a;",
           "storeSome(C, a - A[i] * a);",
           "float t = A[i] / b + -B[i] * a; if (i & 1) C[i] = t;",
           // A sum that only a branch reads, too, and where integers are
           // divided.
           "float t = a + A[i] * a; if (i & 1) C[i] = t;",
           "float t = a + A[i] * a; switch (i) { case 1: C[i] = t; }",
           "C[i] = A[i] * a - B[(i + 1) % (int)B[0]];",
       })
    EXPECT_TRUE(isAmbiguous(body)) << body;
  for (const char *body : {
           "C[i] = B[i] / b + A[i] * a;",
           "C[i] = A[i] * a - fmaxf(B[i], fabsf(b));",
           "C[i] = A[i] * a - (i > 3 ? a : b);",
           "C[i] = A[i] * a - __fmul_rn(B[i], b);",
           "float t = B[i] / b; if (t > a) C[i] = t + A[i] * a;",
           "float t = A[i] * a; i /= 3; C[i] = t - b;",
           "C[i] = delayed(A[i], B[i]);",
           "float t = a + A[i] * a; if (i & 1) C[i] = t; W[i].x = t;",
           "float t = a - A[i] * a; C[i] = t;",
           "C[i] = a - A[i] * a; if (i & 1) W[i].x = b;",
           "C[i] = A[i] * 2 - B[i] / b;",
           "float t = A[i] * a; __syncthreads(); C[i] = B[i] - t;",
           "float t = A[i] * a; C[i] = __shfl_down_sync(~0u, B[i], 1) - t;",
       })
    EXPECT_FALSE(isAmbiguous(body)) << body;
}

// Each value looked at once: another order would take longer than anyone waits.
TEST(Rounding, LongChainsOfVariablesAreJudged) {
  std::string body = "float t = A[i], u = a, v = b;";
  for (int k = 0; k < 100; ++k)
    body += "if (t > A[" + std::to_string(k) +
            "]) { t = sqrtf(u + v); u = v + t; v = u > a ? t : u; }\n"
            "else { t = u; v = t + v; u = v; }\n";
  EXPECT_FALSE(isAmbiguous(body + "C[i] = t + u + v;"));
}

bool makesNumbers(const std::string &body) {
  return analyseOne(Head + body + "\n}\n").kernel.integersToFloating;
}

TEST(Rounding, NumbersAreMadeOfIntegers) {
  for (const char *body : {
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
       })
    EXPECT_TRUE(makesNumbers(body)) << body;
  for (const char *body : {
           "C[i] = A[i] * 2 + 1;",
           "C[i] = (i & 1 ? A[i] : 0.1f) * a;",
           "float w = 0; if (i & 1) w = A[i]; C[i] = w * a;",
           "float w = 0; for (int k = 0; k < i; ++k) w += A[k]; C[i] = w;",
           "float w[] = {A[i], 0.3f}; C[i] = w[1];",
           "C[i] = ldexpf(A[i], 2);",
           "C[i] = __shfl_down_sync(~0u, A[i], 1);",
           "C[i] = *(const float *)(const char *)&A[i];",
           "C[i] = positive(A[i]);",
           "__shared__ float s[9]; s[i] = A[i]; C[i] = s[i];",
       })
    EXPECT_FALSE(makesNumbers(body)) << body;
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
    EXPECT_TRUE(mayShare("#define scale(v) thrice(v)\n" + std::string(body)))
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
    const AnalysedKernel found = analyseOne(Head + body + "\n}\n");
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
  EXPECT_EQ(places("C[i] = add(A[i] * a, B[i]);"), "|, B[i])");
  EXPECT_EQ(places("C[i] = thrice(A[i]) + B[i];"), "| + B[i]");
  EXPECT_EQ(places("C[i] = A[i] + B[i]; W[i].x = A[i] * 2 + b;"), "");
  // Contracted late, or again.
  EXPECT_EQ(places("C[i] = A[i] * a - B[i];"), "|all| - B[i]");
  EXPECT_EQ(places("C[i] = A[i] * a + -B[i];"), "|all| + -B[i]");
  EXPECT_EQ(places("for (int k = 0; k < i; ++k) C[k] += A[k] * A[k + 1];"),
            "|all|");
  EXPECT_EQ(places("#define ADD(p, q) (p) + (q)\n"
                   "C[i] = ADD(A[i] * a, B[i]);"),
            "|all");
}

TEST(Rounding, ProductsThatAreSharedAreSoInCalledFunctions) {
  EXPECT_TRUE(isAmbiguous("float t = A[i] * a; C[i] = add(t, 1); W[i].x = t;"));
  EXPECT_FALSE(isAmbiguous("float t = A[i] * a; C[i] = add(t, 1);"));
}

} // namespace
} // namespace kfuse
