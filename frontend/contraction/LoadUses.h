//===- LoadUses.h - What sums do with loaded values -----------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_LOADUSES_H
#define KFUSE_FRONTEND_CONTRACTION_LOADUSES_H

#include "frontend/contraction/Rounding.h"
#include "frontend/syntax/SourceRanges.h"

#include <cstdint>
#include <map>

namespace kfuse {

/// Returns the uses of elements in the text of `kernel` of which is known what
/// becomes of them, by the first byte of each element's text. `rounding` are
/// the traits of the kernel, which was followed.
std::map<std::uint32_t, LoadUse> loadUses(const clang::FunctionDecl &kernel,
                                          const RoundingTraits &rounding,
                                          FileTable &files);

} // namespace kfuse

#endif
