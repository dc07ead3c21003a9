//===- Kernel.cpp - What kfuse knows about a kernel -----------------------===//

#include "graphs/program/Kernel.h"

#include <algorithm>

namespace kfuse {

bool has(const Kernel &kernel, KernelFeature feature) {
  return std::any_of(
      kernel.features.begin(), kernel.features.end(),
      [&](const FeatureUse &use) { return use.feature == feature; });
}

} // namespace kfuse
