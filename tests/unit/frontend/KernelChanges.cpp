//===- KernelChanges.cpp - Variables that code may have changed -----------===//
//
// A loop, a switch or a callee may change variables under any name. What an
// index says about them afterwards has to be true.
//
//===----------------------------------------------------------------------===//

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

class KernelChanges : public testing::TestWithParam<Case> {};

TEST_P(KernelChanges, AreSeen) {
  EXPECT_EQ(printAccesses(analyseOne(GetParam().source)), GetParam().accesses);
}

#define INDEX "int i = blockIdx.x * blockDim.x + threadIdx.x;"

const Case Cases[] = {
    {"LoopThroughReference",
     "__device__ void add(int &j, int n) { for (int t = 0; t < n; t++) j++; }"
     "__global__ void k(int *a) {" INDEX
     "int j = 0; add(j, 2); a[i + j] = 0; }",
     "W a[loop-variant]\n"},
    {"EndlessLoopThroughReference",
     "__device__ void add(int &j) { for (;;) { j++; if (j > 1) break; } }"
     "__global__ void k(int *a) {" INDEX "int j = 0; add(j); a[i + j] = 0; }",
     "W a[loop-variant]\n"},
    {"LoopThroughPointer",
     "__device__ void add(int *j, int n) { while (n-- > 0) (*j)++; }"
     "__global__ void k(int *a) {" INDEX
     "int j = 0; add(&j, 2); a[i + j] = 0; }",
     "W a[loop-variant]\n"},
    {"LoopThroughThis",
     "struct At { int j; __device__ void add(int n) {"
     "for (int t = 0; t < n; t++) j++; } };"
     "__global__ void k(int *a) {" INDEX
     "At at; at.j = 0; at.add(2); a[i + at.j] = 0; }",
     "W a[unsupported]\n"},
    {"LoopThroughMember",
     "struct At { int j; };"
     "__device__ void add(At *at, int n) { while (n > 0) { at->j++; n--; } }"
     "__global__ void k(int *a) {" INDEX
     "At at; at.j = 0; add(&at, 2); a[i + at.j] = 0; }",
     "W a[unsupported]\n"},
    {"LoopMovesPointer",
     "__device__ void go(int *&p, int n) { while (n-- > 0) p += 3; }"
     "__global__ void k(int *a) {" INDEX "int *p = a; go(p, 2); p[i] = 0; }",
     "W a[loop-variant]\n"},
    {"LoopSetsPointer",
     "__device__ void go(int *&p, int *q, int n) { while (n-- > 0) p = q; }"
     "__global__ void k(int *a, int *b) {" INDEX
     "int *p = a; go(p, b, 2); p[i] = 0; }",
     "not analysed\n"},
    {"SwitchThroughReference",
     "__device__ void set(int &j, int c) { switch (c) { case 0: j = 2; break;"
     "case 1: j = 3; } }"
     "__global__ void k(int *a, int c) {" INDEX
     "int j = 0; set(j, c); a[i + j] = 0; }",
     "W a[unsupported]\n"},
    {"LoopCallsCallee",
     "__device__ void add(int &j, int n) { j += n; }"
     "__global__ void k(int *a, int n) {" INDEX
     "int j = 0; for (int t = 0; t < n; t++) { a[i + j] = 0; add(j, 4); } }",
     "W a[i + 4*L0] {L0 >= 0, -L0 + n - 1 >= 0}\n"},
    {"LoopThroughReturnedPointer",
     "__device__ int *same(int *p) { return p; }"
     "__global__ void k(int *a, int n) {" INDEX "int j = 0; int *q = same(&j);"
     "for (int t = 0; t < n; t++) { a[i + j] = 0; *q *= 2; } }",
     "W a[loop-variant] {L0 >= 0, -L0 + n - 1 >= 0}\n"},
    {"LoopThroughReturnedReference",
     "__device__ int &same(int &p) { return p; }"
     "__global__ void k(int *a, int n) {" INDEX "int j = 0; int &q = same(j);"
     "for (int t = 0; t < n; t++) { a[i + j] = 0; q *= 2; } a[j] = 1; }",
     "W a[loop-variant] {L0 >= 0, -L0 + n - 1 >= 0}\n"
     "W a[loop-variant]\n"},
    {"CallWithinCall",
     "__device__ int plus(const int &x, const int &y) { return x + y; }"
     "__global__ void k(int *a, int n) {" INDEX
     "int s = 4 * n; a[plus(s, plus(i, 1))] = 0; }",
     "W a[i + 4*n + 1]\n"},
    {"SwitchSetsPointer",
     "__global__ void k(int *a, int *b, int c) {" INDEX
     "int *p = a; switch (c) { case 0: p = b; break; case 1: p = a; }"
     "p[i] = 0; }",
     "not analysed\n"},
    {"ArmAfterArm",
     "__global__ void k(int *a, int c) {" INDEX
     "int j = 1; switch (c) { case 0: j = 2; break; case 1: a[i + j] = 0; } }",
     "W a[unsupported] {?}\n"},
    {"BreakSetsPointer",
     "__global__ void k(int *a, int *b, int n) {" INDEX
     "int *p = a; for (int t = 0; t < n; t++) { p++;"
     "if (t == 3) { p = b; break; } } p[i] = 0; }",
     "not analysed\n"},
    {"BreakKeepsMemory",
     "__global__ void k(int *a, int n) {" INDEX
     "int *p = a; for (int t = 0; t < n; t++) { p++;"
     "if (t == 3) break; } p[i] = 0; }",
     "W a[loop-variant]\n"},
    {"CounterReturned",
     "__device__ int find(const int *b) {"
     "for (int t = 0;; t++) if (b[t] > 5) return t; }"
     "__global__ void k(int *a, const int *b, int n) {" INDEX
     "a[i + find(b)] = 0; }",
     "R b[L0] {L0 >= 0, ?}\n"
     "W a[loop-variant]\n"},
    {"CounterReturnedByReference",
     "__device__ void find(const int *b, int &j) { for (int t = 0;; t++)"
     "if (b[t] > 5) { j = t; return; } }"
     "__global__ void k(int *a, const int *b, int n) {" INDEX
     "int j; find(b, j); a[i + j] = 0; }",
     "R b[L0] {L0 >= 0, ?}\n"
     "W a[loop-variant]\n"},
    {"ElementReturned",
     "__device__ int &find(int *a, const int *b, int n) {"
     "for (int t = 0;; t++) if (b[t] > 5) return a[t * n]; }"
     "__global__ void k(int *a, const int *b, int n) {" INDEX
     "find(a + i, b, n) = 0; }",
     "R b[L0] {L0 >= 0, ?}\n"
     "W a[loop-variant]\n"},
    {"BooleanInShortCircuit",
     "__global__ void k(int *a, const int *b, int n, int q) {" INDEX
     "bool f = b[0] > 3; q > 2 && (f = (b[1] > 5 && i < n)); if (f) a[i] = 0;}",
     "R b[0]\n"
     "R b[1] {q - 3 >= 0}\n"
     "W a[i] {?}\n"},
    {"BooleanBehindReturn",
     "__device__ void set(bool &f, const int *b, int i, int n, int q) {"
     "if (q < 3) return; f = b[1] > 5 && i < n; }"
     "__global__ void k(int *a, const int *b, int n, int q) {" INDEX
     "bool f = b[0] > 3; set(f, b, i, n, q); if (f) a[i] = 0; }",
     "R b[0]\n"
     "R b[1] {q - 3 >= 0}\n"
     "W a[i] {?}\n"},
    {"UnsignedConstantWraps",
     "__global__ void k(int *a) { unsigned i = threadIdx.x;"
     "a[i + 0xffffffffu] = 0; unsigned j = 0x80000000u; j += 0x80000000u;"
     "a[i + j] = 0; int l = 0xffffffffu; a[i + l] = 0; }",
     "W a[narrow32(tx - 1)]\n"
     "W a[tx]\n"
     "W a[narrow32(tx - 1)]\n"},
    {"UnsignedParameterAsSigned",
     "__global__ void k(int *a, unsigned m) {" INDEX
     "a[max((int)m, 0) + i] = 0; }",
     "W a[i + max(0, narrow-32(m))]\n"},
    {"UnsignedSumCompared",
     "__global__ void k(int *a, unsigned m, unsigned n) {"
     "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
     "if (i + m < n) a[i] = 0; if (i + 1 < n) a[i] = 1; }",
     "W a[i] {n - narrow32(i + m) - 1 >= 0}\n"
     "W a[i] {-i + n - 2 >= 0}\n"},
    {"NarrowCounterWraps",
     "__global__ void k(int *a, int n) {" INDEX
     "for (unsigned char t = 254; t != 3; t++) a[i + t * n] = 0; }",
     "W a[loop-variant] {L0 >= 0, ?, ?}\n"},
    {"ConditionCountsDown",
     "__global__ void k(int *a, int n) {" INDEX
     "int j = 9; while (j-- > 0) a[i + j * n] = 0; }",
     "W a[i - L0*n + 8*n] {L0 >= 0, -L0 + 8 >= 0}\n"},
    {"GridStrideThroughPointer",
     "__device__ int *same(int *p) { return p; }"
     "__global__ void k(int *a, int n) { int j = 0; int *q = same(&j);"
     "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;"
     "i += gridDim.x * blockDim.x) { a[i + j] = 0; (*q)++; } }",
     "W a[Bx*Gx*L0 + i + L0] {L0 >= 0, -Bx*Gx*L0 - i + n - 1 >= 0}\n"},
};

INSTANTIATE_TEST_SUITE_P(Table, KernelChanges, testing::ValuesIn(Cases),
                         [](const auto &row) { return row.param.name; });

TEST(KernelChanges, LoopsChangeCopies) {
  const Kernel kernel =
      analyseOne(
          "__global__ void k(float *a, const float *b, int n) {" INDEX
          "float x = b[i]; a[i] = x;"
          "for (int t = 1; t < 3; t++) { a[i + t * n] = x; x = x + 1; } }")
          .kernel;
  ASSERT_EQ(kernel.accesses.size(), 3U);
  EXPECT_EQ(kernel.accesses[1].copyOf, 0U);
  EXPECT_EQ(kernel.accesses[2].copyOf, std::nullopt);
}

} // namespace
} // namespace kfuse
