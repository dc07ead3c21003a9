//===- EmbeddedSources.h - Sources that are part of kfuse-bench -----------===//
#ifndef KFUSE_BENCH_ROOFLINE_EMBEDDEDSOURCES_H
#define KFUSE_BENCH_ROOFLINE_EMBEDDEDSOURCES_H

#include <string>
#include <vector>

namespace kfuse {

struct EmbeddedSource {
  std::string path; ///< in the repository
  std::string text;
};

/// Returns the kernels of the probes, and what the program that measures CUDA
/// devices is built from.
const std::vector<EmbeddedSource> &embeddedSources();

/// Returns one of them by its path; empty if there is none.
const std::string &embeddedText(const std::string &path);

} // namespace kfuse

#endif
