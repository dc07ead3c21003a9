//===- ChosenPointers.cpp - Accesses through pointers that vary -----------===//

#include "KernelTesting.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

struct PointerCase {
  const char *name;
  const char *source;
  const char *accesses;
};

void PrintTo(const PointerCase &row, std::ostream *stream) {
  *stream << row.name;
}

class ChosenPointers : public testing::TestWithParam<PointerCase> {};

TEST_P(ChosenPointers, LeadToEachOfTheirArrays) {
  EXPECT_EQ(printAccesses(analyseOne(GetParam().source)), GetParam().accesses);
}

#define INDEX "int i = blockIdx.x * blockDim.x + threadIdx.x;"

const PointerCase Cases[] = {
    {"ChosenPointer",
     "__global__ void k(float *a, const float *b, int n, int m) {" INDEX
     "const float *p = m > 0 ? a : b; a[i] = p[i + 1]; }",
     "R a[i + 1] {m - 1 >= 0}\n"
     "R b[i + 1] {-m >= 0}\n"
     "W a[i]\n"},
    {"PointerChosenByStatements",
     "__global__ void k(float *a, float *b, int n, int m) {" INDEX
     "float *p; if (i < m) p = a; else p = b + n; p += 2; *p = i; }",
     "W a[2] {-i + m - 1 >= 0}\n"
     "W b[n + 2] {i - m >= 0}\n"},
    {"PointerChosenByData",
     "__global__ void k(float *a, float *b, int n, int m) {" INDEX
     "float *p = a[i] > 0 ? a : b; p[i] = 0; }",
     "R a[i]\n"
     "W a[i] {?}\n"
     "W b[i] {?}\n"},
    {"PointerOrNull",
     "__global__ void k(float *a, float *b, int n, int m) {" INDEX
     "float *p = m > 0 ? b : nullptr; if (p) a[i] = p[i]; }",
     "R b[i] {?, m - 1 >= 0}\n"
     "W a[i] {?}\n"},
    {"PointerChosenTwice",
     "__global__ void k(float *a, float *b, float *c, int n, int m) {" INDEX
     "float *p = m > 0 ? b : c; float *q = n > 9 ? p : a; q[i] = 0; }",
     "W b[i] {m - 1 >= 0, n - 10 >= 0}\n"
     "W c[i] {-m >= 0, n - 10 >= 0}\n"
     "W a[i] {-n + 9 >= 0}\n"},
    {"PointerChosenInALoop",
     "__global__ void k(float *a, float *b, int n, int m) {" INDEX
     "for (int j = 0; j < m; ++j) { float *p = j > 2 ? a : b; p[j] = 0; } }",
     "W a[L0] {L0 >= 0, -L0 + m - 1 >= 0, L0 - 3 >= 0}\n"
     "W b[L0] {L0 >= 0, -L0 + m - 1 >= 0, -L0 + 2 >= 0}\n"},
    {"ChosenPointerToARandomState",
     "#include <curand_kernel.h>\n"
     "__global__ void k(curandState *a, curandState *b, float *c, int m) "
     "{" INDEX "c[i] = curand_uniform(m > 0 ? &a[i] : b + i); }",
     "R a[i] {m - 1 >= 0}\n"
     "R b[i] {-m >= 0}\n"
     "W a[i] {m - 1 >= 0}\n"
     "W b[i] {-m >= 0}\n"
     "W c[i]\n"},
    {"RandomState",
     "#include <curand_kernel.h>\n"
     "__global__ void k(curandState *a, float *c, int n) {" INDEX
     "curandState s = a[i]; c[i] = curand_uniform(&s); a[i] = s; }",
     "R a[i]\n"
     "W c[i]\n"
     "W a[i]\n"},
    {"BlockLoad",
     "#include <cub/cub.cuh>\n"
     "__global__ void k(const float *a, float *c, int n) {" INDEX
     "typedef cub::BlockLoad<float, 128, 4> Load; float v[4]; "
     "__shared__ Load::TempStorage s; Load(s).Load(a + 512 * blockIdx.x, v); "
     "c[i] = v[0]; }",
     "R a[call]\n"
     "W c[i]\n"},
};

INSTANTIATE_TEST_SUITE_P(Table, ChosenPointers, testing::ValuesIn(Cases),
                         [](const auto &row) { return row.param.name; });

} // namespace
} // namespace kfuse
