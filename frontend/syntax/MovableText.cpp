//===- MovableText.cpp - Text that means the same in a copy ---------------===//

#include "frontend/syntax/MovableText.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace kfuse {

using namespace clang;

namespace {

/// The branches of the preprocessor in a text.
class Conditionals {
public:
  /// Takes the directive called `name`; returns whether a copy can have it.
  bool take(llvm::StringRef name) {
    if (name == "if" || name == "ifdef" || name == "ifndef")
      ++Depth;
    else if (Depth == 0 || !(name.starts_with("el") || name == "endif"))
      return false;
    else if (name == "endif")
      --Depth;
    AreAny = true;
    return true;
  }
  bool areAny() const { return AreAny; }
  bool areWhole() const { return Depth == 0; }

private:
  unsigned Depth = 0;
  bool AreAny = false;
};

} // namespace

std::string textObstacle(FileTable &files, const SourceRange &statements,
                         bool hasResult) {
  if (!FileTable::isInputText(statements))
    return "it isn't plain text of the input";
  const std::string text = files.text(statements);
  Lexer lexer(
      files.sources().getLocForStartOfFile(files.sources().getMainFileID()),
      files.language(), text.c_str(), text.c_str(), text.c_str() + text.size());
  clang::Token token;
  Conditionals conditionals;
  bool isDirective = false;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    if (isDirective && !(token.is(tok::raw_identifier) &&
                         conditionals.take(token.getRawIdentifier())))
      return "it has a preprocessing directive other than a whole #if";
    isDirective = token.is(tok::hash) && token.isAtStartOfLine();
    if (tok::isStringLiteral(token.getKind()) &&
        llvm::StringRef(token.getLiteralData(), token.getLength())
            .contains('\n'))
      return "it has a string of several lines";
    if (token.is(tok::raw_identifier) && token.getRawIdentifier() == "_Pragma")
      return "it has a preprocessing directive";
  }
  if (!conditionals.areWhole())
    return "it has a part of an #if";
  return conditionals.areAny() && hasResult
             ? "it has a preprocessing directive and a result"
             : std::string();
}

} // namespace kfuse
