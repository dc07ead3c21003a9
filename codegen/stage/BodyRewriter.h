//===- BodyRewriter.h - Loads and stores become a register ----------------===//
#ifndef KFUSE_CODEGEN_STAGE_BODYREWRITER_H
#define KFUSE_CODEGEN_STAGE_BODYREWRITER_H

#include "codegen/stage/ForwardedArrays.h"
#include "codegen/text/Result.h"
#include "text/Edits.h"
#include "text/Layout.h"

#include <map>
#include <string>
#include <vector>

namespace kfuse {

/// How one kernel body takes part in one forward.
struct ForwardUse {
  std::size_t forward = 0; ///< index into the group's forwards
  ForwardRole role;
  bool stored = true;    ///< by any member
  std::string variable;  ///< replaces the element in the body
  std::string parameter; ///< by which it comes in
  /// The expression that tells whether it has a value; empty if that is sure.
  std::string written;
  std::string flag; ///< the parameter by which that comes in
  std::vector<const Access *> accesses;
  /// The only store, if its statement declares the variable, and how that
  /// begins: `float B = `.
  const Access *declaring = nullptr;
  std::string declaration;
  /// For a load: the value's place, as `[34]` after the variables' names, and
  /// whether it may be missing. Loads that aren't here take `variable`.
  struct Source {
    std::string element;
    bool isPartial = false;
    /// The function that chooses between the value and memory, which are both
    /// places; empty if a branch may do that.
    std::string either;
  };
  std::map<const Access *, Source> sources;
  /// For a store, what rounds the value: after what it goes to, before loads in
  /// the value.
  std::map<const Access *, Edits> rounding;

  /// Whether this body's own stores remain.
  bool stores() const { return stored && !role.isOverwritten; }
};

/// Returns the edits of a kernel's body that replace the forwarded elements by
/// `variable`:
///
///   B[i] = e     B_value = e; if it is stored too, B[i] = B_value = e.
///   x = B[i]     x = B_value.
///   B[i] += e    B_value += e. If it is stored too, B[i] = B_value follows, or
///                in an expression it is B[i] = (B_value += e). If the old
///                value is in memory, B_value = (B[i] += e).
///
/// A declaring store becomes `float B = e;`, and then `B[i] = B;` if it is
/// stored too. With `written` a store is to `(B_written = true, B_value)`, and
/// a load that may find no value is `(B_written ? B_value : B[i])`, or, of a
/// tile, `either(B_written[1], B_tile[1], B[i])`.
Result<Edits> rewriteBody(const SourceText &source, const SourceRange &body,
                          const std::vector<ForwardUse> &uses);

} // namespace kfuse

#endif
