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

/// Gives each forwarded value a name that nothing in the members' texts has,
/// until all parameters have their names.
void holdForwards(MergedBodyBuilder &body);

/// Names the kernel's parameters; those that no member uses any more are none.
void nameParameters(MergedBodyBuilder &body);

/// Names forwarded values after the arrays that they passed through.
void nameForwards(MergedBodyBuilder &body);

/// Gives the variables of `member` names that no other member's have.
void nameVariables(MergedBodyBuilder &body, std::size_t member);

} // namespace kfuse

#endif
