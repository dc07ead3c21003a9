//===- Expressions.cpp - Polynomials as C++ -------------------------------===//
#include "codegen/text/Expressions.h"

#include "text/Tokens.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace kfuse {
namespace {

std::string binary(const std::vector<std::string> &operands,
                   const std::string &sign) {
  return "(" + operands[0] + " " + sign + " " + operands[1] + ")";
}

std::string choice(const std::string &condition, const std::string &yes,
                   const std::string &no) {
  return "(" + condition + " ? " + yes + " : " + no + ")";
}

/// Returns the operation, or 0 if its right operand makes it undefined. A
/// kernel that guards it never gets there, but an evaluation outside does.
std::string defined(const std::vector<std::string> &operands,
                    const std::string &sign, const Polynomial &right) {
  const bool isShift = sign == "<<" || sign == ">>";
  const std::optional<std::int64_t> constant = right.asConstant();
  if (constant && (isShift ? *constant >= 0 && *constant < 64 : *constant > 0))
    return binary(operands, sign);
  const std::string isDefined =
      isShift ? "0 <= " + operands[1] + " && " + operands[1] + " < 64"
              : operands[1] + " != 0";
  return choice(isDefined, binary(operands, sign), "0");
}

/// Returns the integer type of |bits| bits, signed if `bits` is negative; empty
/// if there is none.
std::string integerType(std::int64_t bits) {
  switch (bits) {
  case 8:
    return "unsigned char";
  case 16:
    return "unsigned short";
  case 32:
    return "unsigned int";
  case 64:
    return "unsigned long long";
  case -8:
    return "signed char";
  case -16:
    return "short";
  case -32:
    return "int";
  case -64:
    return "long long";
  default:
    return {};
  }
}

class Printer {
public:
  Printer(const TermTable &terms, const SymbolText &symbol)
      : Terms(terms), Leaf(symbol) {}

  /// Writes the polynomial, its constant last.
  std::string polynomial(const Polynomial &value) {
    std::string text;
    for (const auto &[monomial, coefficient] : value.terms())
      if (!monomial.empty())
        append(text, monomial, coefficient);
    const auto constant = value.terms().find(Monomial{});
    if (constant != value.terms().end())
      append(text, constant->first, constant->second);
    return text.empty() ? "0" : text;
  }
  bool failed = false;

private:
  void append(std::string &text, const Monomial &monomial,
              std::int64_t coefficient) {
    // Negated as unsigned: the smallest integer has no positive counterpart.
    auto magnitude = static_cast<std::uint64_t>(coefficient);
    if (coefficient < 0)
      magnitude = 0 - magnitude;
    text += text.empty()      ? coefficient < 0 ? "-" : ""
            : coefficient < 0 ? " - "
                              : " + ";
    const bool hasNumber = monomial.empty() || magnitude != 1;
    if (hasNumber)
      text += std::to_string(magnitude);
    bool isWide = false; // what stands before
    for (std::size_t i = 0; i < monomial.size(); ++i) {
      text +=
          (i > 0 || hasNumber ? " * " : "") + symbolText(monomial[i], isWide);
      isWide |= monomial[i].kind != SymbolKind::Opaque;
    }
  }

  std::string symbolText(Symbol symbol, bool isWide) {
    std::optional<std::string> result = symbol.kind == SymbolKind::Opaque
                                            ? term(Terms[symbol])
                                            : Leaf(symbol, isWide);
    failed |= !result;
    return result.value_or("");
  }

  std::optional<std::string> term(const Term &term) {
    std::vector<std::string> operands;
    operands.reserve(term.operands.size());
    for (const Polynomial &operand : term.operands)
      operands.push_back(asOperand(polynomial(operand)));
    if (operands.size() != arity(term.kind))
      return std::nullopt;
    switch (term.kind) {
    case TermKind::Divide:
      return defined(operands, "/", term.operands[1]);
    case TermKind::Remainder:
      return defined(operands, "%", term.operands[1]);
    case TermKind::Minimum:
      return choice(binary(operands, "<"), operands[0], operands[1]);
    case TermKind::Maximum:
      return choice(binary(operands, "<"), operands[1], operands[0]);
    case TermKind::ShiftRight:
      return defined(operands, ">>", term.operands[1]);
    case TermKind::ShiftLeft:
      return defined(operands, "<<", term.operands[1]);
    case TermKind::BitAnd:
      return binary(operands, "&");
    case TermKind::BitOr:
      return binary(operands, "|");
    case TermKind::BitXor:
      return binary(operands, "^");
    case TermKind::Narrow: {
      const std::string type = integerType(term.detail);
      if (type.empty())
        return std::nullopt;
      return "static_cast<" + type + ">(" + operands[0] + ")";
    }
    case TermKind::Compare: {
      static constexpr const char *Signs[] = {"==", "!=", "<", "<="};
      if (term.detail < 0 || term.detail > 3)
        return std::nullopt;
      return binary(operands, Signs[term.detail]);
    }
    case TermKind::Select:
      return choice(operands[0] + " != 0", operands[1], operands[2]);
    case TermKind::Unique:
      break;
    }
    return std::nullopt;
  }

  static std::size_t arity(TermKind kind) {
    switch (kind) {
    case TermKind::Unique:
      return 0;
    case TermKind::Narrow:
      return 1;
    case TermKind::Select:
      return 3;
    default:
      return 2;
    }
  }

  const TermTable &Terms;
  const SymbolText &Leaf;
};

} // namespace

std::optional<std::string> expressionText(const Polynomial &polynomial,
                                          const TermTable &terms,
                                          const SymbolText &symbol) {
  constexpr std::size_t MostNames = 1000;
  if (isLongerThan(MostNames, polynomial, terms))
    return std::nullopt;
  Printer printer(terms, symbol);
  std::string text = printer.polynomial(polynomial);
  if (printer.failed)
    return std::nullopt;
  return text;
}

/// Checks whether `tokens` are a name followed by members, calls and elements:
/// `mesh.nx`, `level[0]->get()`.
static bool isPostfix(const std::string &text,
                      const std::vector<TextToken> &tokens) {
  std::size_t depth = 0;
  bool wantsName = true;
  for (const TextToken &token : tokens) {
    const std::string_view word = spelling(text, token);
    const bool opens = word == "(" || word == "[";
    const bool closes = word == ")" || word == "]";
    if (closes && depth == 0)
      return false;
    if (depth == 0 && wantsName != (token.kind == TokenKind::Identifier))
      return false;
    if (depth == 0 && !wantsName && !opens && word != "." && word != "->")
      return false;
    depth = depth + (opens ? 1 : 0) - (closes ? 1 : 0);
    wantsName = depth == 0 && (word == "." || word == "->");
  }
  return depth == 0 && !wantsName;
}

std::string asOperand(const std::string &text) {
  const std::vector<TextToken> tokens = tokensOf(text);
  std::size_t depth = 0, closed = 0; // how often all parentheses are closed
  for (const TextToken &token : tokens) {
    const std::string_view word = spelling(text, token);
    depth += word == "(" ? 1 : 0;
    depth -= word == ")" && depth > 0 ? 1 : 0;
    closed += depth == 0 ? 1 : 0;
  }
  const bool isGrouped = closed == 1 && tokens.size() > 1;
  const bool isNumber =
      tokens.size() == 1 && tokens[0].kind == TokenKind::Number;
  return isGrouped || isNumber || isPostfix(text, tokens) ? text
                                                          : "(" + text + ")";
}

} // namespace kfuse
