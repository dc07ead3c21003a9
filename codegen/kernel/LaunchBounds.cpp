//===- LaunchBounds.cpp - What compilers are told of blocks ---------------===//
#include "codegen/kernel/LaunchBounds.h"

#include "fusion/group/GroupChecks.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace kfuse {
namespace {

constexpr std::uint32_t MostThreads = 1024, RegistersOfBlock = 65536;
/// So many may have the most registers that there are for a thread.
constexpr std::uint32_t SafeThreads = 256;

} // namespace

std::string launchBounds(const FusedKernelBuilder &builder) {
  std::optional<std::uint32_t> told =
      builder.kernelOf(builder.group.leader).maxThreads;
  std::uint64_t threads = 0;
  std::uint32_t registers = 0;
  for (std::size_t m = 0; m < builder.members(); ++m) {
    registers += builder.kernelOf(m).registers;
    if (builder.fitOf(m).chunk || builder.isComputed(m))
      continue;
    const auto other = builder.kernelOf(m).maxThreads;
    told =
        told && other ? std::optional(std::min(*told, *other)) : std::nullopt;
    threads = std::max(
        threads, constantThreads(builder.launchOf(m)).value_or(MostThreads));
  }
  if (!told && threads > SafeThreads && threads * registers >= RegistersOfBlock)
    told = static_cast<std::uint32_t>(threads);
  return told ? "__launch_bounds__(" + std::to_string(*told) + ") " : "";
}

std::string requiredBlock(const FusedKernelBuilder &builder) {
  for (std::size_t m = 0; m < builder.members(); ++m)
    if (const auto &size = builder.kernelOf(m).requiredBlock)
      return "__attribute__((reqd_work_group_size(" +
             std::to_string((*size)[0]) + ", " + std::to_string((*size)[1]) +
             ", " + std::to_string((*size)[2]) + "))) ";
  return {};
}

} // namespace kfuse
