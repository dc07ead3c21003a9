//===- InlineCalls.cpp - Wrappers' statements for their calls -------------===//

#include "frontend/rewrite/wrappers/InlineCalls.h"

#include "frontend/host/Changes.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/CallSites.h"
#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/rewrite/Methods.h"
#include "frontend/rewrite/wrappers/WrapperArguments.h"
#include "frontend/syntax/NameLookupEquivalence.h"
#include "frontend/syntax/TemplateParameters.h"
#include "frontend/syntax/VariableUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <optional>

namespace kfuse {

using namespace clang;

namespace {

class CallInliner {
public:
  /// Starts a round; `before` is the number of calls that earlier rounds
  /// replaced.
  CallInliner(Rewriting &rewriting, std::size_t before,
              const std::set<std::string> &kept)
      : Text(rewriting), Before(before), Kept(kept), Unit(rewriting.unit()),
        Files(rewriting.files()), Sources(Files.sources()),
        Macros(rewriting.macros()) {}

  RewrittenText run() {
    Launching = launchingFunctions(Unit);
    for (const FunctionDecl *function : Unit.order)
      visit(*function);
    RewrittenText text = Text.finish(std::move(Refused));
    text.functions = std::move(Moved);
    return text;
  }

private:
  void visit(const FunctionDecl &caller) {
    const CallSites sites = callSites(caller, Launching);
    for (const CallExpr *part : sites.parts)
      refusePart(*part->getDirectCallee()->getDefinition());
    if (sites.all.empty())
      return;
    std::string obstacle = callerObstacle(caller);
    if (obstacle.empty())
      obstacle = sites.obstacle;
    for (const CallSite &site : sites.all) {
      const FunctionDecl &callee =
          *site.call->getDirectCallee()->getDefinition();
      std::string why =
          obstacle.empty()
              ? std::string()
              : "its caller '" + caller.getNameAsString() + "' " + obstacle;
      const std::string name = callee.getQualifiedNameAsString();
      if (Kept.count(name) != 0)
        continue;
      if (why.empty())
        why = replace(site, callee, sites.names);
      if (why.empty())
        Moved.insert(name);
      else
        Refused.calls.emplace(name, why);
    }
  }

  /// Notes why nothing replaces a call of `callee` that isn't a statement.
  void refusePart(const FunctionDecl &callee) {
    const std::string why =
        isLambdaCallOperator(&callee) ? IsLambda : describe(callee).obstacle;
    Refused.calls.emplace(callee.getQualifiedNameAsString(),
                          why.empty() ? NoStatement : why);
  }

  std::string callerObstacle(const FunctionDecl &caller) {
    const std::string why = methodObstacle(caller);
    return why.empty() ? Text.callerObstacle(caller) : why;
  }

  /// Writes the statements for a call; returns why it can't.
  std::string replace(const CallSite &site, const FunctionDecl &callee,
                      const std::set<DeclarationName> &names) {
    if (isLambdaCallOperator(&callee))
      return IsLambda;
    const MovableBlock &wrapper = describe(callee);
    if (!wrapper.obstacle.empty())
      return wrapper.obstacle;
    if (Before + Text.replacements() >= MostCalls)
      return "the program has too many such calls";
    if (reaches(callee, callee) || reaches(callee, *site.caller))
      return "it calls itself";
    if (dependOnOrder({site.call->arg_begin(), site.call->arg_end()}, Unit))
      return OpenOrder;
    if (site.hasCleanups)
      return "a call of it makes temporary objects";
    const SourceRange range = Files.statement(*site.statement);
    if (!FileTable::isInputText(range) || !Files.text(range).ends_with(';') ||
        (site.result && !FileTable::isInputText(callText(site))))
      return NoStatement;
    if (Text.followsPragma(range.begin))
      return "a pragma stands before a call of it";
    if (makesConstant(site, wrapper))
      return "'" + site.result->getNameAsString() + "' would be a constant";
    NewNames qualified;
    std::string why = meaningObstacle(site, callee, names, qualified);
    if (!why.empty())
      return why;
    return write(site, wrapper, range, std::move(qualified));
  }

  const MovableBlock &describe(const FunctionDecl &callee) {
    auto known = Wrappers.find(&callee);
    if (known == Wrappers.end())
      known = Wrappers
                  .emplace(&callee, analyseInlinable(Files, Macros,
                                                     Unit.functions[&callee]))
                  .first;
    return known->second;
  }

  SourceRange callText(const CallSite &site) {
    return Files.range(site.call->getSourceRange());
  }

  /// Checks whether the compiler could know the value of the call's variable,
  /// which would then be a constant to the language.
  static bool makesConstant(const CallSite &site, const MovableBlock &wrapper) {
    if (!site.isDeclaration() || !site.result->getType().isConstQualified() ||
        site.result->getType()->isPointerType())
      return false;
    const auto *call =
        dyn_cast<CallExpr>(wrapper.result->value->IgnoreParenImpCasts());
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    return !callee || callee->isConstexpr() || callee->getBuiltinID() != 0;
  }

  bool reaches(const FunctionDecl &from, const FunctionDecl &to) {
    std::set<const FunctionDecl *> seen;
    std::vector<const FunctionDecl *> work = {&from};
    while (!work.empty()) {
      const HostFunction *function = Unit.find(*work.back());
      work.pop_back();
      if (!function)
        continue;
      for (const FunctionDecl *callee : function->scan.callees) {
        const FunctionDecl *definition = callee->getDefinition();
        if (definition == &to)
          return true;
        if (definition && seen.insert(definition).second)
          work.push_back(definition);
      }
    }
    return false;
  }

  /// Returns why the statements would mean something else in the caller. Adds
  /// to `qualified` what must be named from the global namespace on.
  std::string meaningObstacle(const CallSite &site, const FunctionDecl &callee,
                              const std::set<DeclarationName> &names,
                              NewNames &qualified) {
    const std::string caller = "'" + site.caller->getNameAsString() + "'";
    const bool isMethod = isa<CXXMethodDecl>(callee);
    if (std::string why = objectObstacle(*site.call, *site.caller);
        !why.empty())
      return why;
    if (!isMethod && callee.getLexicalDeclContext() != callee.getDeclContext())
      return "it is defined outside of its namespace";
    SourceLocation end = callee.getEndLoc(), call = site.call->getBeginLoc();
    const std::string text = Files.text(textFromName(Files, callee));
    std::set<DeclarationName> used = usedWords(Macros, text, end);
    std::erase_if(used, [&](DeclarationName name) {
      return name == callee.getDeclName() ||
             (declaresName(describe(callee), name) &&
              !namesOutside(describe(callee), name));
    });
    const std::set<DeclarationName> words = used;
    used.merge(usedNames(callee));
    std::set<DeclarationName> outside;
    if (!isMethod) {
      if (std::string why =
              namespaceObstacle(callee, *site.caller, used, outside);
          !why.empty())
        return why;
      for (const DeclarationName name : used)
        if (outside.count(name) == 0 && hidesName(*site.caller, name))
          return "'" + name.getAsString() + "' is a member where " + caller +
                 " is";
    }
    used.merge(usedMembers(callee));
    // Any expression may come to use it.
    for (const DeclarationName name : names)
      if (name.getNameKind() == DeclarationName::CXXOperatorName)
        return caller + " declares an operator";
    const MovableBlock &wrapper = describe(callee);
    for (const DeclarationName name : used) {
      const bool isOutside = outside.count(name) != 0;
      // Uses without a word, or with a namespace before it, need no name.
      if (words.count(name) == 0 || !(isOutside || names.count(name) != 0))
        continue;
      const std::string whole =
          qualifiedName(wrapper, name, timesNamed(Macros, text, name));
      if (whole.empty())
        return isOutside
                   ? caller + " is in another namespace, and can't name '" +
                         name.getAsString() + "'"
                   : "'" + name.getAsString() + "' is something else in " +
                         caller;
      for (const auto &[offset, declaration] : wrapper.outer.at)
        if (declaration->getDeclName() == name)
          qualified[declaration] =
              isSeen(whole, site, names) ? whole.substr(2) : whole;
    }
    const std::string macros =
        macroObstacle(Macros, text, {end, call, "at a call of it", true});
    // Nothing that it names may come in between, whatever comes first.
    if (!Sources.isBeforeInTranslationUnit(end, call))
      std::swap(end, call);
    // The template's text doesn't mention what a call gives it.
    for (const DeclarationName name : namesGiven(callee))
      if (words.count(name) == 0)
        used.erase(name);
    const auto between = declarationBetween(Unit.model.ast, used, {end, call});
    return between ? between->what + " stands between it and a call of it"
                   : macros;
  }

  /// Checks whether the outermost namespace of the `whole` name, such as
  /// `::lib::x`, is found from the caller by its name alone.
  bool isSeen(llvm::StringRef whole, const CallSite &site,
              const std::set<DeclarationName> &names) {
    const auto [space, rest] = whole.drop_front(2).split("::");
    const DeclarationName first = Macros.getIdentifierInfo(space);
    if (rest.empty() || names.count(first) != 0 ||
        hidesName(*site.caller, first))
      return false;
    for (const DeclContext *scope =
             site.caller->getDeclContext()->getEnclosingNamespaceContext();
         !scope->isTranslationUnit(); scope = scope->getParent())
      if (!scope->lookup(first).empty() || !scope->using_directives().empty())
        return false;
    return true;
  }

  static bool declaresName(const MovableBlock &wrapper, DeclarationName name) {
    const auto has = [name](const NamedDecl *each) {
      return each->getDeclName() == name;
    };
    return wrapper.innerNames.count(name.getAsString()) != 0 ||
           llvm::any_of(wrapper.variables, has) ||
           llvm::any_of(wrapper.templateParameters,
                        [&](const TemplateParameter &each) {
                          return has(each.declaration);
                        });
  }

  /// Checks whether the wrapper names something outside of it so, where none of
  /// its own variables hides that.
  static bool namesOutside(const MovableBlock &wrapper, DeclarationName name) {
    return wrapper.outer.inMacros.count(name) != 0 ||
           llvm::any_of(wrapper.outer.at, [name](const auto &mention) {
             return mention.second->getDeclName() == name;
           });
  }

  //===--------------------------------------------------------------------===//
  // The text
  //===--------------------------------------------------------------------===//

  std::string write(const CallSite &site, const MovableBlock &wrapper,
                    const SourceRange &range, NewNames names) {
    const std::string name = site.call->getDirectCallee()->getNameAsString();
    const std::string line = Text.lineAt(range.begin);
    MappedText text;
    text.write("// From " + name + "():", range.begin);
    if (std::string why =
            writeArguments(Text, wrapper, site, range.begin, names, text);
        !why.empty())
      return why;
    const bool isDirective =
        Text.input().substr(wrapper.statements.begin, 1) == "#";
    text.write(isDirective ? line.substr(0, line.find('\n') + 1) : line,
               range.begin);
    if (wrapper.result)
      writeResult(site, wrapper, range, names, line, text);
    else
      copyStatements(Text, wrapper, names, line, range.end, text);
    Text.replaceCall(range, std::move(text),
                     site.call->getDirectCallee()->getQualifiedNameAsString());
    return {};
  }

  /// Writes the statements, and what the last of them returns in place of the
  /// call.
  void writeResult(const CallSite &site, const MovableBlock &wrapper,
                   const SourceRange &range, const NewNames &names,
                   const std::string &line, MappedText &text) {
    const MovedResult &result = *wrapper.result;
    const std::uint32_t begin = wrapper.statements.begin;
    if (!site.result && isIdle(wrapper)) {
      if (begin < result.before)
        copyPart(Text, wrapper, {begin, result.before}, names, line, text);
      return;
    }
    copyPart(Text, wrapper, {begin, result.begin}, names, line, text);
    const auto [before, behind] = frameOf(site, result);
    const SourceRange call = callText(site);
    if (site.result)
      text.copy(Text.input(), range.begin, call.begin);
    text.write(before, result.begin);
    copyPart(Text, wrapper, {result.text.begin, result.text.end}, names, line,
             text);
    text.write(behind, result.text.end);
    if (site.result)
      text.copy(Text.input(), call.end, range.end);
    else
      text.write(";", result.text.end);
  }

  /// Checks whether nothing is lost with the result.
  bool isIdle(const MovableBlock &wrapper) const {
    const MovedResult &result = *wrapper.result;
    // The first to ask for a thread's variable makes it.
    for (const auto &[variable, use] : variableUses(*result.value))
      if (variable->getTLSKind() != VarDecl::TLS_None)
        return false;
    return !result.value->HasSideEffects(Unit.model.ast) &&
           wrapper.mentions.lower_bound(result.text.begin) ==
               wrapper.mentions.end();
  }

  /// Returns what surrounds `result` in place of the call `site`.
  std::pair<std::string, std::string> frameOf(const CallSite &site,
                                              const MovedResult &result) const {
    const ASTContext &ast = Unit.model.ast;
    const Expr &value = *result.value->IgnoreImplicit();
    const QualType wanted = site.call->getDirectCallee()->getReturnType();
    if (!site.result) {
      const auto *call = dyn_cast<CallExpr>(&value);
      const bool isCall = call && !isa<CXXOperatorCallExpr>(call);
      if (isCall && !call->hasUnusedResultAttr(ast))
        return {};
      return isCall || isa<DeclRefExpr>(value) ? std::pair("(void)", "")
                                               : std::pair("(void)(", ")");
    }
    if (!ast.hasSameUnqualifiedType(value.getType(), wanted))
      return {"static_cast<" +
                  wanted.getCanonicalType().getUnqualifiedType().getAsString(
                      PrintingPolicy(ast.getLangOpts())) +
                  ">(",
              ")"};
    const auto *builtIn = dyn_cast<BinaryOperator>(&value);
    const auto *own = dyn_cast<CXXOperatorCallExpr>(&value);
    const bool isList = (builtIn && builtIn->isCommaOp()) ||
                        (own && own->getOperator() == OO_Comma);
    return isList ? std::pair("(", ")") : std::pair("", "");
  }

  static constexpr std::size_t MostCalls = 200;
  static constexpr const char *IsLambda = "it is a lambda";
  static constexpr const char *NoStatement =
      "a call of it isn't a statement of its own";

  Rewriting &Text;
  std::size_t Before;
  const std::set<std::string> &Kept;
  HostUnit &Unit;
  FileTable &Files;
  const SourceManager &Sources;
  Preprocessor &Macros;
  std::set<const FunctionDecl *> Launching;
  std::map<const FunctionDecl *, MovableBlock> Wrappers;
  Refusals Refused;
  std::set<std::string> Moved;
};

} // namespace

RewrittenText inlineCalls(const SourceUnit &unit,
                          const std::set<std::string> &kept) {
  Rewriting rewriting(unit);
  return CallInliner(rewriting, unit.replacements().made.size(), kept).run();
}

} // namespace kfuse
