//===- MacroScopes.cpp - Namespaces that macros open or close -------------===//

#include "frontend/syntax/MacroScopes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;

namespace {

constexpr const char *Obstacle = "a macro opens or closes a namespace there";

struct Ends {
  SourceLocation open, close;
};

/// Returns the ends of a namespace or linkage specification, or invalid ones.
Ends endsOf(const Decl &scope) {
  if (const auto *space = dyn_cast<NamespaceDecl>(&scope))
    return {space->getBeginLoc(), space->getRBraceLoc()};
  if (const auto *linkage = dyn_cast<LinkageSpecDecl>(&scope);
      linkage && linkage->hasBraces())
    return {linkage->getBeginLoc(), linkage->getRBraceLoc()};
  return {};
}

/// Checks whether `scope`, or one in it, has only one end in the text.
bool isHalfInMacro(const Decl &scope, const SourceManager &sources) {
  const Ends ends = endsOf(scope);
  if (ends.open.isInvalid() ||
      sources.isInSystemHeader(sources.getExpansionLoc(ends.open)))
    return false;
  if (ends.open.isMacroID() != ends.close.isMacroID())
    return true;
  for (const Decl *inner : cast<DeclContext>(&scope)->noload_decls())
    if (isHalfInMacro(*inner, sources))
      return true;
  return false;
}

} // namespace

std::string macroScopeObstacle(const Decl &declaration) {
  const ASTContext &ast = declaration.getASTContext();
  for (const DeclContext *scope = declaration.getLexicalDeclContext(); scope;
       scope = scope->getLexicalParent()) {
    const Ends ends = endsOf(*cast<Decl>(scope));
    if (ends.open.isMacroID() || ends.close.isMacroID())
      return Obstacle;
  }
  for (const Decl *each : ast.getTranslationUnitDecl()->noload_decls())
    if (isHalfInMacro(*each, ast.getSourceManager()))
      return Obstacle;
  return {};
}

} // namespace kfuse
