//===- SharedMemory.cpp - Memory that the members' blocks share -----------===//
#include "codegen/builder/FusedKernelBuilder.h"
#include "codegen/text/OpenClText.h"

namespace kfuse {

bool usesShared(const Kernel &kernel) {
  return kernel.staticSharedBytes != 0 || kernel.usesDynamicShared;
}

void FusedKernelBuilder::nameLocals() {
  for (std::size_t m = 0; m < members(); ++m) {
    locals.emplace_back();
    for (const LocalVariable &local : kernelOf(m).locals)
      locals[m].push_back(names.parameter(local.name, kernelOf(m).name, taken));
  }
}

std::string
FusedKernelBuilder::localDeclarations(const std::string &indent) const {
  std::string text;
  for (std::size_t m = 0; m < members(); ++m)
    for (std::size_t i = 0; i < locals[m].size(); ++i)
      text +=
          indent + localDeclaration(kernelOf(m).locals[i], locals[m][i]) + "\n";
  return text;
}

bool FusedKernelBuilder::needsBarrier(std::size_t member) const {
  // In OpenCL each member has local memory of its own. But PoCL 3.1 may run
  // what follows a barrier in a branch under wrong conditions, up to a barrier
  // that isn't.
  if (isOpenCl())
    return member > 0 && kernelOf(member - 1).hasBarrierInBranch;
  if (std::find(group.waits.begin(), group.waits.end(), member) !=
      group.waits.end())
    return true;
  // Two stages may have one array: of a kernel that runs twice, of a device
  // function that both call, or outside of functions.
  if (!usesShared(kernelOf(member)))
    return false;
  for (std::size_t m = 0; m < member; ++m)
    if (usesShared(kernelOf(m)))
      return true;
  return false;
}

} // namespace kfuse
