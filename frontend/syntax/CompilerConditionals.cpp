//===- CompilerConditionals.cpp - Texts that ask who reads them -----------===//

#include "frontend/syntax/CompilerConditionals.h"

#include "text/Tokens.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

namespace kfuse {
namespace {

/// Checks whether `name` is that of a version or an architecture.
bool isVersion(llvm::StringRef name) {
  return name.contains("CUDA_ARCH") || name.contains("CUDACC_VER") ||
         name.contains("CUDART_VERSION") || name.contains("CUDA_VERSION");
}

/// Checks whether `name` is the compiler's or the toolkit's to define. All that
/// compile CUDA define `__CUDACC__`, and so does kfuse.
bool isOfCompiler(llvm::StringRef name) {
  if (name == "__CUDACC__")
    return false;
  return isVersion(name) || name.starts_with("__") ||
         (name.size() > 1 && name[0] == '_' && llvm::isUpper(name[1]));
}

bool names(llvm::StringRef words, bool (*isMeant)(llvm::StringRef)) {
  while (!words.empty()) {
    const llvm::StringRef name =
        words.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (isMeant(name))
      return true;
    words = words.drop_front(std::max<std::size_t>(name.size(), 1));
  }
  return false;
}

/// Checks whether macros of the file are defined with the compiler's version,
/// or in a branch that asks for it.
bool definesByCompiler(const std::string &text) {
  const auto isMeant = [](llvm::StringRef name) {
    return isVersion(name) || name == "__clang__";
  };
  unsigned depth = 0, asked = 0; // of branches; of the outermost that asks
  for (const TextToken &token : tokensOf(text)) {
    if (token.kind != TokenKind::Directive)
      continue;
    const llvm::StringRef words = spelling(text, token);
    const llvm::StringRef directive = words.drop_front().ltrim();
    const bool isIf = directive.starts_with("if");
    depth += isIf;
    if ((isIf || directive.starts_with("elif")) && asked == 0 &&
        names(directive, isMeant))
      asked = depth;
    if (directive.starts_with("endif") && depth > 0) {
      if (asked == depth)
        asked = 0;
      --depth;
    }
    const bool isDefinition = directive.starts_with("define") ||
                              directive.starts_with("undef") ||
                              directive.starts_with("include");
    if (isDefinition && (asked != 0 || names(directive, isMeant)))
      return true;
  }
  return false;
}

bool isPragma(llvm::StringRef directive) {
  return directive.drop_front().ltrim().starts_with("pragma");
}
bool isContraction(llvm::StringRef directive) {
  return isPragma(directive) && directive.contains("FP_CONTRACT");
}

bool isOfOpenClCompiler(llvm::StringRef name) {
  return isOfCompiler(name) || (name.starts_with("cl_") &&
                                name != "cl_khr_fp64" && name != "cl_amd_fp64");
}

} // namespace

bool asksOpenClCompiler(const std::string &text) {
  const std::vector<TextToken> tokens = tokensOf(text);
  return std::any_of(tokens.begin(), tokens.end(), [&](const TextToken &token) {
    if (token.kind != TokenKind::Directive)
      return false;
    const llvm::StringRef words = spelling(text, token);
    const llvm::StringRef directive = words.drop_front().ltrim();
    return (directive.starts_with("if") || directive.starts_with("elif")) &&
           names(directive, isOfOpenClCompiler);
  });
}

bool contractsNothing(const std::string &text) {
  for (const TextToken &token : tokensOf(text)) {
    if (token.kind == TokenKind::Comment)
      continue;
    llvm::StringRef words = spelling(text, token);
    if (token.kind != TokenKind::Directive || words.contains("include"))
      return false;
    if (isContraction(words))
      return words.rtrim().ends_with("OFF");
  }
  return false;
}

bool changesItsMeaning(const std::string &text) {
  const std::vector<TextToken> tokens = tokensOf(text);
  bool isFirst = contractsNothing(text);
  return std::any_of(tokens.begin(), tokens.end(), [&](const TextToken &token) {
    const llvm::StringRef words = spelling(text, token);
    if (token.kind != TokenKind::Directive)
      return words == "_Pragma";
    if (isContraction(words))
      return !std::exchange(isFirst, false);
    return isPragma(words) &&
           (words.contains("clang") || words.contains("disable") ||
            words.contains("float_control"));
  });
}

bool CompilerConditionals::isIn(const SourceRange &range) {
  const std::string text = Files.text(range);
  bool isConditional = false;
  for (const TextToken &token : tokensOf(text)) {
    const llvm::StringRef words = spelling(text, token);
    if (token.kind != TokenKind::Directive) {
      if (isVersion(words))
        return true;
      continue;
    }
    const llvm::StringRef directive = words.drop_front().ltrim();
    if (!directive.starts_with("if") && !directive.starts_with("elif"))
      continue;
    if (names(directive, isOfCompiler))
      return true;
    isConditional = true;
  }
  if (!isConditional)
    return false;
  if (!OfMacros)
    OfMacros = std::any_of(
        Files.files().begin(), Files.files().end(),
        [](const SourceFile &file) { return definesByCompiler(file.text); });
  return *OfMacros;
}

} // namespace kfuse
