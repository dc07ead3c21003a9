//===- ExpandMacros.cpp - The text of macros that launch ------------------===//

#include "frontend/rewrite/wrappers/ExpandMacros.h"

#include "frontend/parse/SourceUnit.h"
#include "frontend/syntax/SourceVisitor.h"
#include "text/Tokens.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <optional>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

/// Collects where macros are used that launch.
class MacroLaunchFinder : public SourceVisitor {
public:
  explicit MacroLaunchFinder(const SourceManager &sources) : Sources(sources) {}

  std::set<SourceLocation> uses;

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) override {
    if (launch->getBeginLoc().isMacroID())
      uses.insert(Sources.getExpansionLoc(launch->getBeginLoc()));
    return true;
  }

private:
  const SourceManager &Sources;
};

/// A macro's use in the text, with what it is given.
struct MacroUse {
  TextRange whole;
  std::vector<TextRange> arguments;
};

class MacroExpander {
public:
  explicit MacroExpander(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()), Sources(Files.sources()),
        Macros(rewriting.macros()) {}

  RewrittenText run() {
    MacroLaunchFinder finder(Sources);
    for (const FunctionDecl *function : Text.unit().order)
      if (Text.callerObstacle(*function).empty())
        finder.TraverseStmt(function->getBody());
    for (const SourceLocation use : finder.uses)
      if (Sources.isInMainFile(use))
        expand(use);
    return Text.finish();
  }

private:
  void expand(SourceLocation place) {
    const std::uint32_t begin = Sources.getFileOffset(place);
    const SourceText &layout = Text.layout();
    const std::size_t first = tokenAt(layout, begin);
    if (first == layout.tokens.size() || layout.tokens[first].begin != begin)
      return;
    const IdentifierInfo *name =
        Macros.getIdentifierInfo(spelling(layout.text, layout.tokens[first]));
    const MacroInfo *macro =
        Macros.getMacroDefinitionAtLoc(name, place).getMacroInfo();
    if (!macro || !isPlain(*macro, name))
      return;
    const auto use = useAt(first, *macro, place);
    SourceRange range = Files.point(place);
    if (use)
      range.end = use->whole.end;
    if (!use || !Text.isFree(range))
      return;
    Text.replace(range, expansion(*macro, *use));
  }

  /// Checks whether the macro's tokens are its text, and don't use it again.
  bool isPlain(const MacroInfo &macro, const IdentifierInfo *name) const {
    return !macro.isBuiltinMacro() && !macro.tokens_empty() &&
           !Sources.isInSystemHeader(macro.getDefinitionLoc()) &&
           std::none_of(macro.tokens_begin(), macro.tokens_end(),
                        [&](const clang::Token &token) {
                          const IdentifierInfo *word =
                              token.getIdentifierInfo();
                          return token.isOneOf(tok::hash, tok::hashhash) ||
                                 word == name ||
                                 (word && word->isStr("__VA_OPT__"));
                        });
  }

  /// Returns the use whose first token is `first`; nullopt if an argument could
  /// be something else in the macro's text.
  std::optional<MacroUse> useAt(std::size_t first, const MacroInfo &macro,
                                SourceLocation place) const {
    const std::vector<TextToken> &tokens = Text.layout().tokens;
    const auto word = [&](std::size_t at) {
      return at < tokens.size() ? spelling(Text.layout().text, tokens[at])
                                : std::string_view();
    };
    MacroUse use{{tokens[first].begin, tokens[first].end}, {}};
    if (!macro.isFunctionLike())
      return use;
    std::size_t at = first + 1;
    if (word(at) != "(")
      return std::nullopt;
    const unsigned most = macro.getNumParams();
    std::uint32_t begin = tokens[at].end;
    unsigned depth = 1;
    while (depth != 0) {
      ++at;
      if (at >= tokens.size() || !isMovable(tokens[at], place))
        return std::nullopt;
      const std::string_view here = word(at);
      depth += here == "(" ? 1 : here == ")" ? -1 : 0;
      const bool isLast =
          macro.isVariadic() && use.arguments.size() + 1 == most;
      if (depth == 0 || (depth == 1 && here == "," && !isLast)) {
        use.arguments.push_back(trimmedRange({begin, tokens[at].begin}));
        begin = tokens[at].end;
      }
    }
    use.whole.end = tokens[at].end;
    if (most == 0)
      use.arguments.clear();
    if (use.arguments.size() != most)
      return std::nullopt;
    return use;
  }

  TextRange trimmedRange(TextRange range) const {
    const std::string &input = Text.input();
    const auto isBlank = [&](std::uint32_t at) {
      return std::string_view(" \t\r\n").find(input[at]) !=
             std::string_view::npos;
    };
    while (range.begin < range.end && isBlank(range.begin))
      ++range.begin;
    while (range.begin < range.end && isBlank(range.end - 1))
      --range.end;
    return range;
  }

  /// Checks whether the token of an argument is the same in the macro's text:
  /// an argument is expanded before that is.
  bool isMovable(const TextToken &token, SourceLocation place) const {
    if (token.kind == TokenKind::Comment || token.kind == TokenKind::Directive)
      return false;
    std::set<const IdentifierInfo *> seen;
    return token.kind != TokenKind::Identifier ||
           isClosed(
               Macros.getIdentifierInfo(spelling(Text.layout().text, token)),
               place, seen);
  }

  /// Checks whether what `name` expands to is no list, and ends there.
  bool isClosed(const IdentifierInfo *name, SourceLocation place,
                std::set<const IdentifierInfo *> &seen) const {
    if (!name->hadMacroDefinition() || !seen.insert(name).second)
      return true;
    const MacroInfo *macro =
        Macros.getMacroDefinitionAtLoc(name, place).getMacroInfo();
    if (!macro)
      return true;
    int depth = 0;
    const IdentifierInfo *last = nullptr;
    for (const clang::Token &token : macro->tokens()) {
      depth += token.is(tok::l_paren) ? 1 : token.is(tok::r_paren) ? -1 : 0;
      last = token.getIdentifierInfo();
      if (depth < 0 || (depth == 0 && token.is(tok::comma)) ||
          (last && !isClosed(last, place, seen)))
        return false;
    }
    const MacroInfo *behind =
        last ? Macros.getMacroDefinitionAtLoc(last, place).getMacroInfo()
             : nullptr;
    return depth == 0 && !(behind && behind->isFunctionLike());
  }

  /// Returns the macro's text with the arguments.
  MappedText expansion(const MacroInfo &macro, const MacroUse &use) const {
    const std::string line = Text.lineAt(use.whole.begin);
    const std::string body = commonIndent(macro);
    MappedText text;
    SourceLocation end;
    for (const clang::Token &token : macro.tokens()) {
      const SourceLocation begin = token.getLocation();
      if (end.isValid()) {
        const std::string blank = between(end, begin, line, body);
        text.write(blank, use.whole.begin);
        if (blank.empty() && mayJoin(text.text, token, macro, use))
          text.write(" ", use.whole.begin);
      }
      end = begin.getLocWithOffset(static_cast<int>(token.getLength()));
      const IdentifierInfo *word = token.getIdentifierInfo();
      const int parameter = word ? macro.getParameterNum(word) : -1;
      if (parameter < 0) {
        text.write(Lexer::getSpelling(token, Sources, Files.language()),
                   use.whole.begin);
        continue;
      }
      const TextRange given = use.arguments[static_cast<unsigned>(parameter)];
      text.copy(Text.input(), given.begin, given.end);
    }
    return text;
  }

  /// Checks whether the token, or the argument for it, could become a part of
  /// the one that `text` ends with.
  bool mayJoin(const std::string &text, const clang::Token &token,
               const MacroInfo &macro, const MacroUse &use) const {
    const IdentifierInfo *word = token.getIdentifierInfo();
    const int parameter = word ? macro.getParameterNum(word) : -1;
    std::string next = Lexer::getSpelling(token, Sources, Files.language());
    if (parameter >= 0) {
      const TextRange given = use.arguments[static_cast<unsigned>(parameter)];
      next = Text.input().substr(given.begin, given.end - given.begin);
    }
    if (text.empty() || next.empty())
      return false;
    const char before = text.back(), behind = next.front();
    const auto isOneOf = [](char c, std::string_view all) {
      return all.find(c) != std::string_view::npos;
    };
    const auto isWord = [&](char c) {
      return isIdentifierCharacter(c) || isOneOf(c, ".\"'");
    };
    if (isOneOf(before, "()[]{};,") || isOneOf(behind, "()[]{};,"))
      return false;
    return isWord(before) == isWord(behind) &&
           !(before == '>' && behind == '<');
  }

  /// Returns the white space that the lines of the macro's text begin with, the
  /// first one aside.
  std::string commonIndent(const MacroInfo &macro) const {
    std::optional<std::string> least;
    SourceLocation end;
    for (const clang::Token &token : macro.tokens()) {
      if (end.isValid()) {
        const std::string blank = rawBetween(end, token.getLocation());
        if (const std::size_t at = blank.rfind('\n'); at != std::string::npos)
          if (std::string own = blank.substr(at + 1);
              !least || own.size() < least->size())
            least = std::move(own);
      }
      end = token.getLocation().getLocWithOffset(
          static_cast<int>(token.getLength()));
    }
    return least.value_or("");
  }

  std::string rawBetween(SourceLocation begin, SourceLocation end) const {
    const auto [file, from] = Sources.getDecomposedLoc(begin);
    const auto [other, to] = Sources.getDecomposedLoc(end);
    return file == other && from <= to
               ? Sources.getBufferData(file).substr(from, to - from).str()
               : " ";
  }

  /// Returns what stands between two of the macro's tokens, as lines of a
  /// statement at `line`. Lines of the macro begin with `body`, at least.
  std::string between(SourceLocation begin, SourceLocation end,
                      const std::string &line, const std::string &body) const {
    const std::string blank = rawBetween(begin, end);
    const std::size_t at = blank.rfind('\n');
    if (at == std::string::npos)
      return blank.empty() ? blank : " ";
    const std::string own = blank.substr(at + 1);
    return line + (own.size() > body.size() ? own.substr(body.size()) : "");
  }
  Rewriting &Text;
  FileTable &Files;
  const SourceManager &Sources;
  Preprocessor &Macros;
};

} // namespace

RewrittenText expandMacros(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return MacroExpander(rewriting).run();
}

} // namespace kfuse
