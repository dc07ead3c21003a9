//===- frontend/StagePlace.cpp - Where a copy of a kernel means the same --===//

#include "frontend/StagePlace.h"

#include "frontend/SourceRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <map>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

/// Names of namespace scope that a function's text uses.
class NameCollector : public RecursiveASTVisitor<NameCollector> {
public:
  std::map<DeclarationName, std::set<const DeclContext *>> names;

  bool VisitDeclRefExpr(DeclRefExpr *use) { return add(use->getDecl()); }
  bool VisitOverloadExpr(OverloadExpr *use) {
    names[use->getName()];
    for (const NamedDecl *candidate : use->decls())
      add(candidate);
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
      names[declaration->getDeclName()].insert(scope->getRedeclContext());
    return true;
  }
};

/// What is declared or defined behind the kernel and before the place of its
/// stages, which is the end of what one `#include` of the input brings.
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

  /// The file that the input includes and by which `file` comes in.
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

/// The contexts in which an unqualified name of `scope` is looked for, with
/// those that using directives and unnamed namespaces add.
void addContexts(const DeclContext *scope,
                 std::set<const DeclContext *> &contexts) {
  scope = scope->getRedeclContext();
  if (!contexts.insert(scope->getPrimaryContext()).second)
    return;
  for (const UsingDirectiveDecl *directive : scope->using_directives())
    addContexts(directive->getNominatedNamespace(), contexts);
}

bool isDeclaredBefore(const NamedDecl &declaration, const Window &window) {
  for (const Decl *one : declaration.redecls())
    if (!window.holds(one->getLocation()))
      return true;
  return false;
}

/// Why a name of the kernel may mean something else at the end of the window.
std::string lookUpAgain(const FunctionDecl &kernel, const Window &window) {
  NameCollector used;
  auto &mutableKernel = const_cast<FunctionDecl &>(kernel);
  if (FunctionTemplateDecl *described =
          mutableKernel.getDescribedFunctionTemplate())
    used.TraverseDecl(described);
  else
    used.TraverseDecl(&mutableKernel);

  std::set<const DeclContext *> contexts;
  for (const DeclContext *scope = kernel.getDeclContext(); scope;
       scope = scope->getParent())
    addContexts(scope, contexts);
  for (const DeclContext *scope : contexts)
    for (const UsingDirectiveDecl *directive : scope->using_directives())
      if (window.holds(directive->getLocation()))
        return "a using directive follows it in its header";
  for (const auto &[name, scopes] : used.names) {
    std::set<const DeclContext *> all = contexts;
    for (const DeclContext *scope : scopes)
      addContexts(scope, all);
    for (const DeclContext *scope : all)
      for (const NamedDecl *found : scope->lookup(name)) {
        const bool isKernel = found->getLocation() == kernel.getLocation();
        if (!isKernel && window.holds(found->getLocation()) &&
            !isDeclaredBefore(*found, window))
          return "'" + name.getAsString() +
                 "' is declared once more behind it in its header";
      }
  }
  return {};
}

/// The macros that a text uses, by themselves or through each other, must be
/// those of the kernel at `end` too.
class MacroCheck {
public:
  MacroCheck(const KernelContext &context, SourceLocation kernel,
             SourceLocation end)
      : Preprocessor(context.preprocessor), Kernel(kernel), End(end) {}

  std::string check(const IdentifierInfo *name) {
    if (!name || !name->hadMacroDefinition() || !Seen.insert(name).second)
      return {};
    const MacroInfo *here = at(name, Kernel);
    if (here != at(name, End))
      return "the macro '" + name->getName().str() +
             "' is another one behind its header";
    if (!here)
      return {};
    if (here->isBuiltinMacro())
      return "it uses '" + name->getName().str() +
             "', which depends on the place in the file";
    for (const Token &token : here->tokens())
      if (std::string why = check(token.getIdentifierInfo()); !why.empty())
        return why;
    return {};
  }

private:
  const MacroInfo *at(const IdentifierInfo *name, SourceLocation place) const {
    return Preprocessor.getMacroDefinitionAtLoc(name, place).getMacroInfo();
  }

  clang::Preprocessor &Preprocessor;
  SourceLocation Kernel, End;
  std::set<const IdentifierInfo *> Seen;
};

std::string checkMacros(const KernelContext &context, llvm::StringRef text,
                        SourceLocation kernel, SourceLocation end) {
  MacroCheck macros(context, kernel, end);
  Lexer lexer(kernel, context.ast.getLangOpts(), text.begin(), text.begin(),
              text.end());
  Token token;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    if (token.isNot(tok::raw_identifier))
      continue;
    const std::string why = macros.check(
        context.preprocessor.getIdentifierInfo(token.getRawIdentifier()));
    if (!why.empty())
      return why;
  }
  return {};
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
  if (file == sources.getMainFileID())
    return checkMacros(context, copy, end, end);
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
  // The first place of the input that follows what the directive brings.
  const auto [input, offset] = sources.getDecomposedLoc(directive);
  const llvm::StringRef buffer = sources.getBufferData(input);
  const std::size_t line = std::min(buffer.find('\n', offset), buffer.size());
  const SourceLocation after =
      sources.getComposedLoc(input, static_cast<unsigned>(line));
  if (std::string why = checkMacros(context, copy, end, after); !why.empty())
    return why;
  return lookUpAgain(kernel, Window(sources, end, included));
}

} // namespace kfuse
