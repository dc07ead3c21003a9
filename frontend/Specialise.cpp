//===- frontend/Specialise.cpp - Wrappers' statements for their calls -----===//

#include "frontend/Specialise.h"

#include "frontend/SameMeaning.h"
#include "frontend/SourceUnit.h"
#include "frontend/Wrapper.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <optional>

namespace kfuse {

using namespace clang;

namespace {

/// A call that is a statement of a block with another launch.
struct CallSite {
  const FunctionDecl *caller = nullptr;
  const CallExpr *call = nullptr;
  bool hasCleanups = false; ///< it makes objects that it destroys
};

/// What a function has at its launches: the calls beside others, and what keeps
/// statements from being put there.
class CallFinder : public RecursiveASTVisitor<CallFinder> {
public:
  CallFinder(const FunctionDecl &caller,
             const std::set<const FunctionDecl *> &launching)
      : Caller(caller), Launching(launching) {}

  std::vector<CallSite> sites;
  std::set<DeclarationName> names; ///< that it declares
  std::string obstacle;

  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool VisitLabelStmt(LabelStmt *) { return refuse("has labels"); }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *) {
    return refuse("has a using directive");
  }
  bool VisitNamedDecl(NamedDecl *declaration) {
    names.insert(declaration->getDeclName());
    return true;
  }
  bool VisitSwitchStmt(SwitchStmt *statement) {
    Switched.insert(statement->getBody());
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *block) {
    if (Switched.count(block) != 0)
      return true;
    std::vector<CallSite> found;
    unsigned launches = 0;
    for (const Stmt *child : block->body()) {
      const auto *expression = dyn_cast<Expr>(child);
      if (!expression)
        continue;
      const auto *cleanups = dyn_cast<ExprWithCleanups>(expression);
      const Expr *inner = cleanups ? cleanups->getSubExpr() : expression;
      const auto *call = dyn_cast<CallExpr>(inner->IgnoreParens());
      const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
      if (!callee)
        continue;
      const bool isCall = Launching.count(callee->getDefinition()) != 0;
      launches += isCall || isa<CUDAKernelCallExpr>(call);
      if (isCall && !isa<CUDAKernelCallExpr>(call))
        found.push_back({&Caller, call, cleanups != nullptr});
    }
    if (launches > 1)
      sites.insert(sites.end(), found.begin(), found.end());
    return true;
  }

private:
  bool refuse(const std::string &why) {
    obstacle = why;
    return true;
  }

  const FunctionDecl &Caller;
  const std::set<const FunctionDecl *> &Launching;
  std::set<const Stmt *> Switched;
};

class Specialiser {
public:
  Specialiser(const SourceUnit &source, HostUnit &unit, FileTable &files)
      : Source(source), Unit(unit), Files(files), Sources(files.sources()),
        Macros(source.ast().getPreprocessor()) {}

  SpecialisedText run() {
    Launching = launchingFunctions(Unit);
    for (const FunctionDecl *function : Unit.order)
      visit(*function);
    return write();
  }

private:
  /// The statements for one call.
  struct Replacement {
    SourceRange range; ///< of the call
    std::string call;
    DerivedText text;
  };

  void visit(const FunctionDecl &caller) {
    CallFinder finder(caller, Launching);
    // Bodies of lambdas aren't entered from the function around them.
    finder.TraverseDecl(const_cast<FunctionDecl *>(&caller));
    if (finder.sites.empty())
      return;
    std::string obstacle = callerObstacle(caller);
    if (obstacle.empty())
      obstacle = finder.obstacle;
    for (const CallSite &site : finder.sites) {
      const FunctionDecl &callee =
          *site.call->getDirectCallee()->getDefinition();
      std::string why =
          obstacle.empty()
              ? std::string()
              : "its caller '" + caller.getNameAsString() + "' " + obstacle;
      if (why.empty())
        why = replace(site, callee, finder.names);
      if (!why.empty())
        Calls.refused.emplace(callee.getQualifiedNameAsString(), why);
    }
  }

  std::string callerObstacle(const FunctionDecl &caller) {
    if (isa<CXXMethodDecl>(caller))
      return "is a member of a class or a lambda";
    if (caller.isTemplateInstantiation())
      return "is a template";
    const SourceRange range = Files.range(caller.getSourceRange());
    if (!FileTable::isInputText(range))
      return "isn't plain text of the input";
    if (Files.text(range).find("pragma") != std::string::npos)
      return "has a pragma";
    return {};
  }

  /// Writes the statements for a call; returns why it can't.
  std::string replace(const CallSite &site, const FunctionDecl &callee,
                      const std::set<DeclarationName> &names) {
    const Wrapper &wrapper = describe(callee);
    if (!wrapper.obstacle.empty())
      return wrapper.obstacle;
    if (Calls.made.size() + Made.size() >= MostCalls)
      return "the program has too many such calls";
    if (reaches(callee, callee) || reaches(callee, *site.caller))
      return "it calls itself";
    if (site.hasCleanups)
      return "a call of it makes temporary objects";
    const SourceRange range = Files.statement(*site.call);
    if (!FileTable::isInputText(range) || !Files.text(range).ends_with(';'))
      return "a call of it isn't a statement of its own";
    std::string why = meaningObstacle(site, wrapper, names);
    if (!why.empty())
      return why;
    return write(site, wrapper, range);
  }

  const Wrapper &describe(const FunctionDecl &callee) {
    auto known = Wrappers.find(&callee);
    if (known == Wrappers.end())
      known = Wrappers
                  .emplace(&callee, describeWrapper(Files, Macros,
                                                    Unit.functions[&callee]))
                  .first;
    return known->second;
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

  /// Why the statements would mean something else in the caller.
  std::string meaningObstacle(const CallSite &site, const Wrapper &wrapper,
                              const std::set<DeclarationName> &names) {
    const FunctionDecl &callee = *wrapper.function;
    const std::string caller = site.caller->getNameAsString();
    if (callee.getDeclContext()->getRedeclContext() !=
            site.caller->getDeclContext()->getRedeclContext() ||
        callee.getLexicalDeclContext() != callee.getDeclContext())
      return "'" + caller + "' is in another namespace";
    const std::set<DeclarationName> used = usedNames(callee);
    for (const DeclarationName name : used)
      if (names.count(name) != 0)
        return "'" + name.getAsString() + "' is something else in '" + caller +
               "'";
    const SourceLocation end = callee.getEndLoc();
    const SourceLocation call = site.call->getBeginLoc();
    const std::string later = laterDeclaration(
        *Unit.model.ast.getTranslationUnitDecl(), used, end, call);
    if (!later.empty())
      return later;
    return macroObstacle(Macros,
                         Files.text(Files.range(callee.getSourceRange())),
                         {end, call, "at a call of it", true});
  }

  /// A name that is declared anew between the function and the call, or before
  /// it when the caller comes first.
  std::string laterDeclaration(const DeclContext &scope,
                               const std::set<DeclarationName> &used,
                               SourceLocation end, SourceLocation call) {
    if (!Sources.isBeforeInTranslationUnit(end, call))
      return "it is defined behind a call of it";
    const auto isBetween = [&](SourceLocation location) {
      location = Sources.getExpansionLoc(location);
      return location.isValid() &&
             Sources.isBeforeInTranslationUnit(end, location) &&
             Sources.isBeforeInTranslationUnit(location, call);
    };
    for (const Decl *declaration : scope.decls()) {
      if (const auto *inner = dyn_cast<DeclContext>(declaration);
          inner && (isa<NamespaceDecl>(inner) || isa<LinkageSpecDecl>(inner))) {
        const std::string why = laterDeclaration(*inner, used, end, call);
        if (!why.empty())
          return why;
      }
      if (!isBetween(declaration->getLocation()))
        continue;
      if (isa<UsingDirectiveDecl>(declaration) && !declaration->isImplicit())
        return "a using directive stands between it and a call of it";
      const auto *named = dyn_cast<NamedDecl>(declaration);
      if (!named || isa<NamespaceDecl>(named) ||
          !isBetween(named->getCanonicalDecl()->getLocation()))
        continue;
      const DeclarationName name = named->getDeclName();
      const DeclarationName::NameKind kind = name.getNameKind();
      if (used.count(name) != 0 || kind == DeclarationName::CXXOperatorName ||
          kind == DeclarationName::CXXDeductionGuideName)
        return "'" + name.getAsString() +
               "' is declared between it and a call of it";
    }
    return {};
  }

  //===--------------------------------------------------------------------===//
  // The text
  //===--------------------------------------------------------------------===//

  std::string write(const CallSite &site, const Wrapper &wrapper,
                    const SourceRange &range) {
    const std::string name = wrapper.function->getNameAsString();
    const std::string line = newline() + indentation(range.begin);
    Replacement made{range, Files.text(range), {}};
    DerivedText &text = made.text;
    text.write("// From " + name + "():", range.begin);
    std::map<const VarDecl *, std::string> names;
    for (unsigned i = 0; i < wrapper.variables.size(); ++i) {
      const VarDecl *variable = wrapper.variables[i];
      const auto *parameter = dyn_cast<ParmVarDecl>(variable);
      if (!parameter) {
        names[variable] = fresh(name + "_" + variable->getNameAsString());
        continue;
      }
      const Expr &argument = argumentOf(*site.call, i);
      const SourceRange written = Files.wholeText(argument.getSourceRange());
      const std::string value = Files.text(written);
      if (value.empty() || written.inMacro || written.file != 0)
        return "an argument of a call of it isn't plain text";
      if (standsFor(argument, *parameter, wrapper, *site.caller)) {
        names[variable] = value;
        continue;
      }
      names[variable] = fresh(name + "_" + variable->getNameAsString());
      text.write(line + declarator(Files, *parameter, names[variable]) + " = " +
                     value + ";",
                 range.begin);
    }
    text.write(line, range.begin);
    copyStatements(wrapper, names, line, text);
    Made.push_back(std::move(made));
    return {};
  }

  const Expr &argumentOf(const CallExpr &call, unsigned index) const {
    const Expr *argument = call.getArg(index)->IgnoreImplicit();
    if (const auto *standard = dyn_cast<CXXDefaultArgExpr>(argument))
      return *standard->getExpr()->IgnoreImplicit();
    return *argument;
  }

  /// The types but for their own `const`, and for that of what a pointer points
  /// to where the kernel's parameter brings it about anyway.
  bool isSameType(QualType given, QualType wanted, bool mayAddConst) const {
    const ASTContext &ast = Unit.model.ast;
    if (ast.hasSameUnqualifiedType(given, wanted))
      return true;
    return mayAddConst && given->isPointerType() && wanted->isPointerType() &&
           ast.hasSameType(given->getPointeeType().withConst(),
                           wanted->getPointeeType());
  }

  /// Whether the argument's text can stand for each mention of the parameter: a
  /// local variable that nothing in the wrapper can change, or a number.
  bool standsFor(const Expr &argument, const ParmVarDecl &parameter,
                 const Wrapper &wrapper, const FunctionDecl &caller) {
    if (wrapper.values.count(&parameter) == 0 ||
        argument.getBeginLoc().isMacroID() ||
        !isSameType(argument.getType(), parameter.getType(),
                    wrapper.passed.count(&parameter) != 0))
      return false;
    if (isa<IntegerLiteral>(argument))
      return true;
    const auto *use = dyn_cast<DeclRefExpr>(&argument);
    const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!variable || variable->hasGlobalStorage() ||
        variable->getType()->isReferenceType() ||
        variable->getType().isVolatileQualified() ||
        wrapper.innerNames.count(variable->getNameAsString()) != 0)
      return false;
    const auto &known = Unit.functions[&caller].scan.addressTaken;
    return std::find(known.begin(), known.end(),
                     variable->getCanonicalDecl()) == known.end();
  }

  /// The wrapper's statements, other names in them, at the caller's
  /// indentation.
  void copyStatements(const Wrapper &wrapper,
                      const std::map<const VarDecl *, std::string> &names,
                      const std::string &line, DerivedText &text) const {
    const std::string &input = Source.text();
    const std::size_t indent = indentation(wrapper.statements.begin).size();
    std::uint32_t copied = wrapper.statements.begin;
    for (std::uint32_t at = copied; at < wrapper.statements.end;) {
      const auto mention = wrapper.mentions.find(at);
      if (mention != wrapper.mentions.end()) {
        text.copy(input, copied, at);
        text.write(names.at(mention->second), at);
        at += static_cast<std::uint32_t>(
            mention->second->getNameAsString().size());
        copied = at;
      } else if (input[at++] == '\n') {
        text.copy(input, copied, at);
        std::uint32_t begin = at;
        while (begin < wrapper.statements.end && begin < at + indent &&
               (input[begin] == ' ' || input[begin] == '\t'))
          ++begin;
        const bool isBlank = begin < input.size() &&
                             (input[begin] == '\n' || input[begin] == '\r');
        if (!isBlank)
          text.write(line.substr(newline().size()), begin);
        copied = at = begin;
      }
    }
    text.copy(input, copied, wrapper.statements.end);
  }

  std::string newline() const {
    const std::string &input = Source.text();
    const std::size_t end = input.find('\n');
    return end != std::string::npos && end > 0 && input[end - 1] == '\r'
               ? "\r\n"
               : "\n";
  }

  std::string indentation(std::uint32_t offset) const {
    const std::string &input = Source.text();
    std::size_t begin = offset;
    while (begin > 0 && input[begin - 1] != '\n')
      --begin;
    std::size_t end = begin;
    while (end < offset && (input[end] == ' ' || input[end] == '\t'))
      ++end;
    return input.substr(begin, end - begin);
  }

  /// A name that nothing in the unit has.
  std::string fresh(const std::string &wanted) {
    for (unsigned count = 1;; ++count) {
      std::string name =
          count == 1 ? wanted : wanted + "_" + std::to_string(count);
      const bool isKnown = Macros.getIdentifierTable().find(name) !=
                           Macros.getIdentifierTable().end();
      if (!isKnown && Taken.insert(name).second)
        return name;
    }
  }

  SpecialisedText write() {
    std::sort(Made.begin(), Made.end(),
              [](const Replacement &lhs, const Replacement &rhs) {
                return lhs.range.begin < rhs.range.begin;
              });
    SpecialisedText result;
    result.calls = std::move(Calls);
    if (Made.empty())
      return result;
    const std::string &input = Source.text();
    std::uint32_t copied = 0;
    // What earlier rounds put in has moved.
    std::vector<Specialisation> made = Source.specialisations().made;
    const std::vector<Specialisation> before = made;
    for (const Replacement &each : Made) {
      result.text.copy(input, copied, each.range.begin);
      const auto begin = static_cast<std::uint32_t>(result.text.text.size());
      result.text.append(each.text);
      copied = each.range.end;
      Specialisation place{each.range, each.call};
      place.range.begin = begin;
      place.range.end = static_cast<std::uint32_t>(result.text.text.size());
      made.push_back(place);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const std::uint32_t grown = static_cast<std::uint32_t>(
            each.text.text.size() - (each.range.end - each.range.begin));
        if (before[i].range.begin >= each.range.end)
          made[i].range.begin += grown;
        if (before[i].range.end >= each.range.end)
          made[i].range.end += grown;
      }
    }
    result.text.copy(input, copied, static_cast<std::uint32_t>(input.size()));
    std::sort(made.begin(), made.end(),
              [](const Specialisation &lhs, const Specialisation &rhs) {
                return std::pair(lhs.range.begin, rhs.range.end) <
                       std::pair(rhs.range.begin, lhs.range.end);
              });
    result.calls.made = std::move(made);
    return result;
  }

  static constexpr std::size_t MostCalls = 200;

  const SourceUnit &Source;
  HostUnit &Unit;
  FileTable &Files;
  const SourceManager &Sources;
  Preprocessor &Macros;
  std::set<const FunctionDecl *> Launching;
  std::map<const FunctionDecl *, Wrapper> Wrappers;
  std::set<std::string> Taken;
  std::vector<Replacement> Made;
  Specialisations Calls;
};

} // namespace

SpecialisedText specialise(const SourceUnit &unit) {
  ASTContext &ast = unit.ast().getASTContext();
  Program program;
  FileTable files(ast);
  HostUnit host(ast, unit.ast().getPreprocessor(), files, program);
  collectFunctions(host);
  return Specialiser(unit, host, files).run();
}

} // namespace kfuse
