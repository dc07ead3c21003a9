//===- EmbeddedSources.cpp - Sources that are part of kfuse-bench ---------===//

#include "bench/roofline/EmbeddedSources.h"

namespace kfuse {

const std::vector<EmbeddedSource> &embeddedSources() {
  static const std::vector<EmbeddedSource> Sources = {
#include "bench/roofline/EmbeddedSources.inc"
  };
  return Sources;
}

const std::string &embeddedText(const std::string &path) {
  static const std::string None;
  for (const EmbeddedSource &each : embeddedSources())
    if (each.path == path)
      return each.text;
  return None;
}

} // namespace kfuse
