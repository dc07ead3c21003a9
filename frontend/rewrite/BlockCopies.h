//===- BlockCopies.h - Movable statements, written elsewhere --------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BLOCKCOPIES_H
#define KFUSE_FRONTEND_REWRITE_BLOCKCOPIES_H

#include "frontend/rewrite/MovableBlock.h"

#include <cstdint>
#include <map>
#include <string>

namespace kfuse {

class Rewriting;

using NewNames = std::map<const clang::NamedDecl *, std::string>;

/// Returns `declaration` with `names` for the template's parameters and for
/// what stands in namespaces.
std::string withNames(const std::string &declaration, const NewNames &names);

/// Appends a part of the statements with `names` for the variables, the
/// parameters of templates and those of `outer` that it has. `line` is a line
/// end and the white space that lines begin with where it goes.
void copyPart(const Rewriting &rewriting, const MovableBlock &block,
              TextRange part, const NewNames &names, const std::string &line,
              MappedText &text);

/// Appends all statements in the same way. They replace text that ends at
/// `end`.
void copyStatements(const Rewriting &rewriting, const MovableBlock &block,
                    const NewNames &names, const std::string &line,
                    std::uint32_t end, MappedText &text);

} // namespace kfuse

#endif
