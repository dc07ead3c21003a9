//===- RecoveryLosses.cpp - What errors leave out of functions ------------===//

#include "frontend/syntax/RecoveryLosses.h"

#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

namespace kfuse {
namespace {

using namespace clang;

/// The texts of functions, and of what they keep of errors.
class LossFinder : public SourceVisitor {
public:
  explicit LossFinder(const ASTContext &ast)
      : Ast(ast), Sources(ast.getSourceManager()), Language(ast.getLangOpts()) {
  }

  std::vector<clang::SourceRange> functions, kept;

  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (const Stmt *body = function->getBody();
        body && !Sources.isInSystemHeader(body->getBeginLoc()))
      functions.push_back(inFile(body->getSourceRange()));
    return true;
  }
  bool VisitExpr(Expr *value) override {
    if (value->containsErrors())
      keep(value->getSourceRange());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    const Expr *value = variable->getInit();
    if (variable->isInvalidDecl() &&
        (value ? value->containsErrors() || isConstant(*value)
               : isOnlyNamed(*variable)))
      keep(variable->getSourceRange());
    return true;
  }

  bool isIn(const std::vector<clang::SourceRange> &ranges,
            SourceLocation location) const {
    const SourceLocation place = Sources.getFileLoc(location);
    return std::any_of(
        ranges.begin(), ranges.end(), [&](clang::SourceRange range) {
          return Sources.isPointWithin(place, range.getBegin(), range.getEnd());
        });
  }

private:
  /// Keeps `range` and the place after it, where a semicolon may be missing.
  void keep(clang::SourceRange range) {
    range = inFile(range);
    const SourceLocation end =
        Lexer::getLocForEndOfToken(range.getEnd(), 0, Sources, Language);
    kept.emplace_back(range.getBegin(), end.isValid() ? end : range.getEnd());
  }

  bool isConstant(const Expr &value) const {
    return !value.isValueDependent() && value.isEvaluatable(Ast);
  }

  /// Checks whether the text only names the variable, as `Missing name[2]`
  /// does. Other texts only look like a variable, such as
  /// `Missing::store(array)`, or have lost what it was initialised with.
  bool isOnlyNamed(const VarDecl &variable) const {
    const clang::SourceRange range = inFile(variable.getSourceRange());
    bool isInvalid = false;
    const llvm::StringRef text = Lexer::getSourceText(
        CharSourceRange::getTokenRange(range), Sources, Language, &isInvalid);
    const auto next = Lexer::findNextToken(range.getEnd(), Sources, Language);
    return !isInvalid && !text.contains('(') && next &&
           next->isOneOf(tok::semi, tok::comma);
  }

  clang::SourceRange inFile(clang::SourceRange range) const {
    return {Sources.getFileLoc(range.getBegin()),
            Sources.getFileLoc(range.getEnd())};
  }

  const ASTContext &Ast;
  const SourceManager &Sources;
  const LangOptions &Language;
};

} // namespace

std::optional<SourceLocation>
lostText(ASTUnit &unit, const std::vector<SourceLocation> &errors) {
  LossFinder finder(unit.getASTContext());
  finder.TraverseDecl(unit.getASTContext().getTranslationUnitDecl());
  const auto lost =
      std::find_if(errors.begin(), errors.end(), [&](SourceLocation error) {
        return error.isValid() && finder.isIn(finder.functions, error) &&
               !finder.isIn(finder.kept, error);
      });
  return lost == errors.end() ? std::nullopt
                              : std::optional<SourceLocation>(*lost);
}

} // namespace kfuse
