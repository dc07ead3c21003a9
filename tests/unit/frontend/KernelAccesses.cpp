//===- tests/unit/frontend/KernelAccesses.cpp - Indices and guards --------===//

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
     "R b[i] {n - i - 1 >= 0}\nW a[i] {n - i - 1 >= 0}\n"},
};

INSTANTIATE_TEST_SUITE_P(Table, KernelAccesses, testing::ValuesIn(Cases),
                         [](const auto &row) { return row.param.name; });

} // namespace
} // namespace kfuse
