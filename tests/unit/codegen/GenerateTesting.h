//===- GenerateTesting.h - Small programs and their generated text --------===//
#ifndef KFUSE_TESTS_GENERATETESTING_H
#define KFUSE_TESTS_GENERATETESTING_H

#include "ProgramBuilder.h"

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <string>

namespace kfuse::testing {

constexpr auto Register = PlacementKind::Register;
constexpr auto RegisterOnly = PlacementKind::RegisterOnly;

/// Returns a kernel over pointers and n whose guarded body is `statement`.
inline std::string kernel(const std::string &name,
                          const std::string &parameters,
                          const std::string &statement) {
  return "__global__ void " + name + "(" + parameters +
         ", int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) {\n    " +
         statement + "\n  }\n}\n\n";
}

inline std::string host(const std::string &body,
                        const std::string &parameters = "float *a, float *b, "
                                                        "float *c, int n") {
  return "\nvoid run(" + parameters + ") {\n" + body + "}\n";
}

/// Returns two kernels, `first` from A to B and `second` from B to C, and a
/// host function with the given body.
inline std::string pairOf(const std::string &body) {
  return kernel("first", "const float *A, float *B", "B[i] = A[i] * 3;") +
         kernel("second", "const float *B, float *C", "C[i] = B[i] + 1;") +
         host(body);
}

/// Returns the text without white space, so that tests don't depend on line
/// breaks.
inline std::string dense(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(),
                            [](unsigned char c) { return std::isspace(c); }),
             text.end());
  return text;
}

inline ::testing::AssertionResult has(const GenerateResult &result,
                                      const std::string &part) {
  if (dense(result.text).find(dense(part)) != std::string::npos)
    return ::testing::AssertionSuccess();
  std::string all = "no \"" + part + "\" in\n" + result.text;
  for (const auto &[index, reason] : result.refused)
    all += "refused: " + reason + "\n";
  return ::testing::AssertionFailure() << all;
}

inline ::testing::AssertionResult refuses(const ProgramBuilder &builder,
                                          const GenerateResult &result,
                                          const std::string &reason) {
  if (result.refused.size() == 1 && result.text == builder.source &&
      result.refused[0].second.find(reason) != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << (result.refused.empty() ? result.text : result.refused[0].second);
}

} // namespace kfuse::testing

#endif
