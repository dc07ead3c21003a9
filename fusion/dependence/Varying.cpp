//===- Varying.cpp - What differs between threads -------------------------===//

#include "fusion/dependence/Varying.h"

#include <algorithm>
#include <array>
#include <vector>

namespace kfuse {

constexpr std::array<SymbolKind, 5> VaryingKinds = {
    SymbolKind::ThreadIdx, SymbolKind::BlockIdx, SymbolKind::GlobalIdx,
    SymbolKind::StrideIdx, SymbolKind::LoopCounter};

bool hasUnique(const Polynomial &polynomial, const TermTable &terms) {
  const std::vector<Symbol> symbols = polynomial.symbols();
  return std::any_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
    return symbol.kind == SymbolKind::Opaque && terms.hasUnique(symbol);
  });
}

bool varies(const Polynomial &polynomial, const TermTable &terms) {
  return std::any_of(
      VaryingKinds.begin(), VaryingKinds.end(),
      [&](SymbolKind kind) { return dependsOn(polynomial, kind, terms); });
}

} // namespace kfuse
