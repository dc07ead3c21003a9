//===- PredicateLaunches.cpp - Launches under conditions, as plain ones ---===//

#include "frontend/rewrite/branches/PredicateLaunches.h"

#include "frontend/host/Expressions.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/KernelDefinitions.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/rewrite/branches/BranchLaunches.h"
#include "frontend/rewrite/branches/EvaluationRisks.h"
#include "frontend/rewrite/branches/KernelFlag.h"
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

/// Checks whether the statement only declares variables, and so changes
/// nothing.
bool onlyDeclares(const Stmt &statement, const FileTable &files) {
  const auto *declared = dyn_cast<DeclStmt>(&statement);
  return declared && llvm::all_of(declared->decls(), [&](const Decl *each) {
           const auto *variable = dyn_cast<VarDecl>(each);
           return variable &&
                  (!variable->hasInit() || isPure(*variable->getInit(), files));
         });
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
    else if (!onlyDeclares(*child, files))
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
      return isRisky(*part, evaluated, Files, Ast);
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
      if (!isRisky(*argument, evaluated, Files, Ast))
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
    const SourceText &source = sourceOf(kernel);
    const std::string flag = flagOf(kernel, source, condition);
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
                     const Expr &condition) const {
    const Expr *value = condition.IgnoreParenImpCasts();
    std::string wanted = "runs";
    if (const auto *use = dyn_cast<DeclRefExpr>(value);
        use && use->getType()->isBooleanType())
      wanted = use->getDecl()->getNameAsString();
    if (const auto *member = dyn_cast<MemberExpr>(value);
        member && member->getType()->isBooleanType())
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
