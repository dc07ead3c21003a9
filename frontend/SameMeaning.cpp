//===- frontend/SameMeaning.cpp - Whether a copied text means the same ----===//

#include "frontend/SameMeaning.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

namespace kfuse {

using namespace clang;

namespace {

class NameCollector : public RecursiveASTVisitor<NameCollector> {
public:
  std::set<DeclarationName> names;

  bool VisitDeclRefExpr(DeclRefExpr *use) { return add(use->getDecl()); }
  bool VisitOverloadExpr(OverloadExpr *use) {
    names.insert(use->getName());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *use) {
    return add(use->getConstructor()->getParent());
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc use) {
    return add(use.getTypedefNameDecl());
  }
  bool VisitTagTypeLoc(TagTypeLoc use) { return add(use.getDecl()); }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc use) {
    return add(use.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc use) {
    if (const NestedNameSpecifier *name = use.getNestedNameSpecifier())
      add(name->getAsNamespace());
    return RecursiveASTVisitor::TraverseNestedNameSpecifierLoc(use);
  }

private:
  bool add(const NamedDecl *declaration) {
    if (!declaration)
      return true;
    const DeclContext *scope = declaration->getDeclContext();
    if (scope->isFileContext() || scope->isExternCContext() ||
        isa<EnumDecl>(scope))
      names.insert(declaration->getDeclName());
    return true;
  }
};

/// The macros that a text uses, by themselves or through each other, must be
/// those of the kernel at `end` too.
class MacroCheck {
public:
  MacroCheck(Preprocessor &preprocessor, const Copy &copy)
      : Macros(preprocessor), Made(copy) {}

  std::string check(const IdentifierInfo *name) {
    if (!name || !Seen.insert(name).second)
      return {};
    // The copy is in another function.
    if (!Made.mayTellPlace &&
        (name->isStr("__func__") || name->isStr("__FUNCTION__") ||
         name->isStr("__PRETTY_FUNCTION__")))
      return "it uses '" + name->getName().str() + "'";
    if (!name->hadMacroDefinition())
      return {};
    const MacroInfo *here = at(name, Made.here);
    if (here != at(name, Made.there))
      return "the macro '" + name->getName().str() + "' is another one " +
             Made.where;
    if (!here)
      return {};
    if (here->isBuiltinMacro() &&
        !(Made.mayTellPlace &&
          (name->isStr("__LINE__") || name->isStr("__FILE__"))))
      return "it uses '" + name->getName().str() +
             "', which depends on the place in the file";
    // What is pasted together has names that can't be checked.
    for (const Token &token : here->tokens())
      if (!Made.mayTellPlace && token.isOneOf(tok::hashhash, tok::hashat))
        return "the macro '" + name->getName().str() + "' pastes names";
    for (const Token &token : here->tokens())
      if (std::string why = check(token.getIdentifierInfo()); !why.empty())
        return why;
    return {};
  }

private:
  const MacroInfo *at(const IdentifierInfo *name, SourceLocation place) const {
    return Macros.getMacroDefinitionAtLoc(name, place).getMacroInfo();
  }

  Preprocessor &Macros;
  const Copy &Made;
  std::set<const IdentifierInfo *> Seen;
};

} // namespace

bool isOfSystemMacro(const PredefinedExpr &name, const SourceManager &sources) {
  const SourceLocation place = name.getLocation();
  return place.isMacroID() &&
         sources.isInSystemHeader(sources.getSpellingLoc(place));
}

std::set<DeclarationName> usedNames(const FunctionDecl &function) {
  auto &definition = const_cast<FunctionDecl &>(function);
  NameCollector used;
  if (FunctionTemplateDecl *pattern = definition.getDescribedFunctionTemplate())
    used.TraverseDecl(pattern);
  else
    used.TraverseDecl(&definition);
  return used.names;
}

std::string macroObstacle(Preprocessor &preprocessor, const std::string &text,
                          const Copy &copy) {
  MacroCheck macros(preprocessor, copy);
  // The lexer needs a text that ends in a NUL.
  const char *begin = text.c_str();
  Lexer lexer(copy.here, preprocessor.getLangOpts(), begin, begin,
              begin + text.size());
  Token token;
  bool isDirective = false;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    const bool wasHash = isDirective;
    isDirective = token.is(tok::hash) && token.isAtStartOfLine();
    if (token.isNot(tok::raw_identifier))
      continue;
    const llvm::StringRef word = token.getRawIdentifier();
    if (wasHash && (word == "define" || word == "undef" ||
                    word.starts_with("include") || word == "import"))
      return "its body has the directive '#" + word.str() + "'";
    const std::string why = macros.check(preprocessor.getIdentifierInfo(word));
    if (!why.empty())
      return why;
  }
  return {};
}

} // namespace kfuse
