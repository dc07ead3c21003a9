//===- KernelNumbers.cpp - What a kernel takes of a device ----------------===//

#include "KernelTesting.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

TEST(KernelNumbers, CountSharedBytesAndOperations) {
  const AnalysedKernel analysed =
      analyseOne("__global__ void __launch_bounds__(128) k(float *a) {\n"
                 "  __shared__ float s[8][4]; extern __shared__ double d[];\n"
                 "  for (int i = 0; i < 10; ++i) s[0][0] += d[i] * 2;\n"
                 "  __syncthreads(); a[0] = s[0][0]; }");
  EXPECT_EQ(analysed.kernel.staticSharedBytes, 128U);
  EXPECT_TRUE(analysed.kernel.usesDynamicShared);
  EXPECT_EQ(analysed.kernel.barriers, 1U);
  EXPECT_EQ(analysed.kernel.maxThreads, 128U);
  EXPECT_EQ(analysed.kernel.operations[ArithmeticUnit::Fp64], 20);
  EXPECT_EQ(std::get<Polynomial>(analysed.kernel.loops.at(0).tripCount),
            Polynomial(10));
}

TEST(KernelNumbers, CountOperationsByUnit) {
  struct Case {
    const char *statement;
    Operations expected; ///< fp32, fp64, half, int32, special
  };
  const Case cases[] = {
      {"f[i] = f[i] * 2 + 1;", {{2, 0, 0, 0, 0}}},
      {"f[i] = -f[i];", {{1, 0, 0, 0, 0}}},
      {"d[i] += 3 * d[i];", {{0, 2, 0, 0, 0}}},
      {"f[i] = f[i] / 3;", {{32, 0, 0, 0, 1}}},
      {"d[i] = d[i] / 3;", {{0, 24, 0, 0, 0}}},
      {"f[i] = expf(f[i]);", {{18, 0, 0, 0, 1}}},
      {"f[i] = fmaf(f[i], 2, 1);", {{2, 0, 0, 0, 0}}},
      {"d[i] = exp(d[i]);", {{0, 44, 0, 0, 0}}},
      // Numbers from memory are work, indices aren't.
      {"n[i + 2] = (n[i] ^ 5) * 3;", {{0, 0, 0, 2, 0}}},
      {"for (int k = 0; k < 8; ++k) f[i] += k;", {{8, 0, 0, 0, 0}}},
  };
  for (const Case &each : cases) {
    const AnalysedKernel analysed =
        analyseOne(std::string("__global__ void k(float *f, double *d, int *n) "
                               "{ int i = threadIdx.x; ") +
                   each.statement + " }");
    EXPECT_EQ(analysed.kernel.operations.counts, each.expected.counts)
        << each.statement;
  }
}

} // namespace
} // namespace kfuse
