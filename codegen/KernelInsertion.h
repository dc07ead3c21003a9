//===- KernelInsertion.h - Where a fused kernel is defined ----------------===//
#ifndef KFUSE_CODEGEN_KERNELINSERTION_H
#define KFUSE_CODEGEN_KERNELINSERTION_H

#include "codegen/text/Result.h"
#include "codegen/text/Sources.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// Says where a group's fused kernel is defined.
struct KernelInsertion {
  std::uint32_t definition = 0;
  /// Is set if its launches stand before its definition: it is declared there.
  std::optional<std::uint32_t> declaration;
  /// Opened around the definition, as in KernelText.
  std::vector<std::string> namespaces;
  std::string indent;    ///< of the lines of the definition
  bool isBehind = false; ///< what stands before it
  /// How a launch of it names its scope: `::fx::`, or empty.
  std::string scope;
  std::uint32_t first() const { return declaration.value_or(definition); }
};

/// Checks whether what is defined at `known` can be called from `place`.
bool serves(const Sources &sources, const KernelInsertion &known,
            const KernelInsertion &place);

/// Finds the place for the group's fused kernel, before the function that
/// launches it. If a stage is defined later, the kernel is declared there and
/// defined after all its stages.
Result<KernelInsertion> placeFor(const Sources &sources, const Program &program,
                                 const FusedKernel &kernel);

/// The part of its members that a fused kernel has.
enum class UsedText : std::uint8_t { Statements, Types };

/// Finds the place right after the last member, in the members' namespace, if
/// what a fused kernel has of them means the same there; nullopt if that isn't
/// sure.
std::optional<KernelInsertion> placeBehindMembers(const Sources &sources,
                                                  const Program &program,
                                                  const FusedKernel &kernel,
                                                  UsedText text);

/// Returns why the members' types may be others at the place, if they are
/// spelled from the global scope; empty if they are the same.
std::string typesObstacle(const Program &program, const FusedKernel &kernel,
                          const KernelInsertion &place);

} // namespace kfuse

#endif
