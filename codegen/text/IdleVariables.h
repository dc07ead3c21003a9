//===- IdleVariables.h - Variables that nothing uses any more -------------===//
#ifndef KFUSE_CODEGEN_TEXT_IDLEVARIABLES_H
#define KFUSE_CODEGEN_TEXT_IDLEVARIABLES_H

#include "graphs/program/Program.h"
#include "text/Edits.h"
#include "text/Layout.h"

namespace kfuse {

/// Deletes the variables in `text` that only replaced text used: pointers of
/// arrays, and values such as `size_t bytes = n * 4`. So `float *a, *b;`
/// becomes `float *a;`. A declaration with a comment stays, since the comment
/// may be of one. `source` is the text of the file that `text` is in.
void removeIdleVariables(const SourceText &source, const Program &program,
                         const SourceRange &text, Edits &edits);

} // namespace kfuse

#endif
