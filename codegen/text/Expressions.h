//===- Expressions.h - Polynomials as C++ ---------------------------------===//
#ifndef KFUSE_CODEGEN_TEXT_EXPRESSIONS_H
#define KFUSE_CODEGEN_TEXT_EXPRESSIONS_H

#include "graphs/program/Polynomial.h"
#include "graphs/program/Terms.h"

#include <functional>
#include <optional>
#include <string>

namespace kfuse {

/// Writes a symbol other than an opaque one; nullopt if it can't be written.
/// `isWidened` says that it multiplies another symbol, to whose width it is
/// converted.
using SymbolText =
    std::function<std::optional<std::string>(Symbol, bool isWidened)>;

/// Writes the polynomial as an expression that needs no parentheses beside `<`,
/// `,` or a comparison; nullopt if a part of it can't be written.
std::optional<std::string> expressionText(const Polynomial &polynomial,
                                          const TermTable &terms,
                                          const SymbolText &symbol);

/// Returns `text`, in parentheses unless it has them or is one name, member or
/// number.
std::string asOperand(const std::string &text);

} // namespace kfuse

#endif
