//===- GenerateTest.cpp - Fused programs as text --------------------------===//
#include "ProgramBuilder.h"

#include <gtest/gtest.h>

using namespace kfuse;
using kfuse::testing::ProgramBuilder;

namespace {

constexpr const char *Chain = R"(#include <cstdio>

// Doubles.
__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return; // nothing to do
  B[i] = 2 * A[i];
}

__global__ void shift(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}

// Runs both.
void run(float *d_A, float *d_C, int n) {
  float *d_B;
  cudaMalloc(&d_B, n * 4);
  scale<<<n / 256, 256>>>(d_A, d_B, n);
  // then
  shift<<<n / 256, 256>>>(d_B, d_C, n);
  cudaFree(d_B);
}
)";

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Generate, leavesSingleKernelsAlone) {
  ProgramBuilder builder(Chain);
  const GenerateResult result = builder.generate();
  EXPECT_EQ(result.text, Chain);
  EXPECT_TRUE(result.refused.empty());
}

TEST(Generate, fusesAChain) {
  ProgramBuilder builder(Chain);
  builder.group({0, 1});
  builder.place("d_B", PlacementKind::RegisterOnly, {0}, {1});
  builder.plan.removed = {builder.array("d_B")};
  EXPECT_TRUE(contains(builder.generate().text, "kfuse")) << builder.generate().text;
}

} // namespace
