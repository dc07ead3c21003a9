//===- Contractions.h - Sums that contract in one way ---------------------===//
//
//   C[i] = a * A[i] + b * B[i];
//   C[i] = __fmaf_rn(a, A[i], __fmul_rn(b, B[i]));        // Left
//   C[i] = kfuseAddProductf(__fmul_rn(a, A[i]), b, B[i]); // Right
//   C[i] = __fadd_rn(__fmul_rn(a, A[i]), __fmul_rn(b, B[i]));
//
// Which product a compiler contracts with the sum may depend on all that is
// around it; written so the sum rounds in one way wherever it stands. The
// machine code of the kernel as the user wrote it tells which it is.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_CONTRACTIONS_H
#define KFUSE_FRONTEND_REWRITE_CONTRACTIONS_H

#include "frontend/rewrite/SumLines.h"
#include "frontend/syntax/SourceMap.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

class SourceUnit;

/// A function with sums that take products that are rounded.
struct AmbiguousFunction {
  std::set<std::string> kernels; ///< that run it, by signature
  /// The number of copies of its code in each kernel; 0 if some of their sums
  /// may be hidden by others.
  std::map<std::string, unsigned> copies = {};
  bool hasDirectives = false; ///< the preprocessor's, in its body
  bool canBeCopied = false;   ///< under another name
};

using AmbiguousFunctions = std::map<FunctionPlace, AmbiguousFunction>;
using ChosenContractions = std::map<FunctionPlace, FunctionContractions>;

struct LabelledText {
  static constexpr std::uint32_t First = 100'000'000; ///< beyond those of files

  RewrittenText text;
  std::map<FunctionPlace, std::vector<SumLines>>
      lines; ///< as AmbiguousFunctions
};

/// Returns the instances of templates with several that kernels with ambiguous
/// sums, or those named in `asked`, run. ContractionSites leaves them out,
/// since one text is all of them.
std::vector<const clang::FunctionDecl *>
summingInstances(const SourceUnit &unit, const std::set<std::string> &asked);

/// The functions that a unit's kernels run and that have a sum with several
/// possible contractions, and those with sums that kernels named in `asked`
/// run. Templates with several instances are left out, and functions with a sum
/// that can't be written otherwise. Functions in headers, or that run on the
/// host too, get copies for those that run them. The unit outlives it.
class ContractionSites {
public:
  ContractionSites(const SourceUnit &unit, const std::set<std::string> &asked);
  ~ContractionSites();

  const AmbiguousFunctions &ambiguous() const { return Ambiguous; }

  /// Writes the sums as `chosen`. Functions in `copied` change only in copies,
  /// which the other functions run. Empty if the sums are written that way
  /// already.
  RewrittenText write(const ChosenContractions &chosen,
                      const std::set<FunctionPlace> &copied = {}) const;

  /// Writes `functions` in a text that does the same, with a table of lines
  /// that says what each instruction is of.
  LabelledText label(const AmbiguousFunctions &functions) const;

private:
  struct Functions;

  const SourceUnit &Unit;
  std::unique_ptr<Functions> All;
  AmbiguousFunctions Ambiguous;
};

} // namespace kfuse

#endif
