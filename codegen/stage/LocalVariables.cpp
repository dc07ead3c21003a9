//===- LocalVariables.cpp - A stage's variables in local memory -----------===//
#include "codegen/stage/LocalVariables.h"

#include "text/Tokens.h"

#include <optional>

namespace kfuse {

std::string localObstacle(const SourceText &source, const Kernel &kernel,
                          const Names &names) {
  for (const LocalVariable &local : kernel.locals) {
    SourceRange before = kernel.text.body;
    before.end = local.declaration.begin;
    if (names.isMacro(local.name) || mentions(source.at(before), local.name))
      return "'" + local.name + "' means something else in '" + kernel.name +
             "', too";
  }
  return {};
}

Edits localEdits(const SourceText &source, const Kernel &kernel) {
  Edits edits;
  std::optional<std::uint32_t> cut; // a statement may declare several
  for (const LocalVariable &local : kernel.locals) {
    if (cut != local.declaration.begin) {
      const TextRange extent = removal(source, local.declaration);
      edits.replace(extent.begin, extent.end, "");
    }
    cut = local.declaration.begin;
    for (const SourceRange &mention : local.mentions)
      edits.insert(mention.end, "[0]");
  }
  return edits;
}

} // namespace kfuse
