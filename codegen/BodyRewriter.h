//===- codegen/BodyRewriter.h - Loads and stores become a register --------===//
#ifndef KFUSE_CODEGEN_BODYREWRITER_H
#define KFUSE_CODEGEN_BODYREWRITER_H

#include "codegen/Edits.h"
#include "codegen/Forwards.h"
#include "codegen/Layout.h"
#include "codegen/Result.h"

#include <string>
#include <vector>

namespace kfuse {

/// How one kernel body takes part in one forward.
struct ForwardUse {
  std::size_t forward = 0; ///< index into the group's forwards
  ForwardRole role;
  bool stored = true;
  std::string variable; ///< what stands for the element in the body
  std::vector<const Access *> accesses;
};

/// The edits of a kernel's body that put `variable` in the place of the
/// forwarded elements:
///
///   B[i] = e     B_value = e, or B[i] = B_value = e where it is stored too
///   x = B[i]     x = B_value
///   B[i] += e    B_value += e, B[i] = (B_value += e), or, where the old value
///                is in memory, B_value = (B[i] += e)
Result<Edits> rewriteBody(const SourceText &source, const SourceRange &body,
                          const std::vector<ForwardUse> &uses);

} // namespace kfuse

#endif
