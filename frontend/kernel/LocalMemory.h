//===- LocalMemory.h - What an OpenCL kernel declares for its group -------===//
#ifndef KFUSE_FRONTEND_KERNEL_LOCALMEMORY_H
#define KFUSE_FRONTEND_KERNEL_LOCALMEMORY_H

#include "frontend/kernel/Context.h"

#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

struct LocalMemory {
  std::vector<LocalVariable> variables; ///< in the order of the text
  bool hasBarrierInBranch = false;
  /// Why a function that is given pointers to them would do something else;
  /// empty if it wouldn't.
  std::string obstacle;
};

/// Returns the kernel's variables in local memory, and whether a barrier stands
/// in a branch. Of kernels of CUDA nothing is told.
LocalMemory localMemory(KernelContext &context,
                        const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
