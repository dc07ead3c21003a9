//===- NamedBarriers.cpp - Barriers that are named and not called ---------===//

#include "frontend/parse/NamedBarriers.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

#include <string_view>
#include <vector>

namespace kfuse {

using namespace clang;

std::string voidNamedBarriers(std::string text) {
  constexpr std::string_view Barrier = "__syncthreads", Nothing = "(void)0";
  if (text.find(Barrier) == std::string::npos)
    return text;
  LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = true;
  language.CUDA = language.RawStringLiterals = true;
  Lexer lexer(SourceLocation(), language, text.data(), text.data(),
              text.data() + text.size());
  std::vector<std::size_t> idle;
  bool startsStatement = false, wasNamed = false;
  Token token;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    const bool isIdentifier = token.is(tok::raw_identifier);
    if (wasNamed && token.is(tok::semi))
      idle.push_back(lexer.getCurrentBufferOffset());
    // Behind a parenthesis it is an arm or the body of a loop.
    wasNamed = startsStatement && isIdentifier && !token.needsCleaning() &&
               token.getRawIdentifier() == llvm::StringRef(Barrier);
    startsStatement = token.isOneOf(tok::semi, tok::l_brace, tok::r_brace,
                                    tok::r_paren, tok::colon) ||
                      (isIdentifier && token.getRawIdentifier() == "else");
  }
  for (const std::size_t end : idle) {
    const std::size_t begin = text.rfind(Barrier, end);
    text.replace(begin, Nothing.size(), Nothing);
    text.replace(begin + Nothing.size(), Barrier.size() - Nothing.size(),
                 std::string(Barrier.size() - Nothing.size(), ' '));
  }
  return text;
}

} // namespace kfuse
