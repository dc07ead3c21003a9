//===- LoadUses.h - What sums do with loaded values -----------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_LOADUSES_H
#define KFUSE_FRONTEND_CONTRACTION_LOADUSES_H

#include "frontend/syntax/SourceRanges.h"
#include "graphs/program/Kernel.h"

#include <cstdint>
#include <map>
#include <set>

namespace clang {
class BinaryOperator;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Returns the uses of elements in the text of `kernel` of which is known what
/// becomes of them, by the first byte of each element's text. `taking` are the
/// sums that may take a product.
std::map<std::uint32_t, LoadUse>
loadUses(const clang::FunctionDecl &kernel,
         const std::set<const clang::BinaryOperator *> &taking,
         FileTable &files);

} // namespace kfuse

#endif
