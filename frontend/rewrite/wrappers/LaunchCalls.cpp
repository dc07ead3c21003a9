//===- LaunchCalls.cpp - Calls of the runtime that launch -----------------===//

#include "frontend/rewrite/wrappers/LaunchCalls.h"

#include "frontend/api/Callees.h"
#include "frontend/syntax/ControlFlow.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/VariableUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace kfuse {

using namespace clang;

namespace {

/// The arguments of cudaLaunchKernel.
enum LaunchCallArgument : unsigned {
  CalledKernel,
  CalledGrid,
  CalledBlock,
  CalledArguments,
  CalledSharedBytes,
  CalledStream,
};

class LaunchCallFinder : public SourceVisitor {
public:
  explicit LaunchCallFinder(const SourceManager &sources) : Sources(sources) {}
  std::vector<const CallExpr *> calls;
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee && isSystem(*callee, Sources) &&
        plainName(*callee) == "cudaLaunchKernel" &&
        call->getNumArgs() > CalledArguments)
      calls.push_back(call);
    return true;
  }

private:
  const SourceManager &Sources;
};

/// A call as the launch that it makes.
struct WrittenLaunch {
  SourceRange statement, call;
  std::string launch;
  bool isWhole = false; ///< the call is the statement
};

class LaunchCallWriter {
public:
  explicit LaunchCallWriter(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()), Sources(Files.sources()),
        Ast(rewriting.unit().model.ast) {}

  RewrittenText run() {
    for (const FunctionDecl *function : Text.unit().order)
      if (Text.unit().functions[function].scan.runtimeNames.count(
              "cudaLaunchKernel") != 0 &&
          Text.callerObstacle(*function).empty())
        visit(*function);
    return Text.finish();
  }

private:
  void visit(const FunctionDecl &function) {
    Function = &function;
    Uses = variableUses(*function.getBody());
    std::map<const VarDecl *, std::vector<WrittenLaunch>> launches; // by array
    std::map<const VarDecl *, const Stmt *> declared;
    for (const CompoundStmt *block : blocksOf(function))
      for (const Stmt *statement : block->body()) {
        if (const auto *declaration = dyn_cast<DeclStmt>(statement);
            declaration && declaration->isSingleDecl())
          if (const auto *array =
                  dyn_cast<VarDecl>(declaration->getSingleDecl()))
            declared[array] = declaration;
        const CallExpr *call = callIn(*statement);
        const VarDecl *array =
            call ? namedVariable(*call->getArg(CalledArguments)) : nullptr;
        const auto written =
            array ? launchOf(*statement, *call, *array) : std::nullopt;
        if (written)
          launches[array].push_back(*written);
      }
    for (const auto &[array, all] : launches)
      if (declared.count(array) != 0 && Uses[array].mentions == all.size())
        write(*declared[array], all);
  }

  /// Returns the call in the statement, which runs it once, before the rest.
  const CallExpr *callIn(const Stmt &statement) const {
    if (!isa<Expr>(statement) && !isa<DeclStmt>(statement) &&
        !statement.getBeginLoc().isMacroID())
      return nullptr;
    LaunchCallFinder finder(Sources);
    finder.TraverseStmt(const_cast<Stmt *>(&statement));
    return finder.calls.size() == 1 &&
                   comesFirst(*finder.calls.front(), statement, Ast)
               ? finder.calls.front()
               : nullptr;
  }

  /// Returns the text of an expression, even of a macro's argument; empty if it
  /// isn't plain text of the input.
  std::string textOf(const Expr &expression) const {
    const SourceRange range = spelled(expression);
    return FileTable::isInputText(range) ? Files.text(range) : std::string();
  }

  SourceRange spelled(const Expr &expression) const {
    return Files.range({Sources.getFileLoc(expression.getBeginLoc()),
                        Sources.getFileLoc(expression.getEndLoc())});
  }

  std::optional<WrittenLaunch> launchOf(const Stmt &statement,
                                        const CallExpr &call,
                                        const VarDecl &array) const {
    WrittenLaunch written;
    written.statement = Files.statement(statement);
    written.call = spelled(call);
    const std::string kernel = kernelIn(*call.getArg(CalledKernel), array);
    const std::string arguments = argumentsOf(call, array);
    const std::string grid = textOf(*call.getArg(CalledGrid)),
                      block = textOf(*call.getArg(CalledBlock));
    if (!FileTable::isInputText(written.statement) ||
        !FileTable::isInputText(written.call) ||
        !Files.text(written.statement).ends_with(';') ||
        !Text.isFree(written.statement) ||
        Text.followsPragma(written.statement.begin) || kernel.empty() ||
        arguments.empty() || grid.empty() || block.empty() ||
        grid.starts_with("{") || block.starts_with("{"))
      return std::nullopt;
    written.launch = kernel + "<<<" + grid + ", " + block;
    std::string more;
    for (const unsigned index : {CalledSharedBytes, CalledStream}) {
      const Expr *argument =
          index < call.getNumArgs() ? call.getArg(index) : nullptr;
      if (!argument || isa<CXXDefaultArgExpr>(argument))
        break;
      const std::string text = textOf(*argument);
      if (text.empty())
        return std::nullopt;
      more += ", " + text;
      if (!argument->isNullPointerConstant(Ast,
                                           Expr::NPC_ValueDependentIsNotNull))
        written.launch += std::exchange(more, {});
    }
    written.launch += ">>>" + arguments + ";";
    written.isWhole = written.call.begin == written.statement.begin &&
                      written.call.end + 1 == written.statement.end;
    return written;
  }

  /// Returns how the call names its kernel; empty if a launch may mean another
  /// one by that.
  std::string kernelIn(const Expr &argument, const VarDecl &array) const {
    const Expr *named = argument.IgnoreParenCasts();
    if (const auto *address = dyn_cast<UnaryOperator>(named);
        address && address->getOpcode() == UO_AddrOf)
      named = address->getSubExpr()->IgnoreParenCasts();
    const auto *name = dyn_cast<DeclRefExpr>(named);
    const auto *kernel =
        name ? dyn_cast<FunctionDecl>(name->getDecl()) : nullptr;
    if (!kernel || !kernel->hasAttr<CUDAGlobalAttr>() ||
        (kernel->isTemplateInstantiation() &&
         !name->hasExplicitTemplateArgs()) ||
        !kernel->getDeclContext()
             ->lookup(kernel->getDeclName())
             .isSingleResult() ||
        !fits(*kernel, array))
      return {};
    return textOf(*name);
  }

  /// Returns the listed expressions whose addresses the array holds.
  static std::vector<const Expr *> listedIn(const VarDecl &array) {
    const auto *list = dyn_cast_or_null<InitListExpr>(array.getInit());
    std::vector<const Expr *> listed;
    if (!array.isLocalVarDecl() || array.hasGlobalStorage() || !list)
      return listed;
    for (const Expr *element : list->inits())
      if (const Expr *lvalue = addressee(*element))
        listed.push_back(lvalue->IgnoreParens());
      else
        return {};
    return listed;
  }

  /// Checks whether the arguments in the array have the types of the kernel's
  /// parameters, or add a `const` to what they point to.
  bool fits(const FunctionDecl &kernel, const VarDecl &array) const {
    const std::vector<const Expr *> listed = listedIn(array);
    if (listed.size() != kernel.getNumParams())
      return false;
    for (unsigned i = 0; i < listed.size(); ++i) {
      const QualType given = listed[i]->getType(),
                     wanted = kernel.getParamDecl(i)->getType();
      const bool isSame = Ast.hasSameUnqualifiedType(given, wanted) ||
                          (given->isPointerType() && wanted->isPointerType() &&
                           Ast.hasSameType(given->getPointeeType().withConst(),
                                           wanted->getPointeeType()));
      if (!isSame || !isPlainVariable(*listed[i]))
        return false;
    }
    return true;
  }

  /// Checks whether the expression is a variable, or a member of one, that is
  /// the same wherever the function names it.
  bool isPlainVariable(const Expr &expression) const {
    if (const auto *member = dyn_cast<MemberExpr>(&expression)) {
      const Expr &object = *member->getBase()->IgnoreParenImpCasts();
      return isa<FieldDecl>(member->getMemberDecl()) &&
             !member->getMemberDecl()->getType()->isReferenceType() &&
             (member->isArrow() ? isa<CXXThisExpr>(object) &&
                                      isOnlyOne(*member->getMemberDecl())
                                : isPlainVariable(object));
    }
    const auto *name = dyn_cast<DeclRefExpr>(&expression);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable && !variable->getType()->isReferenceType() &&
           !expression.getType().isVolatileQualified() && isOnlyOne(*variable);
  }

  /// Checks whether the function declares no other variable of the name.
  bool isOnlyOne(const ValueDecl &variable) const {
    const auto &declared = Text.unit().functions[Function].scan.declared;
    return std::none_of(declared.begin(), declared.end(),
                        [&](const ValueDecl *each) {
                          return each != &variable &&
                                 each->getDeclName() == variable.getDeclName();
                        });
  }

  /// Returns the arguments in parentheses; empty if they aren't known.
  std::string argumentsOf(const CallExpr &call, const VarDecl &array) const {
    // The call is given the array itself.
    if (!call.getArg(CalledArguments)->IgnoreParenImpCasts()->isLValue())
      return {};
    std::string all;
    for (const Expr *each : listedIn(array)) {
      const std::string text = textOf(*each);
      if (text.empty())
        return {};
      all += (all.empty() ? "(" : ", ") + text;
    }
    return all.empty() ? all : all + ")";
  }

  /// Returns the line that `range` alone stands on, or `range`.
  SourceRange lineOf(SourceRange range) const {
    const std::string_view input = Text.input();
    const std::size_t before = input.find_last_not_of(" \t", range.begin - 1);
    const std::size_t behind = input.find_first_not_of(" \t\r", range.end);
    if (before != std::string_view::npos && input[before] == '\n' &&
        before + 1 < range.begin && behind != std::string_view::npos &&
        input[behind] == '\n') {
      range.begin = static_cast<std::uint32_t>(before + 1);
      range.end = static_cast<std::uint32_t>(behind + 1);
    }
    return range;
  }

  void write(const Stmt &declaration, const std::vector<WrittenLaunch> &all) {
    const SourceRange array = lineOf(Files.statement(declaration));
    if (!FileTable::isInputText(array) || !Text.isFree(array))
      return;
    const std::string unit = "launches@" + std::to_string(array.begin);
    Text.replace(array, {}, false, unit);
    for (const WrittenLaunch &each : all) {
      MappedText written;
      written.write(each.launch, each.call.begin);
      if (!each.isWhole) {
        written.write(Text.lineAt(each.statement.begin), each.call.begin);
        written.copy(Text.input(), each.statement.begin, each.call.begin);
        written.write("cudaGetLastError()", each.call.begin);
        written.copy(Text.input(), each.call.end, each.statement.end);
      }
      Text.replace(each.statement, std::move(written), false, unit);
    }
  }

  Rewriting &Text;
  FileTable &Files;
  const SourceManager &Sources;
  ASTContext &Ast;
  const FunctionDecl *Function = nullptr;
  std::map<const VarDecl *, VariableUse> Uses; ///< in it
};

} // namespace

RewrittenText writeLaunchCalls(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return LaunchCallWriter(rewriting).run();
}

} // namespace kfuse
