//===- UnreadFunctions.cpp - Errors where nothing matters -----------------===//

#include "frontend/syntax/UnreadFunctions.h"

#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace kfuse {
namespace {

using namespace clang;

clang::SourceRange rangeInFile(clang::SourceRange range,
                               const SourceManager &sources) {
  return {sources.getFileLoc(range.getBegin()),
          sources.getFileLoc(range.getEnd())};
}

/// Checks whether `word` is of CUDA's runtime or of one of its libraries.
bool isOfCuda(llvm::StringRef word) {
  if (word.size() > 2 && word.starts_with("cu") && isUppercase(word[2]))
    return true;
  return llvm::any_of(
      std::initializer_list<llvm::StringRef>{"cuda", "cublas", "cufft", "cudnn",
                                             "curand", "cusolver", "cusparse",
                                             "nccl", "npp", "thrust"},
      [&](llvm::StringRef library) {
        return word.contains_insensitive(library);
      });
}

/// Finds the functions and variables that the user's words name.
class DeclaredNames : public SourceVisitor {
public:
  explicit DeclaredNames(const SourceManager &sources) : Sources(sources) {}

  /// Functions by name; a class's by its name, too.
  std::map<std::string, std::vector<FunctionDecl *>> functions;
  std::set<std::string> variables; ///< that outlive a call, and may change
  std::vector<FunctionDecl *> operators;

  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (Sources.isInSystemHeader(function->getLocation()))
      return true;
    functions[function->getNameAsString()].push_back(function);
    if (const auto *method = dyn_cast<CXXMethodDecl>(function)) {
      if (!method->isImplicit())
        functions[method->getParent()->getNameAsString()].push_back(function);
    } else if (function->isOverloadedOperator()) {
      operators.push_back(function);
    }
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    const QualType type = variable->getType();
    const bool isConstant =
        type.isConstQualified() && type->isIntegralOrEnumerationType();
    if (variable->hasGlobalStorage() && !isConstant &&
        !Sources.isInSystemHeader(variable->getLocation()))
      variables.insert(variable->getNameAsString());
    return true;
  }

private:
  const SourceManager &Sources;
};

/// Decides which functions have to do with the host alone, by their words.
class HostOnlyCheck {
public:
  HostOnlyCheck(ASTUnit &unit, const DeclaredNames &names)
      : Sources(unit.getSourceManager()), Language(unit.getLangOpts()),
        Macros(unit.getPreprocessor()), Names(names) {}

  bool isHostOnly(FunctionDecl &function) {
    if (function.hasAttr<CUDAGlobalAttr>() ||
        (function.hasAttr<CUDADeviceAttr>() &&
         !function.hasAttr<CUDAHostAttr>()))
      return false;
    const FunctionDecl *definition = function.getDefinition();
    if (!definition)
      return function.isDefaulted() || function.isDeleted();
    // The first refusal ends the question, so others were good until here.
    if (!Asked.insert(definition).second)
      return true;
    return areHarmless(
        Lexer::getSourceText(CharSourceRange::getTokenRange(rangeInFile(
                                 definition->getSourceRange(), Sources)),
                             Sources, Language));
  }

private:
  const SourceManager &Sources;
  const LangOptions &Language;
  Preprocessor &Macros;
  const DeclaredNames &Names;
  std::set<const FunctionDecl *> Asked;
  std::set<std::string> Words;

  bool areHarmless(llvm::StringRef text) {
    const std::string copy = text.str(); // ends with a zero
    Lexer lexer(SourceLocation(), Language, copy.data(), copy.data(),
                copy.data() + copy.size());
    Token token;
    for (bool isLast = false; !isLast;) {
      isLast = lexer.LexFromRawLexer(token);
      if (token.is(tok::lesslessless) ||
          (token.is(tok::raw_identifier) &&
           !isHarmless(token.getRawIdentifier().str())))
        return false;
    }
    return !text.empty();
  }

  /// Checks whether a word leads neither to the device nor to what other
  /// functions know.
  bool isHarmless(const std::string &word) {
    if (isOfCuda(word) || word == "catch" || word == "asm" ||
        Names.variables.count(word))
      return false;
    if (!Words.insert(word).second)
      return true;
    if (const auto known = Names.functions.find(word);
        known != Names.functions.end() &&
        !llvm::all_of(known->second, [this](FunctionDecl *function) {
          return isHostOnly(*function);
        }))
      return false;
    return isHarmlessMacro(word);
  }

  bool isHarmlessMacro(const std::string &word) {
    const IdentifierInfo *name = Macros.getIdentifierInfo(word);
    if (!name->hadMacroDefinition())
      return true;
    const MacroInfo *macro = Macros.getMacroInfo(name);
    if (!macro)
      return false; // it was another thing in between
    if (macro->isBuiltinMacro() ||
        Sources.isInSystemHeader(macro->getDefinitionLoc()))
      return true;
    return llvm::all_of(macro->tokens(), [this](const Token &token) {
      return token.isNot(tok::lesslessless) && token.isNot(tok::hashhash) &&
             (!token.getIdentifierInfo() ||
              isHarmless(token.getIdentifierInfo()->getName().str()));
    });
  }
};

} // namespace

std::vector<SourceLocation>
dropUnreadFunctions(ASTUnit &unit, const std::vector<SourceLocation> &errors) {
  if (errors.empty())
    return {};
  const SourceManager &sources = unit.getSourceManager();
  DeclaredNames names(sources);
  names.TraverseDecl(unit.getASTContext().getTranslationUnitDecl());
  std::set<FunctionDecl *> unread;
  std::vector<SourceLocation> others;
  for (const SourceLocation error : errors) {
    const auto holdsError = [&](const FunctionDecl &function) {
      const clang::SourceRange range =
          rangeInFile(function.getSourceRange(), sources);
      return error.isValid() && function.doesThisDeclarationHaveABody() &&
             !isa<CXXMethodDecl>(function) && !function.isMain() &&
             function.getDeclContext()->isFileContext() &&
             !function.getDescribedFunctionTemplate() &&
             sources.isPointWithin(sources.getFileLoc(error), range.getBegin(),
                                   range.getEnd());
    };
    FunctionDecl *found = nullptr;
    for (const auto &[name, functions] : names.functions)
      for (FunctionDecl *function : functions)
        if (holdsError(*function))
          found = function;
    HostOnlyCheck check(unit, names);
    const bool isApart =
        found && check.isHostOnly(*found) &&
        llvm::all_of(names.operators, [&](FunctionDecl *function) {
          return check.isHostOnly(*function);
        });
    if (isApart)
      unread.insert(found);
    else
      others.push_back(error);
  }
  for (FunctionDecl *function : unread)
    function->setBody(nullptr);
  return others;
}

} // namespace kfuse
