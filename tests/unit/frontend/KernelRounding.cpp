//===- KernelRounding.cpp - Sums with and without ambiguous contraction ---===//

#include "KernelRounding.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

TEST(Rounding, SumsOfOneProductAreClear) {
  expectEach(
      {
          "float c = a; C[i] = A[i] * a * c + b;",
          "C[i] = sumOf(A[i], a) + B[i] * b;",
          // The product, the sum or both are in functions.
          "C[i] = prodOf(A[i], a) + b;",
          "C[i] = sumOf(A[i] * a, b);",
          "C[i] = sumOf(prodOf(A[i], a), B[i]);",
          "Pair p = {A[i], a}; C[i] = p.product() + b;",
          "V v = scaledPair(W[i], a); C[i] = v.x + b;",
          "V v = W[i + 1] + scaledPair(W[i], a); C[i] = v.x;",
          // These only find elements.
          "Grid g = {i}; C[g.at(i)] = A[g.at(i)] * a + b;",
          "View w = {C, i}; w(1) = A[i] * a + b;",
          "C[i] = A[i] * a + B[i];",
          "C[i] = A[i] + B[i];",
          "float t = A[i] * a; C[i] = t + B[i];",
          "C[i] = A[i] / b + B[i] * a;",
          "C[i] = A[i] / 2 + B[i];",
          // No compiler multiplies by the reciprocal if it isn't exact.
          "C[i] = A[i] / 3 + B[i] * b;",
          "float d = b + 1; C[i] = A[i] / d + B[i] * b;",
          "C[i] = quotient(A[i], b) + B[i];",
          "Plain p(A[i]); C[i] = p.q;",
          "C[i] = sqrtf(A[i]) + B[i] * a;",
          // Branches that are computed from the sum come after it.
          "C[i] = sqrtf(A[i] * a + b);",
          "C[i] = (A[i] + b) / (A[i] * a + 1);",
          "C[i] = fmaf(A[i], a, B[i] * b);",
          "C[i] = __fmul_rn(A[i], a) + B[i] * b;",
          "V v = {A[i], B[i]}; C[i] = v.x + v.y * a;",
          "V v = W[i]; C[i] = v.x + v.y * a;",
          "float t[2] = {A[i], B[i]}; C[i] = t[0] + t[1];",
          "V v = W[i] + W[i + 1]; W[i] = v;",
          "C[i] += A[i] * a;",
          // The same product occurs twice, but it isn't rounded or isn't part
          // of a sum.
          "C[i] = B[i] - 2 * A[i]; W[i].x = B[i + 1] - 2 * A[i];",
          "C[i] = A[i] * 4.0f + a; W[i].x = A[i] * 4.0f;",
          "C[i] = sqrtf(a * b) + A[i]; W[i].x = a * b;",
          "C[i] = 2 * A[i]; C[i] += b;",
          // The load precedes the store of the product.
          "W[i].x = C[i] + b; C[i] = A[i] * a;",
          "C[i] = twice(A[i]) + 1; W[i].x = twice(A[i]);",
          "C[i] = A[i] * b + a; for (int k = 0; k < i; ++k) W[k].x = B[k] * "
          "b;",
          // One function is called with different values.
          "C[i] = multiplyAdd(A[i], b, a); W[i].x = multiplyAdd(B[i], b, a);",
          "C[i] = multiplyAdd(A[i], b, a); W[i].x = multiplyAdd(A[i + 1], b, "
          "a);",
          // The other access is to another element, comes first, or has no
          // product.
          "set(C, i, A[i] + a); W[i].x = C[i] + b * a;",
          "const float *q = A; q += i; C[i] = *q * a + b; W[i].x = B[i] * a;",
          "const float *q = A; q += i; set(C, i, a * b); W[i].x = *q + b;",
          "C[i] = fabsf(A[i]) * a + b; W[i].x = fabs(B[i]) * a;",
          "__shared__ float s[9]; s[i] = A[i]; s[8] = s[i];\n"
          "C[i] = s[i] - 2 * s[8] + b;",
          // These products aren't rounded: their factors are integers or
          // powers of two.
          "const float half = 0.5f; float t = half * i;\n"
          "C[i] = t + a; W[i].x = t + b;",
          "const int m = 1 << 20; C[i] = (float)i / (float)m * a + b;",
          "C[i] = 2 * (A[i] + a) + b;",
          "W[i].x = 2 * (A[i] / b); C[i] = 4 * (A[i] * a);",
          "double d = 10 * (i % 7); C[i] = (float)(d * 3) + B[i] * b;",
          // The result of a function isn't a product.
          "C[i] = positive(A[i]) + B[i] * b;",
          "C[i] = delayed(A[i], b) + B[i] * b;",
          "C[i] = 4 * A[i]; C[i] = add(C[i], B[i]);",
          "W[i].x = A[i] + a; C[i] = W[i].x; W[i].y = C[i] + B[i] * b;",
          // The value is loaded after a barrier, or from where no product is
          // stored.
          "__shared__ float s[9]; s[i] = A[i] * a; __syncthreads();\n"
          "C[i] = s[0] + b;",
          "__shared__ float s[9]; s[i] = A[i] * a; __syncthreads();\n"
          "for (int k = 4; k > 0; k /= 2) {\n"
          "  if (i < k) s[i] += s[i + k]; __syncthreads(); }",
          "C[i] = A[i] / b; W[i].x = C[i] + 1;",
          "W[i].x = C[i] + b; C[i] = C[i] * a;",
          "C[i] = C[i] * a + b;",
          // At least one of the loops has an unknown trip count.
          "for (int k = 0; k < i; ++k) C[k] = expf(A[k]) + 1;\n"
          "for (int k = 0; k < i; ++k) W[k].x = expf(A[k]);",
          // These are products of products, and products from library
          // functions.
          "float x = A[i]; C[i] = x + 0.04f * x * x * x;",
          "float x = A[i]; C[i] = 0.5f * x * (1 + tanhf(0.8f * (x + 0.04f * "
          "x * x * x)));",
          "C[i] = 1 / (1 + expf(-A[i]));",
          // The call is a number.
          "__shared__ float s[9]; float m = -__builtin_inff();\n"
          "for (int k = 0; k < i; ++k) m = fmaxf(m, A[k]);\n"
          "s[i] = m; C[i] = s[i] + s[i + 1];",
      },
      &Kernel::ambiguousSums, false);
}

TEST(Rounding, SumsOfSeveralProductsAreNot) {
  expectEach(
      {
          "__shared__ float s[9]; s[i] = A[i] * a; C[i] = s[0] + b;",
          "__shared__ float s[9]; for (int k = 0; k < 9; ++k) {\n"
          "  C[k] = s[k] + b; __syncthreads(); s[i] = A[k] * a; }",
          "__shared__ float s[9]; s[i] = A[i] * a;\n"
          "for (int k = 0; k < 9; ++k) { C[k] = s[k] + b; __syncthreads(); }",
          "for (int k = 0; k < 3; ++k) C[k] = expf(A[k]) + 1;\n"
          "for (int k = 0; k < 3; ++k) W[k].x = expf(A[k]);",
          "for (int k = 0; k < i; ++k) for (int j = 0; j < i; ++j) {\n"
          "  C[j] = A[j] * a + 1; W[j].x = A[j] * a; }",
          // The product is stored to a local variable through an object or a
          // cast.
          "float t[2] = {A[i], b}; Points u{t}; u.to[1] = A[i] * a;\n"
          "C[i] = t[1] + B[i] * b;",
          "float t[2] = {A[i], b}; Points u = {t}; u.to[1] = A[i] * a;\n"
          "C[i] = t[1] + B[i] * b;",
          "float t = A[i]; Gives g(t, a); C[i] = t + B[i] * b;",
          "float t = A[i]; const float &r = t; const_cast<float &>(r) = B[i] "
          "* "
          "a;\n"
          "C[i] = t + B[i] * b;",
          "float t = A[i]; const float &r = t; *(float *)&r = B[i] * a;\n"
          "C[i] = t + B[i] * b;",
          "float t = A[i]; unconst(t, a); C[i] = t + B[i] * b;",
          // The product is loaded as another type.
          "C[i] = A[i] * a; W[i].x = ((const V *)(C + i))->x + b;",
          "C[i + 1] = A[i] * a; W[i].x = ((const V *)(C + i))->y + b;",
          "W[i].y = A[i] * a; C[i] = ((const float *)(W + i))[1] + b;",
          // The product is doubled by a number that isn't a literal.
          "float c = 2; C[i] = A[i] * a * c;",
          "V c = {2, 3}; C[i] = A[i] * a * c.x;",
          "float c; setTwo(&c); C[i] = A[i] * a * c + b;",
          "float c = 0.5f; C[i] = A[i] * a / c;",
          "C[i] = A[i] * a + B[i] * b;",
          "C[i] = A[i] / 2 + B[i] * b;",
          "C[i] = (float)i / 1024.0f + A[i] * a;",
          // Functions cast the const away from pointers to const.
          "float t[2] = {A[i]}; steal(t, A[i] * a); C[i] = t[0] + B[i] * b;",
          "float t[2] = {A[i]}; relay(t, A[i] * a); C[i] = t[0] + B[i] * b;",
          "float t[2] = {A[i]}; keep(t); *(float *)Kept = A[i] * a;\n"
          "C[i] = t[0] + B[i] * b;",
          "float t[2] = {A[i]}; Keeps k; keep(k, t); *(float *)k.p = A[i] * "
          "a;\nC[i] = t[0] + B[i] * b;",
          "float t[2] = {A[i]}; *(float *)pointer(t) = A[i] * a;\n"
          "C[i] = t[0] + B[i] * b;",
          "float t[2] = {A[i]}; poke(t, A[i] * a); C[i] = t[0] + B[i] * b;",
          "float t[2] = {A[i]}; unseen(t, A[i] * a); C[i] = t[0] + B[i] * b;",
          "float t[2] = {A[i]}; set(t, 0, A[i] * a); C[i] = get(t, 0) + b *\n"
          "B[i];",
          "float *q = i > 3 ? C : &K; *q = A[i] * a;\n"
          "float t[2] = {A[i + 1], K}; C[i] = second(t);",
          // The pointers are in arrays.
          "float *p[2] = {C, C}; p[0][i] = A[i] * a; W[i].x = C[i] + b;",
          "unsigned long long p[1] = {(unsigned long long)C};\n"
          "((float *)p[0])[i] = A[i] * a; W[i].x = C[i] + b;",
          "const float *k = A; float t[2] = {A[i]};\n"
          "auto f = [&](const float *p) { k = p; }; f(t);\n"
          "*(float *)k = A[i] * a; C[i] = t[0] + B[i] * b;",
          "float t[2] = {A[i]}; keepAtEnd(t, A[i] * a); C[i] = t[0] + B[i] *\n"
          "b;",
          // The product isn't of an integer, or it is too small for the type.
          "float t = A[i] * 0.5f; C[i] = t + a; W[i].x = t + b;",
          "float t = i * 1e-40f; C[i] = t + a; W[i].x = t + b;",
          // Compilers drop such a factor or replace it by an addition.
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
          // The product is written elsewhere than it is used.
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
          // The locations are named in other ways or used in calls.
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
          // The product is a part of an expression or reached through a
          // pointer.
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
          // Functions store products through pointers.
          "float t; sumTo(&t, 0, A[i]); t *= a; C[i] = t + B[i] * b;",
          "float t[2]; sumTo(t, 0, A[i]); setp(t + 1, A[i] * a);\n"
          "C[i] = t[0] + B[i] * b;",
          "float t; scaleTo(&t, A[i]); C[i] = t + B[i] * b;",
          "float t; throughScale(&t, A[i]); C[i] = t + B[i] * b;",
          "float t[2]; scaleBoth(t, A[i]); C[i] = t[0] + B[i] * b;",
          "float t[2][2]; scaleRows(t, A[i]); C[i] = t[1][0] + B[i] * b;",
          "float t; keepAt(&t); scaleTo(KeptAt, A[i]); C[i] = t + B[i] * b;",
          "float t, *p = &t, *q = p; *q = A[i] * a; C[i] = t + B[i] * b;",
          "float t[2][2]; set(t[1], 0, A[i] * a); C[i] = t[1][0] + B[i] * b;",
          "float t, u, *p = i > 3 ? &t : &u; *p = A[i] * a;\n"
          "C[i] = t + B[i] * b;",
          "float t, *p = &t, **q = &p; **q = A[i] * a; C[i] = t + B[i] * b;",
          // Functions load products through pointers, or are passed loaded
          // ones.
          "C[i] = A[i] * a; W[i].x = addTo(&C[i], 0, b);",
          "float *p[2] = {C, C}; C[i] = A[i] * a;\n"
          "W[i].x = addTo(&p[0][i], 0, b);",
          "C[i] = A[i] * a; float t[2] = {C[i], B[i]}; C[i] = second(t) / b;",
          "C[i] = A[i] * a; float t[2] = {C[i]}; W[i].x = secondAt(t) / b;",
          "C[i] = A[i] * a; float t[2] = {C[i], B[i]}, *q = t;\n"
          "C[i] = second(q) / b;",
          // Functions store products through references.
          "float t; give(t, A[i] * a); C[i] = t + B[i] * b;",
          "float t; pass(t, A[i]); C[i] = t + B[i] * b;",
          "float t = A[i]; itself(t) = A[i] * a; C[i] = t + B[i] * b;",
          "float t; fetch(t, C, i); C[i] = t + b; C[i + 1] = a * b;",
          // Products are stored, loaded and stored elsewhere.
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
          // The same product occurs twice in different spellings.
          "C[i] = A[i] * a + 1; W[i].x = A[i] * a;",
          "C[i] = A[i] * a + 1; W[i].x = a * A[i];",
          "C[i] = (A[i] + b) * a + 1; W[i].x = a * (b + A[i]);",
          "float s = A[i], t = A[i]; C[i] = s * a + 1; W[i].x = t * a;",
          "C[i] = 0.5f * A[i] + b; W[i].x = 0.5f * A[i];",
          "C[i] = thrice(A[i]) + 1; W[i].x = thrice(A[i]);",
          // Products in called functions count like those in this one.
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
          // The products have the same element as a factor.
          "int j = i - 1; C[i] = A[i - 1] * a + b; W[i].x = A[j] * a;",
          "C[i] = A[2 * (i + 1)] * a + b; W[i].x = *(A + i * 2 + 2) * a;",
          "const float *p = A + i; C[i] = A[i + 1] * a + b; W[i].x = p[1] * "
          "a;",
          "C[i] = A[i] * a + b; float t[2] = {b, A[i]}; W[i].x = t[1] * a;",
          "C[i] = A[i] / 4 * b + a; W[i].x = A[i] * 0.25f * b;",
          // The factors are values that variables and arrays were assigned.
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
          // The product is loaded from where it was stored.
          "C[i] = 2 * A[i]; C[i] += B[i] * b;",
          "C[i] = A[i] * a; W[i].x = C[i] + b;",
          "C[i] = A[i]; W[i].x = C[i] * a + b; W[i].y = A[i] * a;",
          // The product may be stored and loaded in any way.
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
          "V v = scaledPair(W[i], a); C[i] = v.x + b; W[i].y = v.x;",
          "C[i] = sumOf(prodOf(A[i], a), prodOf(B[i], b));",
          "C[i] = prodOf(A[i], a) + b; W[i].x = prodOf(a, A[i]);",
          // The factors are members of objects.
          "Pair p = {A[i], a}; C[i] = p.product() + b; W[i].x = A[i] * a;",
          "Pair p = {A[i], a}, *q = &p; C[i] = q->k * q->l + b;\n"
          "W[i].x = A[i] * a;",
          "Pair p; p.k = A[i]; p.l = a; C[i] = p.product() + b;\n"
          "W[i].x = A[i] * a;",
          // The factors use functions that mean the same.
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
          "C[i] = prodOf(A[i], a) + prodOf(B[i], b);",
          "C[i] = scaledPair(W[i], a).x + B[i] * b;",
          "Pair p = {a, b}; C[i] = (W[i] + W[i] * a).x * b + p.k * b;",
          "View w = {C, i}; w(1) = A[i] * a; W[i].x = w(1) + b;",
          "C[i] = oneAt(i) * a + B[i] * b;",
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
      },
      &Kernel::ambiguousSums, true);
}

} // namespace
} // namespace kfuse
