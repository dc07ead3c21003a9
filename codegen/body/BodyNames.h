//===- BodyNames.h - The names in a merged body ---------------------------===//
#ifndef KFUSE_CODEGEN_BODY_BODYNAMES_H
#define KFUSE_CODEGEN_BODY_BODYNAMES_H

#include "codegen/body/MergedBodyBuilder.h"

#include <cstddef>
#include <set>
#include <string>

namespace kfuse {

/// Returns the names that the member uses, including those in its guards and
/// in the coordinates that are used.
std::set<std::string> usedNames(const MergedBodyBuilder &body,
                                std::size_t member);

/// Gives each forwarded value a temporary name that nothing in the members'
/// texts has, until all parameters have their names. Names the grid, the
/// element and the zeros too.
void holdForwards(MergedBodyBuilder &body);

/// Sets the fused kernel's parameters and their names. Parameters that no
/// member uses any more are left out.
void nameParameters(MergedBodyBuilder &body);

/// Gives the forwarded values the names of the arrays that they passed through.
void nameForwards(MergedBodyBuilder &body);

/// Gives the variables of `member` names that no other member's have.
void nameVariables(MergedBodyBuilder &body, std::size_t member);

} // namespace kfuse

#endif
