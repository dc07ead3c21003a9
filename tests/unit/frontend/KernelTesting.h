//===- KernelTesting.h - Kernels as printed accesses ----------------------===//
#ifndef KFUSE_TESTS_UNIT_FRONTEND_KERNELTESTING_H
#define KFUSE_TESTS_UNIT_FRONTEND_KERNELTESTING_H

#include "graphs/program/Program.h"

#include <string>
#include <vector>

namespace kfuse {

/// A kernel with the symbols it is written in.
struct AnalysedKernel {
  Kernel kernel;
  TermTable terms;
  std::string source;
  std::string diagnostics; ///< of the parser, when there is no kernel
};

/// Parses the text (a file of the test's own) and analyses every concrete
/// kernel in it, in order.
std::vector<AnalysedKernel> analyseText(const std::string &text,
                                        const std::string &cudaPath = {});
/// The only kernel of the text.
AnalysedKernel analyseOne(const std::string &text);

/// `R a[i + 1] {n - i - 1 >= 0}`, one access a line. Threads' coordinates are
/// written `t`, `b`, `B`, `G` with an axis, the sum b*B + t as `i`, `j`, `k`.
std::string printAccesses(const AnalysedKernel &analysed);

} // namespace kfuse

#endif
