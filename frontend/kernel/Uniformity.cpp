//===- Uniformity.cpp - What all threads of a block do alike --------------===//
//
// A variable varies between threads, or between warps, when it is assigned a
// value that does, or under a condition that does. The body is walked until no
// more variables turn out to vary; what isn't understood varies.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/Uniformity.h"

#include "frontend/kernel/ThreadGroups.h"
#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>
#include <optional>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

class Walker {
public:
  Reaches calls;

  explicit Walker(const FunctionDecl &function)
      : Ast(function.getASTContext()) {
    if (!function.hasAttr<CUDAGlobalAttr>() &&
        !function.hasAttr<OpenCLKernelAttr>())
      for (const ParmVarDecl *parameter : function.parameters())
        mark(*parameter, Reach::Some);
  }

  void run(const Stmt &body) {
    do {
      HasChanged = false;
      calls.clear();
      walk(&body, Reach::Block);
    } while (HasChanged);
    for (auto &[call, reach] : calls)
      reach = std::max(reach, Parted);
  }

private:
  /// Checks for the thread's index on the first axis.
  bool isThread(const Expr &value) const {
    const Expr *bare = value.IgnoreParenImpCasts();
    const auto coordinate = coordinateOf(bare);
    if (coordinate)
      return coordinate->kind == SymbolKind::ThreadIdx && coordinate->axis == 0;
    const auto *name = dyn_cast<DeclRefExpr>(bare);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    // A byte may be negative.
    return variable && variable->hasLocalStorage() && variable->getInit() &&
           variable->getType()->isIntegerType() &&
           Ast.getTypeSize(variable->getType()) >= 16 &&
           !Changed.contains(variable) && isThread(*variable->getInit());
  }

  std::optional<std::int64_t> numberOf(const Expr &value) const {
    const auto *name = dyn_cast<DeclRefExpr>(value.IgnoreParenImpCasts());
    if (const auto *variable =
            name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
        variable && variable->getDeclName().isIdentifier() &&
        variable->getName() == "warpSize" && !variable->hasLocalStorage())
      return WarpThreads;
    Expr::EvalResult result;
    if (value.isValueDependent() || !value.EvaluateAsInt(result, Ast))
      return std::nullopt;
    return result.Val.getInt().getExtValue();
  }

  /// Checks whether the operation gives all threads of a warp one value:
  /// `threadIdx.x / 32`, `threadIdx.x < 64`.
  bool isOfWarp(const BinaryOperator &operation) const {
    if (!isThread(*operation.getLHS()))
      return false;
    const auto number = numberOf(*operation.getRHS());
    const auto isWhole = [](std::int64_t threads) {
      return threads > 0 && threads % WarpThreads == 0;
    };
    if (!number || *number < 0 || *number >= INT32_MAX)
      return false;
    switch (operation.getOpcode()) {
    case BO_Div:
    case BO_LT:
    case BO_GE:
      return isWhole(*number);
    case BO_Shr:
      return *number >= 5 && *number < 32;
    case BO_LE:
    case BO_GT:
      return isWhole(*number + 1);
    default:
      return false;
    }
  }

  /// Returns which threads of a block see one value of `code`.
  Reach varies(const Stmt *code) const {
    if (!code)
      return Reach::Block;
    if (const auto *expression = dyn_cast<Expr>(code))
      if (const auto coordinate = coordinateOf(expression))
        return coordinate->kind == SymbolKind::ThreadIdx ? Reach::Some
                                                         : Reach::Block;
    if (const auto *operation = dyn_cast<BinaryOperator>(code);
        operation && isOfWarp(*operation))
      return Reach::Warps;
    if (const auto *expression = dyn_cast<Expr>(code);
        expression && threadGroup(expression->getType()))
      return Reach::Block;
    if (const auto *reference = dyn_cast<DeclRefExpr>(code)) {
      const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
      const bool isConstant = variable &&
                              variable->getType().isConstQualified() &&
                              variable->isFileVarDecl();
      if (variable && coordinatesIn(*variable) == SymbolKind::ThreadIdx)
        return Reach::Some;
      if (isa<BindingDecl>(reference->getDecl()))
        return Reach::Some;
      if (!variable || isConstant)
        return Reach::Block;
      if (!variable->hasLocalStorage())
        return variable->getName() == "warpSize" ? Reach::Block : Reach::Some;
      const auto known = Varying.find(variable);
      return known == Varying.end() ? Reach::Block : known->second;
    }
    const auto *call = dyn_cast<CallExpr>(code);
    if (call && isOfWholeBlock(*call))
      return Reach::Block;
    if (call && isOfWholeWarp(*call))
      return Reach::Warps;
    if (isa<ArraySubscriptExpr, LambdaExpr, CXXConstructExpr, StmtExpr>(code) ||
        (call && !isOfWholeGroup(*call)))
      return Reach::Some;
    if (const auto *member = dyn_cast<MemberExpr>(code);
        member && member->isArrow())
      return Reach::Some;
    if (const auto *operation = dyn_cast<UnaryOperator>(code);
        operation && operation->getOpcode() == UO_Deref)
      return Reach::Some;
    Reach all = Reach::Block;
    for (const Stmt *child : code->children())
      all = std::max(all, varies(child));
    return all;
  }

  void mark(const VarDecl &variable, Reach reach) {
    const auto [known, isNew] = Varying.try_emplace(&variable, reach);
    HasChanged |= isNew || known->second < reach;
    known->second = std::max(known->second, reach);
  }

  void part(Reach reach) {
    HasChanged |= Parted < reach;
    Parted = std::max(Parted, reach);
  }

  /// Notes that `target` gets other values, that the threads in `reach` see.
  void change(const Expr *target, Reach reach) {
    if (const auto *reference =
            dyn_cast<DeclRefExpr>(target->IgnoreParenCasts())) {
      if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl())) {
        HasChanged |= Changed.insert(variable).second;
        if (reach != Reach::Block)
          mark(*variable, reach);
      }
      return;
    }
    if (const auto *element =
            dyn_cast<ArraySubscriptExpr>(target->IgnoreParenCasts()))
      return change(element->getBase(), reach);
    for (const Stmt *child : target->children())
      if (const auto *part = dyn_cast_or_null<Expr>(child))
        change(part, reach);
  }

  /// Notes that other code may change `value`, if it is somewhere.
  void lend(const Expr *value) {
    if (value && value->isGLValue())
      change(value, Reach::Some);
  }

  void walkChildren(const Stmt *code, Reach reach) {
    for (const Stmt *child : code->children())
      walk(child, reach);
  }

  /// Visits `code`, which the threads in `reach` come to.
  void walk(const Stmt *code, Reach reach) {
    if (!code)
      return;
    if (isa<GotoStmt, IndirectGotoStmt, AsmStmt, LambdaExpr, CXXTryStmt,
            CXXForRangeStmt>(code))
      return part(Reach::Some);
    if (isa<ReturnStmt, BreakStmt, ContinueStmt>(code))
      part(reach);
    const auto under = [&](const Expr *condition) {
      return std::max(reach, varies(condition));
    };
    if (const auto *branch = dyn_cast<IfStmt>(code)) {
      walkChildren(code, under(branch->getCond()));
    } else if (const auto *loop = dyn_cast<ForStmt>(code)) {
      walk(loop->getInit(), reach);
      walk(loop->getConditionVariableDeclStmt(), reach);
      const Reach inside = under(loop->getCond());
      for (const Stmt *part :
           {static_cast<const Stmt *>(loop->getCond()),
            static_cast<const Stmt *>(loop->getInc()), loop->getBody()})
        walk(part, inside);
    } else if (const auto *loop = dyn_cast<WhileStmt>(code)) {
      walkChildren(code, under(loop->getCond()));
    } else if (const auto *loop = dyn_cast<DoStmt>(code)) {
      walkChildren(code, under(loop->getCond()));
    } else if (const auto *choice = dyn_cast<SwitchStmt>(code)) {
      walkChildren(code, under(choice->getCond()));
    } else if (const auto *choice =
                   dyn_cast<AbstractConditionalOperator>(code)) {
      walkChildren(code, under(choice->getCond()));
    } else if (const auto *operation = dyn_cast<BinaryOperator>(code)) {
      walkOperation(*operation, reach);
    } else if (const auto *operation = dyn_cast<UnaryOperator>(code)) {
      if (operation->getOpcode() == UO_AddrOf)
        change(operation->getSubExpr(), Reach::Some);
      else if (operation->isIncrementDecrementOp())
        change(operation->getSubExpr(), reach);
      walkChildren(code, reach);
    } else if (const auto *declaration = dyn_cast<DeclStmt>(code)) {
      walkDeclaration(*declaration, reach);
    } else if (const auto *call = dyn_cast<CallExpr>(code)) {
      calls[call] = reach;
      for (const Expr *argument : call->arguments())
        lend(argument);
      if (const auto *method = dyn_cast<CXXMemberCallExpr>(call))
        lend(method->getImplicitObjectArgument());
      walkChildren(code, reach);
    } else if (isa<CXXConstructExpr, InitListExpr>(code)) {
      for (const Stmt *argument : code->children())
        lend(dyn_cast_or_null<Expr>(argument));
      walkChildren(code, reach);
    } else {
      walkChildren(code, reach);
    }
  }

  void walkOperation(const BinaryOperator &operation, Reach reach) {
    if (operation.isAssignmentOp()) {
      const bool isWhole = isa<DeclRefExpr>(operation.getLHS()->IgnoreParens());
      change(operation.getLHS(),
             isWhole ? std::max(reach, varies(operation.getRHS()))
                     : Reach::Some);
    }
    walk(operation.getLHS(), reach);
    walk(operation.getRHS(), operation.isLogicalOp()
                                 ? std::max(reach, varies(operation.getLHS()))
                                 : reach);
  }

  void walkDeclaration(const DeclStmt &declaration, Reach reach) {
    for (const Decl *declared : declaration.decls()) {
      const auto *variable = dyn_cast<VarDecl>(declared);
      if (!variable)
        continue;
      const QualType type = variable->getType();
      const Reach value = type->isIntegralOrEnumerationType()
                              ? std::max(reach, varies(variable->getInit()))
                              : Reach::Some;
      if (value != Reach::Block)
        mark(*variable, value);
      if (type->isReferenceType() && variable->getInit())
        change(variable->getInit(), Reach::Some);
      walk(variable->getInit(), reach);
    }
  }

  const ASTContext &Ast;
  std::map<const VarDecl *, Reach> Varying;
  std::set<const VarDecl *> Changed; ///< after their declarations
  Reach Parted = Reach::Block;       ///< by jumps, from some place on
  bool HasChanged = false;
};

} // namespace

Reaches reachesIn(const FunctionDecl &function) {
  Walker walker(function);
  walker.run(*function.getBody());
  return std::move(walker.calls);
}

} // namespace kfuse
