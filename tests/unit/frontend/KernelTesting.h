//===- KernelTesting.h - Kernels as printed accesses ----------------------===//
#ifndef KFUSE_TESTS_UNIT_FRONTEND_KERNELTESTING_H
#define KFUSE_TESTS_UNIT_FRONTEND_KERNELTESTING_H

#include "graphs/program/Program.h"

#include <string>
#include <vector>

namespace kfuse {

/// Holds a kernel together with the terms that its polynomials refer to.
struct AnalysedKernel {
  Kernel kernel;
  TermTable terms;
  std::string source;
  std::string diagnostics; ///< from the parser, if there is no kernel
};

/// Parses the text, which it writes to a temporary file, and analyses every
/// concrete kernel in it, in order.
std::vector<AnalysedKernel> analyseText(const std::string &text,
                                        const std::string &cudaPath = {});
/// Analyses the only kernel of the text.
AnalysedKernel analyseOne(const std::string &text);

/// Prints one access per line, like `R a[i + 1] {n - i - 1 >= 0}`. Thread
/// coordinates are printed as `t`, `b`, `B` and `G` with an axis, and the sum
/// b*B + t as `i`, `j` or `k`.
std::string printAccesses(const AnalysedKernel &analysed);

} // namespace kfuse

#endif
