//===- ExplainCost.h - What the model says of a group ---------------------===//
#ifndef KFUSE_DRIVER_EXPLAINCOST_H
#define KFUSE_DRIVER_EXPLAINCOST_H

#include "driver/pipeline/Compilation.h"

#include <string>

namespace kfuse {

struct CostExplanation {
  std::string text;
  std::string error; ///< empty on success
};

/// Returns the terms of the cost model for a group and for its members apart,
/// as a table. `group` is the name of a fused kernel of the plan, or kernels
/// with commas between, each as `name` (all its launches) or `name:line`.
/// Returns an error if it names nothing.
CostExplanation explainCost(const Compilation &compilation,
                            const std::string &group);

} // namespace kfuse

#endif
