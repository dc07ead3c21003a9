//===- Writers.cpp - Members that write what others load ------------------===//
#include "codegen/builder/FusedKernelBuilder.h"

namespace kfuse {

bool FusedKernelBuilder::isSharedWithWriter(std::size_t member,
                                            std::size_t pointer) const {
  const ArrayId array = launchOf(member).pointers[pointer].array;
  for (std::size_t other = 0; other < members(); ++other)
    if (other != member && mayWrite(program, launchOf(other), array))
      return true;
  return false;
}

std::vector<bool>
FusedKernelBuilder::sharedWithWriter(std::size_t member) const {
  const Kernel &kernel = kernelOf(member);
  std::vector<bool> shared(kernel.parameters.size());
  for (std::size_t p = 0; p < kernel.pointers.size(); ++p) {
    const PointerParameter &pointer = kernel.pointers[p];
    if (!pointer.global && pointer.parameter < shared.size() &&
        isSharedWithWriter(member, p))
      shared[pointer.parameter] = true;
  }
  return shared;
}

bool FusedKernelBuilder::loadsPlainly(std::size_t member) const {
  for (std::size_t p = 0; p < kernelOf(member).pointers.size(); ++p)
    if (isSharedWithWriter(member, p))
      return true;
  return false;
}

} // namespace kfuse
