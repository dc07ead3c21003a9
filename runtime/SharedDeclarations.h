//===- SharedDeclarations.h - `extern __shared__` among tokens ------------===//
#ifndef KFUSE_RUNTIME_SHAREDDECLARATIONS_H
#define KFUSE_RUNTIME_SHAREDDECLARATIONS_H

#include "runtime/Tokens.h"

#include <map>
#include <string>

namespace kfuse {

/// Maps indices of tokens to the texts that replace them.
using TokenReplacements = std::map<std::size_t, std::string>;

/// Replaces every `extern __shared__` declaration. In a function it becomes
/// references to the block's dynamic shared memory; in a namespace it becomes
/// objects that stand for that memory.
void replaceExternShared(const TokenList &tokens,
                         TokenReplacements &replacements);

} // namespace kfuse

#endif
