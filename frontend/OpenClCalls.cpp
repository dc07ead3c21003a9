//===- frontend/OpenClCalls.cpp - What calls of OpenCL are given ----------===//

#include "frontend/OpenClCalls.h"

#include "frontend/AssignedValues.h"
#include "frontend/Callees.h"
#include "frontend/HostUnit.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace kfuse {

using namespace clang;

std::string argumentPath(std::int64_t index) {
  return ".argument(" + std::to_string(index) + ")";
}

bool isNull(const Expr &expression, ASTContext &ast) {
  return expression.isNullPointerConstant(
             ast, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
}

std::optional<std::int64_t> constantOf(const Expr &expression,
                                       const ASTContext &ast) {
  Expr::EvalResult value;
  if (expression.isValueDependent() || !expression.EvaluateAsInt(value, ast))
    return std::nullopt;
  return value.Val.getInt().tryExtValue();
}

const CallExpr *kernelCreation(const Expr &expression,
                               const SourceManager &sources) {
  const auto *call = dyn_cast<CallExpr>(expression.IgnoreParenCasts());
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const auto role = callee ? runtimeRole(*callee, sources) : std::nullopt;
  return role && role->role == RuntimeCall::Role::CreateKernel ? call : nullptr;
}

llvm::StringRef kernelNameIn(const CallExpr &creation) {
  const auto *name =
      creation.getNumArgs() > 1
          ? dyn_cast<StringLiteral>(creation.getArg(1)->IgnoreParenCasts())
          : nullptr;
  return name ? name->getString() : llvm::StringRef();
}

namespace {

constexpr std::int64_t OutOfOrder = 1; ///< of cl_command_queue_properties

class QueueFinder : public RecursiveASTVisitor<QueueFinder> {
public:
  explicit QueueFinder(const ASTContext &ast) : Ast(ast) {}
  bool hasQueue = false, isInOrder = true;

  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    const std::string name = callee ? plainName(*callee) : std::string();
    if (!name.starts_with("clCreateCommandQueue") || call->getNumArgs() != 4)
      return true;
    hasQueue = true;
    // With properties in a list only none at all are known.
    const auto properties = constantOf(*call->getArg(2), Ast);
    isInOrder &=
        name == "clCreateCommandQueue"
            ? properties && (*properties & OutOfOrder) == 0
            : call->getArg(2)->isNullPointerConstant(
                  const_cast<ASTContext &>(Ast),
                  Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
    return true;
  }

private:
  const ASTContext &Ast;
};

} // namespace

void collectOpenCl(HostUnit &unit) {
  const ASTContext &ast = unit.model.ast;
  const SourceManager &sources = unit.model.files.sources();
  const AssignedValues assigned = assignedValues(unit.order, sources);
  unit.errors = errorVariables(assigned, sources);
  for (const auto &[variable, values] : assigned.values) {
    std::set<llvm::StringRef> names;
    bool areAll = assigned.isComplete(*variable);
    for (const Expr *value : values) {
      const CallExpr *creation = kernelCreation(*value, sources);
      if (creation)
        names.insert(kernelNameIn(*creation));
      // Before, it may be null, with which no launch is possible.
      areAll &= creation || isNull(*value, const_cast<ASTContext &>(ast));
    }
    if (!areAll || names.size() != 1 || !variable->isFileVarDecl() ||
        assigned.copied.count(variable) != 0)
      continue;
    Root root;
    root.array.name = variable->getNameAsString();
    root.isHost = true;
    const RootId id = unit.model.addRoot(std::move(root));
    unit.kernelObjects[id] = unit.kernelNamed(*names.begin());
    unit.kernelVariables.emplace(variable, id);
  }
  QueueFinder queues(ast);
  for (const FunctionDecl *function : unit.order)
    queues.TraverseStmt(function->getBody());
  if (!unit.openClObstacle.empty())
    return;
  if (!queues.hasQueue)
    unit.openClObstacle = "the command queue is made elsewhere";
  else if (!queues.isInOrder)
    unit.openClObstacle = "a command queue may run commands in another order";
}

} // namespace kfuse
