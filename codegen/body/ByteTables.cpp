//===- ByteTables.cpp - Results of one byte, looked up --------------------===//
#include "codegen/body/ByteTables.h"

#include <algorithm>
#include <array>

namespace kfuse {
namespace {

/// A look-up takes about as long as so many operations. Measured on an H100:
/// see docs/measurements.md.
constexpr unsigned LookUp = 8;
constexpr unsigned Division = 4, Call = 8; ///< in operations

bool isByte(const std::string &type) {
  static const std::set<std::string> types = {
      "char",    "signed char", "unsigned char", "int8_t",
      "uint8_t", "std::int8_t", "std::uint8_t"};
  return types.count(type) != 0;
}

/// Checks whether `name` is a function of numbers that is defined for all of
/// them.
bool isTotal(std::string_view name) {
  static const std::set<std::string_view> names = {
      "min",   "max",    "abs",   "fabsf",  "fminf",  "fmaxf",  "sqrtf",
      "expf",  "exp2f",  "logf",  "log2f",  "powf",   "sinf",   "cosf",
      "tanhf", "roundf", "rintf", "floorf", "ceilf",  "truncf", "char",
      "short", "int",    "long",  "float",  "double", "bool",   "unsigned"};
  return names.count(name) != 0;
}

/// Counts the operations of the statements. Returns nullopt if these can't be
/// run for every byte, or need more than bytes.
std::optional<unsigned> costOf(const MergedBodyBuilder &body,
                               const std::string &statements) {
  const std::vector<TextToken> code = codeOf(statements);
  const std::string own = body.early.front().name;
  unsigned cost = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view word = spelling(statements, code[i]);
    const std::string_view next =
        i + 1 < code.size() ? spelling(statements, code[i + 1]) : "";
    if (code[i].kind == TokenKind::Directive)
      return std::nullopt;
    if (code[i].kind == TokenKind::Identifier) {
      static const std::set<std::string_view> refused = {
          "for", "while",     "do",       "switch",   "goto",
          "asm", "threadIdx", "blockIdx", "blockDim", "gridDim"};
      if (refused.count(word) != 0 || word == body.indexName)
        return std::nullopt;
      const bool isKept =
          word == own ||
          std::any_of(body.late.begin(), body.late.end(),
                      [&](const EarlyLoad &each) { return each.name == word; });
      if (next == "[" && !isKept)
        return std::nullopt;
      if (next == "(" && word != "if" && !isTotal(word))
        return std::nullopt;
      cost += next == "(" && word != "if" ? Call : 0;
      continue;
    }
    const bool isNumber =
        i + 1 < code.size() && code[i + 1].kind == TokenKind::Number;
    static const std::set<std::string_view> partial = {
        "/", "%", "<<", ">>", "/=", "%=", "<<=", ">>="};
    // The operation may not be defined for another byte.
    if (partial.count(word) != 0 && (!isNumber || next == "0"))
      return std::nullopt;
    if (word == "/" || word == "%" || word == "/=" || word == "%=")
      cost += Division;
    else if (code[i].kind == TokenKind::Punctuator && word != "=" &&
             word.find_first_of("()[]{},;:.") == std::string_view::npos)
      ++cost;
  }
  return cost;
}

} // namespace

void takeTables(MergedBodyBuilder &body) {
  if (!body.isPacked || !body.isWhole || body.early.size() != 1 ||
      !isByte(body.early.front().type) || body.builder.isOpenCl())
    return;
  std::string statements;
  for (const MemberText &member : body.members)
    statements += member.statements + "\n";
  const auto cost = costOf(body, statements);
  if (!cost || *cost < LookUp || body.opaqueZeros > 0)
    return;
  body.byte = body.builder.names.plain("byte", body.builder.taken);
  body.entry = body.builder.names.plain("entry", body.builder.taken);
  for (const EarlyLoad &store : body.late) {
    const std::string pointer = store.pointer;
    body.tables.push_back(
        body.builder.names.plain(pointer + "_of", body.builder.taken));
  }
}

} // namespace kfuse
