//===- ForwardRounding.h - How forwarded values are rounded ---------------===//
#ifndef KFUSE_CODEGEN_STAGE_FORWARDROUNDING_H
#define KFUSE_CODEGEN_STAGE_FORWARDROUNDING_H

#include "codegen/stage/ForwardedArrays.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"
#include "text/Edits.h"

#include <cstdint>
#include <string>

namespace kfuse {

/// Returns what is known of the value that the access stores, or nullptr.
const StoredValue *storedValue(const Kernel &kernel, const Access &store);

/// How a forwarded value is written where it is computed, so that sums of later
/// members round what they add as they did when it came from memory.
enum class Rounding : std::uint8_t {
  AsWritten, ///< no sum can take a product from it
  Product,   ///< its product is written as a rounded one
  Sums,      ///< the sums that take it are (ExplicitSums.h)
  Opaque,    ///< the compiler must not know how it was computed
};
Rounding roundingOf(const Program &program, const FusedKernel &kernel,
                    const ForwardedArray &forward, std::size_t member,
                    const Access &store);

/// Checks whether the member's sums that take a value of the forward are to be
/// explicit, since an earlier member left it with Rounding::Sums. The members
/// are stages, or else one body.
bool addsExplicitly(const Program &program, const FusedKernel &kernel,
                    const ForwardedArray &forward, std::size_t member,
                    bool isStage);

/// Checks whether the launch's kernel, or a member's, has a sum that takes a
/// product.
bool takesProducts(const Program &program, LaunchId launch);
bool takesProducts(const Program &program, const FusedKernel &kernel);

/// Returns the rounding for everything that the member stores to the array in a
/// stage, which is a function of its own with the member's guard. If that guard
/// fails, the variable has the value that it was declared with.
Rounding roundingInStage(const Program &program, const FusedKernel &kernel,
                         const ForwardedArray &forward, std::size_t member);

/// Checks whether sums of other members could be contracted otherwise if
/// compilers knew that these load from `array` what a member stored.
bool mayContractInMemory(const Program &program, const FusedKernel &kernel,
                         ArrayId array);

/// Returns the member's stores to such arrays whose products are to be written
/// as rounded ones.
std::vector<const Access *> roundedStores(const Program &program,
                                          const FusedKernel &kernel,
                                          std::size_t member);

/// Checks whether the value that `member` leaves may be a factor of a product
/// that a sum of a later member takes. If it were constant on one path,
/// compilers would move the product to the others, and not contract it.
bool mayBeFactor(const Program &program, const FusedKernel &kernel,
                 const ForwardedArray &forward, std::size_t member);

/// Writes the product that `store` stores as a rounded one: `__fmul_rn(a, b)`;
/// for an update of `variable`, or of memory if that is empty,
/// `B[i] = __fmul_rn(B[i], b)`. Returns false if its text has no such form.
bool roundProduct(const Program &program, const Kernel &kernel,
                  const Access &store, const std::string &variable,
                  Edits &edits);

} // namespace kfuse

#endif
