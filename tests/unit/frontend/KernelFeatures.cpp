//===- KernelFeatures.cpp - Features that limit a kernel ------------------===//

#include "KernelTesting.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace kfuse {
namespace {

const char *nameOf(KernelFeature feature) {
  static const char *const Names[] = {"Volatile",
                                      "InlineAssembly",
                                      "DeviceLaunch",
                                      "DeviceAllocation",
                                      "Printf",
                                      "Assert",
                                      "Clock",
                                      "Texture",
                                      "WarpOperation",
                                      "PartedWarp",
                                      "WarpsOfRows",
                                      "Fence",
                                      "CooperativeGroups",
                                      "ReadOnlyLoad",
                                      "UnknownCall",
                                      "NotFollowed",
                                      "Recursion",
                                      "OtherCompiler",
                                      "EscapingPointer",
                                      "SharedAddress",
                                      "ReturnBeforeBarrier",
                                      "CoordinatesInCallee",
                                      "CoordinatesInMacro",
                                      "GridShape",
                                      "GridFactor",
                                      "BlockPlace",
                                      "SideEffect",
                                      "Size"};
  return Names[static_cast<std::size_t>(feature)];
}

std::string featuresOf(const Kernel &kernel) {
  std::set<std::string> names;
  for (const FeatureUse &use : kernel.features)
    names.insert(nameOf(use.feature));
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

struct Case {
  const char *name;
  const char *body;
  const char *features;
};

void PrintTo(const Case &row, std::ostream *stream) { *stream << row.name; }

class KernelFeatures : public testing::TestWithParam<Case> {};

TEST_P(KernelFeatures, Are) {
  const AnalysedKernel analysed = analyseOne(
      std::string("__device__ int tid() { return threadIdx.x; }\n"
                  "__device__ int row() { uint3 t = threadIdx; return t.y; }\n"
                  "__device__ int lane(uint3 t) { return t.x; }\n"
                  "struct Changes { __device__ Changes(int &n) {\n"
                  "n = blockIdx.x * blockDim.x + threadIdx.x; } };\n"
                  "struct Counts { int count;\n"
                  "__device__ void add(int n) { count += n; } };\n"
                  "__device__ float below(float v, int h) {\n"
                  "for (; h > 0; h /= 2) v += __shfl_down_sync(~0u, v, h);\n"
                  "return v; }\n"
                  "__device__ float lanes(float v) {\n"
                  "for (int h = 16; h > 0; h /= 2)\n"
                  "v += __shfl_down_sync(~0u, v, h); return v; }\n"
                  "#include <cooperative_groups.h>\n"
                  "__global__ void k(float *a, float **p, int n) {\n"
                  "int i = blockIdx.x * blockDim.x + threadIdx.x;\n") +
      GetParam().body + "}");
  EXPECT_EQ(featuresOf(analysed.kernel), GetParam().features);
}

const Case Cases[] = {
    {"Plain", "a[i] = 1;", ""},
    {"Barrier", "a[i] = 1; __syncthreads();", ""},
    {"BarrierAfterReturn", "if (i >= n) return; __syncthreads();",
     "ReturnBeforeBarrier"},
    {"BarrierUnderUniformGuard", "if (blockIdx.x < n) __syncthreads();",
     "BlockPlace"},
    {"BarrierInVaryingLoop",
     "for (int j = threadIdx.x; j < n; j += 32) __syncthreads();",
     "BlockPlace ReturnBeforeBarrier"},
    {"BarrierInHalvingLoop",
     "for (int h = 32; h > 0; h /= 2) { if (i < h) a[i] = 1; "
     "__syncthreads(); }",
     ""},
    {"BarrierInLoopOverVaryingBound",
     "int h = 32; if (i < 5) h = 16; for (; h > 0; h /= 2) __syncthreads();",
     "ReturnBeforeBarrier"},
    {"BarrierInLoopOverLoadedBound",
     "for (int h = (int)a[0]; h > 0; h /= 2) __syncthreads();",
     "ReturnBeforeBarrier"},
    {"BarrierInLoopThatThreadsLeave",
     "for (int h = 32; h > 0; h /= 2) { if (i == h) break; "
     "__syncthreads(); }",
     "ReturnBeforeBarrier"},
    {"BarrierInLoopOfAChangedVariable",
     "int h = 32; int *q = &h; q[0] = i; for (; h > 0; h /= 2) "
     "__syncthreads();",
     "ReturnBeforeBarrier"},
    {"BarrierInUniformLoop", "for (int j = 0; j < n; ++j) __syncthreads();",
     ""},
    {"Shared", "__shared__ int s[4]; s[threadIdx.x] = 1;",
     "BlockPlace SharedAddress"},
    {"Printf", "printf(\"%d\", i);", "Printf"},
    {"Shuffle", "a[i] = __shfl_down_sync(~0u, a[i], 1);", "WarpOperation"},
    {"ShuffleAfterReturn",
     "if (i >= n) return; a[i] = __shfl_down_sync(~0u, a[i], 1);",
     "PartedWarp WarpOperation"},
    {"ShuffleInWarp", "if (threadIdx.x / 32 == 0) a[i] = lanes(a[i]);",
     "BlockPlace WarpOperation WarpsOfRows"},
    {"ShuffleInWarps",
     "int t = threadIdx.x; if (t < 64) a[i] = __shfl_down_sync(~0u, a[i], 1);",
     "BlockPlace WarpOperation WarpsOfRows"},
    {"ShuffleInWarpByShift",
     "int w = threadIdx.x >> 5; if (w == n) a[i] = lanes(a[i]);",
     "BlockPlace WarpOperation WarpsOfRows"},
    {"ShuffleInHalfWarp",
     "if (threadIdx.x < 16) a[i] = __shfl_down_sync(~0u, a[i], 1);",
     "BlockPlace PartedWarp WarpOperation"},
    {"ShuffleInOtherWarp",
     "int t = threadIdx.x; ++t; if (t < 64) a[i] = lanes(a[i]);",
     "BlockPlace PartedWarp WarpOperation"},
    {"ShuffleOfParameter", "a[i] = below(a[i], threadIdx.x);",
     "BlockPlace PartedWarp WarpOperation"},
    {"ShuffleBehindConstructor",
     "int most = 0; Changes changes(most); if (most < 40) a[i] = lanes(a[i]);",
     "CoordinatesInCallee PartedWarp WarpOperation"},
    {"ShuffleBehindMethod",
     "Counts c = {n}; c.add(i); if (c.count < 40) a[i] = lanes(a[i]);",
     "PartedWarp WarpOperation"},
    {"ShuffleInSignedBytes",
     "signed char t = threadIdx.x; if (t / 32 == -1) a[i] = lanes(a[i]);",
     "BlockPlace PartedWarp WarpOperation"},
    {"ShuffleInFloats",
     "float t = threadIdx.x; if (t / 32 == 0) a[i] = lanes(a[i]);",
     "BlockPlace PartedWarp WarpOperation"},
    {"WhoIsThere", "a[i] = __activemask();", "PartedWarp WarpOperation"},
    {"Fence", "__threadfence();", "Fence"},
    {"ReadOnly", "a[i] = __ldg(&a[i + n]);", ""},
    {"ReadOnlyByName", "a[i] = (__ldg)(&a[i + n]);", "ReadOnlyLoad"},
    {"Clock", "a[i] = clock64();", "Clock"},
    {"Allocation", "int *q = (int *)malloc(4); free(q);", "DeviceAllocation"},
    {"Assembly", "asm(\"nop;\");", "InlineAssembly NotFollowed"},
    {"Volatile", "*(volatile float *)(a + i) = 1;", "Volatile"},
    {"Groups", "auto g = cooperative_groups::this_grid(); g.sync(); a[i] = 1;",
     "CooperativeGroups NotFollowed"},
    {"BlockAsGroup",
     "auto g = cooperative_groups::this_thread_block(); g.sync(); a[i] = 1;",
     ""},
    {"PointerFromMemory", "p[0][i] = 1;", "EscapingPointer NotFollowed"},
    {"StoredPointer", "p[i] = a;", "EscapingPointer"},
    {"CoordinatesInCallee", "a[tid()] = 1;", "CoordinatesInCallee"},
    {"WholeInCallee", "a[i] = row();", "CoordinatesInCallee"},
    {"WholeCopied", "uint3 t = threadIdx; a[i] = t.x;",
     "BlockPlace CoordinatesInCallee"},
    {"WholePassedOn", "a[i] = lane(blockIdx);",
     "BlockPlace CoordinatesInCallee"},
    {"WholeReferredTo", "const auto &d = blockDim; a[i] = d.x;",
     "CoordinatesInCallee GridFactor GridShape"},
    {"WholePointedTo", "const auto *t = &threadIdx; a[i] = t->x;",
     "BlockPlace CoordinatesInCallee"},
    {"BarrierUnderGuardOfWhole", "if ((n, threadIdx).x < 3) __syncthreads();",
     "BlockPlace CoordinatesInCallee ReturnBeforeBarrier"},
    {"Thread", "a[threadIdx.x] = 1;", "BlockPlace"},
    {"Block", "a[blockIdx.x] = 1;", "BlockPlace"},
    {"StartOfBlock", "a[blockIdx.x * blockDim.x] = 1;", "BlockPlace"},
    {"SumOfTwoAxes", "a[blockIdx.y * blockDim.y + threadIdx.x] = 1;",
     "BlockPlace"},
    {"LongerSum",
     "a[n + blockDim.y * (size_t)blockIdx.y + (2 + threadIdx.y)] = 1;", ""},
    {"ThreadTwice",
     "a[blockIdx.x * blockDim.x + threadIdx.x + threadIdx.x] = 1;",
     "BlockPlace"},
    {"NarrowSum",
     "a[(unsigned char)(blockIdx.x * blockDim.x) + threadIdx.x] = 1;",
     "BlockPlace"},
    {"FloatingSum", "a[i] = (float)blockIdx.x * blockDim.x + threadIdx.x;",
     "BlockPlace GridFactor GridShape"},
    {"GridDim", "a[i + gridDim.x] = 1;", "GridFactor GridShape"},
    {"ThreadCount", "a[gridDim.x * blockDim.x + i] = 1;", "GridShape"},
    {"CountOfTwoAxes", "a[gridDim.x * blockDim.y + i] = 1;",
     "GridFactor GridShape"},
    {"BlockDim", "a[blockDim.x - 1 - threadIdx.x] = 1;",
     "BlockPlace GridFactor GridShape"},
    {"GridStride",
     "for (int j = i; j < n; j += blockDim.x * gridDim.x) a[j] = 1;", ""},
    {"GridStrideThenMore",
     "for (int j = i; j < n; j += blockDim.x * gridDim.x) a[j] = 1; a[i] = 2;",
     "GridShape"},
    {"GridStrideWithThread",
     "for (int j = i; j < n; j += blockDim.x * gridDim.x) a[j] = i;",
     "GridShape"},
    {"GridStrideWithSum",
     "float s = 0; for (int j = i; j < n; j += blockDim.x * gridDim.x) "
     "{ s += 1; a[j] = s; }",
     "GridShape"},
    {"GridStrideWithWhole",
     "for (int j = i; j < n; j += blockDim.x * gridDim.x) "
     "{ uint3 t = threadIdx; a[j] = t.x; }",
     "BlockPlace CoordinatesInCallee GridShape"},
    {"GridStrideWithPointedToSum",
     "float s = 0, *q = &s; for (int j = i; j < n; j += blockDim.x * "
     "gridDim.x) { *q += 1; a[j] = s; }",
     "GridShape"},
    {"GridStrideWithSumInArray",
     "float s[1] = {}; for (int j = i; j < n; j += blockDim.x * gridDim.x) "
     "{ s[0] += 1; a[j] = s[0]; }",
     "GridShape"},
    {"GridStrideWithDecayedArray",
     "float s[1] = {}; float *q = s; for (int j = i; j < n; j += blockDim.x * "
     "gridDim.x) { *q += 1; a[j] = s[0]; }",
     "GridShape"},
    {"GridStrideWithTable",
     "float s[2] = {1, 2}; float *q = &a[n]; const float &r = *q; "
     "for (int j = i; j < n; j += blockDim.x * gridDim.x) a[j] = s[n] + r;",
     ""},
    {"Architecture", "\n#ifdef __CUDA_ARCH__\na[i] = 1;\n#endif\n",
     "OtherCompiler"},
};

INSTANTIATE_TEST_SUITE_P(Table, KernelFeatures, testing::ValuesIn(Cases),
                         [](const auto &row) { return row.param.name; });

std::string textAt(const AnalysedKernel &analysed, const SourceRange &range) {
  return analysed.source.substr(range.begin, range.end - range.begin);
}

TEST(KernelText, HasRangesOfAllParts) {
  const std::string source =
      "template <typename T, int N>\n"
      "__global__ void scale(T *__restrict__ a, const T *b, T f) {\n"
      "  a[threadIdx.x] = b[threadIdx.x] * f + N;\n"
      "}\n"
      "int main() { scale<double, 4><<<1, 1>>>(nullptr, nullptr, 2.0); }\n";
  const AnalysedKernel analysed = analyseOne(source);
  const KernelText &text = analysed.kernel.text;
  EXPECT_TRUE(text.copyable) << text.obstacle;
  EXPECT_EQ(text.include.line, 0U);
  EXPECT_EQ(text.templateHeader, "template <typename T, int N>");
  EXPECT_EQ(text.templateArguments, "<double, 4>");
  EXPECT_EQ(textAt(analysed, text.declaration),
            source.substr(0, source.find("\nint main")));
  EXPECT_EQ(textAt(analysed, text.name), "scale");
  EXPECT_EQ(textAt(analysed, text.parameters),
            "T *__restrict__ a, const T *b, T f");
  EXPECT_EQ(textAt(analysed, text.body).front(), '{');
  EXPECT_EQ(textAt(analysed, text.body).back(), '}');
  ASSERT_EQ(analysed.kernel.parameters.size(), 3U);
  EXPECT_EQ(analysed.kernel.parameters[0].type, "double *__restrict");
  EXPECT_EQ(analysed.kernel.parameters[1].type, "const double *");
  EXPECT_EQ(analysed.kernel.parameters[2].type, "double");
  EXPECT_TRUE(analysed.kernel.pointers[0].isRestrict);
  EXPECT_TRUE(analysed.kernel.pointers[1].pointsToConst);
}

TEST(KernelText, StartsAtTheFirstSpecifier) {
  for (const char *head :
       {"__global__ void", "static __global__ void", "__global__ static void",
        "__global__ void __launch_bounds__(64)",
        "extern \"C\" __global__ void"}) {
    const std::string kernel = std::string(head) + " k(int *a) { a[0] = 1; }";
    const AnalysedKernel analysed = analyseOne("int before;\n" + kernel);
    EXPECT_TRUE(analysed.kernel.text.copyable) << head;
    const std::string text = textAt(analysed, analysed.kernel.text.declaration);
    EXPECT_NE(text.find("__global__"), std::string::npos) << text;
    EXPECT_EQ(text.back(), '}') << text;
  }
}

TEST(KernelText, RefusesMacros) {
  const AnalysedKernel analysed =
      analyseOne("#define KERNEL(n) __global__ void n(int *a) { a[0] = 1; }\n"
                 "KERNEL(k)\n");
  EXPECT_FALSE(analysed.kernel.text.copyable);
  EXPECT_FALSE(analysed.kernel.accesses.at(0).editable);
}

TEST(KernelAccessText, NamesLvalueWholeAndValue) {
  const AnalysedKernel analysed = analyseOne(
      "__global__ void k(float *a, float *b) { a[1] = b[2] * 3; a[2] += 4; }");
  const std::vector<Access> &accesses = analysed.kernel.accesses;
  ASSERT_EQ(accesses.size(), 4U);
  EXPECT_EQ(accesses[0].form, AccessForm::Load);
  EXPECT_EQ(textAt(analysed, accesses[0].range), "b[2]");
  EXPECT_EQ(accesses[1].form, AccessForm::Store);
  EXPECT_EQ(textAt(analysed, accesses[1].range), "a[1]");
  EXPECT_EQ(textAt(analysed, accesses[1].whole), "a[1] = b[2] * 3");
  EXPECT_EQ(textAt(analysed, accesses[1].value), "b[2] * 3");
  EXPECT_EQ(accesses[2].form, AccessForm::UpdateLoad);
  EXPECT_EQ(accesses[3].form, AccessForm::Update);
  EXPECT_EQ(textAt(analysed, accesses[3].whole), "a[2] += 4");
  for (const Access &access : accesses)
    EXPECT_TRUE(access.editable);
}

TEST(KernelAccessText, OnlyPlainTextOfTheKernelIsEditable) {
  const AnalysedKernel analysed =
      analyseOne("#define PUT(i, x) a[i] = x\n"
                 "#define SET(x) x = 1\n"
                 "__device__ float get(float *a) { return a[1]; }\n"
                 "__global__ void k(float *a, int j) {\n"
                 "  PUT(0, get(a)); a[j++] = 1; SET(a[2]); }");
  ASSERT_EQ(analysed.kernel.accesses.size(), 4U);
  for (const Access &access : analysed.kernel.accesses)
    EXPECT_FALSE(access.editable);
}

TEST(KernelAccessText, WholeMacroUsesAreEditable) {
  const AnalysedKernel analysed = analyseOne(
      "#define A(i) a[i]\n"
      "#define ONE 1\n"
      "__global__ void k(float *a) { A(0) = A(1) + ONE; a[2] = ONE; }");
  ASSERT_EQ(analysed.kernel.accesses.size(), 3U);
  for (const Access &access : analysed.kernel.accesses)
    EXPECT_TRUE(access.editable);
  EXPECT_EQ(textAt(analysed, analysed.kernel.accesses[2].whole), "a[2] = ONE");
}

TEST(KernelToolkit, IsParsedTheSame) {
  const std::string toolkit = "/usr/local/cuda";
  if (!std::filesystem::exists(toolkit + "/include/cuda_runtime.h"))
    GTEST_SKIP() << "no CUDA toolkit";
  const std::string source =
      "__global__ void k(float *a, const float *b, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) a[i] = sqrtf(b[min(i, 7)]);\n"
      "  __syncthreads(); atomicAdd(a, 1.0f); }";
  const std::vector<AnalysedKernel> with = analyseText(source, toolkit);
  ASSERT_EQ(with.size(), 1U);
  EXPECT_EQ(printAccesses(with[0]), printAccesses(analyseOne(source)));
  EXPECT_EQ(featuresOf(with[0].kernel), "");
  EXPECT_EQ(with[0].kernel.barriers, 1U);
}

std::uint32_t registersOf(const std::string &body) {
  return analyseOne("__device__ float sum(float v) { double t[8];"
                    " for (int k = 0; k < 8; ++k) t[k] = v; return t[3]; }\n"
                    "__global__ void k(float *a) { int i = threadIdx.x;" +
                    body + " }")
      .kernel.registers;
}

TEST(Registers, HoldWhatLivesAtOnce) {
  const std::uint32_t once = registersOf("a[i] = sum(a[i]);");
  EXPECT_GE(once, 16U);
  EXPECT_EQ(registersOf("a[i] = sum(a[i]); a[i + 1] = sum(2);"), once);
  const char *oneByOne = "{ double s[4]; s[i] = a[i]; a[i] = s[0]; }"
                         "{ double t[4]; t[i] = a[i]; a[i] = t[0]; }";
  const char *together = "double s[4], t[4]; s[i] = a[i]; t[i] = a[i];"
                         "a[i] = s[0]; a[i] = t[0];";
  // There are eight more words, but compilers need only a part of them.
  EXPECT_NEAR(registersOf(oneByOne) + 5.6, registersOf(together), 1);
  // The next iteration needs s again.
  const char *again = "double s[4]; s[i] = a[i]; for (int k = 0; k < 9; ++k) {"
                      "a[i] = s[0]; double t[4]; t[i] = a[i]; a[i] = t[0]; }";
  const char *before = "double s[4]; s[i] = a[i]; a[i] = s[0];"
                       "for (int k = 0; k < 9; ++k) {"
                       "double t[4]; t[i] = a[i]; a[i] = t[0]; }";
  EXPECT_NEAR(registersOf(before) + 5.6, registersOf(again), 1);
}

class KernelLibraries : public testing::TestWithParam<Case> {};

TEST_P(KernelLibraries, AreKnownByWhatTheyDo) {
  const AnalysedKernel analysed = analyseOne(
      std::string(
          "#include <cooperative_groups.h>\n"
          "#include <cooperative_groups/reduce.h>\n"
          "#include <cub/cub.cuh>\n"
          "#include <curand_kernel.h>\n"
          "namespace cg = cooperative_groups;\n"
          "using Tile = cg::thread_block_tile<32>;\n"
          "__device__ float total(Tile t, float v) {\n"
          "for (int h = t.size() / 2; h > 0; h /= 2)\n"
          "v += t.shfl_down(v, h); return v; }\n"
          "__device__ int calls;\n"
          "__device__ float counted(float a, float b) { ++calls; return a; }\n"
          "struct Counted { __device__ float operator()(float a,\n"
          "float b) const { ++calls; return a + b; } };\n"
          "struct Larger { __device__ float operator()(float a,\n"
          "float b) const { return a > b ? a : b; } };\n"
          "using Reduce = cub::BlockReduce<float, 128>;\n"
          "__global__ void k(float *a, int n) {\n"
          "int i = blockIdx.x * blockDim.x + threadIdx.x;\n") +
      GetParam().body + "}");
  EXPECT_EQ(featuresOf(analysed.kernel), GetParam().features);
}

const Case LibraryCases[] = {
    {"Tile",
     "Tile t = cg::tiled_partition<32>(cg::this_thread_block()); "
     "a[i] = total(t, a[i]);",
     "WarpOperation"},
    {"TileAfterReturn",
     "if (i >= n) return; "
     "Tile t = cg::tiled_partition<32>(cg::this_thread_block()); "
     "a[i] = total(t, a[i]);",
     "PartedWarp WarpOperation"},
    {"TileOfOneWarp",
     "auto b = cg::this_thread_block(); auto t = cg::tiled_partition<32>(b); "
     "if (t.meta_group_rank() == 0) a[i] = t.shfl_xor(a[i], 1);",
     "CoordinatesInCallee WarpOperation WarpsOfRows"},
    {"TileRanks",
     "auto b = cg::this_thread_block(); auto t = cg::tiled_partition<16>(b); "
     "a[t.thread_rank() + 16 * t.meta_group_rank()] = b.group_index().x;",
     "CoordinatesInCallee"},
    {"TileReduction",
     "auto t = cg::tiled_partition<8>(cg::this_thread_block()); "
     "a[i] = cg::reduce(t, a[i], cg::plus<float>());",
     "WarpOperation"},
    {"TileReductionThatCounts",
     "auto t = cg::tiled_partition<8>(cg::this_thread_block()); "
     "a[i] = cg::reduce(t, a[i], Counted());",
     "CooperativeGroups NotFollowed"},
    {"TileOfTile",
     "Tile t = cg::tiled_partition<32>(cg::this_thread_block()); "
     "auto q = cg::tiled_partition<4>(t); a[q.meta_group_rank()] = 1;",
     "CooperativeGroups CoordinatesInCallee NotFollowed"},
    {"TileReductionByFunction",
     "auto t = cg::tiled_partition<8>(cg::this_thread_block()); "
     "a[i] = cg::reduce(t, a[i], counted);",
     "CooperativeGroups NotFollowed"},
    {"LargeTile",
     "auto t = cg::tiled_partition<64>(cg::this_thread_block()); t.sync();",
     "CooperativeGroups NotFollowed"},
    {"BlockReduction",
     "__shared__ Reduce::TempStorage s; a[i] = Reduce(s).Sum(a[i]);",
     "SharedAddress"},
    {"BlockReductionByFunctor",
     "__shared__ Reduce::TempStorage s; "
     "a[i] = Reduce(s).Reduce(a[i], Larger());",
     "SharedAddress"},
    {"BlockReductionThatCounts",
     "__shared__ Reduce::TempStorage s; "
     "a[i] = Reduce(s).Reduce(a[i], Counted());",
     "CoordinatesInCallee EscapingPointer NotFollowed SharedAddress"},
    {"BlockReductionAfterReturn",
     "__shared__ Reduce::TempStorage s; if (i >= n) return; "
     "a[i] = Reduce(s).Sum(a[i]);",
     "ReturnBeforeBarrier SharedAddress"},
    {"RandomNumbers",
     "curandState s; curand_init(1, i, 0, &s); a[i] = curand_uniform(&s);", ""},
};

INSTANTIATE_TEST_SUITE_P(All, KernelLibraries, testing::ValuesIn(LibraryCases),
                         [](const auto &tested) {
                           return std::string(tested.param.name);
                         });

} // namespace
} // namespace kfuse
