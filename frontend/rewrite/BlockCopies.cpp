//===- BlockCopies.cpp - Movable statements, written elsewhere ------------===//

#include "frontend/rewrite/BlockCopies.h"

#include "frontend/rewrite/Rewriting.h"

#include "clang/AST/Decl.h"

#include <algorithm>
#include <string_view>

namespace kfuse {

using namespace clang;

namespace {

/// Appends what `expansion` stands for: its pattern with the names of each
/// element.
void copyElements(const Rewriting &rewriting, const MovableBlock &block,
                  const PackExpansion &expansion, const NewNames &names,
                  const std::string &line, MappedText &text) {
  const std::vector<const ValueDecl *> &elements = block.pack.elements;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    NewNames own = names;
    if (const auto name = names.find(elements[i]); name != names.end())
      own[elements.front()] = name->second;
    for (const TemplateParameter &parameter : block.templateParameters)
      if (parameter.isPack && i < parameter.elements.size())
        own[parameter.declaration] = parameter.elements[i].text;
    if (i != 0)
      text.write(", ", expansion.pattern.begin);
    copyPart(rewriting, block, expansion.pattern, own, line, text);
  }
}

} // namespace

std::string withNames(const std::string &declaration, const NewNames &names) {
  std::string text;
  for (std::size_t at = 0; at < declaration.size();) {
    const auto end =
        std::find_if_not(declaration.begin() + static_cast<std::ptrdiff_t>(at),
                         declaration.end(), isIdentifierCharacter);
    const auto length =
        static_cast<std::size_t>(end - declaration.begin()) - at;
    std::string word = declaration.substr(at, std::max<std::size_t>(length, 1));
    at += word.size();
    const bool isOfScope = llvm::StringRef(text).rtrim().ends_with("::");
    for (const auto &[known, name] : names)
      if (!isOfScope && known->getNameAsString() == word &&
          (known->isTemplateParameter() ||
           known->getDeclContext()->getRedeclContext()->isFileContext())) {
        word = name;
        break;
      }
    text += word;
  }
  return text;
}

void copyPart(const Rewriting &rewriting, const MovableBlock &block,
              TextRange part, const NewNames &names, const std::string &line,
              MappedText &text) {
  const std::string &input = rewriting.input();
  std::size_t first = block.statements.begin;
  while (first < block.statements.end && input[first] == '#')
    first = input.find_first_not_of(" \t\r\n", input.find('\n', first));
  const std::size_t indent =
      indentation(rewriting.layout(),
                  static_cast<std::uint32_t>(
                      std::min<std::size_t>(first, block.statements.end)))
          .size();
  std::uint32_t copied = part.begin;
  for (std::uint32_t at = copied; at < part.end;) {
    if (const PackExpansion *expansion = block.pack.around(at);
        expansion && at == expansion->whole.begin &&
        part.end >= expansion->whole.end) {
      text.copy(input, copied, at);
      copyElements(rewriting, block, *expansion, names, line, text);
      copied = at = expansion->whole.end;
      continue;
    }
    const auto mention = block.mentions.find(at);
    const auto outer = block.outer.at.find(at);
    const NamedDecl *named = mention != block.mentions.end() ? mention->second
                             : outer != block.outer.at.end() ? outer->second
                                                             : nullptr;
    if (const auto name = names.find(named); name != names.end()) {
      text.copy(input, copied, at);
      // `:::` and `<::` are other tokens.
      const bool isApart = name->second.starts_with(':') && at > 0 &&
                           (input[at - 1] == ':' || input[at - 1] == '<');
      text.write((isApart ? " " : "") + name->second, at);
      at += static_cast<std::uint32_t>(named->getNameAsString().size());
      copied = at;
    } else if (input[at++] == '\n') {
      text.copy(input, copied, at);
      std::uint32_t begin = at;
      while (begin < part.end && begin < at + indent &&
             (input[begin] == ' ' || input[begin] == '\t'))
        ++begin;
      // Directives stay where the line begins.
      const bool isMoved = begin < input.size() &&
                           std::string_view("\r\n#").find(input[begin]) ==
                               std::string_view::npos;
      if (isMoved)
        text.write(line.substr(line.find('\n') + 1), begin);
      copied = at = begin;
    }
  }
  text.copy(input, copied, part.end);
}

void copyStatements(const Rewriting &rewriting, const MovableBlock &block,
                    const NewNames &names, const std::string &line,
                    std::uint32_t end, MappedText &text) {
  copyPart(rewriting, block, {block.statements.begin, block.statements.end},
           names, line, text);
  if (block.endsInDirective && !endOfLine(rewriting.layout(), end))
    text.write(line, end);
}

} // namespace kfuse
