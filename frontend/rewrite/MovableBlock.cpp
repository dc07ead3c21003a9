//===- MovableBlock.cpp - Statements that can stand elsewhere -------------===//

#include "frontend/rewrite/MovableBlock.h"

#include "frontend/api/RuntimeRoles.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/syntax/MovableText.h"
#include "frontend/syntax/NameLookupEquivalence.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/VariableUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <cctype>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether a macro that isn't the system's makes a string of what is at
/// `location`.
bool isStringified(SourceLocation location, const Preprocessor &preprocessor) {
  const SourceManager &sources = preprocessor.getSourceManager();
  while (location.isMacroID()) {
    const llvm::StringRef name = Lexer::getImmediateMacroName(
        location, sources, preprocessor.getLangOpts());
    const IdentifierInfo *word = preprocessor.getIdentifierInfo(name);
    const MacroInfo *macro = preprocessor.getMacroInfo(word);
    if (!macro)
      return true;
    if (!sources.isInSystemHeader(macro->getDefinitionLoc()))
      for (const clang::Token &token : macro->tokens())
        if (macro->isFunctionLike() && token.is(tok::hash))
          return true;
    location = sources.getImmediateMacroCallerLoc(location);
  }
  return false;
}

bool allocates(const FunctionDecl *callee) {
  if (!callee || !callee->getIdentifier())
    return false;
  const auto call = runtimeCall(callee->getName());
  return call && (call->role == RuntimeCall::Role::Allocate ||
                  call->role == RuntimeCall::Role::AllocateManaged);
}

/// The largest size of a variable. If a statement is copied several times, each
/// copy's variables stay on the stack until the function ends.
constexpr std::int64_t MostBlockBytes = 1024;

/// Looks for what a copy can't have, and for the mentions of variables.
class BlockReader : public SourceVisitor {
public:
  BlockReader(MovableBlock &block, const ReturnStmt *end,
              const SourceManager &sources, Preprocessor &preprocessor)
      : Out(block), End(end), Sources(sources), Macros(preprocessor),
        Variables(block.variables.begin(), block.variables.end()) {}

  bool VisitReturnStmt(ReturnStmt *statement) override {
    return statement == End || refuse("it returns early");
  }
  bool VisitGotoStmt(GotoStmt *) override { return refuse("it has a goto"); }
  bool VisitLabelStmt(LabelStmt *) override { return refuse("it has a label"); }
  bool VisitLambdaExpr(LambdaExpr *) override {
    return refuse("it has a lambda");
  }
  bool VisitAsmStmt(AsmStmt *) override { return refuse("it has assembly"); }
  bool VisitCallExpr(CallExpr *call) override {
    // Arrays are told apart by function and variable when traces are compared.
    if (allocates(call->getDirectCallee()))
      return refuse("it allocates an array");
    const unsigned builtin = call->getBuiltinCallee();
    const bool isAllocation =
        builtin == Builtin::BIalloca || builtin == Builtin::BI__builtin_alloca;
    return !isAllocation || refuse("it allocates on the stack");
  }
  bool VisitRecoveryExpr(RecoveryExpr *) override {
    return refuse("it has errors");
  }
  bool VisitStmtExpr(StmtExpr *) override {
    return refuse("it has statements in an expression");
  }
  bool VisitPredefinedExpr(PredefinedExpr *use) override {
    return isOfSystemMacro(*use, Sources) || refuse("it mentions its own name");
  }
  bool VisitSourceLocExpr(SourceLocExpr *) override {
    return refuse("it asks where it stands");
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *use) override {
    return TraverseStmt(use->getExpr());
  }
  /// Refuses a temporary object with a destructor that a variable keeps: it
  /// would live as long as the variable does.
  bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr *made) override {
    const auto *variable = dyn_cast_or_null<VarDecl>(made->getExtendingDecl());
    return Variables.count(variable) == 0 ||
           made->getType().isDestructedType() == QualType::DK_none ||
           refuse("'" + variable->getNameAsString() + "' has a destructor");
  }
  bool VisitDeclStmt(DeclStmt *statement) override {
    return llvm::all_of(statement->decls(),
                        [](const Decl *declaration) {
                          return isa<VarDecl, StaticAssertDecl>(declaration);
                        }) ||
           refuse("it declares more than variables");
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->isStaticLocal())
      return refuse("it has a static variable");
    if (variable->hasGlobalStorage())
      return refuse("it declares more than variables");
    std::vector<const ValueDecl *> names = {variable};
    if (const auto *bound = dyn_cast<DecompositionDecl>(variable))
      names.assign(bound->bindings().begin(), bound->bindings().end());
    const std::string name = names.front()->getNameAsString();
    const bool isOwn = Variables.count(names.front()) != 0;
    if ((variable->getType().isDestructedType() != QualType::DK_none ||
         variable->hasAttr<CleanupAttr>()) &&
        isOwn)
      return refuse("'" + name + "' has a destructor");
    if (!isOwn) {
      for (const ValueDecl *each : names)
        Out.innerNames.insert(each->getNameAsString());
      return true;
    }
    if (isa<ParmVarDecl>(variable))
      return true;
    if (!variable->getType()->isConstantSizeType() ||
        variable->getASTContext()
                .getTypeSizeInChars(variable->getType())
                .getQuantity() > MostBlockBytes)
      return refuse("'" + name + "' is large");
    return llvm::all_of(names, [this](const ValueDecl *each) {
      return mention(*each, each->getLocation());
    });
  }
  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    return Variables.count(use->getDecl()) == 0 ||
           mention(*use->getDecl(), use->getLocation());
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) override {
    const FunctionDecl *kernel = launch->getDirectCallee();
    if (!kernel || kernel->isTemplateInstantiation() ||
        !kernel->getDeclContext()
             ->lookup(kernel->getDeclName())
             .isSingleResult())
      return true;
    for (const Expr *argument : launch->arguments())
      if (const auto *use =
              dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts()))
        if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
          ++Passed[variable];
    return true;
  }

  /// Counts its uses as an argument of kernels that no other type could choose.
  unsigned passed(const VarDecl *variable) { return Passed[variable]; }

private:
  bool refuse(const std::string &why) {
    Out.obstacle = why;
    return false;
  }

  bool mention(const ValueDecl &variable, SourceLocation location) {
    const std::string name = variable.getNameAsString();
    const SourceLocation place = Sources.getFileLoc(location);
    const auto [file, offset] = Sources.getDecomposedLoc(place);
    const llvm::StringRef text = Sources.getBufferData(file);
    if (file != Sources.getMainFileID() || offset < Out.statements.begin ||
        offset + name.size() > Out.statements.end ||
        text.substr(offset, name.size()) != name ||
        isIdentifierBody(text[offset + name.size()]))
      return refuse("a macro mentions its variable '" + name + "'");
    if (Macros.getIdentifierInfo(name)->hadMacroDefinition())
      return refuse("its variable '" + name + "' has the name of a macro");
    if (isStringified(location, Macros))
      return refuse("a macro makes a string of its variable '" + name + "'");
    const auto &elements = Out.pack.elements;
    if (!llvm::is_contained(elements, &variable)) {
      Out.mentions[offset] = &variable;
      return true;
    }
    Out.mentions[offset] = elements.front();
    return Out.pack.around(offset) ||
           refuse("it doesn't only list the arguments '" + name + "'");
  }

  static bool isIdentifierBody(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }

  MovableBlock &Out;
  const ReturnStmt *End;
  const SourceManager &Sources;
  Preprocessor &Macros;
  std::set<const ValueDecl *> Variables;
  std::map<const VarDecl *, unsigned> Passed;
};

/// Checks whether `word` is a macro that makes a string or a name of what it is
/// given, or gives it to one that does.
bool pastes(const IdentifierInfo *word, const Preprocessor &preprocessor,
            std::set<const IdentifierInfo *> &seen) {
  const MacroInfo *macro = preprocessor.getMacroInfo(word);
  return macro && seen.insert(word).second &&
         std::any_of(
             macro->tokens_begin(), macro->tokens_end(),
             [&](const clang::Token &token) {
               return token.isOneOf(tok::hash, tok::hashhash) ||
                      (token.getIdentifierInfo() &&
                       pastes(token.getIdentifierInfo(), preprocessor, seen));
             });
}

/// Returns why nothing can replace a mention of the template's parameter at
/// `offset`; empty if something can. `text` is that of the statements.
std::string mentionObstacle(const TemplateParameter &parameter,
                            std::uint32_t offset, llvm::StringRef text,
                            const MovableBlock &block) {
  const PackExpansion *expansion =
      parameter.isPack ? block.pack.around(offset) : nullptr;
  if (!expansion)
    return parameter.obstacle;
  if (offset < expansion->pattern.begin || expansion->pattern.end <= offset)
    return {}; // It isn't copied.
  const auto [before, behind] =
      std::pair(text.take_front(offset - block.statements.begin).rtrim(),
                text.drop_front(offset - block.statements.begin +
                                parameter.declaration->getName().size())
                    .ltrim());
  const bool isWhole = before.ends_with('<') && behind.starts_with('>');
  for (const TemplateParameter &each : parameter.elements) {
    if (!each.obstacle.empty())
      return each.obstacle;
    if (each.needsName && !isWhole)
      return "a type of it needs a name, and is one of a pack";
  }
  return {};
}

/// Adds the mentions of template parameters. Returns why a word may not be what
/// it seems, or an empty string. A word that is the name of a variable must
/// have been seen to be one, or mean something else for sure. One that is the
/// name of a template's parameter always is the parameter, because nothing in
/// the template can have its name too.
std::string takeWords(FileTable &files, const Preprocessor &preprocessor,
                      MovableBlock &block) {
  std::map<std::string, const TemplateParameter *> parameters;
  for (const TemplateParameter &parameter : block.templateParameters)
    if (parameter.declaration->getIdentifier())
      parameters[parameter.declaration->getNameAsString()] = &parameter;
  std::set<std::string> names;
  for (const ValueDecl *variable : block.variables)
    if (block.innerNames.count(variable->getNameAsString()) == 0)
      names.insert(variable->getNameAsString());
  const std::string text = files.text(block.statements);
  const SourceLocation begin =
      files.sources()
          .getLocForStartOfFile(files.sources().getMainFileID())
          .getLocWithOffset(static_cast<int>(block.statements.begin));
  Lexer lexer(begin, files.language(), text.c_str(), text.c_str(),
              text.c_str() + text.size());
  clang::Token token;
  bool isMember = false;
  std::string pasting;      // the macro of which these are operands
  unsigned parentheses = 0; // around them
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    if (!pasting.empty() && token.is(tok::l_paren))
      ++parentheses;
    if (!pasting.empty() && token.is(tok::r_paren) && --parentheses == 0)
      pasting.clear();
    if (token.is(tok::raw_identifier) && !isMember) {
      const std::string word = token.getRawIdentifier().str();
      const std::uint32_t offset =
          files.sources().getFileOffset(token.getLocation());
      if (names.count(word) != 0 && block.mentions.count(offset) == 0)
        return "'" + word + "' isn't always its variable";
      const auto found = parameters.find(word);
      if (found != parameters.end() && parentheses != 0)
        return "the macro '" + pasting + "' makes text of '" + word + "'";
      if (found != parameters.end()) {
        if (const std::string why =
                mentionObstacle(*found->second, offset, text, block);
            !why.empty())
          return why;
        block.mentions[offset] = found->second->declaration;
      }
      std::set<const IdentifierInfo *> seen;
      if (pasting.empty() &&
          pastes(preprocessor.getIdentifierInfo(word), preprocessor, seen))
        pasting = word;
    }
    isMember = token.isOneOf(tok::period, tok::arrow, tok::coloncolon);
  }
  return {};
}

/// Returns what follows `return` in `end`; nullopt if a macro has a part of it.
std::optional<MovedResult> resultOf(FileTable &files, const ReturnStmt &end) {
  MovedResult result;
  result.value = end.getRetValue();
  const SourceRange keyword = files.range(end.getReturnLoc());
  result.begin = keyword.begin;
  result.text = files.wholeText(result.value->getSourceRange());
  if (!FileTable::isInputText(keyword) || !FileTable::isInputText(result.text))
    return std::nullopt;
  result.text.begin = keyword.end;
  const std::string text = files.text(result.text);
  result.text.begin +=
      static_cast<std::uint32_t>(text.find_first_not_of(" \t\r\n"));
  return result;
}

/// Sets the range from after the opening brace to the end of the last
/// statement, or of directives behind it; without braces, to that of
/// `statement`.
void takeStatements(FileTable &files, const Stmt &statement,
                    const ReturnStmt *end, MovableBlock &block) {
  if (!isa<CompoundStmt>(statement)) {
    block.statements = files.statement(statement);
    return;
  }
  const auto &body = cast<CompoundStmt>(statement);
  SourceRange range = files.charRange(body.getLBracLoc().getLocWithOffset(1),
                                      body.getLBracLoc().getLocWithOffset(1));
  for (const Stmt *each : body.body()) {
    if (each == end && !end->getRetValue())
      continue;
    if (each == end) {
      block.result = resultOf(files, *end);
      if (!block.result)
        block.obstacle = "a macro is a part of its result";
      else
        block.result->before = range.end;
    }
    range.end = std::max(range.end, files.statement(*each).end);
  }
  SourceRange behind = range;
  behind.begin = range.end;
  behind.end = std::max(range.end, files.point(body.getRBracLoc()).begin);
  const std::string tail = files.text(behind);
  block.endsInDirective = tail.find('#') != std::string::npos;
  if (block.endsInDirective)
    range.end +=
        static_cast<std::uint32_t>(llvm::StringRef(tail).rtrim().size());
  const std::string text = files.text(range);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  range.begin += static_cast<std::uint32_t>(
      first == std::string::npos ? text.size() : first);
  block.statements = range;
}

} // namespace

MovableBlock analyseBlock(FileTable &files, Preprocessor &preprocessor,
                          const Stmt &body, const HostScan &scan,
                          std::vector<const VarDecl *> parameters,
                          std::vector<TemplateParameter> templateParameters,
                          const ReturnStmt *end, ParameterPack pack) {
  MovableBlock result;
  result.pack = std::move(pack);
  result.templateParameters = std::move(templateParameters);
  takeStatements(files, body, end, result);
  if (result.obstacle.empty())
    result.obstacle =
        textObstacle(files, result.statements, result.result.has_value());
  if (!result.obstacle.empty())
    return result;
  result.outer = nameMentions(files.sources(), body, parameters);
  result.variables.assign(parameters.begin(), parameters.end());
  if (const auto *block = dyn_cast<CompoundStmt>(&body))
    for (const Stmt *statement : block->body())
      if (const auto *declared = dyn_cast<DeclStmt>(statement))
        for (const Decl *each : declared->decls()) {
          if (const auto *bound = dyn_cast<DecompositionDecl>(each))
            result.variables.insert(result.variables.end(),
                                    bound->bindings().begin(),
                                    bound->bindings().end());
          else if (const auto *variable = dyn_cast<VarDecl>(each))
            result.variables.push_back(variable);
        }
  BlockReader reader(result, end, files.sources(), preprocessor);
  reader.TraverseStmt(const_cast<Stmt *>(&body));
  if (result.obstacle.empty())
    result.obstacle = takeWords(files, preprocessor, result);
  const auto has = [](const std::vector<const ValueDecl *> &list,
                      const VarDecl *variable) {
    return std::find(list.begin(), list.end(), variable) != list.end();
  };
  auto uses = variableUses(body);
  for (const ValueDecl *each : result.variables)
    if (const auto *variable = dyn_cast<VarDecl>(each);
        variable && !variable->getType()->isReferenceType() &&
        !has(scan.assigned, variable) && !has(scan.addressTaken, variable) &&
        uses[variable].mentions == uses[variable].loads) {
      result.values.insert(variable);
      if (uses[variable].mentions == reader.passed(variable))
        result.passed.insert(variable);
    }
  return result;
}

std::string qualifiedName(const MovableBlock &block, DeclarationName name,
                          std::size_t words) {
  const NamedDecl *meant = nullptr;
  std::size_t mentions = 0;
  for (const auto &[offset, declaration] : block.outer.at) {
    if (declaration->getDeclName() != name)
      continue;
    if (meant && meant->getCanonicalDecl() != declaration->getCanonicalDecl())
      return {};
    meant = declaration;
    ++mentions;
  }
  if (!meant || mentions != words || block.outer.inMacros.count(name) != 0)
    return {};
  // A namespace without a name is searched with the one around it, unless that
  // has the name itself.
  std::string whole = meant->getNameAsString();
  for (const DeclContext *scope = meant->getDeclContext();
       !scope->isTranslationUnit(); scope = scope->getParent()) {
    const auto *space = dyn_cast<NamespaceDecl>(scope);
    if (space && space->isAnonymousNamespace() &&
        !scope->getParent()->lookup(name).empty())
      return {};
    if (space && !space->isAnonymousNamespace())
      whole = space->getNameAsString() + "::" + whole;
  }
  return "::" + whole;
}

} // namespace kfuse
