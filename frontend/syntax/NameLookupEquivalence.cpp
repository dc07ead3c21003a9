//===- NameLookupEquivalence.cpp - Whether a copied text means the same ---===//

#include "frontend/syntax/NameLookupEquivalence.h"

#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclLookups.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

namespace kfuse {

using namespace clang;

namespace {

class NameCollector : public SourceVisitor {
public:
  std::set<DeclarationName> names;

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    return add(use->getDecl());
  }
  bool VisitOverloadExpr(OverloadExpr *use) override {
    names.insert(use->getName());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *use) override {
    return add(use->getConstructor()->getParent());
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc use) override {
    return add(use.getTypedefNameDecl());
  }
  bool VisitTagTypeLoc(TagTypeLoc use) override { return add(use.getDecl()); }
  bool VisitUsingTypeLoc(UsingTypeLoc use) override {
    return add(use.getFoundDecl());
  }
  bool VisitTemplateSpecializationTypeLoc(
      TemplateSpecializationTypeLoc use) override {
    return add(use.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc use) override {
    if (const NestedNameSpecifier *name = use.getNestedNameSpecifier()) {
      add(name->getAsNamespace());
      add(name->getAsNamespaceAlias());
    }
    return SourceVisitor::TraverseNestedNameSpecifierLoc(use);
  }

private:
  bool add(const NamedDecl *declaration) {
    if (!declaration)
      return true;
    const DeclContext *scope = declaration->getDeclContext();
    if (scope->getRedeclContext()->isFileContext() || isa<EnumDecl>(scope))
      names.insert(declaration->getDeclName());
    return true;
  }
};

class WordCollector {
public:
  WordCollector(Preprocessor &preprocessor, SourceLocation place)
      : Macros(preprocessor), Place(place) {}

  std::set<DeclarationName> names;

  void add(IdentifierInfo *word) {
    if (!word || !names.insert(DeclarationName(word)).second ||
        !word->hadMacroDefinition())
      return;
    if (const MacroInfo *macro =
            Macros.getMacroDefinitionAtLoc(word, Place).getMacroInfo())
      for (const Token &token : macro->tokens())
        add(token.getIdentifierInfo());
  }

private:
  Preprocessor &Macros;
  SourceLocation Place;
};

/// Finds a declaration that could change what a text with some names means.
class BetweenFinder {
public:
  BetweenFinder(const SourceManager &sources,
                const std::set<DeclarationName> &used,
                std::pair<SourceLocation, SourceLocation> at, bool areTypes)
      : Sources(sources), Used(used), At(std::move(at)), AreTypes(areTypes) {}

  std::optional<NameChange> find(const DeclContext &scope) const {
    for (const Decl *declaration : scope.decls()) {
      if (const auto *inner = dyn_cast<DeclContext>(declaration);
          inner && (inner->isFileContext() || inner->isTransparentContext()) &&
          isSearched(*declaration))
        if (auto found = find(*inner))
          return found;
      if (!isBetween(*declaration) || isa<NamespaceDecl>(declaration))
        continue;
      if (isa<UsingDirectiveDecl>(declaration) && !declaration->isImplicit())
        return NameChange{declaration->getLocation(), "a using directive"};
      const auto *named = dyn_cast<NamedDecl>(declaration);
      if (!named || (!isBetween(*named->getCanonicalDecl()) && !adds(*named)))
        continue;
      const DeclarationName name = named->getDeclName();
      const DeclarationName::NameKind kind = name.getNameKind();
      if (Used.count(name) != 0 ||
          (!AreTypes &&
           (completes(*named) || kind == DeclarationName::CXXOperatorName ||
            kind == DeclarationName::CXXDeductionGuideName)))
        return NameChange{named->getLocation(),
                          "a declaration of '" + name.getAsString() + "'"};
    }
    return std::nullopt;
  }

private:
  /// Types are named from the global scope: names of other namespaces than
  /// those of the types don't matter.
  bool isSearched(const Decl &declaration) const {
    const auto *space = dyn_cast<NamespaceDecl>(&declaration);
    return !AreTypes || !space || space->isAnonymousNamespace() ||
           space->isInline() || Used.count(space->getDeclName()) != 0;
  }

  bool isBetween(const Decl &declaration) const {
    const SourceLocation location =
        Sources.getExpansionLoc(declaration.getLocation());
    return location.isValid() &&
           Sources.isBeforeInTranslationUnit(At.first, location) &&
           Sources.isBeforeInTranslationUnit(location, At.second);
  }

  /// Checks whether a class has its bases and members only from here on: a
  /// pointer to it converts to others, whatever the text calls it.
  bool completes(const NamedDecl &declaration) const {
    const auto *pattern = dyn_cast<ClassTemplateDecl>(&declaration);
    const auto *type =
        dyn_cast<TagDecl>(pattern ? pattern->getTemplatedDecl() : &declaration);
    return type && type->isThisDeclarationADefinition() &&
           !isBetween(*declaration.getCanonicalDecl());
  }

  /// Checks whether `declaration` gives a name that was declared before more
  /// meaning.
  bool adds(const NamedDecl &declaration) const {
    const auto *pattern = dyn_cast<FunctionTemplateDecl>(&declaration);
    const auto *function = dyn_cast<FunctionDecl>(
        pattern ? pattern->getTemplatedDecl() : &declaration);
    if (!function)
      return !isa<TagDecl>(declaration) || completes(declaration);
    return function->isConstexpr() ||
           llvm::any_of(function->parameters(), [](const ParmVarDecl *each) {
             return each->hasDefaultArg() && !each->hasInheritedDefaultArg();
           });
  }

  const SourceManager &Sources;
  const std::set<DeclarationName> &Used;
  std::pair<SourceLocation, SourceLocation> At;
  bool AreTypes;
};

bool isOfKernelsOnly(const IdentifierInfo &name) {
  return name.isStr("__grid_constant__") || name.isStr("__cluster_dims__") ||
         name.isStr("__block_size__") || name.isStr("__maxnreg__");
}

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
    if (isOfKernelsOnly(*name))
      return "it has '" + name->getName().str() + "', as only kernels have";
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
    // Names that are pasted together can't be checked.
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

const DeclContext &namespaceOf(const FunctionDecl &function) {
  return *function.getDeclContext()->getEnclosingNamespaceContext();
}

/// Checks whether `scope`, or a namespace without a name in it, declares
/// `name`.
bool declares(const DeclContext &scope, DeclarationName name) {
  return !scope.lookup(name).empty() ||
         llvm::any_of(scope.using_directives(),
                      [name](const UsingDirectiveDecl *each) {
                        return each->isImplicit() &&
                               declares(*each->getNominatedNamespace(), name);
                      });
}

/// Checks whether operators mean something else if `scope` is searched.
bool hasOperators(const DeclContext &scope) {
  const auto all = scope.lookups();
  for (auto each = all.begin(); each != all.end(); ++each)
    if (each.getLookupName().getNameKind() == DeclarationName::CXXOperatorName)
      return true;
  return false;
}

/// Returns why the names `used`, looked up in `inner` and then in `outer`,
/// aren't what they are if only one of these, or both at once, are searched.
std::string innerObstacle(const DeclContext &inner, const DeclContext *outer,
                          const std::set<DeclarationName> &used) {
  const DeclContext &seen = outer ? *outer : inner;
  for (const UsingDirectiveDecl *each : seen.using_directives())
    if (!outer || !each->isImplicit())
      return "has a using directive";
  if (hasOperators(inner))
    return "has operators";
  for (const DeclarationName name : used)
    if (!inner.lookup(name).empty() && (!outer || !outer->lookup(name).empty()))
      return "has another '" + name.getAsString() + "'";
  return {};
}

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

/// Calls `take` with the words of `text` that can be names by themselves.
static void forEachWord(Preprocessor &preprocessor, const std::string &text,
                        SourceLocation place,
                        llvm::function_ref<void(IdentifierInfo &)> take) {
  // The lexer needs a text that ends in a NUL.
  const char *begin = text.c_str();
  Lexer lexer(place, preprocessor.getLangOpts(), begin, begin,
              begin + text.size());
  Token token;
  bool isMember = false;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    if (token.is(tok::raw_identifier) && !isMember)
      take(*preprocessor.getIdentifierInfo(token.getRawIdentifier()));
    isMember = token.isOneOf(tok::period, tok::arrow, tok::coloncolon);
  }
}

std::set<DeclarationName> usedWords(Preprocessor &preprocessor,
                                    const std::string &text,
                                    SourceLocation place) {
  WordCollector words(preprocessor, place);
  forEachWord(preprocessor, text, place,
              [&](IdentifierInfo &word) { words.add(&word); });
  return std::move(words.names);
}

std::size_t timesNamed(Preprocessor &preprocessor, const std::string &text,
                       DeclarationName name) {
  std::size_t times = 0;
  forEachWord(preprocessor, text, {}, [&](IdentifierInfo &word) {
    times += DeclarationName(&word) == name ? 1 : 0;
  });
  return times;
}

std::string namespaceObstacle(const FunctionDecl &from, const FunctionDecl &to,
                              const std::set<DeclarationName> &used,
                              std::set<DeclarationName> &outside) {
  const DeclContext &here = namespaceOf(from), &there = namespaceOf(to);
  const std::string elsewhere =
      "'" + to.getNameAsString() + "' is in another namespace, ";
  // Around a namespace without a name all of it is seen, beside the rest.
  const auto *nameless = dyn_cast<NamespaceDecl>(&here);
  if (nameless && nameless->isAnonymousNamespace() &&
      here.getParent()->Equals(&there)) {
    const std::string why = innerObstacle(here, &there, used);
    return why.empty() ? why : elsewhere + "which " + why;
  }
  const DeclContext *scope = &here;
  for (; !scope->Encloses(&there); scope = scope->getParent()) {
    if (scope->isTransparentContext())
      continue;
    for (const UsingDirectiveDecl *each : scope->using_directives())
      if (!each->isImplicit())
        return elsewhere + "without the using directive of its own one";
    for (const DeclarationName name : used) {
      if (!declares(*scope, name))
        continue;
      if (!name.isIdentifier())
        return elsewhere + "without the operators of its own one";
      outside.insert(name);
    }
  }
  std::set<DeclarationName> rest = used;
  for (const DeclarationName name : outside)
    rest.erase(name);
  for (const DeclContext *inner = &there; !inner->Equals(scope);
       inner = inner->getParent())
    if (!inner->isTransparentContext())
      if (const std::string why = innerObstacle(*inner, nullptr, rest);
          !why.empty())
        return elsewhere + "which " + why;
  return {};
}

std::optional<NameChange>
declarationBetween(const ASTContext &ast, const std::set<DeclarationName> &used,
                   std::pair<SourceLocation, SourceLocation> at,
                   bool areTypes) {
  return BetweenFinder(ast.getSourceManager(), used, std::move(at), areTypes)
      .find(*ast.getTranslationUnitDecl());
}

SourceLocation firstDefinition(Preprocessor &preprocessor,
                               const std::set<DeclarationName> &used,
                               SourceLocation from) {
  const SourceManager &sources = preprocessor.getSourceManager();
  SourceLocation first;
  for (const DeclarationName name : used) {
    const IdentifierInfo *word = name.getAsIdentifierInfo();
    if (!word || !word->hadMacroDefinition())
      continue;
    // The latest directive comes first.
    for (const MacroDirective *each =
             preprocessor.getLocalMacroDirectiveHistory(word);
         each && sources.isBeforeInTranslationUnit(from, each->getLocation());
         each = each->getPrevious())
      if (first.isInvalid() ||
          sources.isBeforeInTranslationUnit(each->getLocation(), first))
        first = each->getLocation();
  }
  return first;
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
