//===- frontend/RoundProducts.h - Sums that contract in one way -----------===//
//
//   C[i] = a * A[i] + b * B[i];      C[i] = a * A[i] + __fmul_rn(b, B[i]);
//
// A compiler contracts either product with the sum; where one is rounded by
// itself, the other one. Whether that is what it does to the kernel as the user
// wrote it, the machine code of both tells.
//
// Functions are known by the offset of their name in the input.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_ROUNDPRODUCTS_H
#define KFUSE_FRONTEND_ROUNDPRODUCTS_H

#include "frontend/Origins.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace kfuse {

class SourceUnit;

/// Which product of a sum of two is rounded by itself; the sum is contracted
/// with the other one.
enum class RoundedProduct : std::uint8_t { Left, Right };
using RoundedFunctions = std::map<std::uint32_t, RoundedProduct>;

/// The functions that have ambiguous sums of kernels, with the names of the
/// kernels that run them; but for functions that are templates or may run on
/// the host.
std::map<std::uint32_t, std::set<std::string>>
functionsWithUnclearSums(const SourceUnit &unit);

/// The functions with the products of ambiguous sums rounded, but for those
/// where such a product isn't plain text. Empty where there is nothing to
/// write.
RewrittenText roundProducts(const SourceUnit &unit,
                            const RoundedFunctions &functions);

} // namespace kfuse

#endif
