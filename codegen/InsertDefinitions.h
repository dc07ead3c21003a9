//===- InsertDefinitions.h - Helpers, stages and fused kernels ------------===//
#ifndef KFUSE_CODEGEN_INSERTDEFINITIONS_H
#define KFUSE_CODEGEN_INSERTDEFINITIONS_H

#include "codegen/KernelInsertion.h"
#include "codegen/host/Group.h"
#include "codegen/text/Helpers.h"
#include "codegen/text/Names.h"
#include "fusion/plan/Measurements.h"
#include "text/Edits.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

/// The definitions of a fused program that the input hasn't.
struct NewDefinitions {
  const Sources &sources;
  const Program &program;
  const std::vector<HostGroup> &groups;
  /// The places of the fused kernels, by their groups' indices. Groups that
  /// call the kernel of another one have no place.
  const std::map<std::size_t, KernelInsertion> &places;
  /// The stages' texts, each with its offset in the input.
  const std::vector<std::pair<std::uint32_t, std::string>> &stages;
  const ContractedKernels &contracted;
  /// The place before the first function that swaps pointers.
  std::uint32_t firstSwap = 0;
};

/// Inserts the helpers before everything that calls them, the stages after
/// their kernels, and then the fused kernels. In OpenCL everything except the
/// launchers follows the user's kernels.
void insertDefinitions(const NewDefinitions &definitions, Names &names,
                       const Helpers &helpers, Edits &edits);

} // namespace kfuse

#endif
