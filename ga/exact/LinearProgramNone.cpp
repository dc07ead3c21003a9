//===- LinearProgramNone.cpp - kfuse without a solver ---------------------===//

#include "ga/exact/LinearProgram.h"

namespace kfuse {

std::unique_ptr<SetPartitionProgram>
SetPartitionProgram::make(std::uint32_t /*rows*/, double /*unit*/) {
  return nullptr;
}

} // namespace kfuse
