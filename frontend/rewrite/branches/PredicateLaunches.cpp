//===- PredicateLaunches.cpp - Launches under conditions, as plain ones ---===//

#include "frontend/rewrite/branches/PredicateLaunches.h"

#include "frontend/host/Expressions.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/KernelDefinitions.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/rewrite/branches/BranchLaunches.h"
#include "frontend/rewrite/branches/KernelFlag.h"
#include "frontend/syntax/EvaluatedChildren.h"
#include "frontend/syntax/MacroNames.h"
#include "frontend/syntax/SourceVisitor.h"
#include "text/Tokens.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <map>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

using Calls = std::vector<const CUDAKernelCallExpr *>;

/// Returns what the launch evaluates.
std::vector<const Expr *> partsOf(const CUDAKernelCallExpr &launch) {
  std::vector<const Expr *> parts(launch.getConfig()->arg_begin(),
                                  launch.getConfig()->arg_end());
  parts.insert(parts.end(), launch.arg_begin(), launch.arg_end());
  return parts;
}

/// Checks whether the launch of a known kernel evaluates values only.
bool isPure(const CUDAKernelCallExpr &launch, const FileTable &files) {
  return launch.getDirectCallee() &&
         llvm::all_of(partsOf(launch),
                      [&](const Expr *part) { return isPure(*part, files); });
}

/// Adds the launches of kernels that are all of `arm`; returns false if it does
/// more.
bool addLaunches(const Stmt &arm, const FileTable &files, Calls &calls) {
  if (const auto *block = dyn_cast<CompoundStmt>(&arm))
    return llvm::all_of(block->body(), [&](const Stmt *each) {
      return addLaunches(*each, files, calls);
    });
  const auto *call = dyn_cast<CUDAKernelCallExpr>(&arm);
  if (!call || !isPure(*call, files))
    return false;
  calls.push_back(call);
  return true;
}

/// Returns the kernels' launches that are all of `arm`; empty if it does more.
Calls launchesOf(const Stmt &arm, const FileTable &files) {
  Calls calls;
  return addLaunches(arm, files, calls) ? calls : Calls{};
}

/// Checks whether the condition can be asked for again, as an argument.
bool isCondition(const Expr &condition, const FileTable &files) {
  const Expr &value = *condition.IgnoreImplicit();
  const auto *binary = dyn_cast<BinaryOperator>(&value);
  return isPure(condition, files) && !(binary && binary->isCommaOp()) &&
         !value.getType()->isRecordType();
}

/// A branch that only launches, with the launches beside it that aren't in
/// branches: what these evaluate is evaluated in any case.
struct Branch {
  const IfStmt *statement = nullptr;
  Calls launches, beside;
  std::size_t place = 0; ///< among the block's statements
};

/// Returns such branches of a block that has other launches or such branches.
std::vector<Branch> branchesOf(const CompoundStmt &block,
                               const FileTable &files) {
  std::vector<Branch> all;
  Calls beside;
  std::size_t row = 0, place = 0, launches = 0;
  const auto finish = [&] {
    for (; row < all.size(); ++row)
      all[row].beside = beside;
    beside.clear();
  };
  for (const Stmt *child : block.body()) {
    ++place;
    const auto *branch = dyn_cast<IfStmt>(child);
    const auto *call = dyn_cast<CUDAKernelCallExpr>(child);
    launches += call ? 1 : 0;
    if (call && isPure(*call, files))
      beside.push_back(call);
    else if (branch && !branch->getElse() && isChosenAtRunTime(*branch) &&
             !branch->hasInitStorage() && !branch->hasVarStorage() &&
             isCondition(*branch->getCond(), files) &&
             !launchesOf(*branch->getThen(), files).empty())
      all.push_back({branch, launchesOf(*branch->getThen(), files), {}, place});
    else
      finish(); // It may change what they evaluate.
  }
  finish();
  if (all.size() + launches < 2)
    all.clear();
  return all;
}

/// Adds the texts of the expressions that `part` always evaluates.
void addEvaluated(const Stmt &part, FileTable &files,
                  std::set<std::string> &texts) {
  if (const SourceRange range = files.range(part.getSourceRange());
      FileTable::isInputText(range))
    texts.insert(files.text(range));
  if (const auto *binary = dyn_cast<BinaryOperator>(&part);
      binary && binary->isLogicalOp())
    addEvaluated(*binary->getLHS(), files, texts);
  else if (const auto *choice = dyn_cast<AbstractConditionalOperator>(&part))
    addEvaluated(*choice->getCond(), files, texts);
  else
    for (const Stmt *each : evaluatedIn(part))
      addEvaluated(*each, files, texts);
}

/// Finds what may have no value, or change what a compiler knows, if it is
/// evaluated where the user's program doesn't.
class RiskFinder : public SourceVisitor {
public:
  RiskFinder(FileTable &files, const ASTContext &ast,
             const std::set<std::string> &evaluated)
      : Files(files), Ast(ast), Evaluated(evaluated) {}
  bool isFound = false;

  bool enterStmt(Stmt *part) override {
    const auto *expression = dyn_cast<Expr>(part);
    if (isFound || !expression || isEvaluated(*expression) ||
        (!expression->isValueDependent() && expression->isEvaluatable(Ast)))
      return false;
    isFound = isRisky(*expression);
    return !isFound;
  }

private:
  bool isEvaluated(const Expr &part) const {
    return !Evaluated.empty() &&
           Evaluated.count(Files.text(Files.range(part.getSourceRange()))) != 0;
  }

  bool isRisky(const Expr &part) const {
    if (const auto *call = dyn_cast<CallExpr>(&part))
      return !isHarmless(*call);
    if (const auto *use = dyn_cast<DeclRefExpr>(&part))
      return !hasValue(*use->getDecl());
    if (const auto *member = dyn_cast<MemberExpr>(&part))
      return member->isArrow() &&
             !isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    if (const auto *cast = dyn_cast<CastExpr>(&part))
      return cast->getCastKind() == CK_FloatingToIntegral;
    // Numbers that are added may overflow.
    if (const auto *binary = dyn_cast<BinaryOperator>(&part))
      return !binary->isComparisonOp() && !binary->isLogicalOp() &&
             !binary->getType()->isFloatingType();
    if (const auto *unary = dyn_cast<UnaryOperator>(&part))
      return unary->getOpcode() == UO_Deref ||
             (unary->getOpcode() == UO_Minus &&
              !unary->getType()->isFloatingType());
    if (const auto *made = dyn_cast<CXXConstructExpr>(&part))
      return !made->getConstructor()->isTrivial() &&
             made->getType().getUnqualifiedType().getAsString() != "dim3";
    return !isa<ParenExpr, CXXThisExpr, AbstractConditionalOperator,
                MaterializeTemporaryExpr, ExprWithCleanups, CXXDefaultArgExpr,
                InitListExpr>(part);
  }
  /// Checks whether the call has a value if its object and arguments have one:
  /// it is a getter, or a helper that does nothing risky itself.
  bool isHarmless(const CallExpr &call) const {
    const FunctionDecl *callee = call.getDirectCallee();
    if (!callee)
      return false;
    const auto *method = dyn_cast<CXXMethodDecl>(callee);
    if (method && method->getParent()->isInStdNamespace() && isGetter(*method))
      return true;
    const auto body = helperBody(*callee);
    if (!body)
      return false;
    static const std::set<std::string> None; // of the caller's text
    RiskFinder inner(Files, Ast, None);
    for (const VarDecl *constant : body->constants)
      inner.TraverseStmt(const_cast<Expr *>(constant->getInit()));
    inner.TraverseStmt(const_cast<Expr *>(body->value));
    return !inner.isFound;
  }

  /// Checks whether the name has a value from where it is declared.
  static bool hasValue(const ValueDecl &named) {
    const auto *variable = dyn_cast<VarDecl>(&named);
    if (!variable || !variable->hasLocalStorage() || isa<ParmVarDecl>(variable))
      return true;
    const auto *made = dyn_cast_or_null<CXXConstructExpr>(variable->getInit());
    return variable->getInit() &&
           !(made && made->getConstructor()->isTrivial() &&
             made->getConstructor()->isDefaultConstructor());
  }

  FileTable &Files;
  const ASTContext &Ast;
  const std::set<std::string> &Evaluated;
};

class Predicator {
public:
  Predicator(Rewriting &rewriting, const SourceUnit &unit,
             const Program &program)
      : Text(rewriting), Files(rewriting.files()),
        Ast(rewriting.unit().model.ast), Code(program),
        Definitions(kernelDefinitions(unit, rewriting.files())) {
    for (const Launch &launch : program.launches)
      if (FileTable::isInputText(launch.range))
        Launches[launch.range.begin] = &launch;
  }

  RewrittenText run() {
    for (const FunctionDecl *function : Text.unit().order)
      if (Text.textObstacle(*function).empty())
        for (const CompoundStmt *block : blocksOf(*function)) {
          std::vector<Branch> branches = branchesOf(*block, Files);
          std::erase_if(branches,
                        [&](const Branch &each) { return !isPlain(each); });
          rewrite(branches);
        }
    return Text.finish();
  }

private:
  const Launch *launchOf(const CUDAKernelCallExpr &call) {
    const auto found = Launches.find(Files.range(call.getSourceRange()).begin);
    return found == Launches.end() ? nullptr : found->second;
  }

  void rewrite(std::vector<Branch> &branches) {
    std::erase_if(branches, [&](const Branch &each) { return replace(each); });
    for (auto first = branches.begin(); first != branches.end();) {
      auto last = first + 1;
      while (last != branches.end() && last->place == (last - 1)->place + 1 &&
             Files.text(asked(*last)) == Files.text(asked(*first)))
        ++last;
      if (last - first > 1)
        join({first, last});
      first = last;
    }
  }

  SourceRange asked(const Branch &branch) {
    return Files.wholeText(branch.statement->getCond()->getSourceRange());
  }

  /// Makes branches with one condition one.
  void join(const std::vector<Branch> &branches) {
    SourceRange whole = Files.statement(*branches.front().statement);
    whole.end = Files.statement(*branches.back().statement).end;
    if (!Text.isFree(whole) || hasDirective(Files.text(whole)))
      return;
    const std::string line = Text.lineAt(whole.begin);
    MappedText text;
    text.write("if (", whole.begin);
    text.copy(Text.input(), asked(branches.front()).begin,
              asked(branches.front()).end);
    text.write(") {", whole.begin);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
    for (const TextToken &comment : commentsOf(branches))
      parts.emplace_back(comment.begin, comment.end);
    for (const Branch &branch : branches)
      for (const CUDAKernelCallExpr *call : branch.launches)
        parts.emplace_back(Files.statement(*call).begin,
                           Files.statement(*call).end);
    std::sort(parts.begin(), parts.end());
    for (const auto &[begin, end] : parts) {
      text.write(line + "  ", begin);
      text.copy(Text.input(), begin, end);
    }
    text.write(line + "}", whole.end);
    Text.replace(whole, std::move(text));
  }

  /// Checks whether the branch and its parts are text of the input.
  bool isPlain(const Branch &branch) {
    const SourceRange whole = Files.statement(*branch.statement);
    if (!FileTable::isInputText(whole) ||
        !FileTable::isInputText(asked(branch)) ||
        !beginsStatement(Text.layout(), whole.begin) || !Text.isFree(whole) ||
        hasDirective(Files.text(whole)) ||
        !(Files.text(whole).ends_with(';') || Files.text(whole).ends_with('}')))
      return false;
    return llvm::all_of(branch.launches, [&](const CUDAKernelCallExpr *call) {
      const SourceRange own = Files.statement(*call);
      const Launch *launch = launchOf(*call);
      return launch && FileTable::isInputText(own) &&
             Files.text(own).ends_with(';') &&
             Files.text(nameOf(*call)) == Code[launch->kernel].name;
    });
  }

  /// Returns what the branch's launches and those beside it always evaluate.
  std::set<std::string> evaluatedBeside(const Branch &branch) {
    std::set<std::string> texts;
    addEvaluated(*branch.statement->getCond(), Files, texts);
    for (const CUDAKernelCallExpr *call : branch.beside)
      for (const Expr *part : partsOf(*call))
        addEvaluated(*part, Files, texts);
    return texts;
  }

  /// Checks whether the launch can be said to be one that always happens,
  /// except for arguments that have to be guarded by the condition.
  bool canBePlain(const CUDAKernelCallExpr &call,
                  const std::set<std::string> &evaluated) {
    const Launch &launch = *launchOf(call);
    const auto isLater = [&](const Expr *part) {
      return isRisky(*part, evaluated);
    };
    return launch.sharedBytes.text.empty() &&
           llvm::none_of(call.getConfig()->arguments(), isLater) &&
           llvm::all_of(call.arguments(), [&](const Expr *argument) {
             return !isLater(argument) || staysItsType(argument->getType());
           });
  }

  /// Checks whether `condition ? value : 0` has the type of the value.
  bool staysItsType(QualType type) const {
    return type->isBuiltinType() && type->isArithmeticType() &&
           !type->isHalfType() && !type->isBooleanType() &&
           !Ast.isPromotableIntegerType(type);
  }

  bool isRisky(const Expr &part, const std::set<std::string> &evaluated) {
    RiskFinder finder(Files, Ast, evaluated);
    finder.TraverseStmt(const_cast<Expr *>(&part));
    return finder.isFound;
  }

  /// Returns the kernel's name in the launch, without template arguments.
  SourceRange nameOf(const CUDAKernelCallExpr &call) {
    const auto *use =
        dyn_cast<DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
    return use ? Files.range({use->getLocation(), use->getLocation()})
               : SourceRange{};
  }

  /// Puts launches in place of the branch, if they can be plain ones.
  bool replace(const Branch &branch) {
    const SourceRange whole = Files.statement(*branch.statement);
    const std::set<std::string> evaluated = evaluatedBeside(branch);
    std::vector<std::string> copies;
    for (const CUDAKernelCallExpr *call : branch.launches)
      if (!canBePlain(*call, evaluated) ||
          (copies.push_back(
               copyOf(*launchOf(*call), *branch.statement->getCond())),
           copies.back().empty()))
        return false;
    MappedText text;
    for (const TextToken &comment : commentsOf({branch})) {
      text.copy(Text.input(), comment.begin, comment.end);
      text.write(Text.lineAt(whole.begin), comment.end);
    }
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (i > 0)
        text.write(Text.lineAt(whole.begin), whole.begin);
      writeLaunch(*branch.launches[i], copies[i], branch, evaluated, text);
    }
    Text.replace(whole, std::move(text));
    return true;
  }

  /// Returns the branches' comments, between them too, except those that are
  /// part of their conditions or launches.
  std::vector<TextToken> commentsOf(const std::vector<Branch> &branches) {
    std::vector<SourceRange> parts;
    for (const Branch &branch : branches) {
      parts.push_back(asked(branch));
      for (const CUDAKernelCallExpr *call : branch.launches)
        parts.push_back(Files.statement(*call));
    }
    const std::uint32_t end = Files.statement(*branches.back().statement).end;
    std::vector<TextToken> comments;
    const std::vector<TextToken> &tokens = Text.layout().tokens;
    for (std::size_t i = tokenAt(
             Text.layout(), Files.statement(*branches.front().statement).begin);
         i < tokens.size() && tokens[i].begin < end; ++i)
      if (tokens[i].kind == TokenKind::Comment &&
          llvm::none_of(parts, [&](const SourceRange &part) {
            return part.begin <= tokens[i].begin && tokens[i].end <= part.end;
          }))
        comments.push_back(tokens[i]);
    return comments;
  }

  void writeLaunch(const CUDAKernelCallExpr &call, const std::string &copy,
                   const Branch &branch, const std::set<std::string> &evaluated,
                   MappedText &text) {
    const SourceRange own = Files.statement(call), name = nameOf(call);
    const SourceRange condition = asked(branch);
    const std::uint32_t end = launchOf(call)->range.end - 1;
    const bool isChoice = isa<AbstractConditionalOperator>(
        branch.statement->getCond()->IgnoreImplicit());
    text.copy(Text.input(), own.begin, name.begin);
    text.write(copy, name.begin);
    std::uint32_t done = name.end;
    for (const Expr *argument : call.arguments()) {
      if (!isRisky(*argument, evaluated))
        continue;
      const SourceRange value = Files.wholeText(argument->getSourceRange());
      text.copy(Text.input(), done, value.begin);
      text.write(isChoice ? "(" : "", value.begin);
      text.copy(Text.input(), condition.begin, condition.end);
      text.write(isChoice ? ") ? " : " ? ", value.begin);
      text.copy(Text.input(), value.begin, value.end);
      text.write(" : 0", value.end);
      done = value.end;
    }
    text.copy(Text.input(), done, end);
    text.write(call.getNumArgs() == 0 ? "" : ", ", end);
    text.copy(Text.input(), condition.begin, condition.end);
    text.copy(Text.input(), end, own.end);
  }

  /// Returns the name of the launch's kernel with a flag for the condition;
  /// empty if it can't be written.
  std::string copyOf(const Launch &launch, const Expr &condition) {
    const Kernel &kernel = Code[launch.kernel];
    const std::string flag = flagOf(kernel, condition);
    const auto [known, isNew] = Copies.insert({{kernel.text.name, flag}, ""});
    std::string &name = known->second;
    const auto definition = Definitions.find(kernel.text.name.begin);
    if (!isNew || definition == Definitions.end())
      return name;
    const std::string fresh = Text.fresh(kernel.name + "_if");
    const std::string text = withFlag(*definition->second, kernel,
                                      Text.layout(), Files, fresh, flag);
    if (text.empty())
      return name;
    KernelPart part = kernel.part;
    part.hasFlag = true;
    const std::uint32_t begin = kernel.text.declaration.begin;
    const std::uint32_t comments = commentsAbove(Text.layout(), begin);
    Text.define({fresh, kernel.name, part},
                "\n\n" + Text.input().substr(comments, begin - comments) + text,
                kernel.text.declaration.end);
    return name = fresh;
  }

  /// Returns a name for the flag that nothing in the kernel has: that of a
  /// truth value, if this is the condition.
  std::string flagOf(const Kernel &kernel, const Expr &condition) const {
    const Expr *value = condition.IgnoreParenImpCasts();
    std::string wanted = "runs";
    if (const auto *use = dyn_cast<DeclRefExpr>(value);
        use && use->getType()->isBooleanType())
      wanted = use->getDecl()->getNameAsString();
    if (const auto *member = dyn_cast<MemberExpr>(value);
        member && member->getType()->isBooleanType())
      wanted = member->getMemberDecl()->getNameAsString();
    const std::string text(Text.layout().at(kernel.text.declaration));
    std::set<std::string_view> taken;
    for (const TextToken &token : tokensOf(text))
      taken.insert(spelling(text, token));
    std::string name = wanted;
    for (unsigned count = 2;
         taken.count(name) != 0 || isInMacro(name, Text.macros()); ++count)
      name = wanted + std::to_string(count);
    return name;
  }

  Rewriting &Text;
  FileTable &Files;
  const ASTContext &Ast;
  const Program &Code;
  std::map<std::uint32_t, const FunctionDecl *> Definitions;
  std::map<std::uint32_t, const Launch *> Launches; ///< by where they begin
  std::map<std::pair<SourceRange, std::string>, std::string>
      Copies; ///< by the kernel's name and the flag
};

} // namespace

RewrittenText predicateLaunches(const SourceUnit &unit,
                                const Program &program) {
  Rewriting rewriting(unit);
  return Predicator(rewriting, unit, program).run();
}

} // namespace kfuse
