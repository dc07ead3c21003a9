//===- KernelAccesses.cpp - Indices and guards ----------------------------===//

#include "KernelTesting.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

struct Case {
  const char *name;
  const char *source;
  const char *accesses;
};

void PrintTo(const Case &row, std::ostream *stream) { *stream << row.name; }

class KernelAccesses : public testing::TestWithParam<Case> {};

TEST_P(KernelAccesses, Are) {
  EXPECT_EQ(printAccesses(analyseOne(GetParam().source)), GetParam().accesses);
}

#define INDEX "int i = blockIdx.x * blockDim.x + threadIdx.x;"

const Case Cases[] = {
    {"Guarded",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (i < n) a[i] = b[i] + 1; }",
     "R b[i] {-i + n - 1 >= 0}\n"
     "W a[i] {-i + n - 1 >= 0}\n"},
    {"EarlyReturn",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (i >= n) return; a[i] = b[i]; }",
     "R b[i] {-i + n - 1 >= 0}\n"
     "W a[i] {-i + n - 1 >= 0}\n"},
    {"TwoBounds",
     "__global__ void k(float *a, int n, int m) {" INDEX
     "int j = blockIdx.y * blockDim.y + threadIdx.y; if (i < n && j < m) a[j * "
     "n + i] = 0; }",
     "W a[tx + ty*n + bx*Bx + by*By*n] {-i + n - 1 >= 0, -j + m - 1 >= 0}\n"},
    {"EarlyReturnOfTwo",
     "__global__ void k(float *a, int n, int m) {" INDEX
     "int j = blockIdx.y * blockDim.y + threadIdx.y; if (i >= n || j >= m) "
     "return; a[j * n + i] = 0; }",
     "W a[tx + ty*n + bx*Bx + by*By*n] {-i + n - 1 >= 0, -j + m - 1 >= 0}\n"},
    {"BitwiseAnd",
     "__global__ void k(float *a, int n) {" INDEX
     "if ((i > 0) & (i < n)) a[i] = 0; }",
     "W a[i] {i - 1 >= 0, -i + n - 1 >= 0}\n"},
    {"BitwiseAndOfThree",
     "__global__ void k(float *a, int n, int m) {" INDEX
     "if (i > 0 & i < n & i < m) a[i] = 0; }",
     "W a[i] {i - 1 >= 0, -i + n - 1 >= 0, -i + m - 1 >= 0}\n"},
    {"BooleanVariable",
     "__global__ void k(float *a, int n) {" INDEX
     "bool in = i > 0 && i < n; if (in) a[i] = 0; }",
     "W a[i] {i - 1 >= 0, -i + n - 1 >= 0}\n"},
    {"ShiftsAndMasks",
     "__global__ void k(float *a, int n) {" INDEX
     "a[(i >> 5) * n + (i & 31)] = 0; a[(n >> 5) + (n & 31)] = 0;"
     "unsigned m = n; a[(m >> 2) + (7 & m)] = 0; }",
     "W a[n*div(i, 32) + rem(i, 32)]\n"
     "W a[shr(n, 5) + and(31, n)]\n"
     "W a[div(narrow32(n), 4) + rem(narrow32(n), 8)]\n"},
    {"LargerOfKnown",
     "__global__ void k(float *a, int n) {"
     "int b = blockIdx.x * blockDim.x; int i = (b > 0 ? b : 0) + threadIdx.x;"
     "a[i] = 0; a[max(i, i + 2) + min(i, 0)] = 0; a[max(i, n)] = 0; }",
     "W a[i]\n"
     "W a[i + 2]\n"
     "W a[max(i, n)]\n"},
    {"RowsByBytes",
     "__global__ void k(short *a, const float *b, int p, unsigned q) {" INDEX
     "int j = blockIdx.y; short *row = (short *)((char *)a + j * p);"
     "row[i] = *(const float *)((const char *)b + j * q + 4 * i);"
     "row[i] = *(const float *)((const char *)b + j * q + 2); }",
     "R b[tx + bx*Bx + narrow30(by*div(q, 4))]\n"
     "W a[tx + bx*Bx + by*div(p, 2)]\n"
     "R b[unsupported]\n"
     "W a[tx + bx*Bx + by*div(p, 2)]\n"},
    {"StatementExpression",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "a[({ int j = i + 1; j < n ? j : n; })] = ({ float t = b[i]; t; }); }",
     "R b[i]\n"
     "W a[min(i + 1, n)]\n"},
    {"ElseArm",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (i < n) a[i] = 0; else a[0] = b[0]; }",
     "W a[i] {-i + n - 1 >= 0}\n"
     "R b[0] {i - n >= 0}\n"
     "W a[0] {i - n >= 0}\n"},
    {"ElseOfConjunction",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (i > 0 && i < n) a[i] = 0; else a[0] = b[0]; }",
     "W a[i] {i - 1 >= 0, -i + n - 1 >= 0}\n"
     "R b[0] {le(0, i - 1)*le(0, -i + n - 1) == 0}\n"
     "W a[0] {le(0, i - 1)*le(0, -i + n - 1) == 0}\n"},
    {"PartialReturn",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (i < n) { if (b[i] > 0) return; } a[i] = 1; }",
     "R b[i] {-i + n - 1 >= 0}\n"
     "W a[i] {?}\n"},
    {"UnsignedIndex",
     "__global__ void k(float *a, unsigned n) {" INDEX
     "unsigned u = i; if (u < n) a[u] = 0; }",
     "W a[i] {-i + n - 1 >= 0}\n"},
    {"UnsignedAgainstSigned",
     "__global__ void k(float *a, int n) {" INDEX
     "if (threadIdx.x < n) a[threadIdx.x] = 0; }",
     "W a[tx] {-tx + narrow32(n) - 1 >= 0}\n"},
    {"UnsignedWrap",
     "__global__ void k(float *a, unsigned n) {" INDEX
     "if (threadIdx.x - 1 < n) a[threadIdx.x - 1] = 0; }",
     "W a[narrow32(tx - 1)] {n - narrow32(tx - 1) - 1 >= 0}\n"},
    {"UnsignedStencil",
     "__global__ void k(float *a, unsigned n) {"
     "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
     "if (i == 0 || i + 1 >= n) return; a[i - 1] = a[i + 1]; }",
     "R a[i + 1] {i != 0, i - 1 >= 0, -i + n - 2 >= 0}\n"
     "W a[i - 1] {i != 0, i - 1 >= 0, -i + n - 2 >= 0}\n"},
    {"UnsignedHash",
     "__global__ void k(float *a, unsigned n) {"
     "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
     "if (i * 1664525u + 1u < n) a[i * 16777216u % 1024u] = 0; }",
     "W a[rem(narrow32(16777216*i), 1024)] "
     "{n - narrow32(1664525*i + 1) - 1 >= 0}\n"},
    {"UnsignedPitch",
     "__global__ void k(float *a, unsigned w, unsigned h) {"
     "unsigned x = threadIdx.x, y = threadIdx.y;"
     "if (x < w && y < h) a[y * w + x] = a[y * 100 + x]; }",
     "R a[tx + 100*ty] {-tx + w - 1 >= 0, -ty + h - 1 >= 0}\n"
     "W a[narrow32(tx + ty*w)] {-tx + w - 1 >= 0, -ty + h - 1 >= 0}\n"},
    {"UnsignedStepsOfAnInt",
     "__global__ void k(float *a, int n) { int h = threadIdx.x;"
     "for (int j = 0; j < 4; j++) { if (h >= 0) a[j] = 0; h += 0x60000000u; }"
     "}",
     "W a[L0] {L0 >= 0, -L0 + 3 >= 0, "
     "narrow-32(tx + 1610612736*L0) >= 0}\n"},
    {"UnsignedStepsThatWrap",
     "__global__ void k(float *a) {"
     "for (unsigned h = 16; h < 0xe0000000u; h += 0x30000000u) a[0] = 0;"
     "for (unsigned h = 16; h < 0xe0000000u; h += 0x40000000u) a[1] = 0;"
     "for (unsigned h = 16, j = 0; h < 0xe0000000u && j < 9;"
     "h += 0x40000000u, j++) a[2] = 0; }",
     "W a[0] {L0 >= 0, ?, -narrow32(805306368*L0 + 16) + 3758096383 >= 0}\n"
     "W a[1] {L1 >= 0, -1073741824*L1 + 3758096367 >= 0}\n"
     "W a[2] {L2 >= 0, ?, -narrow32(1073741824*L2 + 16) + 3758096383 >= 0, "
     "-L2 + 8 >= 0}\n"},
    {"UnsignedStrideOfAnInt",
     "__global__ void k(float *a, int n) { float s = 0;"
     "for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];"
     "a[n] = s; }",
     "R a[tx + Bx*L0] {L0 >= 0, -tx - Bx*L0 + n - 1 >= 0}\n"
     "W a[n]\n"},
    {"UnsignedLoop",
     "__global__ void k(float *a, unsigned n) {"
     "for (unsigned k = threadIdx.x; k < n; k += blockDim.x) a[k] = 0; }",
     "W a[tx + Bx*L0] {L0 >= 0, -tx - Bx*L0 + n - 1 >= 0}\n"},
    {"UnsignedWidened",
     "__global__ void k(float *a, long n) {" INDEX
     "long w = threadIdx.x - 1; if (w < n) a[w] = 0; }",
     "W a[narrow32(tx - 1)] {n - narrow32(tx - 1) - 1 >= 0}\n"},
    {"SizeType",
     "__global__ void k(float *a, size_t n) {" INDEX
     "size_t s = i; if (s < n) a[s] = 0; }",
     "W a[i] {-i + n - 1 >= 0}\n"},
    {"Stencil",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (i > 0 && i < n - 1) a[i] = b[i - 1] + b[i] + b[i + 1]; }",
     "R b[i - 1] {i - 1 >= 0, -i + n - 2 >= 0}\n"
     "R b[i] {i - 1 >= 0, -i + n - 2 >= 0}\n"
     "R b[i + 1] {i - 1 >= 0, -i + n - 2 >= 0}\n"
     "W a[i] {i - 1 >= 0, -i + n - 2 >= 0}\n"},
    {"Ternary",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "a[i] = i < n ? b[i] : 0.f; }",
     "R b[i] {-i + n - 1 >= 0}\n"
     "W a[i]\n"},
    {"ClampedIndex",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int l = i > 0 ? i - 1 : 0; int r = min(i + 1, n - 1); a[i] = b[l] + "
     "b[r]; }",
     "R b[max(0, i - 1)]\n"
     "R b[min(n - 1, i + 1)]\n"
     "W a[i]\n"},
    {"ClampByIf",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int l = i - 1; if (l < 0) l = 0; a[i] = b[l]; }",
     "R b[max(0, i - 1)]\n"
     "W a[i]\n"},
    {"DivideAndRemainder",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int y = i / n, x = i % n; a[y * n + x] = b[(y + 1) * n + x]; }",
     "R b[i + n]\n"
     "W a[i]\n"},
    {"ThreeDimensions",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int x = i % 8, y = i / 8 % 4, z = i / 32; a[(z * 4 + y) * 8 + x] = b[x]; "
     "}",
     "R b[rem(i, 8)]\n"
     "W a[i]\n"},
    {"Shifts", "__global__ void k(float *a) {" INDEX "a[i << 2] = a[i >> 3]; }",
     "R a[div(i, 8)]\n"
     "W a[narrow-32(4*i)]\n"},
    {"Narrowing",
     "__global__ void k(float *a, long n) {" INDEX "a[(int)n] = a[(char)i]; }",
     "R a[narrow-8(i)]\n"
     "W a[narrow-32(n)]\n"},
    {"Floating",
     "__global__ void k(float *a, float f) {" INDEX "a[(int)(i * f)] = 0; }",
     "W a[floating]\n"},
    {"Indirect",
     "__global__ void k(float *a, const int *map) {" INDEX "a[map[i]] = 1; }",
     "R map[i]\n"
     "W a[indirect]\n"},
    {"Update",
     "__global__ void k(float *a) {" INDEX "a[i] += 2; a[i]++; --a[i]; }",
     "R a[i]\n"
     "W a[i]\n"
     "R a[i]\n"
     "W a[i]\n"
     "R a[i]\n"
     "W a[i]\n"},
    {"CountedLoop",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "float s = 0; for (int j = 0; j < n; ++j) s += b[i * n + j]; a[i] = s; }",
     "R b[i*n + L0] {L0 >= 0, -L0 + n - 1 >= 0}\n"
     "W a[i]\n"},
    {"SteppedLoop",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int j = 2; j <= n; j += 3) a[j] = b[j]; }",
     "R b[3*L0 + 2] {L0 >= 0, -3*L0 + n - 2 >= 0}\n"
     "W a[3*L0 + 2] {L0 >= 0, -3*L0 + n - 2 >= 0}\n"},
    {"DownwardLoop",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int j = n - 1; j >= 0; --j) a[j] = b[j]; }",
     "R b[-L0 + n - 1] {L0 >= 0, -L0 + n - 1 >= 0}\n"
     "W a[-L0 + n - 1] {L0 >= 0, -L0 + n - 1 >= 0}\n"},
    {"BlockStride",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int j = threadIdx.x; j < n; j += blockDim.x) a[j] = b[j]; }",
     "R b[tx + Bx*L0] {L0 >= 0, -tx - Bx*L0 + n - 1 >= 0}\n"
     "W a[tx + Bx*L0] {L0 >= 0, -tx - Bx*L0 + n - 1 >= 0}\n"},
    {"SecondInduction",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int p = i; for (int j = 0; j < n; ++j) { a[p] = b[j]; p += n; } a[p] = "
     "0; }",
     "R b[L0] {L0 >= 0, -L0 + n - 1 >= 0}\n"
     "W a[i + L0*n] {L0 >= 0, -L0 + n - 1 >= 0}\n"
     "W a[loop-variant]\n"},
    {"PointerInduction",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "const float *q = b + i; for (int j = 0; j < 4; ++j) a[j] = *q++; }",
     "R b[i + L0] {L0 >= 0, -L0 + 3 >= 0}\n"
     "W a[L0] {L0 >= 0, -L0 + 3 >= 0}\n"},
    {"Continue",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int j = 0; j < n; ++j) { if (j == i) continue; a[j] = b[j]; } }",
     "R b[L0] {L0 >= 0, -L0 + n - 1 >= 0, -i + L0 != 0}\n"
     "W a[L0] {L0 >= 0, -L0 + n - 1 >= 0, -i + L0 != 0}\n"},
    {"Break",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int j = 0; j < n; ++j) { if (b[j] > 0) break; a[j] = 0; } a[i] = 1; "
     "}",
     "R b[L0] {L0 >= 0, ?, -L0 + n - 1 >= 0}\n"
     "W a[L0] {L0 >= 0, ?, -L0 + n - 1 >= 0, ?}\n"
     "W a[i]\n"},
    {"ReturnInLoop",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int j = 0; j < 4; ++j) if (b[j] > 0) return; a[i] = 1; }",
     "R b[L0] {L0 >= 0, ?, -L0 + 3 >= 0}\n"
     "W a[i] {?}\n"},
    {"While",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int j = 0; while (j < n) { a[j] = b[j]; j++; } }",
     "R b[L0] {L0 >= 0, -L0 + n - 1 >= 0}\n"
     "W a[L0] {L0 >= 0, -L0 + n - 1 >= 0}\n"},
    {"DoWhile",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int j = 0; do { a[j] = 1; j++; } while (j < n); }",
     "W a[L0] {L0 >= 0, ?}\n"},
    {"Search",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int j = i; while (b[j] > 0) j = (j + 1) % n; a[j] = 1; }",
     "R b[loop-variant] {L0 >= 0, ?}\n"
     "W a[loop-variant]\n"},
    {"NestedLoops",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int j = 0; j < 3; ++j) for (int l = 0; l < j; ++l) a[j * 4 + l] = "
     "0; }",
     "W a[4*L0 + L1] {L0 >= 0, -L0 + 2 >= 0, L1 >= 0, L0 - L1 - 1 >= 0}\n"},
    {"Halving",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int s = n; s > 0; s /= 2) a[i + s] = b[s]; }",
     "R b[loop-variant] {L0 >= 0, ?, ?}\n"
     "W a[loop-variant] {L0 >= 0, ?, ?}\n"},
    {"Switch",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int j = 0; switch (n) { case 1: j = 1; a[0] = 1; break; default: a[j] = "
     "2; } a[j] = 3; }",
     "W a[0] {?}\n"
     "W a[unsupported] {?}\n"
     "W a[unsupported]\n"},
    {"PointerOffset",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "float *p = a + n; p[i] = *(b + i); p += 2; p[1] = 0; }",
     "R b[i]\n"
     "W a[i + n]\n"
     "W a[n + 3]\n"},
    {"PointerChoice",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "const float *p = i < n ? b : b + n; a[i] = p[i]; }",
     "R b[i + n*select(le(0, -i + n - 1), 0, 1)]\n"
     "W a[i]\n"},
    {"ArrayParameter",
     "__global__ void k(float p[][4][8]) {" INDEX "p[i][1][2] = p[2][i][3]; }",
     "R p[8*i + 67]\n"
     "W p[32*i + 10]\n"},
    {"VectorMember",
     "__global__ void k(float4 *a, const float4 *b) {" INDEX
     "a[i].y = b[i].w; a[i] = b[i]; }",
     "R b[i].12+4\n"
     "W a[i].4+4\n"
     "R b[i]\n"
     "W a[i]\n"},
    {"VectorCast",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "((float4 *)a)[i] = ((const float4 *)b)[i]; }",
     "R b[i]\n"
     "W a[i]\n"},
    {"ScalarsOfVectors",
     "__global__ void k(float4 *a) {" INDEX
     "float *p = (float *)a; p[i] = p[4 * i + 1]; }",
     "R a[4*i + 1]\n"
     "W a[i]\n"},
    {"Reference",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "float &r = a[i]; r = b[i]; }",
     "R b[i]\n"
     "W a[i]\n"},
    {"AddressOf",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "float *p = &a[i]; *p = b[i]; p[1] = 2; }",
     "R b[i]\n"
     "W a[i]\n"
     "W a[i + 1]\n"},
    {"Atomics",
     "__global__ void k(int *a, int n) {" INDEX
     "atomicAdd(&a[i], 1); int o = atomicMax(a + n, i); a[o] = 0; }",
     "A a[i]\n"
     "A a[n]\n"
     "W a[indirect]\n"},
    {"SharedAndLocal",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "__shared__ float s[64]; float t[4]; s[threadIdx.x] = b[i]; t[0] = s[0]; "
     "a[i] = t[0]; }",
     "R b[i]\n"
     "W a[i]\n"},
    {"AddressTakenInteger",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int j = i; int *p = &j; *p = n; a[j] = 0; }",
     "W a[unsupported]\n"},
    {"Chained",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "a[i] = a[i + 1] = b[i]; }",
     "R b[i]\n"
     "W a[i + 1]\n"
     "R a[i + 1]\n"
     "W a[i]\n"},
    {"SideEffectIndex",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "int j = i; a[j++] = b[j]; }",
     "R b[i]\n"
     "W a[i]\n"},
    {"DeadBranch",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (sizeof(int) == 8) a[n] = 0; else a[i] = b[i]; }",
     "R b[i]\n"
     "W a[i]\n"},
    {"ShortCircuit",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (i < n && b[i] > 0) a[i] = 1; }",
     "R b[i] {-i + n - 1 >= 0}\n"
     "W a[i] {-i + n - 1 >= 0, ?}\n"},
    {"Negation",
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (!(i < n)) return; if (!(i == 3)) a[i] = b[i]; }",
     "R b[i] {-i + n - 1 >= 0, i - 3 != 0}\n"
     "W a[i] {-i + n - 1 >= 0, i - 3 != 0}\n"},
    {"DeviceFunction",
     "__device__ float get(const float *p, int j) { return p[j + 1]; } "
     "__global__ void k(float *a, const float *b, int n) {" INDEX
     "if (i < n) a[i] = get(b + 2, i); }",
     "R b[i + 3] {-i + n - 1 >= 0}\n"
     "W a[i] {-i + n - 1 >= 0}\n"},
    {"IndexFunction",
     "__device__ int at(int x, int y, int w) { return y * w + x; } __global__ "
     "void k(float *a, const float *b, int n) {" INDEX
     "a[at(i, threadIdx.y, n)] = 0; }",
     "W a[ty*n + i]\n"},
    {"SelectingFunction",
     "__device__ int clampTo(int x, int n) { if (x < 0) return 0; if (x >= n) "
     "return n - 1; return x; } __global__ void k(float *a, const float *b, "
     "int n) {" INDEX "a[i] = b[clampTo(i, n)]; }",
     "R b[select(le(0, -i - 1), 0, select(le(0, i)*le(0, i - n), n - 1, i))]\n"
     "W a[i]\n"},
    {"OutParameter",
     "__device__ void split(int v, int w, int &x, int *y) { x = v % w; *y = v "
     "/ w; } __global__ void k(float *a, const float *b, int n) {" INDEX
     "int x, y; split(i, n, x, &y); a[y * n + x] = 0; }",
     "W a[i]\n"},
    {"Recursion",
     "__device__ int f(int x) { return x > 0 ? f(x - 1) : 0; } __global__ void "
     "k(float *a, const float *b, int n) {" INDEX "a[f(i)] = 0; }",
     "W a[unsupported]\n"
     "not analysed\n"},
    {"Undefined",
     "__device__ int f(int x); __global__ void k(float *a, const float *b, int "
     "n) {" INDEX "a[f(i)] = 0; }",
     "W a[call]\n"
     "not analysed\n"},
    {"StructParameter",
     "struct V { float *p; int n; struct { int w; } s; }; __global__ void k(V "
     "v) {" INDEX "if (i < v.n) v.p[i * v.s.w] = 0; }",
     "W v.p[i*v.s.w] {-i + v.n - 1 >= 0}\n"},
    {"LocalStruct",
     "struct P { int x, y; }; __global__ void k(float *a, int n) {" INDEX
     "P p = {i, n}; P q = p; q.x += 1; a[q.x * q.y] = 0; }",
     "W a[i*n + n]\n"},
    {"Method",
     "struct G { int w; __device__ int at(int x, int y) const { return y * w + "
     "x; } }; __global__ void k(float *a, G g) {" INDEX "a[g.at(i, 2)] = 0; }",
     "W a[i + 2*g.w]\n"},
    {"DeviceVariables",
     "__device__ float d[4]; __constant__ float c[2]; __device__ int total; "
     "__global__ void k(float *a) {" INDEX "a[i] = c[0] + d[i]; total = 1; }",
     "R global0[0]\n"
     "R global1[i]\n"
     "W a[i]\n"
     "W global2[0]\n"},
    {"Constants",
     "const int N = 1 << 4; enum { M = 3 }; constexpr int W = N + M; "
     "__global__ void k(float *a) {" INDEX "a[i * N + M + W] = 0; }",
     "W a[16*i + 22]\n"},
    {"ConstReference",
     "template <typename T> __device__ T larger(const T &x, const T &y) { "
     "return x > y ? x : y; } __global__ void k(float *a, const float *b, int "
     "n) {" INDEX "a[i] = larger(a[i], b[i]); }",
     "R a[i]\n"
     "R b[i]\n"
     "W a[i]\n"},
    {"VectorOperator",
     "__device__ float2 operator+(const float2 &x, const float2 &y) { return "
     "{x.x + y.x, x.y + y.y}; } __global__ void k(float2 *a, float2 *b) {" INDEX
     "a[i] = a[i] + b[i]; }",
     "R a[i]\n"
     "R b[i]\n"
     "W a[i]\n"},
    {"Macros",
     "#define AT(x, y) ((y) * n + (x))\n#define A(x) a[x]\n __global__ void "
     "k(float *a, const float *b, int n) {" INDEX
     "a[AT(i, 1)] = b[i]; A(i) = 0; }",
     "R b[i]\n"
     "W a[i + n]\n"
     "W a[i]\n"},
    {"GridStride",
     " __global__ void k(float *a, const float *b, int n) {" INDEX
     "for (int j = i; j < n; j += gridDim.x * blockDim.x) a[j] = b[j]; }",
     "R b[stridex] {-stridex + n - 1 >= 0}\n"
     "W a[stridex] {-stridex + n - 1 >= 0}\n"},
};

INSTANTIATE_TEST_SUITE_P(Table, KernelAccesses, testing::ValuesIn(Cases),
                         [](const auto &row) { return row.param.name; });

} // namespace
} // namespace kfuse
