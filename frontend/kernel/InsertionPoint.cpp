//===- InsertionPoint.cpp - Where a copy of a kernel means the same -------===//

#include "frontend/kernel/InsertionPoint.h"

#include "frontend/syntax/MacroScopes.h"
#include "frontend/syntax/NameLookupEquivalence.h"
#include "frontend/syntax/SourceRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

/// Declarations and definitions between the kernel and the place of its stages,
/// which is the end of what one `#include` of the input brings.
class Window {
public:
  Window(const SourceManager &sources, SourceLocation kernel, FileID included)
      : Sources(sources), Kernel(kernel), Included(included) {}

  bool holds(SourceLocation location) const {
    location = Sources.getExpansionLoc(location);
    return location.isValid() &&
           Sources.isBeforeInTranslationUnit(Kernel, location) &&
           brought(Sources, Sources.getFileID(location)) == Included;
  }

  /// Returns the file that the input includes and that brings in `file`.
  static FileID brought(const SourceManager &sources, FileID file) {
    while (file.isValid()) {
      const FileID parent = sources.getFileID(
          sources.getExpansionLoc(sources.getIncludeLoc(file)));
      if (parent == sources.getMainFileID())
        return file;
      file = parent;
    }
    return file;
  }

private:
  const SourceManager &Sources;
  SourceLocation Kernel;
  FileID Included;
};

/// Says why a name of the kernel may mean something else at the end of the
/// window. The reason is any declaration of one of its names, wherever it is,
/// because a call finds functions by its arguments too. Any operator, deduction
/// guide or using directive is a reason as well.
class NewDeclarations {
public:
  NewDeclarations(const Window &window, const FunctionDecl &kernel)
      : Added(window), Kernel(kernel), Used(usedNames(kernel)) {}

  std::string check(const DeclContext &scope) {
    for (const Decl *declaration : scope.decls()) {
      if (const auto *inner = dyn_cast<DeclContext>(declaration);
          inner && (isa<NamespaceDecl>(inner) || isa<LinkageSpecDecl>(inner)))
        if (std::string why = check(*inner); !why.empty())
          return why;
      if (!Added.holds(declaration->getLocation()))
        continue;
      if (isa<UsingDirectiveDecl>(declaration) && !declaration->isImplicit())
        return "a using directive follows it in its header";
      const auto *named = dyn_cast<NamedDecl>(declaration);
      if (!named || isa<NamespaceDecl>(named) ||
          named->getLocation() == Kernel.getLocation() || isKnown(*named))
        continue;
      const DeclarationName name = named->getDeclName();
      const DeclarationName::NameKind kind = name.getNameKind();
      if (Used.count(name) != 0 || kind == DeclarationName::CXXOperatorName ||
          kind == DeclarationName::CXXDeductionGuideName)
        return "'" + name.getAsString() +
               "' is declared behind it in its header";
    }
    return {};
  }

private:
  /// Checks whether `named` declares a function once more that the kernel saw.
  /// It can be called in the same ways then.
  bool isKnown(const NamedDecl &named) const {
    const auto *function = dyn_cast<FunctionDecl>(&named);
    if (!function || function->isFirstDecl() || function->isConstexpr() ||
        Added.holds(function->getFirstDecl()->getLocation()))
      return false;
    return std::none_of(function->param_begin(), function->param_end(),
                        [](const ParmVarDecl *parameter) {
                          return parameter->hasDefaultArg() &&
                                 !parameter->hasInheritedDefaultArg();
                        });
  }

  const Window &Added;
  const FunctionDecl &Kernel;
  std::set<DeclarationName> Used;
};

/// Checks whether `file` ends at the end of a declaration.
bool endsWhole(const KernelContext &context, FileID file) {
  const SourceManager &sources = context.ast.getSourceManager();
  Lexer lexer(file, sources.getBufferOrFake(file), sources,
              context.ast.getLangOpts());
  Token token;
  bool inDirective = false, isWhole = true;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    if (token.isAtStartOfLine())
      inDirective = token.is(tok::hash);
    if (!inDirective && token.isNot(tok::eof))
      isWhole = token.isOneOf(tok::semi, tok::r_brace);
  }
  return isWhole;
}

/// Returns why OpenCL stages can't follow all kernels, or an empty string.
std::string findOpenClPlace(KernelContext &context, const FunctionDecl &kernel,
                            const std::string &copy) {
  const SourceManager &sources = context.ast.getSourceManager();
  const SourceLocation end = sources.getExpansionLoc(kernel.getEndLoc());
  if (!sources.isInMainFile(end))
    return "it is defined in a file that its text includes";
  for (const Decl *each : context.ast.getTranslationUnitDecl()->decls())
    if (each->hasAttr<OverloadableAttr>() &&
        sources.isInMainFile(sources.getExpansionLoc(each->getLocation())))
      return "functions of its text are overloaded";
  const SourceLocation last =
      sources.getLocForEndOfFile(sources.getMainFileID());
  return macroObstacle(context.preprocessor, copy,
                       {end, last, "behind the kernels", false});
}

} // namespace

std::string findStagePlace(KernelContext &context, const FunctionDecl &kernel,
                           KernelText &text) {
  const SourceManager &sources = context.ast.getSourceManager();
  const SourceLocation begin = sources.getExpansionLoc(kernel.getBeginLoc());
  const SourceLocation end = sources.getExpansionLoc(kernel.getEndLoc());
  // The lexer needs a text that ends in a NUL.
  const std::string copy = context.files.text(text.declaration);
  const FileID file = sources.getFileID(begin);
  if (context.ast.getLangOpts().OpenCL)
    return findOpenClPlace(context, kernel, copy);
  if (file == sources.getMainFileID()) {
    if (kernel.getLexicalDeclContext()->getRedeclContext() !=
        kernel.getDeclContext()->getRedeclContext())
      return "it is defined outside of its namespace";
    const std::string unclear = macroScopeObstacle(kernel);
    return unclear.empty() ? macroObstacle(context.preprocessor, copy,
                                           {end, end, "", false})
                           : unclear;
  }
  if (sources.isInSystemHeader(begin))
    return "it is defined in a header of the system";
  const FileID included = Window::brought(sources, file);
  if (included.isInvalid())
    return "its file isn't included by the input";
  const SourceLocation directive =
      sources.getExpansionLoc(sources.getIncludeLoc(included));
  text.include = context.files.point(directive);
  for (const DeclContext *scope = kernel.getDeclContext(); scope;
       scope = scope->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(scope))
      text.namespaces.insert(text.namespaces.begin(), space->getName().str());
  // Around the directive, seen or not, there must be no namespace.
  for (const DeclContext *scope = kernel.getLexicalDeclContext(); scope;
       scope = scope->getLexicalParent()) {
    const auto *space = dyn_cast<NamespaceDecl>(scope);
    if (!space)
      continue;
    for (const SourceLocation place :
         {space->getBeginLoc(), space->getRBraceLoc()})
      if (Window::brought(sources, sources.getFileID(sources.getExpansionLoc(
                                       place))) != included)
        return "its header is included in the middle of a namespace";
  }
  if (!endsWhole(context, included))
    return "its header ends in the middle of a declaration";
  // The first place of the input that follows what the directive brings.
  const auto [input, offset] = sources.getDecomposedLoc(directive);
  const llvm::StringRef buffer = sources.getBufferData(input);
  const std::size_t line = std::min(buffer.find('\n', offset), buffer.size());
  const SourceLocation after =
      sources.getComposedLoc(input, static_cast<unsigned>(line));
  if (std::string why = macroObstacle(context.preprocessor, copy,
                                      {end, after, "behind its header", false});
      !why.empty())
    return why;
  const Window window(sources, end, included);
  return NewDeclarations(window, kernel)
      .check(*context.ast.getTranslationUnitDecl());
}

/// Returns the offset in the input of a place, or of the directive that brings
/// it.
static std::uint32_t inputOffset(const SourceManager &sources,
                                 SourceLocation place) {
  place = sources.getExpansionLoc(place);
  while (sources.getFileID(place) != sources.getMainFileID())
    place = sources.getExpansionLoc(
        sources.getIncludeLoc(sources.getFileID(place)));
  return sources.getFileOffset(place);
}

/// Returns the offset in the input of the first place at which the macro or the
/// declaration changes something; nullopt if neither does.
static std::optional<std::uint32_t>
offsetOfFirst(const SourceManager &sources, SourceLocation macro,
              const std::optional<NameChange> &declaration) {
  if (macro.isInvalid() && !declaration)
    return std::nullopt;
  const bool isMacro =
      !declaration || (macro.isValid() && sources.isBeforeInTranslationUnit(
                                              macro, declaration->at));
  return inputOffset(sources, isMacro ? macro : declaration->at);
}

std::optional<std::uint32_t> firstChange(KernelContext &context,
                                         const FunctionDecl &kernel,
                                         const KernelText &text) {
  const SourceManager &sources = context.ast.getSourceManager();
  const SourceLocation end = sources.getExpansionLoc(kernel.getEndLoc());
  std::set<DeclarationName> used = usedWords(
      context.preprocessor, context.files.text(text.declaration), end);
  const SourceLocation macro = firstDefinition(context.preprocessor, used, end);
  // Its own declarations hide all others.
  for (const Decl *own : kernel.decls())
    if (const auto *named = dyn_cast<NamedDecl>(own))
      used.erase(named->getDeclName());
  used.erase(kernel.getDeclName());
  return offsetOfFirst(sources, macro,
                       declarationBetween(context.ast, used,
                                          {end, sources.getLocForEndOfFile(
                                                    sources.getMainFileID())}));
}

void findTypes(KernelContext &context, const FunctionDecl &kernel,
               const TypeNames &names, KernelText &text) {
  const SourceManager &sources = context.ast.getSourceManager();
  const SourceLocation end = sources.getExpansionLoc(kernel.getEndLoc());
  SourceLocation from = end;
  for (const SourceLocation each : names.declared)
    if (each.isValid() &&
        sources.isBeforeInTranslationUnit(from, sources.getExpansionLoc(each)))
      from = sources.getExpansionLoc(each);
  if (from != end)
    text.typesFrom = inputOffset(sources, from);
  std::set<DeclarationName> used;
  for (const std::string &name : names.all)
    used.insert(&context.ast.Idents.get(name));
  for (const DeclContext *scope = kernel.getDeclContext(); scope;
       scope = scope->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(scope))
      used.insert(space->getDeclName());
  text.typesChangeAt = offsetOfFirst(
      sources, firstDefinition(context.preprocessor, used, from),
      declarationBetween(
          context.ast, used,
          {from, sources.getLocForEndOfFile(sources.getMainFileID())},
          /*areTypes=*/true));
}

} // namespace kfuse
