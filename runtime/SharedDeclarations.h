//===- SharedDeclarations.h - `extern __shared__` among tokens ------------===//
#ifndef KFUSE_RUNTIME_SHAREDDECLARATIONS_H
#define KFUSE_RUNTIME_SHAREDDECLARATIONS_H

#include "runtime/Tokens.h"

#include <map>
#include <string>

namespace kfuse {

/// Texts that replace single tokens, by index.
using TokenReplacements = std::map<std::size_t, std::string>;

/// Replaces every `extern __shared__` declaration: in a function by references
/// to the block's dynamic shared memory, in a namespace by objects that stand
/// for it.
void replaceExternShared(const TokenList &tokens,
                         TokenReplacements &replacements);

} // namespace kfuse

#endif
