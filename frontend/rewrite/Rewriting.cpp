//===- Rewriting.cpp - A text whose statements are replaced ---------------===//

#include "frontend/rewrite/Rewriting.h"

#include "frontend/host/CollectFunctions.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace kfuse {

using namespace clang;

namespace {

bool holds(const SourceRange &outer, const SourceRange &inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

/// Returns what the user wrote in the `range` of a text with replacements.
std::string originalOf(const std::string &text, const SourceRange &range,
                       const std::vector<Replacement> &before) {
  std::string original;
  std::uint32_t copied = range.begin;
  // Outer replacements come before those within them.
  for (const Replacement &each : before)
    if (each.range.begin >= copied && holds(range, each.range)) {
      original += text.substr(copied, each.range.begin - copied);
      original += each.original;
      copied = each.range.end;
    }
  return original + text.substr(copied, range.end - copied);
}

} // namespace

Rewriting::Rewriting(const SourceUnit &source)
    : Source(source), Layout(source.text()),
      Files(source.ast().getASTContext()),
      Unit(source.ast().getASTContext(), Files, Ignored,
           {source.ast().getASTContext(), source.ast().getPreprocessor(),
            Files}) {
  collectFunctions(Unit);
}

const std::string &Rewriting::input() const { return Source.text(); }

Preprocessor &Rewriting::macros() const {
  return Source.ast().getPreprocessor();
}

std::string Rewriting::textObstacle(const FunctionDecl &function) {
  if (function.isTemplateInstantiation() && !isOnlyInstance(function))
    return "is a template with other instances";
  if (!FileTable::isInputText(Files.range(function.getSourceRange())))
    return "isn't plain text of the input";
  return {};
}

std::string Rewriting::obstacle(const FunctionDecl &function) {
  const std::string why = textObstacle(function);
  const SourceRange range = Files.range(function.getSourceRange());
  return why.empty() && Files.text(range).find("pragma") != std::string::npos
             ? "has a pragma"
             : why;
}

namespace {

/// Checks whether a pragma speaks of the next statement alone, or of messages.
bool isOfNextStatement(llvm::StringRef pragma) {
  // Such as `default(none)`: all names in the statement are to be listed.
  if (pragma.contains("none"))
    return false;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(pragma, words);
  const auto isOneOf = [&](std::size_t at,
                           std::initializer_list<llvm::StringRef> known) {
    return at < words.size() && llvm::any_of(
                                    known,
                                    [&](llvm::StringRef each) {
                                      return words[at].split('(').first == each;
                                    });
  };
  if (isOneOf(0, {"GCC", "clang"}))
    return isOneOf(1, {"diagnostic", "unroll", "ivdep", "loop"});
  return isOneOf(0, {"omp", "acc", "unroll", "nounroll", "ivdep", "warning",
                     "message", "region", "endregion", "nv_diag_suppress",
                     "nv_diag_default", "diag_suppress", "diag_default"});
}

} // namespace

std::string Rewriting::callerObstacle(const FunctionDecl &function) {
  if (std::string why = textObstacle(function); !why.empty())
    return why;
  const SourceRange range = Files.range(function.getSourceRange());
  for (std::size_t at = tokenAt(Layout, range.begin);
       at < Layout.tokens.size() && Layout.tokens[at].begin < range.end; ++at) {
    const llvm::StringRef word = spelling(Layout.text, Layout.tokens[at]);
    const auto [before, pragma] = word.split("pragma");
    const bool isDirective = Layout.tokens[at].kind == TokenKind::Directive;
    if (isDirective ? !pragma.empty() && !isOfNextStatement(pragma)
                    : word == "_Pragma" || word == "__pragma")
      return "has a pragma";
  }
  return {};
}

bool Rewriting::followsPragma(std::uint32_t offset) const {
  for (std::size_t at = tokenAt(Layout, offset); at-- > 0;) {
    const TextToken &token = Layout.tokens[at];
    if (token.kind == TokenKind::Comment)
      continue;
    // Other directives may stand between a pragma and its statement.
    if (token.kind != TokenKind::Directive)
      return false;
    if (spelling(Layout.text, token).find("pragma") != std::string_view::npos)
      return true;
  }
  return false;
}

namespace {

class BlockFinder : public SourceVisitor {
public:
  std::vector<const CompoundStmt *> blocks;
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool VisitCompoundStmt(CompoundStmt *block) override {
    blocks.push_back(block);
    return true;
  }
};

} // namespace

bool isOnlyInstance(const FunctionDecl &function) {
  const FunctionTemplateDecl *whole = function.getPrimaryTemplate();
  return whole && llvm::hasSingleElement(whole->specializations());
}

std::vector<const CompoundStmt *> blocksOf(const FunctionDecl &function) {
  BlockFinder finder;
  finder.TraverseStmt(function.getBody());
  return std::move(finder.blocks);
}

std::string Rewriting::lineAt(std::uint32_t offset) const {
  return withLineEnds(Layout, "\n" + indentation(Layout, offset));
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

SourceRange Rewriting::around(SourceRange range) const {
  for (bool isWhole = false; !isWhole;) {
    isWhole = true;
    for (const Replacement &each : Source.replacements().made)
      if (each.range.begin < range.end && range.begin < each.range.end &&
          !holds(each.range, range) && !holds(range, each.range)) {
        range.begin = std::min(range.begin, each.range.begin);
        range.end = std::max(range.end, each.range.end);
        isWhole = false;
      }
  }
  return range;
}

bool Rewriting::isFree(const SourceRange &range) const {
  const std::vector<Replacement> &before = Source.replacements().made;
  return std::none_of(Made.begin(), Made.end(),
                      [&](const Part &each) {
                        return each.range.begin < range.end &&
                               range.begin < each.range.end;
                      }) &&
         std::all_of(
             before.begin(), before.end(), [&](const Replacement &each) {
               return each.range.end <= range.begin ||
                      each.range.begin >= range.end ||
                      holds(each.range, range) ||
                      (holds(range, each.range) && each.defines.empty() &&
                       each.atomicGroup.empty() && !each.isContractionRewrite);
             });
}

void Rewriting::replace(const SourceRange &range, MappedText text,
                        bool isContractionRewrite, const std::string &unit) {
  Made.push_back(
      {range, std::move(text), {}, isContractionRewrite, unit, Made.size()});
}

void Rewriting::replaceCall(const SourceRange &range, MappedText text,
                            const std::string &function) {
  replace(range, std::move(text));
  Made.back().callOf = function;
}

void Rewriting::replaceLoop(const SourceRange &range, MappedText text,
                            std::vector<std::uint32_t> passes) {
  replace(range, std::move(text));
  Made.back().passes = std::move(passes);
}

std::string Rewriting::original(const SourceRange &range) const {
  return originalOf(input(), range, Source.replacements().made);
}

void Rewriting::insert(std::uint32_t offset, MappedText text,
                       const std::string &unit, bool isContractionRewrite) {
  SourceRange range;
  range.begin = range.end = offset;
  Made.push_back(
      {range, std::move(text), {}, isContractionRewrite, unit, Made.size()});
}

void Rewriting::define(const Definition &definition, const std::string &text,
                       std::uint32_t offset) {
  SourceRange range;
  range.begin = range.end = offset;
  // A blank line comes first, or last where a line begins already.
  const std::size_t begin = text.find_first_not_of('\n');
  const bool beginsLine =
      offset > 0 && input()[offset - 1] == '\n' && begin != std::string::npos;
  MappedText written;
  written.write(withLineEnds(Layout, beginsLine ? text.substr(begin) +
                                                      text.substr(0, begin)
                                                : text),
                offset);
  Made.push_back(
      {range, std::move(written), definition, false, {}, Made.size()});
}

RewrittenText Rewriting::finish(Refusals refused) {
  std::sort(Made.begin(), Made.end(), [](const Part &lhs, const Part &rhs) {
    return std::tie(lhs.range.begin, lhs.range.end, lhs.definition.name,
                    lhs.number) < std::tie(rhs.range.begin, rhs.range.end,
                                           rhs.definition.name, rhs.number);
  });
  RewrittenText result;
  result.replaced.refused = std::move(refused);
  if (Made.empty())
    return result;
  std::uint32_t copied = 0;
  const std::vector<Replacement> &known = Source.replacements().made;
  // Earlier replacements move, or become part of those made now.
  std::vector<Replacement> before;
  std::copy_if(known.begin(), known.end(), std::back_inserter(before),
               [this](const Replacement &old) {
                 return std::none_of(
                     Made.begin(), Made.end(), [&old](const Part &each) {
                       return each.range.begin < each.range.end &&
                              holds(each.range, old.range);
                     });
               });
  std::vector<Replacement> made = before;
  for (const Part &each : Made) {
    result.text.copy(input(), copied, each.range.begin);
    const auto begin = static_cast<std::uint32_t>(result.text.text.size());
    result.text.append(each.text);
    copied = each.range.end;
    Replacement place{each.range,
                      original(each.range),
                      each.definition.name,
                      each.definition.replacesKernel,
                      each.definition.part,
                      each.atomicGroup,
                      each.callOf,
                      each.passes,
                      each.isContractionRewrite};
    for (std::uint32_t &pass : place.passes)
      pass += begin;
    place.range.begin = begin;
    place.range.end = static_cast<std::uint32_t>(result.text.text.size());
    made.push_back(place);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::uint32_t grown = static_cast<std::uint32_t>(
          each.text.text.size() - (each.range.end - each.range.begin));
      if (before[i].range.begin >= each.range.end)
        made[i].range.begin += grown;
      const bool isBehind = each.range.begin == each.range.end &&
                            each.range.begin == before[i].range.end;
      if (before[i].range.end >= each.range.end && !isBehind)
        made[i].range.end += grown;
      for (std::size_t p = 0; p < before[i].passes.size(); ++p)
        if (before[i].passes[p] >= each.range.end)
          made[i].passes[p] += grown;
    }
  }
  result.text.copy(input(), copied, static_cast<std::uint32_t>(input().size()));
  std::sort(made.begin(), made.end(),
            [](const Replacement &lhs, const Replacement &rhs) {
              return std::pair(lhs.range.begin, rhs.range.end) <
                     std::pair(rhs.range.begin, lhs.range.end);
            });
  result.replaced.made = std::move(made);
  return result;
}

TextRange inclusion(const FunctionDecl &function, const Rewriting &rewriting) {
  const SourceManager &sources = function.getASTContext().getSourceManager();
  SourceLocation place = sources.getExpansionLoc(function.getLocation());
  while (place.isValid() && !sources.isInMainFile(place))
    place = sources.getIncludeLoc(sources.getFileID(place));
  if (place.isInvalid())
    return {};
  const std::string &input = rewriting.input();
  const std::uint32_t offset = sources.getFileOffset(place);
  const std::size_t begin = input.rfind('\n', offset);
  const std::size_t end = input.find('\n', offset);
  return {begin == std::string::npos ? 0
                                     : static_cast<std::uint32_t>(begin + 1),
          static_cast<std::uint32_t>(end == std::string::npos ? input.size()
                                                              : end + 1)};
}

TextRange kernelName(const SourceText &source, const Launch &launch,
                     const Kernel &kernel) {
  for (std::size_t i = tokenAt(source, launch.range.begin);
       i + 1 < source.tokens.size() &&
       source.tokens[i].begin < launch.range.end;
       ++i)
    if (source.text.substr(source.tokens[i + 1].begin, 3) == "<<<")
      return spelling(source.text, source.tokens[i]) == kernel.name
                 ? TextRange{source.tokens[i].begin, source.tokens[i].end}
                 : TextRange{};
  return {};
}

} // namespace kfuse
