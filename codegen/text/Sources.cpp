//===- Sources.cpp - The texts of a program's files -----------------------===//
#include "codegen/text/Sources.h"

#include <algorithm>

namespace kfuse {

Sources::Sources(const Program &program) {
  for (std::uint32_t i = 0; i < program.files.size(); ++i)
    Texts.emplace_back(program.files[i].text, i);
  for (const Replacement &each : program.replaced)
    if (!each.defines.empty())
      Definitions.push_back({each.range.begin, each.range.end});
}

std::uint32_t Sources::behindDefinitions(std::uint32_t offset) const {
  const std::string_view text = input().text;
  for (const TextRange &each : Definitions)
    if (each.begin >= offset &&
        text.substr(offset, each.begin - offset).find_first_not_of(" \t\r\n") ==
            std::string_view::npos)
      offset = each.end;
  // Before a line end, as after a directive.
  for (const char end : {'\n', '\r'})
    if (offset > 0 && text[offset - 1] == end)
      --offset;
  return offset;
}

bool Sources::isOwn(std::uint32_t offset) const {
  return std::any_of(Definitions.begin(), Definitions.end(),
                     [offset](const TextRange &each) {
                       return each.begin <= offset && offset < each.end;
                     });
}

namespace {

/// Returns `end`, or the end of the comment that follows on the line.
std::uint32_t behindComment(const SourceText &input, std::uint32_t end) {
  const std::size_t next = tokenAt(input, end);
  if (next == input.tokens.size() ||
      input.tokens[next].kind != TokenKind::Comment)
    return end;
  const std::uint32_t last = input.tokens[next].end;
  const bool onLine =
      input.text.substr(end, last - end).find('\n') == std::string_view::npos;
  return onLine ? last : end;
}

} // namespace

std::optional<std::uint32_t> insertionPoint(const Sources &sources,
                                            const KernelText &kernel) {
  const SourceText &input = sources.input();
  if (kernel.include.line == 0) {
    if (!input.holds(kernel.declaration) ||
        !namespacesAt(input, kernel.declaration.begin))
      return std::nullopt;
    return behindComment(input, kernel.declaration.end);
  }
  for (const TextToken &token : input.tokens)
    if (token.kind == TokenKind::Directive &&
        token.begin <= kernel.include.begin &&
        kernel.include.begin < token.end) {
      const auto open = namespacesAt(input, token.begin);
      if (open && open->empty())
        return sources.behindDefinitions(token.end);
    }
  return std::nullopt;
}

} // namespace kfuse
