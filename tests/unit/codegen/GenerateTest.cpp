//===- GenerateTest.cpp - Fused programs as text --------------------------===//
#include "GenerateTesting.h"

using namespace kfuse;
using namespace kfuse::testing;

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

constexpr const char *FusedChain = R"(#include <cstdio>

// Doubles.
__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return; // nothing to do
  B[i] = 2 * A[i];
}

// kfuse: the body of 'scale', which leaves B in a register.
static __device__ __forceinline__ void scale_at(
    int i, const float *A, float &B_value, int n) {
  if (i >= n)
    return; // nothing to do
  B_value = 2 * A[i];
}

__global__ void shift(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}

// kfuse: the body of 'shift', which takes B from a register.
static __device__ __forceinline__ void shift_at(
    int i, const float &B_value, float *C, int n) {
  if (i < n)
    C[i] = B_value + 1;
}

// kfuse: zeros that the compiler doesn't know to be zero, one for each stage and
// element of a thread.
template <unsigned N> struct KfuseZeros {
  unsigned at[N];
};

// kfuse: returns `value` as if it had just been stored and loaded again. Stages
// get their values apart, so that the compiler neither contracts across them,
// say into an FMA, nor computes together what two kernels computed separately.
template <typename T>
static __device__ __forceinline__ T kfuseIsolate(T value, unsigned zero) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned &word : words)
    word ^= zero;
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
template <typename T>
static __device__ __forceinline__ T *kfuseIsolate(T *pointer, unsigned zero) {
  return pointer + zero;
}

// kfuse: 'scale' (line 4) and 'shift' (line 11) as one kernel. B passes in a
// register and is never stored.
static __global__ void kfuse_scale_shift(
    const float *__restrict__ A, int n, float *__restrict__ C,
    KfuseZeros<2> kfuseZero) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float B_value = {};
  scale_at(i, A, B_value, n);
  B_value = kfuseIsolate(B_value, kfuseZero.at[0]);
  shift_at(i, B_value, C, n);
}

// Runs both.
void run(float *d_A, float *d_C, int n) {
  // then
  kfuse_scale_shift<<<n / 256, 256>>>(d_A, n, d_C, KfuseZeros<2>{});
}
)";

TEST(Generate, leavesSingleKernelsAlone) {
  ProgramBuilder builder(Chain);
  const GenerateResult result = builder.generate();
  EXPECT_EQ(result.text, Chain);
  EXPECT_TRUE(result.refused.empty());
}

TEST(Generate, fusesAChain) {
  ProgramBuilder builder(Chain);
  builder.group({0, 1});
  builder.place("d_B", RegisterOnly, {0}, {1});
  builder.plan.removed = {builder.array("d_B")};
  EXPECT_EQ(builder.generate().text, FusedChain);
}

TEST(Generate, keepsLineEnds) {
  const auto crlf = [](const std::string &text) {
    std::string result;
    for (const char c : text)
      result += c == '\n' ? "\r\n" : std::string(1, c);
    return result;
  };
  ProgramBuilder builder(crlf(Chain));
  builder.group({0, 1});
  builder.place("d_B", RegisterOnly, {0}, {1});
  builder.plan.removed = {builder.array("d_B")};
  EXPECT_EQ(builder.generate().text, crlf(FusedChain));
}

TEST(Generate, storesWhatIsReadLater) {
  ProgramBuilder builder(pairOf("  first<<<n, 256>>>(a, b, n);\n"
                                "  second<<<n, 256>>>(b, c, n);\n"));
  builder.group({0, 1});
  builder.place("b", Register, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "first_at(int i, const float *A,"));
  EXPECT_TRUE(has(result, "first_at(i, A, B, B_value, n);"));
  EXPECT_TRUE(has(result, "B[i] = B_value = A[i] * 3;"));
  EXPECT_TRUE(has(result, "C[i] = B_value + 1;"));
  EXPECT_TRUE(has(result, "B passes in a\n// register and is stored too."));
  EXPECT_TRUE(has(
      result, "kfuse_first_second<<<n, 256>>>(a, b, n, c, KfuseZeros<2>{});"));
}

TEST(Generate, updatesInPlace) {
  ProgramBuilder builder(
      kernel("load", "float *A", "A[i] = A[i] + 1;") +
      kernel("more", "float *A", "A[i] += 2;") +
      kernel("twice", "float *A, float *B", "B[i] = A[i] * 2;") +
      host("  load<<<n, 256>>>(a, n);\n  more<<<n, 256>>>(a, n);\n"
           "  twice<<<n, 256>>>(a, b, n);\n"));
  builder.group({0, 1, 2});
  builder.place("a", Register, {0, 1}, {1, 2});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "    A[i] = A_value = A[i] + 1;"));
  EXPECT_TRUE(has(result, "    A_value += 2;\n    A[i] = A_value;"));
  EXPECT_TRUE(has(result, "    B[i] = A_value * 2;"));
  EXPECT_TRUE(
      has(result, R"(  load_at(i, kfuseIsolate(A, kfuseZero.at[0]), A_value, n);
  A_value = kfuseIsolate(A_value, kfuseZero.at[0]);
  more_at(i, kfuseIsolate(A, kfuseZero.at[1]), A_value, n);
  A_value = kfuseIsolate(A_value, kfuseZero.at[1]);
  twice_at(i, A_value, B, n);
)"));
  EXPECT_TRUE(has(
      result, "kfuse_load_more_twice<<<n, 256>>>(a, n, b, KfuseZeros<3>{});"));
}

TEST(Generate, updatesOnceReadFromMemory) {
  ProgramBuilder builder(
      kernel("more", "float *A", "A[i] += 2;") +
      kernel("step", "int *K, int *L", "L[i] = K[i]++;") +
      kernel("last", "const float *A, const int *K, float *B",
             "B[i] = A[i] * K[i];") +
      host("  more<<<n, 256>>>(a, n);\n  step<<<n, 256>>>(k, l, n);\n"
           "  last<<<n, 256>>>(a, k, b, n);\n",
           "float *a, float *b, int *k, int *l, int n"));
  builder.group({0, 1, 2});
  builder.place("a", Register, {0}, {2}).place("k", Register, {1}, {2});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "    A_value = (A[i] += 2);"));
  EXPECT_TRUE(has(result, "    L[i] = (K_value = K[i] + 1, K[i]++);"));
  EXPECT_TRUE(has(result, "B[i] = A_value * K_value;"));
  // Integers may be the bits of a floating-point value.
  EXPECT_TRUE(has(result,
                  "  step_at(i, K, K_value, L, n);\n"
                  "  K_value = kfuseIsolate(K_value, kfuseZero.at[1]);\n"
                  "  last_at(i, "));
}

TEST(Generate, dropsUpdatesOfWhatIsNeverStored) {
  ProgramBuilder builder(
      kernel("set", "float *A", "A[i] = 1;") +
      kernel("more", "float *A", "A[i] += 2;") +
      kernel("twice", "float *A, float *B", "B[i] = A[i] * 2;") +
      host("  set<<<n, 256>>>(a, n);\n  more<<<n, 256>>>(a, n);\n"
           "  twice<<<n, 256>>>(a, b, n);\n"));
  builder.group({0, 1, 2});
  builder.place("a", RegisterOnly, {0, 1}, {1, 2});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "    A_value += 2;"));
  EXPECT_TRUE(has(result, "void more_at(int i, float &A_value, int n) {"));
}

TEST(Generate, instantiatesTemplates) {
  const std::string text =
      "template <typename T>\n" +
      kernel("first", "const T *A, T *__restrict__ B", "B[i] = A[i] * 3;") +
      "template <typename T>\n" +
      kernel("second", "const T *B, T *C", "C[i] = B[i] + 1;") +
      host("  first<float><<<n, 256>>>(a, b, n);\n"
           "  second<float><<<n, 256>>>(b, c, n);\n");
  ProgramBuilder builder(text);
  builder.group({0, 1});
  builder.place("b", RegisterOnly, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "template <typename T>\n"
                          "static __device__ __forceinline__ void "
                          "first_at(int i, const T *A, T &B_value,\n"));
  EXPECT_TRUE(has(result, "  first_at<float>(i, A, B_value, n);"));
  EXPECT_TRUE(has(result, "second_at<float>(i, B_value, C, n);"));
  EXPECT_TRUE(has(result, "(const float *__restrict__ A, int n,"));
}

TEST(Generate, givesAThreadSeveralElements) {
  ProgramBuilder builder(pairOf("  first<<<n, 256>>>(a, b, n);\n"
                                "  second<<<n, 256>>>(b, c, n);\n"));
  builder.group({0, 1}).elementsPerThread = 4;
  builder.place("b", RegisterOnly, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, R"( {
  float B_value[4] = {};
  if (blockIdx.x * 4 + 4 <= kfuseGrid.x) {
#pragma unroll
    for (unsigned v = 0; v < 4; ++v) {
      int i = (blockIdx.x * 4 + v) * blockDim.x + threadIdx.x;
      first_at(i, kfuseIsolate(A, kfuseZero.at[0 * 4 + v]), B_value[v], n);
      B_value[v] = kfuseIsolate(B_value[v], kfuseZero.at[0 * 4 + v]);
    }
#pragma unroll
    for (unsigned v = 0; v < 4; ++v) {
      int i = (blockIdx.x * 4 + v) * blockDim.x + threadIdx.x;
      second_at(i, B_value[v], C, n);
    }
  } else {
#pragma unroll
    for (unsigned v = 0; v < 4 && blockIdx.x * 4 + v < kfuseGrid.x; ++v) {
)"));
  EXPECT_TRUE(has(result, "first_at(int i, const float *A,"));
  EXPECT_TRUE(has(result, R"(  {
    const dim3 kfuseGrid = n;
    const dim3 kfuseBlocks((kfuseGrid.x + 3) / 4, kfuseGrid.y, kfuseGrid.z);
    kfuse_first_second<<<kfuseBlocks, 256>>>(a, n, c, kfuseGrid, KfuseZeros<8>{});
  }
)"));
}

TEST(Generate, separatesStagesThatShareSharedArrays) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      host("  first<<<n, 256>>>(a, b, n);\n  first<<<n, 256>>>(c, d, n);\n",
           "float *a, float *b, float *c, float *d, int n"));
  builder.program.kernels[0].staticSharedBytes = 64;
  builder.group({0, 1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, R"(  first_at(i, A, B, n);
  __syncthreads();
  first_at(i, c, d, n);
)"));
  EXPECT_TRUE(has(result, "kfuse_first_first<<<n, 256>>>(a, b, n, c, d);"));
}

TEST(Generate, kernelsWithOneTextAreOne) {
  const std::string pair = "  first<<<n, 256>>>(a, b, n);\n"
                           "  second<<<n, 256>>>(b, c, n);\n";
  ProgramBuilder builder(pairOf(pair + pair));
  builder.group({0, 1});
  builder.group({2, 3});
  const GenerateResult result = builder.generate();
  const std::string definition = "__global__ void kfuse_first_second(";
  const std::size_t first = result.text.find(definition);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(
      result.text.find("__global__ void kfuse", first + 1 + definition.size()),
      std::string::npos);
  const std::string call = "kfuse_first_second<<<n, 256>>>(a, b, n, c";
  EXPECT_NE(result.text.find(call, result.text.find(call) + 1),
            std::string::npos);
  EXPECT_EQ(result.names.at(0), result.names.at(1));
}

TEST(Generate, avoidsNamesOfTheSource) {
  ProgramBuilder builder("int B_value, first_at, kfuseIsolate;\n" +
                         pairOf("  first<<<n, 256>>>(a, b, n);\n"
                                "  second<<<n, 256>>>(b, c, n);\n"));
  builder.group({0, 1});
  builder.place("b", RegisterOnly, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "first_at2(i, A, B_value2, n);"));
  EXPECT_TRUE(
      has(result, "B_value2 = kfuseIsolate2(B_value2, kfuseZero.at[0]);"));
}

TEST(Generate, keepsPointersThatAreMentioned) {
  ProgramBuilder builder(
      "#define USE_B (void)B\n" +
      kernel("first", "const float *A, float *B", "USE_B; B[i] = A[i] * 3;") +
      kernel("second", "const float *B2, float *C",
             "(void)B2; C[i] = B2[i] + 1;") +
      host("  float *b;\n  cudaMalloc(&b, n);\n  first<<<n, 256>>>(a, b, n);\n"
           "  second<<<n, 256>>>(b, c, n);\n  cudaFree(b);\n",
           "float *a, float *c, int n"));
  builder.group({0, 1});
  builder.place("b", RegisterOnly, {0}, {1});
  builder.plan.removed = {builder.array("b")};
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(
      result, "first_at(i, A, kfuseIsolate(B, kfuseZero.at[0]), B_value, n);"));
  EXPECT_TRUE(
      has(result,
          "second_at(i, kfuseIsolate(B, kfuseZero.at[1]), B_value, C, n);"));
  EXPECT_TRUE(has(result, "cudaMalloc(&b, n);"));
}

TEST(Generate, definesAfterTheLastStage) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      "__global__ void last(const float *B, float *C, int n);\n" +
      host("  first<<<n, 256>>>(a, b, n);\n  last<<<n, 256>>>(b, c, n);\n") +
      "\n" + kernel("last", "const float *B, float *C", "C[i] = B[i] + 1;"));
  builder.group({0, 1});
  builder.place("b", RegisterOnly, {0}, {1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "KfuseZeros<2> kfuseZero);\n\nvoid run("));
  const std::size_t stage = result.text.find("void last_at(");
  EXPECT_LT(stage, result.text.rfind("__global__ void kfuse_first_last("));
}

TEST(Generate, restrictsOnlyWhatIsAlone) {
  // The launches get parts of the same array, so the compiler must not assume
  // that these don't overlap.
  ProgramBuilder builder(
      kernel("first", "const float *__restrict__ A, float *B",
             "B[i] = A[i] * 3;") +
      kernel("second", "float *C, const float *D", "C[i] = D[i] + 1;") +
      host(
          "  first<<<n, 256>>>(a, b, n);\n  second<<<n, 256>>>(a + n, d, n);\n",
          "float *a, float *b, float *d, int n"));
  builder.group({0, 1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "first_at(int i, const float *A, float *B,"));
  EXPECT_TRUE(has(result, "second(const float *A, float *__restrict__ B,"));
  EXPECT_TRUE(has(result, "int n, float *C,\n"));
  EXPECT_TRUE(has(result, "const float *__restrict__ D) {"));
}

TEST(Generate, mergesConstAndNonConst) {
  ProgramBuilder builder(
      kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
      kernel("second", "float *X, float *C", "C[i] = X[i]; X[i] = 0;") +
      host("  first<<<n, 256>>>(a, b, n);\n  second<<<n, 256>>>(a, c, n);\n"));
  builder.group({0, 1});
  const GenerateResult result = builder.generate();
  EXPECT_TRUE(has(result, "second(float *__restrict__ A,\n"));
  EXPECT_TRUE(
      has(result, "second_at(i, kfuseIsolate(A, kfuseZero.at[1]), C, n);"));
}

TEST(Generate, refusesWhatIsNotPlain) {
  const auto twoLaunches = "  first<<<n, 256>>>(a, b, n);\n"
                           "  second<<<n, 256>>>(b, c, n);\n";
  {
    ProgramBuilder builder(pairOf(twoLaunches));
    builder.program.steps[0].editable = false;
    builder.group({0, 1});
    EXPECT_TRUE(refuses(builder, builder.generate(), "statement of its own"));
  }
  {
    ProgramBuilder builder(pairOf(twoLaunches));
    builder.program.kernels[0].text.copyable = false;
    builder.program.kernels[0].text.obstacle = "it is a member";
    builder.group({0, 1});
    EXPECT_TRUE(refuses(builder, builder.generate(), "it is a member"));
  }
  {
    ProgramBuilder builder(pairOf(twoLaunches));
    for (Access &access : builder.program.kernels[1].accesses)
      access.editable = false;
    builder.group({0, 1});
    builder.place("b", RegisterOnly, {0}, {1});
    EXPECT_TRUE(refuses(builder, builder.generate(), "replaced by a register"));
  }
  {
    ProgramBuilder builder(pairOf(twoLaunches));
    builder.group({0, 1});
    builder.place("b", Register, {0}, {0});
    EXPECT_TRUE(refuses(builder, builder.generate(), "before it is defined"));
  }
  {
    ProgramBuilder builder(
        pairOf("#pragma omp single\n" + std::string(twoLaunches)));
    builder.group({0, 1});
    EXPECT_TRUE(refuses(builder, builder.generate(), "statement of its own"));
  }
  {
    ProgramBuilder builder(pairOf(twoLaunches));
    builder.program.regions[0].isShared = true;
    builder.group({0, 1});
    EXPECT_TRUE(refuses(builder, builder.generate(), "is shared"));
  }
  {
    ProgramBuilder builder(pairOf(twoLaunches));
    builder.program.language = Language::OpenCL;
    builder.group({0, 1});
    EXPECT_TRUE(refuses(builder, builder.generate(), "OpenCL"));
  }
}

} // namespace
