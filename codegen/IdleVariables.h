//===- IdleVariables.h - Variables that nothing uses any more -------------===//
#ifndef KFUSE_CODEGEN_IDLEVARIABLES_H
#define KFUSE_CODEGEN_IDLEVARIABLES_H

#include "codegen/text/Names.h"

#include <string>

namespace kfuse {

/// Deletes the declarations of a function's variables that only what is gone
/// named: pointers of arrays, and values such as `size_t bytes = n * 4`. So
/// `float *a, *b;` becomes `float *a;`. `before` is the text in which they were
/// used. Declarations of another form stay, as do those with side effects and
/// those of names that macros mention.
std::string withoutIdleVariables(std::string text, const std::string &before,
                                 const Names &names);

} // namespace kfuse

#endif
