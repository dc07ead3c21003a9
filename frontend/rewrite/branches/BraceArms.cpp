//===- BraceArms.cpp - Braces around launches that are arms ---------------===//

#include "frontend/rewrite/branches/BraceArms.h"

#include "frontend/rewrite/branches/BranchLaunches.h"

#include "clang/AST/Stmt.h"

#include <optional>

namespace kfuse {

using namespace clang;

namespace {

class ArmBracer {
public:
  explicit ArmBracer(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()) {}

  RewrittenText run() {
    const Launches launches(Text.unit());
    for (const FunctionDecl *function : Text.unit().order)
      if (Text.obstacle(*function).empty())
        for (const CompoundStmt *block : blocksOf(*function))
          for (const Stmt *child : block->body())
            if (const auto *branch = dyn_cast<IfStmt>(child);
                branch && branch->getElse() && hasBareLaunch(*branch, launches))
              brace(*branch);
    return Text.finish();
  }

private:
  /// An arm without braces, with the text up to the brackets or the `else`
  /// around it.
  struct BareArm {
    const Stmt *statement = nullptr;
    std::uint32_t begin = 0, end = 0;
    bool hasElse = false; ///< follows it
  };

  static bool hasBareLaunch(const IfStmt &branch, const Launches &launches) {
    if (launches.has(*branch.getThen()))
      return true;
    const Stmt *rest = branch.getElse();
    const auto *next = dyn_cast_or_null<IfStmt>(rest);
    return rest &&
           (next ? hasBareLaunch(*next, launches) : launches.has(*rest));
  }

  /// Puts braces around all arms, if each can get some.
  void brace(const IfStmt &branch) {
    std::vector<BareArm> arms;
    for (const Stmt *rest = &branch; rest;) {
      const auto *next = dyn_cast<IfStmt>(rest);
      const std::uint32_t end = Files.statement(*rest).end;
      const SourceLocation other = next ? next->getElseLoc() : SourceLocation();
      if (next && !isa<CompoundStmt>(next->getThen()))
        arms.push_back({next->getThen(),
                        Files.point(next->getRParenLoc()).begin + 1,
                        other.isValid() ? Files.point(other).begin : end,
                        other.isValid()});
      const Stmt *last = next ? next->getElse() : nullptr;
      if (last && !isa<IfStmt, CompoundStmt>(last))
        arms.push_back({last, Files.point(other).begin + 4, end, false});
      rest = next && last && isa<IfStmt>(last) ? last : nullptr;
    }
    if (beginsStatement(Text.layout(),
                        Files.range(branch.getSourceRange()).begin) &&
        llvm::all_of(arms, [this](const BareArm &arm) { return isPlain(arm); }))
      for (const BareArm &arm : arms)
        write(arm, Text.lineAt(Files.range(branch.getSourceRange()).begin));
  }

  SourceRange rangeOf(const BareArm &arm) {
    SourceRange range = Files.statement(*arm.statement);
    range.begin = arm.begin;
    range.end = arm.end;
    return range;
  }

  /// Checks whether the arm is plain text with nothing but blanks around it.
  bool isPlain(const BareArm &arm) {
    const SourceRange own = Files.statement(*arm.statement);
    const SourceRange whole = rangeOf(arm);
    if (!FileTable::isInputText(own) || own.begin < whole.begin ||
        whole.end < own.end || !Text.isFree(whole))
      return false;
    const std::string text = Files.text(own);
    const auto isBlank = [&](std::uint32_t begin, std::uint32_t end) {
      return Text.input()
                 .substr(begin, end - begin)
                 .find_first_not_of(" \t\r\n") == std::string::npos;
    };
    return text.ends_with(';') && isBlank(whole.begin, own.begin) &&
           isBlank(own.end, whole.end);
  }

  void write(const BareArm &arm, const std::string &line) {
    const SourceRange own = Files.statement(*arm.statement);
    MappedText text;
    text.write(" {" + Text.lineAt(own.begin), own.begin);
    text.copy(Text.input(), own.begin, own.end);
    text.write(line + (arm.hasElse ? "} " : "}"), own.end);
    Text.replace(rangeOf(arm), std::move(text));
  }

  Rewriting &Text;
  FileTable &Files;
};

} // namespace

RewrittenText braceArms(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return ArmBracer(rewriting).run();
}

} // namespace kfuse
