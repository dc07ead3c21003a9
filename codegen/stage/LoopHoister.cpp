//===- LoopHoister.cpp - A grid-stride loop's body without it -------------===//
#include "codegen/stage/LoopHoister.h"

#include <algorithm>
#include <set>
#include <string>

namespace kfuse {
namespace {

/// Tokens of a range, without comments.
class Code {
public:
  Code(const SourceText &source, std::uint32_t begin, std::uint32_t end)
      : Text(source.text) {
    for (std::size_t i = tokenAt(source, begin);
         i < source.tokens.size() && source.tokens[i].begin < end; ++i)
      if (source.tokens[i].kind != TokenKind::Comment)
        Tokens.push_back(source.tokens[i]);
  }

  std::size_t size() const { return Tokens.size(); }
  const TextToken &token(std::size_t i) const { return Tokens[i]; }
  /// Returns the token's text; empty beyond either end.
  std::string_view operator[](std::size_t i) const {
    return i < Tokens.size() ? spelling(Text, Tokens[i]) : std::string_view();
  }
  bool isName(std::size_t i) const {
    return i < Tokens.size() && Tokens[i].kind == TokenKind::Identifier;
  }
  bool names(std::string_view name) const {
    return std::any_of(
        Tokens.begin(), Tokens.end(),
        [&](const TextToken &token) { return spelling(Text, token) == name; });
  }
  /// Returns the token that closes the bracket at `open`, or size().
  std::size_t closing(std::size_t open) const {
    const std::string_view opener = (*this)[open];
    const std::string_view closer = opener == "(" ? ")" : "}";
    unsigned depth = 0;
    for (std::size_t i = open; i < size(); ++i) {
      depth += (*this)[i] == opener ? 1 : 0;
      if ((*this)[i] == closer && --depth == 0)
        return i;
    }
    return size();
  }

private:
  std::string_view Text;
  std::vector<TextToken> Tokens;
};

/// The extents in which `continue` and `break` mean another loop than the
/// outermost.
struct InnerLoops {
  std::vector<std::pair<std::size_t, std::size_t>> loops, switches; ///< tokens
  bool hasUnbraced = false;

  static bool
  holds(const std::vector<std::pair<std::size_t, std::size_t>> &extents,
        std::size_t i) {
    return std::any_of(extents.begin(), extents.end(), [i](const auto &e) {
      return e.first <= i && i <= e.second;
    });
  }
};

InnerLoops innerLoops(const Code &code) {
  InnerLoops inner;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view word = code[i];
    const bool isHead = word == "for" || word == "while" || word == "switch";
    if (!isHead && word != "do")
      continue;
    const std::size_t next = isHead ? code.closing(i + 1) + 1 : i + 1;
    if (isHead && code[next] == ";")
      continue; // the end of a do loop, or an empty one
    if (code[next] != "{") {
      inner.hasUnbraced = true;
      continue;
    }
    (word == "switch" ? inner.switches : inner.loops)
        .emplace_back(next, code.closing(next));
  }
  return inner;
}

bool isAssignment(std::string_view word) {
  return word == "=" || word == "++" || word == "--" ||
         (word.size() >= 2 && word.back() == '=' && word != "==" &&
          word != "!=" && word != "<=" && word != ">=");
}

/// Returns the variables that the prologue seems to declare.
std::set<std::string> declaredNames(const Code &prologue) {
  std::set<std::string> names;
  for (std::size_t i = 1; i < prologue.size(); ++i) {
    const std::string_view before = prologue[i - 1], after = prologue[i + 1];
    const bool isDeclared = prologue.isName(i) &&
                            (prologue.isName(i - 1) || before == "*" ||
                             before == "&" || before == ">" || before == ",") &&
                            (after == "=" || after == ";" || after == "(" ||
                             after == "{" || after == "," || after == "[");
    if (isDeclared)
      names.emplace(prologue[i]);
  }
  return names;
}

/// Checks whether an iteration may change a value that the next one sees.
bool mayCarry(const Code &body, const std::set<std::string> &declared,
              const std::set<std::string> &parameters) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    const std::string name(body[i]);
    const bool isDeclared = declared.count(name) != 0;
    if (!body.isName(i) || (!isDeclared && parameters.count(name) == 0))
      continue;
    const std::string_view before = i == 0 ? "" : body[i - 1];
    const std::string_view after = body[i + 1];
    const bool isMember = before == "." || before == "->" || before == "::";
    if (isMember)
      continue;
    if (isAssignment(after) || before == "++" || before == "--" ||
        (before == "&" && (i < 2 || !body.isName(i - 2))))
      return true;
    // A call may take it by reference; an array or an object may be changed
    // through an index or a member.
    const bool mayBeReference =
        (before == "(" || before == ",") && (after == ")" || after == ",");
    if (isDeclared &&
        (mayBeReference || after == "[" || after == "." || after == "->"))
      return true;
  }
  return false;
}

/// Replaces each `continue` of the grid-stride loop by a `return`. Returns why
/// that can't be done, or an empty string.
std::string rewriteJumps(const Code &body, Edits &edits) {
  const InnerLoops inner = innerLoops(body);
  for (std::size_t i = 0; i < body.size(); ++i) {
    const std::string_view word = body[i];
    if (word == "return" || word == "goto")
      return "its grid-stride loop is left by a " + std::string(word);
    const bool isContinue = word == "continue";
    if (!isContinue && word != "break")
      continue;
    if (InnerLoops::holds(inner.loops, i) ||
        (!isContinue && InnerLoops::holds(inner.switches, i)))
      continue;
    if (!isContinue || inner.hasUnbraced)
      return "it isn't clear which loop a " + std::string(word) + " leaves";
    edits.replace(body.token(i).begin, body.token(i).end, "return");
  }
  return {};
}

/// Moves the lines of a loop's body left by what the loop was indented more
/// than its kernel. Lines of a literal stay as they are.
void dedent(const SourceText &source, const Kernel &kernel, TextRange extent,
            Edits &edits) {
  const std::string outer = indentation(source, kernel.text.declaration.begin);
  const std::string inner =
      indentation(source, kernel.gridStride->header.begin);
  if (inner.size() <= outer.size() || inner.rfind(outer, 0) != 0)
    return;
  for (std::uint32_t i = extent.begin; i < extent.end; ++i) {
    const std::size_t before = tokenAt(source, i);
    const bool isInLiteral =
        before > 0 && source.tokens[before - 1].end > i &&
        source.tokens[before - 1].kind == TokenKind::Literal;
    if (source.text[i] != '\n' || isInLiteral ||
        source.text.substr(i + 1, inner.size()) != inner)
      continue;
    const auto line = i + 1 + static_cast<std::uint32_t>(outer.size());
    edits.replace(line, i + 1 + static_cast<std::uint32_t>(inner.size()), "");
  }
}

} // namespace

Result<HoistedBody> hoistLoop(const SourceText &source, const Kernel &kernel) {
  const GridStrideLoop &loop = *kernel.gridStride;
  const SourceRange &body = kernel.text.body;
  const bool isNested =
      source.holds(body) && source.holds(loop.header) &&
      source.holds(loop.body) && body.begin < loop.header.begin &&
      loop.header.end <= loop.body.begin && loop.body.end < body.end;
  if (!isNested || loop.header.inMacro || loop.body.inMacro)
    return Refusal{"the grid-stride loop of '" + kernel.name +
                   "' isn't plain text"};

  // The variable becomes a parameter, so nothing else may have its name.
  const Code prologue(source, body.begin + 1, loop.header.begin);
  if (prologue.names(loop.variable) ||
      std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                  [&](const Parameter &parameter) {
                    return parameter.name == loop.variable;
                  }))
    return Refusal{"'" + loop.variable + "', the variable of the loop of '" +
                   kernel.name + "', is declared before it"};
  const Code inside(source, loop.body.begin, loop.body.end);
  const Code after(source, loop.body.end, body.end - 1);
  if (after.size() > 1 || (after.size() == 1 && after[0] != ";"))
    return Refusal{"'" + kernel.name + "' goes on after its grid-stride loop"};

  std::set<std::string> parameters;
  for (const Parameter &parameter : kernel.parameters)
    parameters.insert(parameter.name);
  if (mayCarry(inside, declaredNames(prologue), parameters))
    return Refusal{"the grid-stride loop of '" + kernel.name +
                   "' may carry a value from one iteration to the next"};

  HoistedBody result;
  if (const std::string why = rewriteJumps(inside, result.edits); !why.empty())
    return Refusal{"'" + kernel.name + "': " + why};
  // The loop's block alone is the body when nothing stands around it.
  const std::size_t first = tokenAt(source, body.begin + 1);
  const bool isBare = first < source.tokens.size() &&
                      source.tokens[first].begin == loop.header.begin &&
                      after.size() == 0 && source.text[loop.body.begin] == '{';
  if (isBare) {
    result.extent = {loop.body.begin, loop.body.end};
    dedent(source, kernel, result.extent, result.edits);
    return result;
  }
  result.extent = {body.begin, body.end};
  result.edits.replace(loop.header.begin, loop.body.begin, "");
  return result;
}

} // namespace kfuse
