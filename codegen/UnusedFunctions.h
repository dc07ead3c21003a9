//===- UnusedFunctions.h - Functions that nothing calls any more ----------===//
#ifndef KFUSE_CODEGEN_UNUSEDFUNCTIONS_H
#define KFUSE_CODEGEN_UNUSEDFUNCTIONS_H

#include "codegen/text/Sources.h"
#include "text/Edits.h"

#include <vector>

namespace kfuse {

/// Finds the static functions of the input whose statements stand for all
/// calls, once `edits` are made. Functions that each other alone name are among
/// them; those in which something is edited only if `withEdited` is set.
std::vector<SourceRange> unusedFunctions(const Sources &sources,
                                         const Program &program,
                                         const Edits &edits, bool withEdited);

/// Returns what to delete of a definition that ends at `end`: the comments and
/// blank lines above it, too.
TextRange withComments(const SourceText &input, const SourceRange &definition,
                       std::uint32_t end);

/// Checks whether nothing before the definition belongs to it, such as
/// `extern "C"`.
bool isWholeDefinition(const SourceText &input, const SourceRange &definition);

/// Checks whether `text` contains `name`, in code or in a directive.
bool isNamedIn(std::string_view text, std::string_view name);

/// Checks whether bytes [begin, end) are in one of the ranges.
bool isIn(const std::vector<SourceRange> &ranges, std::uint32_t begin,
          std::uint32_t end);

} // namespace kfuse

#endif
