//===- frontend/Rewriting.cpp - A text whose statements are replaced ------===//

#include "frontend/Rewriting.h"

#include "frontend/SourceUnit.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <tuple>

namespace kfuse {

using namespace clang;

Rewriting::Rewriting(const SourceUnit &source)
    : Source(source), Files(source.ast().getASTContext()),
      Unit(source.ast().getASTContext(), source.ast().getPreprocessor(), Files,
           Ignored) {
  collectFunctions(Unit);
}

const std::string &Rewriting::input() const { return Source.text(); }

Preprocessor &Rewriting::macros() const {
  return Source.ast().getPreprocessor();
}

std::string Rewriting::obstacle(const FunctionDecl &function) {
  if (function.isTemplateInstantiation())
    return "is a template";
  const SourceRange range = Files.range(function.getSourceRange());
  if (!FileTable::isInputText(range))
    return "isn't plain text of the input";
  if (Files.text(range).find("pragma") != std::string::npos)
    return "has a pragma";
  return {};
}

std::string Rewriting::newline() const {
  const std::size_t end = input().find('\n');
  return end != std::string::npos && end > 0 && input()[end - 1] == '\r'
             ? "\r\n"
             : "\n";
}

std::string Rewriting::indentation(std::uint32_t offset) const {
  std::size_t begin = offset;
  while (begin > 0 && input()[begin - 1] != '\n')
    --begin;
  std::size_t end = begin;
  while (end < offset && (input()[end] == ' ' || input()[end] == '\t'))
    ++end;
  return input().substr(begin, end - begin);
}

std::string Rewriting::fresh(const std::string &wanted) {
  const IdentifierTable &known = macros().getIdentifierTable();
  for (unsigned count = 1;; ++count) {
    std::string name =
        count == 1 ? wanted : wanted + "_" + std::to_string(count);
    if (known.find(name) == known.end() && Taken.insert(name).second)
      return name;
  }
}

bool Rewriting::isFree(const SourceRange &range) const {
  return std::none_of(Made.begin(), Made.end(), [&](const Replacement &each) {
    return each.range.begin < range.end && range.begin < each.range.end;
  });
}

void Rewriting::replace(const SourceRange &range, DerivedText text) {
  Made.push_back({range, std::move(text), {}});
}

namespace {

/// The begin of the line of `offset`, or of the comments that end above it.
std::uint32_t aboveComments(const std::string &text, std::uint32_t offset) {
  const auto lineOf = [&text](std::size_t at) {
    const std::size_t end =
        at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    return end == std::string::npos ? 0 : end + 1;
  };
  std::size_t begin = lineOf(offset);
  while (begin > 0) {
    std::size_t above = lineOf(begin - 1);
    const llvm::StringRef line =
        llvm::StringRef(text).slice(above, begin).trim();
    if (line.ends_with("*/")) {
      const std::size_t open = text.rfind("/*", begin);
      if (open == std::string::npos)
        break;
      above = lineOf(open);
      if (!llvm::StringRef(text).slice(above, open).trim().empty())
        break;
    } else if (!line.starts_with("//")) {
      break;
    }
    begin = above;
  }
  return static_cast<std::uint32_t>(begin);
}

} // namespace

void Rewriting::define(const std::string &name, const std::string &text,
                       const FunctionDecl &before) {
  const Decl *outermost = &before;
  for (const DeclContext *context = before.getLexicalDeclContext();
       !context->isTranslationUnit(); context = context->getLexicalParent())
    outermost = cast<Decl>(context);
  SourceRange range = Files.range(outermost->getSourceRange());
  range.begin = range.end = aboveComments(input(), range.begin);
  DerivedText written;
  written.write(text, range.begin);
  Made.push_back({range, std::move(written), name});
}

SpecialisedText Rewriting::finish(std::map<std::string, std::string> refused) {
  std::sort(Made.begin(), Made.end(),
            [](const Replacement &lhs, const Replacement &rhs) {
              return std::tie(lhs.range.begin, lhs.range.end, lhs.defines) <
                     std::tie(rhs.range.begin, rhs.range.end, rhs.defines);
            });
  SpecialisedText result;
  result.calls.refused = std::move(refused);
  if (Made.empty())
    return result;
  std::uint32_t copied = 0;
  // What earlier rounds put in has moved.
  std::vector<Specialisation> made = Source.specialisations().made;
  const std::vector<Specialisation> before = made;
  for (const Replacement &each : Made) {
    result.text.copy(input(), copied, each.range.begin);
    const auto begin = static_cast<std::uint32_t>(result.text.text.size());
    result.text.append(each.text);
    copied = each.range.end;
    Specialisation place{
        each.range,
        input().substr(each.range.begin, each.range.end - each.range.begin),
        each.defines};
    place.range.begin = begin;
    place.range.end = static_cast<std::uint32_t>(result.text.text.size());
    made.push_back(place);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::uint32_t grown = static_cast<std::uint32_t>(
          each.text.text.size() - (each.range.end - each.range.begin));
      if (before[i].range.begin >= each.range.end)
        made[i].range.begin += grown;
      if (before[i].range.end >= each.range.end)
        made[i].range.end += grown;
    }
  }
  result.text.copy(input(), copied, static_cast<std::uint32_t>(input().size()));
  std::sort(made.begin(), made.end(),
            [](const Specialisation &lhs, const Specialisation &rhs) {
              return std::pair(lhs.range.begin, rhs.range.end) <
                     std::pair(rhs.range.begin, lhs.range.end);
            });
  result.calls.made = std::move(made);
  return result;
}

} // namespace kfuse
