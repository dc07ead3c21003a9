//===- KernelPartsTests.cpp - Parts of kernels ----------------------------===//
//
// Each case is the body of a kernel and, for each of its statements, a word
// with the numbers of the parts that need it. The words are empty if the kernel
// is a single part.
//
//===----------------------------------------------------------------------===//

#include "frontend/Extract.h"
#include "frontend/parse/Parse.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/SplitKernels.h"

#include <gtest/gtest.h>

#include <fstream>

namespace kfuse {
namespace {

constexpr const char *Head = R"(
#include <cstdio>
struct Pair { float first, second; };
__device__ float twice(float v) { return 2 * v; }
__device__ float at(const float *p, int i) { return p[i]; }
__device__ void put(float *p, int i, float v) { p[i] = v; }
__device__ void clear(float &v) { v = 0; }
__device__ void spoil(const float &v) { const_cast<float &>(v) = 3; }
__device__ float looked(const float &v) { return v; }
__device__ const float *placeOf(const float &v) { return &v; }
template <int N> __device__ float times(float v) { return N * v; }
struct View { float &of; };
__device__ float last;
__global__ void kernel(float *u, float *v, float *w, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
)";

constexpr const char *Main = R"(
}
int main() {
  float *u, *v, *w, *in;
  cudaMalloc(&u, 400);
  cudaMalloc(&v, 400);
  cudaMalloc(&w, 400);
  cudaMalloc(&in, 400);
  kernel<<<1, 100>>>(u, v, w, in, 100);
}
)";

/// Returns the parts that need each statement except the first.
std::string partsOf(const std::string &body) {
  const std::string path = ::testing::TempDir() + "kfuse-parts.cu";
  std::ofstream(path) << Head << body << Main;
  ParseOptions options;
  options.input = path;
  std::string diagnostics;
  const std::unique_ptr<SourceUnit> unit = parse(options, diagnostics);
  EXPECT_TRUE(unit) << diagnostics;
  if (!unit)
    return {};
  const std::vector<FissionCandidate> found =
      fissionCandidates(*unit, extract(*unit));
  if (found.empty())
    return {};
  std::string text;
  for (const FissionCandidate::Statement &statement :
       found.front().statements) {
    text += text.empty() ? "" : " ";
    for (const std::uint32_t part : statement.parts)
      text += std::to_string(part);
    text += statement.parts.empty() ? "-" : "";
  }
  return text.substr(text.find(' ') + 1);
}

TEST(KernelParts, AreWhatEachOutputNeeds) {
  const std::pair<const char *, const char *> cases[] = {
      {"u[i] = in[i]; v[i] = in[i];", "0 1"},
      {"if (i >= n) return; u[i] = 1; v[i] = 2;", "01 01 0 1"},
      {"if (i < n) { u[i] = 1; v[i] = 2; }", "01 0 1"},
      {"if (i < n) u[i] = 1; else v[i] = 2;", "01 0 1"},
      {"u[i] += in[i]; v[i] = v[i] * 2;", "0 1"},
      // A variable is needed by only one of them, or by none.
      {"float t = in[i]; u[i] = t; v[i] = 2;", "0 0 1"},
      {"float t = in[i]; u[i] = t; v[i] = t;", "01 0 1"},
      {"float t; t = in[i]; float s = t; u[i] = s; v[i] = t;", "01 01 0 0 1"},
      {"float t = in[i]; u[i] = 1; v[i] = 2;", "- 0 1"},
      // A variable is assigned under a condition or in a loop.
      {"float t = 0; if (in[i] > 1) t = in[i]; u[i] = t; v[i] = 1;",
       "0 0 0 0 1"},
      {"float t = 0; for (int k = 0; k < 3; ++k) t += in[k]; u[i] = t;"
       "v[i] = 1;",
       "0 0 0 0 1"},
      {"for (int k = 0; k < 3; ++k) { u[k] = in[k]; v[k] = in[k]; }", "01 0 1"},
      {"while (i < n) { if (in[i] > 1) break; u[i++] = 1; } v[n] = 1;",
       "0 0 0 0 1"},
      {"int k = 0; while (k < 3) { u[k] = 1; ++k; } v[i] = 1;", "0 0 0 0 1"},
      {"int k = 0; do { ++k; u[k] = 1; } while (k < 3); v[i] = 1;",
       "0 0 0 0 1"},
      // Two outputs belong together and a third one is independent.
      {"u[i] = in[i]; v[i] = u[i]; w[i] = in[i];", "0 0 1"},
      {"u[i] = in[i]; float t = v[i]; w[i] = t; v[i] = 0;", "0 1 1 1"},
      // These use pointers and calls.
      {"float *p = u + i; *p = 1; v[i] = 2;", "0 0 1"},
      {"const float *p = in + i; u[i] = *p; v[i] = *p;", "01 0 1"},
      {"u[i] = twice(in[i]); v[i] = at(in, i);", "0 1"},
      {"put(u, i, 1); put(v, i, 2);", "0 1"},
      {"u[i] = sqrtf(in[i]); v[i] = last;", "0 1"},
      {"Pair p = {in[i], 1}; p.second = in[i]; u[i] = p.first; v[i] = 1;",
       "0 0 0 1"},
      {"float t[2]; t[0] = in[i]; u[i] = t[0]; v[i] = 1;", "0 0 0 1"},
      // A function that takes a variable by a constant reference may change it.
      {"float t = in[i]; spoil(t); u[i] = t; v[i] = 1;", "0 0 0 1"},
      {"float t = in[i], s = looked(t); u[i] = s; v[i] = 1;", "0 0 1"},
      {"spoil(in[i]); u[i] = 1; v[i] = looked(in[i]);", "- 0 1"},
      // The names occur in types and in template arguments.
      {"constexpr int c = 2; float t[c] = {}; u[i] = t[0]; v[i] = 1;",
       "0 0 0 1"},
      {"constexpr int c = 2; u[i] = times<c>(in[i]); v[i] = 1;", "0 0 1"},
      {"float t = 1; u[i] = sizeof(decltype(t)); v[i] = 1;", "0 0 1"},
      {"float t = 1; u[i] = static_cast<decltype(t)>(in[i]); v[i] = 1;",
       "0 0 1"},
      {"constexpr int c = 8; alignas(c) float t = in[i]; u[i] = t; v[i] = 1;",
       "0 0 0 1"},
  };
  for (const auto &[body, parts] : cases)
    EXPECT_EQ(partsOf(body), parts) << body;
}

TEST(KernelParts, AreOneWhereOutputsHangTogether) {
  for (const char *body : {
           "u[i] = in[i];",
           "u[i] = in[i]; v[i] = u[i];",
           "v[i] = in[i]; u[i] = v[i + 1];",
           "u[i] = v[i] = in[i];",
           "float t = v[i]; u[i] = t; v[i] = 1;",
           "float t = v[i], s = t; u[i] = s; v[i] = 1;",
           "float t = v[i]; if (t > 0) u[i] = 1; v[i] = 1;",
           "int k = i; if (v[i] > 0) k = 0; u[k] = 1; v[i] = 1;",
           "v[i] = 1; if (v[i] > in[i]) return; u[i] = 1;",
           "while (i < n) { if (v[i] > 1) break; u[i++] = 1; } v[i] = 1;",
           "float *p = i > 3 ? u : v; *p = 1; u[i] = 1; v[i] = 1;",
           "float *p = u; p = v; p[i] = 1; u[i] = 1;",
       })
    EXPECT_EQ(partsOf(body), "") << body;
}

TEST(KernelParts, AreOneWhereAStatementIsNotUnderstood) {
  for (const char *body : {
           "u[i] = 1; atomicAdd(v + i, 1);",
           "u[i] = 1; __syncthreads(); v[i] = 2;",
           "__shared__ float t; t = 1; u[i] = 1; v[i] = 2;",
           "u[i] = 1; v[i] = 2; last = 3;",
           "float t = 1, *p = &t; *p = in[i]; u[i] = t; v[i] = 2;",
           "float t = 1, &r = t; r = in[i]; u[i] = t; v[i] = 2;",
           "float t = 1; clear(t); u[i] = t; v[i] = 2;",
           "float t[2] = {}; put(t, 0, 1); u[i] = t[0]; v[i] = 2;",
           "float t = in[i]; auto f = [&] { t = 1; }; f(); u[i] = t; v[i] = 2;",
           "switch (i) { case 0: u[i] = 1; } v[i] = 2;",
           "u[i] = 1; if (i > 3) goto end; v[i] = 2; end:;",
           "u[i] = 1;\n#ifndef NEVER\nv[i] = 2;\n#endif\n",
           "\n#define BOTH(a, b) a = 1; b = 2\nBOTH(u[i], v[i]);",
           "float t = in[i]; const float *p = placeOf(t); u[i] = *p; v[i] = 1;",
           "float t = in[i]; View r = {t}; r.of = 2; u[i] = t; v[i] = 1;",
           "u[i] = 1; printf(\"%d\", i); v[i] = 2;",
       })
    EXPECT_EQ(partsOf(body), "") << body;
}

} // namespace
} // namespace kfuse
