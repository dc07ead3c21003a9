//===- ExplicitSums.cpp - Sums that compilers contract with nothing -------===//
#include "codegen/stage/ExplicitSums.h"

#include "codegen/stage/ForwardedArrays.h"

#include <cstdint>
#include <map>
#include <string>

namespace kfuse {
namespace {

/// Returns the uses of the array's elements, or nullopt if what becomes of one
/// of them isn't known.
std::optional<std::vector<const LoadUse *>>
usesOf(const Program &program, const Launch &launch, ArrayId array) {
  const Kernel &kernel = program[launch.kernel];
  std::vector<const LoadUse *> uses;
  if (!kernel.multiplyAdds || program.language != Language::Cuda)
    return std::nullopt;
  const auto &known = kernel.multiplyAdds->loads;
  for (const Access *access : accessesTo(program, launch, array)) {
    if (access->kind != AccessKind::Read)
      continue;
    const auto use = known.find(access->range.begin);
    const bool isUpdated = access->form == AccessForm::UpdateLoad;
    if ((access->form != AccessForm::Load && !isUpdated) || !access->editable ||
        use == known.end() || (isUpdated && use->second.sum))
      return std::nullopt;
    uses.push_back(&use->second);
  }
  return uses;
}

} // namespace

bool canBeExplicitSums(const Program &program, const Launch &launch,
                       ArrayId array) {
  return usesOf(program, launch, array).has_value();
}

void writeExplicitSums(const Program &program, const Launch &launch,
                       const std::vector<ArrayId> &arrays, Edits &edits) {
  std::map<std::uint32_t, const WrittenSum *> sums; // by their place
  for (const ArrayId array : arrays)
    for (const LoadUse *use : usesOf(program, launch, array)
                                  .value_or(std::vector<const LoadUse *>()))
      if (use->sum)
        sums.emplace(use->sum->sign.begin, &*use->sum);
  for (const auto &[place, sum] : sums) {
    edits.insert(sum->left.begin, std::string(sum->isDouble ? "__d" : "__f") +
                                      (sum->isDifference ? "sub" : "add") +
                                      "_rn(");
    const SourceRange &sign = sum->sign;
    if (sum->hasComment)
      edits.replace(sign.begin, sign.end, ",");
    else
      edits.replace(sum->left.end, sum->right.begin, ", ");
    edits.insert(sum->right.end, ")");
  }
}

} // namespace kfuse
