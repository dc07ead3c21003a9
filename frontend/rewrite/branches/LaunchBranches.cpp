//===- LaunchBranches.cpp - Branches that only launch ---------------------===//

#include "frontend/rewrite/branches/LaunchBranches.h"

#include "frontend/host/Expressions.h"
#include "frontend/host/Scan.h"
#include "frontend/rewrite/branches/BranchLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

using Calls = std::vector<const CUDAKernelCallExpr *>;

/// Checks whether the launch of a known kernel evaluates values only.
bool isPure(const CUDAKernelCallExpr &launch, const FileTable &files) {
  return launch.getDirectCallee() &&
         llvm::all_of(partsOf(launch),
                      [&](const Expr *part) { return isPure(*part, files); });
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

/// Checks whether `statement` assigns a variable that `part` mentions.
bool assignsNameIn(const Stmt &statement, const Stmt &part,
                   const FileTable &files) {
  const StatementNames names = namesOf(part);
  return llvm::any_of(scanHost(statement, files.sources()).assigned,
                      [&](const ValueDecl *each) {
                        return names.mentioned.count(each->getDeclName()) != 0;
                      });
}

class BranchFinder {
public:
  BranchFinder(FileTable &files, const ErrorChecks &checks)
      : Files(files), Checks(checks) {}

  std::vector<LaunchBranch> run(const CompoundStmt &block) {
    std::size_t place = 0, launches = 0;
    for (const Stmt *child : block.body()) {
      ++place;
      const auto *call = dyn_cast<CUDAKernelCallExpr>(child);
      launches += call ? 1 : 0;
      LaunchBranch branch;
      branch.place = place;
      if (call && isPure(*call, Files)) {
        Beside.push_back(call);
        IsChecked = false;
      } else if (isBranch(*child, branch)) {
        branch.isChecked = IsChecked;
        IsChecked &= llvm::none_of(branch.arms, [](const LaunchArm &arm) {
          return isa<CUDAKernelCallExpr>(arm.parts.back());
        });
        Found.push_back(std::move(branch));
      } else if (const HostStep *check = Checks.find(*child, Files)) {
        passCheck(*child, *check);
      } else if (!isa<NullStmt>(child) && !onlyDeclares(*child, Files)) {
        settle(); // It may change what they evaluate.
        Beside.clear();
        IsChecked = false;
      }
    }
    settle();
    if (Found.size() + launches < 2)
      Found.clear();
    return std::move(Found);
  }

private:
  /// Ends what launches behind the branches found tell of these: control may
  /// not come to later ones.
  void settle() {
    for (; Settled < Found.size(); ++Settled)
      Found[Settled].beside = Beside;
  }

  void passCheck(const Stmt &check, const HostStep &step) {
    settle();
    llvm::erase_if(Beside, [&](const CUDAKernelCallExpr *call) {
      return llvm::any_of(partsOf(*call), [&](const Expr *part) {
        return assignsNameIn(check, *part, Files);
      });
    });
    // One that asks for something else, too, may not run.
    IsChecked = step.onlyReports || step.takesError;
  }

  /// Adds the launches of kernels and the checks that are all of `arm`; returns
  /// false if it does more. A check that assigns or counts something isn't one
  /// that may run in any case, or behind another one.
  bool addParts(const Stmt &statement, LaunchArm &arm) const {
    // A macro may be a block that checks.
    if (const auto *block = dyn_cast<CompoundStmt>(&statement);
        block && !block->getLBracLoc().isMacroID())
      return llvm::all_of(block->body(), [&](const Stmt *each) {
        return isa<NullStmt>(each) || addParts(*each, arm);
      });
    const auto *call = dyn_cast<CUDAKernelCallExpr>(&statement);
    if (call && isPure(*call, Files))
      arm.launches.push_back(call);
    else if (const HostStep *check = Checks.find(statement, Files);
             arm.launches.empty() || !check || !check->onlyReports)
      return false;
    arm.parts.push_back(&statement);
    return true;
  }

  bool isBranch(const Stmt &statement, LaunchBranch &branch) const {
    branch.statement = &statement;
    const auto *choice = dyn_cast<SwitchStmt>(&statement);
    if (choice ? !addCases(*choice, branch.arms)
               : !addArms(&statement, {}, branch.arms))
      return false;
    std::erase_if(branch.arms,
                  [](const LaunchArm &arm) { return arm.parts.empty(); });
    return !branch.arms.empty();
  }

  /// Adds the arms of an `if`, those of its `else` too. `earlier` are the
  /// conditions of those before.
  bool addArms(const Stmt *statement, std::vector<ArmCondition> earlier,
               std::vector<LaunchArm> &arms) const {
    const auto *branch = dyn_cast<IfStmt>(statement);
    LaunchArm arm{earlier, {}, {}};
    if (!branch) {
      arms.push_back(std::move(arm));
      return !earlier.empty() && addParts(*statement, arms.back());
    }
    if (!isChosenAtRunTime(*branch) || branch->hasInitStorage() ||
        branch->hasVarStorage() || !isCondition(*branch->getCond(), Files))
      return false;
    arm.conditions.push_back({branch->getCond()});
    earlier.push_back({branch->getCond(), nullptr, /*isOpposite=*/true});
    arms.push_back(std::move(arm));
    return addParts(*branch->getThen(), arms.back()) &&
           (!branch->getElse() ||
            addArms(branch->getElse(), std::move(earlier), arms));
  }

  /// Adds an arm for each label. Each but the last one ends with `break`.
  bool addCases(const SwitchStmt &choice, std::vector<LaunchArm> &arms) const {
    const auto *block = dyn_cast<CompoundStmt>(choice.getBody());
    if (!block || choice.hasInitStorage() || choice.hasVarStorage() ||
        !isCondition(*choice.getCond(), Files))
      return false;
    std::vector<ArmCondition> labels; ///< of all arms
    bool isOpen = false;
    for (const Stmt *each : block->body()) {
      if (const auto *label = dyn_cast<SwitchCase>(each)) {
        const auto *value = dyn_cast<CaseStmt>(label);
        if (isOpen || (value && value->getRHS()))
          return false;
        arms.emplace_back();
        if (value)
          labels.push_back({choice.getCond(), value->getLHS(), true});
        arms.back().conditions.push_back(
            {choice.getCond(), value ? value->getLHS() : nullptr});
        isOpen = true;
        each = label->getSubStmt();
      }
      const bool isEnd = isa<BreakStmt>(each);
      if (!isOpen || (!isEnd && !addArmPart(*each, arms.back(), isOpen)))
        return false;
      isOpen &= !isEnd;
    }
    for (LaunchArm &arm : arms)
      if (!arm.conditions.front().label) // the default's
        arm.conditions = labels;
    return !labels.empty();
  }

  /// Adds a statement of an arm, which may be a block that ends with `break`.
  bool addArmPart(const Stmt &statement, LaunchArm &arm, bool &isOpen) const {
    const auto *block = dyn_cast<CompoundStmt>(&statement);
    if (!block || block->body_empty() || !isa<BreakStmt>(block->body_back()))
      return isa<NullStmt>(statement) || addParts(statement, arm);
    isOpen = false;
    return llvm::all_of(block->body(), [&](const Stmt *each) {
      return isa<NullStmt>(each) || each == block->body_back() ||
             addParts(*each, arm);
    });
  }

  FileTable &Files;
  const ErrorChecks &Checks;
  std::vector<LaunchBranch> Found;
  std::size_t Settled = 0; ///< of those found
  Calls Beside;
  bool IsChecked = false; ///< no launch stands behind the last check
};

} // namespace

ErrorChecks::ErrorChecks(const Program &program) : Code(program) {
  for (std::uint32_t i = 0; i < program.steps.size(); ++i)
    if (FileTable::isInputText(program.steps[i].range))
      Steps.emplace(program.steps[i].range.begin, StepId{i});
}

const HostStep *ErrorChecks::find(const Stmt &statement,
                                  FileTable &files) const {
  const SourceRange range = files.statement(statement);
  const auto [first, last] = Steps.equal_range(range.begin);
  // One macro may make several statements, or several analyses one step each.
  if (!FileTable::isInputText(range) || first == last ||
      std::next(first) != last)
    return nullptr;
  const HostStep &step = Code[first->second];
  const bool onlyChecks = step.kind == StepKind::ErrorCheck && step.editable &&
                          step.range.end == range.end &&
                          step.declares.empty() && step.effects.empty() &&
                          !step.touchesEverything;
  return onlyChecks && step.assigns.size() <=
                           scanHost(statement, files.sources()).assigned.size()
             ? &step
             : nullptr;
}

std::vector<const Expr *> partsOf(const CUDAKernelCallExpr &launch) {
  std::vector<const Expr *> parts(launch.getConfig()->arg_begin(),
                                  launch.getConfig()->arg_end());
  parts.insert(parts.end(), launch.arg_begin(), launch.arg_end());
  return parts;
}

std::vector<LaunchBranch> launchBranchesOf(const CompoundStmt &block,
                                           FileTable &files,
                                           const ErrorChecks &checks) {
  return BranchFinder(files, checks).run(block);
}

} // namespace kfuse
