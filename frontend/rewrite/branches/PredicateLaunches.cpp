//===- PredicateLaunches.cpp - Launches under conditions, as plain ones ---===//

#include "frontend/rewrite/branches/PredicateLaunches.h"

#include "frontend/host/Expressions.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/KernelDefinitions.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/rewrite/branches/EvaluationRisks.h"
#include "frontend/rewrite/branches/KernelFlag.h"
#include "frontend/rewrite/branches/LaunchBranches.h"
#include "frontend/syntax/EvaluatedChildren.h"
#include "frontend/syntax/MacroNames.h"
#include "text/Tokens.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <map>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

/// Adds the texts of the expressions that `part` always evaluates.
void addEvaluated(const Stmt &part, FileTable &files,
                  std::set<std::string> &texts) {
  if (const SourceRange range = files.range(part.getSourceRange());
      FileTable::isInputText(range))
    texts.insert(files.text(range));
  for (const Stmt *each : alwaysEvaluatedIn(part))
    addEvaluated(*each, files, texts);
}

class Predicator {
public:
  Predicator(Rewriting &rewriting, const SourceUnit &unit,
             const Program &program)
      : Text(rewriting), Files(rewriting.files()),
        Ast(rewriting.unit().model.ast), Code(program), Checks(program),
        Definitions(kernelDefinitions(unit, rewriting.files())) {
    for (const Launch &launch : program.launches)
      if (FileTable::isInputText(launch.range))
        Launches[launch.range.begin] = &launch;
  }

  RewrittenText run() {
    for (const FunctionDecl *function : Text.unit().order)
      if (Function = function; Text.textObstacle(*function).empty())
        for (const CompoundStmt *block : blocksOf(*function)) {
          std::vector<LaunchBranch> branches =
              launchBranchesOf(*block, Files, Checks);
          std::erase_if(branches, [&](const LaunchBranch &each) {
            return !isPlain(each);
          });
          rewrite(branches);
        }
    return Text.finish();
  }

private:
  const Launch *launchOf(const CUDAKernelCallExpr &call) {
    const auto found = Launches.find(Files.range(call.getSourceRange()).begin);
    return found == Launches.end() ? nullptr : found->second;
  }

  void rewrite(std::vector<LaunchBranch> &branches) {
    std::erase_if(branches,
                  [&](const LaunchBranch &each) { return replace(each); });
    for (auto first = branches.begin(); first != branches.end();) {
      auto last = first + 1;
      while (last != branches.end() && last->place == (last - 1)->place + 1 &&
             first->arms.size() == 1 && last->arms.size() == 1 &&
             conditionOf(last->arms.front()) ==
                 conditionOf(first->arms.front()))
        ++last;
      if (last - first > 1)
        join({first, last});
      first = last;
    }
  }

  SourceRange asked(const Expr &value) {
    return Files.wholeText(value.getSourceRange());
  }

  /// Writes the condition of an arm, which ends where another operand of `&&`
  /// or a value that it chooses can follow.
  std::string conditionOf(const LaunchArm &arm) {
    std::string text;
    for (const ArmCondition &each : arm.conditions) {
      const Expr &value = *each.value->IgnoreImplicit();
      std::string one = Files.text(asked(*each.value));
      if (each.label)
        one = asOperand(value, one) + (each.isOpposite ? " != " : " == ") +
              asOperand(*each.label->IgnoreImplicit(),
                        Files.text(asked(*each.label)));
      else if (each.isOpposite)
        one = oppositeOf(value, one);
      else if (const auto *operation = dyn_cast<BinaryOperator>(&value);
               arm.conditions.size() > 1 &&
               !(operation && operation->isComparisonOp()))
        one = asOperand(value, one);
      text += (text.empty() ? "" : " && ") + one;
    }
    return text;
  }

  std::string oppositeOf(const Expr &value, const std::string &text) {
    const auto *operation = dyn_cast<BinaryOperator>(&value);
    const bool hasOpposite =
        operation && (operation->isEqualityOp() ||
                      (operation->isRelationalOp() &&
                       operation->getLHS()->getType()->isIntegerType() &&
                       operation->getRHS()->getType()->isIntegerType()));
    const auto isText = [&](const Expr *part) {
      return FileTable::isInputText(asked(*part));
    };
    if (!hasOpposite || !isText(operation->getLHS()) ||
        !isText(operation->getRHS()))
      return "!" + asOperand(value, text);
    const auto opposite =
        BinaryOperator::negateComparisonOp(operation->getOpcode());
    return Files.text(asked(*operation->getLHS())) + " " +
           BinaryOperator::getOpcodeStr(opposite).str() + " " +
           Files.text(asked(*operation->getRHS()));
  }

  static bool isOperand(const Expr &value) {
    return isa<DeclRefExpr, MemberExpr, CallExpr, ParenExpr, IntegerLiteral,
               CharacterLiteral>(value);
  }
  static std::string asOperand(const Expr &value, const std::string &text) {
    return isOperand(value) ? text : "(" + text + ")";
  }

  /// Makes branches with one condition one.
  void join(const std::vector<LaunchBranch> &branches) {
    SourceRange whole = Files.statement(*branches.front().statement);
    whole.end = Files.statement(*branches.back().statement).end;
    if (!Text.isFree(whole) || hasDirective(Files.text(whole)))
      return;
    const std::string line = Text.lineAt(whole.begin);
    MappedText text;
    text.write("if (" + conditionOf(branches.front().arms.front()) + ") {",
               whole.begin);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
    for (const TextToken &comment : commentsOf(branches))
      parts.emplace_back(comment.begin, comment.end);
    for (const LaunchBranch &branch : branches)
      for (const Stmt *part : branch.arms.front().parts)
        parts.emplace_back(Files.statement(*part).begin,
                           Files.statement(*part).end);
    std::sort(parts.begin(), parts.end());
    for (const auto &[begin, end] : parts) {
      text.write(line + "  ", begin);
      text.copy(Text.input(), begin, end);
    }
    text.write(line + "}", whole.end);
    Text.replace(whole, std::move(text));
  }

  /// Checks whether the branch and its parts are text of the input.
  bool isPlain(const LaunchBranch &branch) {
    const SourceRange whole = Files.statement(*branch.statement);
    if (!FileTable::isInputText(whole) ||
        !llvm::all_of(branch.arms,
                      [&](const LaunchArm &arm) { return isPlain(arm); }) ||
        !beginsStatement(Text.layout(), whole.begin) || !Text.isFree(whole) ||
        hasDirective(Files.text(whole)) ||
        !(Files.text(whole).ends_with(';') || Files.text(whole).ends_with('}')))
      return false;
    return true;
  }

  bool isPlain(const LaunchArm &arm) {
    for (const ArmCondition &each : arm.conditions)
      if (!FileTable::isInputText(asked(*each.value)) ||
          (each.label && !FileTable::isInputText(asked(*each.label))))
        return false;
    return llvm::all_of(arm.parts, [&](const Stmt *part) {
      const SourceRange own = Files.statement(*part);
      const auto *call = dyn_cast<CUDAKernelCallExpr>(part);
      const Launch *launch = call ? launchOf(*call) : nullptr;
      return FileTable::isInputText(own) &&
             (Files.text(own).ends_with(';') ||
              Files.text(own).ends_with('}')) &&
             (!call || (launch && Files.text(nameOf(*call)) ==
                                      Code[launch->kernel].name));
    });
  }

  EvaluatedBefore evaluatedBeside(const LaunchBranch &branch) {
    EvaluatedBefore known;
    addEvaluated(*branch.arms.front().conditions.front().value, Files,
                 known.texts);
    for (const CUDAKernelCallExpr *call : branch.beside)
      for (const Expr *part : partsOf(*call))
        addEvaluated(*part, Files, known.texts);
    if (!Text.unit().functions[Function].scan.hasLabel)
      known.set = variablesSetBefore(*branch.statement, *Function);
    return known;
  }

  /// Checks whether the launch can be said to be one that always happens,
  /// except for arguments that have to be guarded by the condition.
  bool canBePlain(const CUDAKernelCallExpr &call,
                  const EvaluatedBefore &evaluated) {
    const Launch &launch = *launchOf(call);
    const auto isLater = [&](const Expr *part) {
      return isRisky(*part, evaluated, Files, Ast);
    };
    return (launch.sharedBytes.text.empty() ||
            launch.sharedBytes.value.asConstant() == 0) &&
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

  /// Returns the kernel's name in the launch, without template arguments.
  SourceRange nameOf(const CUDAKernelCallExpr &call) {
    const auto *use =
        dyn_cast<DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
    return use ? Files.range({use->getLocation(), use->getLocation()})
               : SourceRange{};
  }

  /// Checks whether the conditions of several arms can be asked again behind
  /// the launches of earlier ones: these may write to what pointers lead to.
  bool areAskedAgain(const LaunchBranch &branch) {
    EvaluatedBefore known;
    if (!Text.unit().functions[Function].scan.hasLabel)
      known.set = variablesSetBefore(*branch.statement, *Function);
    return llvm::all_of(branch.arms, [&](const LaunchArm &arm) {
      return llvm::none_of(arm.conditions, [&](const ArmCondition &each) {
        return isRisky(*each.value, known, Files, Ast);
      });
    });
  }

  /// Checks whether two arms have one launch. Such a launch stood beside the
  /// branch, and each arm got a copy to be fused with.
  bool shareLaunch(const LaunchBranch &branch) {
    std::set<std::string> known;
    for (const LaunchArm &arm : branch.arms) {
      std::set<std::string> own;
      for (const CUDAKernelCallExpr *call : arm.launches)
        own.insert(Files.text(Files.statement(*call)));
      for (const std::string &each : own)
        if (!known.insert(each).second)
          return true;
    }
    return false;
  }

  /// Puts launches in place of the branch, if they can be plain ones.
  bool replace(const LaunchBranch &branch) {
    const SourceRange whole = Files.statement(*branch.statement);
    const EvaluatedBefore evaluated = evaluatedBeside(branch);
    std::vector<std::string> copies;
    const bool isChain =
        branch.arms.size() > 1 || branch.arms.front().conditions.size() > 1;
    if (isChain && (!areAskedAgain(branch) || shareLaunch(branch)))
      return false;
    for (const LaunchArm &arm : branch.arms)
      for (const CUDAKernelCallExpr *call : arm.launches)
        if (!canBePlain(*call, evaluated) ||
            (copies.push_back(copyOf(*launchOf(*call), arm)),
             copies.back().empty()))
          return false;
    MappedText text;
    for (const TextToken &comment : commentsOf({branch})) {
      text.copy(Text.input(), comment.begin, comment.end);
      text.write(Text.lineAt(whole.begin), comment.end);
    }
    auto copy = copies.begin();
    for (const LaunchArm &arm : branch.arms)
      for (const Stmt *part : arm.parts) {
        if (part != branch.arms.front().parts.front())
          text.write(Text.lineAt(whole.begin), whole.begin);
        if (const auto *call = dyn_cast<CUDAKernelCallExpr>(part))
          writeLaunch(*call, *copy++, arm, evaluated, text);
        else
          writeCheck(*part, arm, branch.isChecked && !isChain, text);
      }
    Text.replace(whole, std::move(text));
    return true;
  }

  /// Returns the branches' comments, between them too, except those that are
  /// part of their conditions or launches.
  std::vector<TextToken> commentsOf(const std::vector<LaunchBranch> &branches) {
    std::vector<SourceRange> parts;
    for (const LaunchBranch &branch : branches)
      for (const LaunchArm &arm : branch.arms) {
        for (const ArmCondition &each : arm.conditions)
          parts.push_back(asked(*each.value));
        for (const Stmt *part : arm.parts)
          parts.push_back(Files.statement(*part));
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

  /// Writes a check for errors. It may run in any case if it can't find those
  /// of launches that nothing checks, such as another arm's.
  void writeCheck(const Stmt &check, const LaunchArm &arm, bool isChecked,
                  MappedText &text) {
    const SourceRange own = Files.statement(check);
    const bool needsBraces = isa<IfStmt>(check);
    if (!isChecked)
      text.write("if (" + conditionOf(arm) + (needsBraces ? ") { " : ") "),
                 own.begin);
    text.copy(Text.input(), own.begin, own.end);
    if (!isChecked && needsBraces)
      text.write(" }", own.end);
  }

  void writeLaunch(const CUDAKernelCallExpr &call, const std::string &copy,
                   const LaunchArm &arm, const EvaluatedBefore &evaluated,
                   MappedText &text) {
    const SourceRange own = Files.statement(call), name = nameOf(call);
    const std::string condition = conditionOf(arm);
    const std::uint32_t end = launchOf(call)->range.end - 1;
    const bool isChoice = isa<AbstractConditionalOperator>(
        arm.conditions.back().value->IgnoreImplicit());
    text.copy(Text.input(), own.begin, name.begin);
    text.write(copy, name.begin);
    std::uint32_t done = name.end;
    for (const Expr *argument : call.arguments()) {
      if (!isRisky(*argument, evaluated, Files, Ast))
        continue;
      const SourceRange value = Files.wholeText(argument->getSourceRange());
      text.copy(Text.input(), done, value.begin);
      text.write(isChoice ? "(" + condition + ") ? " : condition + " ? ",
                 value.begin);
      text.copy(Text.input(), value.begin, value.end);
      text.write(" : 0", value.end);
      done = value.end;
    }
    text.copy(Text.input(), done, end);
    text.write((call.getNumArgs() == 0 ? "" : ", ") + condition, end);
    text.copy(Text.input(), end, own.end);
  }

  /// Returns the name of the launch's kernel with a flag for the condition;
  /// empty if it can't be written.
  std::string copyOf(const Launch &launch, const LaunchArm &arm) {
    const Kernel &kernel = Code[launch.kernel];
    const SourceText &source = sourceOf(kernel);
    const std::string flag = flagOf(kernel, source, arm);
    const auto [known, isNew] = Copies.insert({{kernel.text.name, flag}, ""});
    std::string &name = known->second;
    const FunctionDecl *definition = definitionOf(Definitions, kernel);
    const std::optional<std::uint32_t> place = behind(kernel.text);
    if (!isNew || !definition || !place)
      return name;
    const std::string fresh = Text.fresh(kernel.name + "_if");
    const std::string text =
        withFlag(*definition, kernel, source, Files, fresh, flag);
    if (text.empty())
      return name;
    KernelPart part = kernel.part;
    part.hasFlag = true;
    const std::uint32_t begin = kernel.text.declaration.begin;
    const std::uint32_t comments = commentsAbove(source, begin);
    Text.define(
        {fresh, kernel.name, part},
        "\n\n" + std::string(source.text.substr(comments, begin - comments)) +
            text,
        *place);
    return name = fresh;
  }

  const SourceText &sourceOf(const Kernel &kernel) {
    const std::uint32_t file = kernel.text.declaration.file;
    if (file == 0)
      return Text.layout();
    return Headers.try_emplace(file, Files.files()[file].text, file)
        .first->second;
  }

  /// Returns the place for a copy of the kernel: behind it, or behind the line
  /// that includes its header; nullopt if that line doesn't end.
  std::optional<std::uint32_t> behind(const KernelText &kernel) const {
    if (kernel.include.line == 0)
      return kernel.declaration.end;
    const std::size_t end = Text.input().find('\n', kernel.include.begin);
    if (end == std::string::npos)
      return std::nullopt;
    return static_cast<std::uint32_t>(end - (Text.layout().crlf ? 1 : 0));
  }

  /// Returns a name for the flag that nothing in the kernel has: that of a
  /// truth value, if this is the condition.
  std::string flagOf(const Kernel &kernel, const SourceText &source,
                     const LaunchArm &arm) const {
    std::string wanted = "runs";
    const ArmCondition &only = arm.conditions.front();
    const Expr *value = only.value->IgnoreParenImpCasts();
    const bool isPlain = arm.conditions.size() == 1 && !only.isOpposite &&
                         value->getType()->isBooleanType();
    const auto *use = dyn_cast<DeclRefExpr>(value);
    const auto *member = dyn_cast<MemberExpr>(value);
    if (isPlain && use)
      wanted = use->getDecl()->getNameAsString();
    if (isPlain && member)
      wanted = member->getMemberDecl()->getNameAsString();
    const std::string text(source.at(kernel.text.declaration));
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
  const ErrorChecks Checks;
  const FunctionDecl *Function = nullptr; ///< that is rewritten
  std::map<NamePlace, const FunctionDecl *> Definitions;
  std::map<std::uint32_t, SourceText> Headers;      ///< with kernels, by file
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
