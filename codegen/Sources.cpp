//===- codegen/Sources.cpp - The texts of a program's files ---------------===//
#include "codegen/Sources.h"

namespace kfuse {

Sources::Sources(const Program &program) {
  for (std::uint32_t i = 0; i < program.files.size(); ++i)
    Texts.emplace_back(program.files[i].text, i);
}

std::optional<std::uint32_t> stagePlace(const Sources &sources,
                                        const KernelText &kernel) {
  const SourceText &input = sources.input();
  if (kernel.include.line == 0) {
    if (!input.holds(kernel.declaration) ||
        !namespacesAt(input, kernel.declaration.begin))
      return std::nullopt;
    return kernel.declaration.end;
  }
  for (const Token &token : input.tokens)
    if (token.kind == TokenKind::Directive &&
        token.begin <= kernel.include.begin &&
        kernel.include.begin < token.end) {
      const auto open = namespacesAt(input, token.begin);
      if (open && open->empty())
        return token.end;
    }
  return std::nullopt;
}

} // namespace kfuse
