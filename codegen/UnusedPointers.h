//===- UnusedPointers.h - Variables of arrays that are gone ---------------===//
#ifndef KFUSE_CODEGEN_UNUSEDPOINTERS_H
#define KFUSE_CODEGEN_UNUSEDPOINTERS_H

#include "text/Edits.h"
#include "text/Layout.h"

#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// Deletes the declarations of `names` in a function, pointers that it mentions
/// nowhere else than in the extents `gone`: `float *a, *b;` becomes
/// `float *a;`. Leaves declarations of another form.
Edits withoutPointers(const SourceText &source, const SourceRange &function,
                      const std::set<std::string> &names,
                      const std::vector<TextRange> &gone);

} // namespace kfuse

#endif
