//===- CollectorTexts.h - Sources of what records CUDA's launches ---------===//
#ifndef KFUSE_BENCH_COLLECT_COLLECTORTEXTS_H
#define KFUSE_BENCH_COLLECT_COLLECTORTEXTS_H

#include <string>
#include <vector>

namespace kfuse {

struct CollectorText {
  const char *name; ///< of the file
  const char *text;
};

/// Returns the headers that both recorders include.
const std::vector<CollectorText> &collectorHeaders();
/// Returns the library that uses CUPTI, and what is linked into programs.
const CollectorText &cuptiCollectorText();
const CollectorText &eventRecorderText();

/// Writes the text and all headers into a folder. Returns the text's path;
/// empty if that fails.
std::string writeCollector(const CollectorText &text,
                           const std::string &folder);

} // namespace kfuse

#endif
