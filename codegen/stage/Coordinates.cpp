//===- Coordinates.cpp - Stages as functions of coordinates ---------------===//
#include "codegen/stage/Coordinates.h"

#include "codegen/text/Coordinates.h"
#include "codegen/text/ParameterText.h"

#include <algorithm>
#include <array>

namespace kfuse {
namespace {

/// Checks whether `word` is one of a type that means the same everywhere.
bool isIndexWord(std::string_view word) {
  constexpr std::array<std::string_view, 6> Words = {
      "short", "int", "long", "signed", "unsigned", "size_t"};
  return std::find(Words.begin(), Words.end(), word) != Words.end();
}

class Cutter {
public:
  Cutter(const SourceText &source, const Kernel &kernel, const Names &names)
      : Source(source), Function(kernel), Unique(names) {
    const SourceRange &body = kernel.text.body;
    for (std::size_t i = tokenAt(source, body.begin + 1);
         i < source.tokens.size() && source.tokens[i].end < body.end; ++i)
      if (source.tokens[i].kind != TokenKind::Comment)
        Code.push_back(source.tokens[i]);
  }

  std::optional<CoordinateCut> run() {
    for (const KernelFeature feature : {KernelFeature::CoordinatesInCallee,
                                        KernelFeature::CoordinatesInMacro})
      if (has(Function, feature))
        return std::nullopt;
    int depth = 0;
    for (std::size_t i = 0; i < Code.size(); ++i) {
      const std::string_view word = at(i);
      const bool isFirst =
          i == 0 || at(i - 1) == ";" || at(i - 1) == "{" || at(i - 1) == "}";
      if (Code[i].kind == TokenKind::Directive && !mentions(word, "pragma"))
        return std::nullopt;
      if (depth == 0 && isFirst)
        if (const std::size_t end = cutDeclaration(i); end != i) {
          i = end;
          continue;
        }
      depth += word == "{" || word == "(" ? 1 : 0;
      depth -= word == "}" || word == ")" ? 1 : 0;
      if (word == "blockIdx" || word == "threadIdx" || word == "gridDim")
        return std::nullopt;
    }
    if (Cut.coordinates.empty())
      return std::nullopt;
    return std::move(Cut);
  }

private:
  std::string_view at(std::size_t i) const {
    return spelling(Source.text, Code[i]);
  }

  /// Checks whether the token belongs to the type that a declaration begins
  /// with: a name follows it.
  bool isOfType(std::size_t token) const {
    const bool isName = Code[token].kind == TokenKind::Identifier;
    const bool hasNext =
        Code[token + 1].kind == TokenKind::Identifier || at(token + 1) == "::";
    return (isName || at(token) == "::") && hasNext;
  }

  /// Cuts the declaration `int x = sum, y = sum;` that begins at token `first`.
  /// Returns its last token, or `first` if there is none.
  std::size_t cutDeclaration(std::size_t first) {
    bool isPlainType = true; // of words that mean the same everywhere
    std::size_t i = first;
    for (; i + 1 < Code.size() && isOfType(i); ++i)
      isPlainType &= at(i) == "const" || isIndexWord(at(i));
    if (i == first)
      return first;
    const std::string written(Source.text.substr(
        Code[first].begin, Code[i - 1].end - Code[first].begin));
    std::vector<StageCoordinate> found;
    while (true) {
      const std::size_t name = i;
      if (name + 2 >= Code.size() || at(name + 1) != "=")
        return first;
      const auto known = Function.declaredIntegers.find(Code[name].begin);
      if (known == Function.declaredIntegers.end())
        return first;
      const std::size_t value = name + 2;
      for (i = value; i < Code.size() && at(i) != "," && at(i) != ";";)
        ++i;
      if (i == Code.size() || i == value)
        return first;
      const auto axis = globalIndexAxis(Source.text.substr(
          Code[value].begin, Code[i - 1].end - Code[value].begin));
      if (!axis || !isFree(at(name), first))
        return first;
      found.push_back({*axis, isPlainType ? written : known->second,
                       std::string(at(name)), known->second});
      if (at(i) == ";")
        break;
      ++i;
    }
    SourceRange statement = Function.text.body;
    statement.begin = Code[first].begin;
    statement.end = Code[i].end;
    if (found.empty() || mayHaveComment(statement))
      return first;
    Cut.declarations.push_back(removal(Source, statement));
    Cut.coordinates.insert(Cut.coordinates.end(), found.begin(), found.end());
    return i;
  }

  /// Checks whether nothing before token `end` has the name, since it would
  /// mean something else there.
  bool isFree(std::string_view name, std::size_t end) const {
    for (std::size_t i = 0; i < end; ++i)
      if (at(i) == name)
        return false;
    return !Unique.isMacro(name) &&
           !mentions(Function.text.templateHeader, name) &&
           !mentions(Source.at(Function.text.parameters), name);
  }

  bool mayHaveComment(const SourceRange &statement) const {
    const std::string_view text = Source.at(statement);
    return text.empty() || text.find("//") != std::string_view::npos ||
           text.find("/*") != std::string_view::npos;
  }

  const SourceText &Source;
  const Kernel &Function;
  const Names &Unique;
  std::vector<TextToken> Code; ///< of the body, without comments
  CoordinateCut Cut;
};

} // namespace

bool StageCoordinate::isAlike(const StageCoordinate &other) const {
  return axis == other.axis && canonical == other.canonical;
}

bool declaresCoordinate(const SourceText &source, const Kernel &kernel) {
  const SourceRange &body = kernel.text.body;
  for (std::size_t i = tokenAt(source, body.begin);
       i + 1 < source.tokens.size() && source.tokens[i].begin < body.end; ++i) {
    const std::string_view word = spelling(source.text, source.tokens[i]);
    if ((word == "blockIdx" || word == "threadIdx" || word == "gridDim") &&
        spelling(source.text, source.tokens[i + 1]) != ".")
      return true;
  }
  return false;
}

std::optional<CoordinateCut> cutCoordinates(const SourceText &source,
                                            const Kernel &kernel,
                                            const Names &names) {
  if (kernel.gridStride)
    return std::nullopt;
  return Cutter(source, kernel, names).run();
}

} // namespace kfuse
