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
             Files.text(asked(*last)) == Files.text(asked(*first)))
        ++last;
      if (last - first > 1)
        join({first, last});
      first = last;
    }
  }

  SourceRange asked(const LaunchBranch &branch) {
    return Files.wholeText(branch.statement->getCond()->getSourceRange());
  }

  /// Makes branches with one condition one.
  void join(const std::vector<LaunchBranch> &branches) {
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
    for (const LaunchBranch &branch : branches)
      for (const Stmt *part : branch.parts)
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
        !FileTable::isInputText(asked(branch)) ||
        !beginsStatement(Text.layout(), whole.begin) || !Text.isFree(whole) ||
        hasDirective(Files.text(whole)) ||
        !(Files.text(whole).ends_with(';') || Files.text(whole).ends_with('}')))
      return false;
    return llvm::all_of(branch.parts, [&](const Stmt *part) {
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
    addEvaluated(*branch.statement->getCond(), Files, known.texts);
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
  bool replace(const LaunchBranch &branch) {
    const SourceRange whole = Files.statement(*branch.statement);
    const EvaluatedBefore evaluated = evaluatedBeside(branch);
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
    auto copy = copies.begin();
    for (const Stmt *part : branch.parts) {
      if (part != branch.parts.front())
        text.write(Text.lineAt(whole.begin), whole.begin);
      if (const auto *call = dyn_cast<CUDAKernelCallExpr>(part))
        writeLaunch(*call, *copy++, branch, evaluated, text);
      else
        writeCheck(*part, branch, text);
    }
    Text.replace(whole, std::move(text));
    return true;
  }

  /// Returns the branches' comments, between them too, except those that are
  /// part of their conditions or launches.
  std::vector<TextToken> commentsOf(const std::vector<LaunchBranch> &branches) {
    std::vector<SourceRange> parts;
    for (const LaunchBranch &branch : branches) {
      parts.push_back(asked(branch));
      for (const Stmt *part : branch.parts)
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
  /// of launches that nothing checks.
  void writeCheck(const Stmt &check, const LaunchBranch &branch,
                  MappedText &text) {
    const SourceRange own = Files.statement(check), condition = asked(branch);
    const bool needsBraces = isa<IfStmt>(check);
    if (!branch.isChecked) {
      text.write("if (", own.begin);
      text.copy(Text.input(), condition.begin, condition.end);
      text.write(needsBraces ? ") { " : ") ", own.begin);
    }
    text.copy(Text.input(), own.begin, own.end);
    if (!branch.isChecked && needsBraces)
      text.write(" }", own.end);
  }

  void writeLaunch(const CUDAKernelCallExpr &call, const std::string &copy,
                   const LaunchBranch &branch, const EvaluatedBefore &evaluated,
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
