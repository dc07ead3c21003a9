//===- TemplateNames.cpp - Template parameters and scopes of kernels ------===//
#include "codegen/text/TemplateNames.h"

#include "text/Tokens.h"

#include <algorithm>

namespace kfuse {

std::optional<Renames> templateNames(const KernelText &text) {
  Renames names;
  if (text.templateHeader.empty())
    return names;
  std::vector<std::string> parameters, arguments;
  std::string last;
  int depth = 0;
  for (const TextToken &token : tokensOf(text.templateHeader)) {
    const auto word = std::string(spelling(text.templateHeader, token));
    depth += word == "<" ? 1 : word == ">" ? -1 : 0;
    if (word == "..." || word == "=" || depth > 1)
      return std::nullopt;
    if ((word == "," || word == ">") && !last.empty())
      parameters.push_back(last);
    last = token.kind == TokenKind::Identifier ? word : "";
  }
  std::string argument;
  for (const TextToken &token : tokensOf(text.templateArguments)) {
    const auto word = std::string(spelling(text.templateArguments, token));
    if (word == "<" && argument.empty() && arguments.empty())
      continue;
    if (word == "," || word == ">") {
      arguments.push_back(argument);
      argument.clear();
    } else {
      argument += (argument.empty() ? "" : " ") + word;
    }
  }
  if (parameters.size() != arguments.size())
    return std::nullopt;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (arguments[i] == "unsigned int")
      arguments[i] = "unsigned";
    if (arguments[i].empty() ||
        !std::all_of(arguments[i].begin(), arguments[i].end(),
                     isIdentifierCharacter))
      return std::nullopt;
    names[parameters[i]] = arguments[i];
  }
  return names;
}

std::string scopeOf(const Kernel &kernel) {
  std::string name = kernel.qualifiedName;
  const std::string anonymous = "(anonymous namespace)::";
  for (std::size_t at = name.find(anonymous); at != std::string::npos;
       at = name.find(anonymous))
    name.erase(at, anonymous.size());
  const std::size_t end = name.rfind("::");
  return end == std::string::npos ? "" : "::" + name.substr(0, end + 2);
}

std::string fromGlobalScope(const std::string &text,
                            const std::set<std::string> &names) {
  std::string result;
  std::uint32_t copied = 0;
  std::string_view before;
  for (const TextToken &token : tokensOf(text)) {
    const std::string_view word = spelling(text, token);
    if (token.kind == TokenKind::Identifier && before != "::" &&
        before != "." && before != "->" && names.count(std::string(word))) {
      result += text.substr(copied, token.begin - copied) + "::";
      copied = token.begin;
    }
    before = word;
  }
  return result + text.substr(copied);
}

std::string withinScope(const std::string &text, std::string_view scope,
                        const std::set<std::string> &hidden) {
  std::string result;
  std::uint32_t copied = 0;
  std::string_view before;
  for (const TextToken &token : tokensOf(text)) {
    const std::string_view word = spelling(text, token);
    const bool isFull = word == "::";
    const std::string_view prefix =
        isFull || scope.empty() ? scope : scope.substr(2);
    const std::uint32_t end =
        token.begin + static_cast<std::uint32_t>(prefix.size());
    const bool isPrefix = !prefix.empty() && token.begin >= copied &&
                          (isFull || token.kind == TokenKind::Identifier) &&
                          before != "::" && before != "." && before != "->" &&
                          before != ">" &&
                          text.compare(token.begin, prefix.size(), prefix) == 0;
    before = word;
    std::uint32_t last = end;
    while (isPrefix && last < text.size() && isIdentifierCharacter(text[last]))
      ++last;
    if (last == end || hidden.count(text.substr(end, last - end)) != 0)
      continue;
    result += text.substr(copied, token.begin - copied);
    copied = end;
  }
  return result + text.substr(copied);
}

} // namespace kfuse
