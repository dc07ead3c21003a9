//===- CollectOpenCl.cpp - What an OpenCL host does all over --------------===//

#include "frontend/host/CollectOpenCl.h"

#include "frontend/api/AssignedValues.h"
#include "frontend/api/Callees.h"
#include "frontend/api/OpenClCalls.h"
#include "frontend/host/Unit.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <set>

namespace kfuse {

using namespace clang;

namespace {

constexpr std::int64_t OutOfOrder = 1; ///< of cl_command_queue_properties

class QueueFinder : public SourceVisitor {
public:
  explicit QueueFinder(const ASTContext &ast) : Ast(ast) {}
  bool hasQueue = false, isInOrder = true;

  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    const std::string name = callee ? plainName(*callee) : std::string();
    if (!name.starts_with("clCreateCommandQueue") || call->getNumArgs() != 4)
      return true;
    hasQueue = true;
    // A list of properties is known only if it is null.
    const auto properties = constantOf(*call->getArg(2), Ast);
    isInOrder &=
        name == "clCreateCommandQueue"
            ? properties && (*properties & OutOfOrder) == 0
            : call->getArg(2)->isNullPointerConstant(
                  const_cast<ASTContext &>(Ast),
                  Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    if (openClClass(made->getType()) != "CommandQueue" ||
        made->getConstructor()->isCopyOrMoveConstructor() ||
        made->getNumArgs() == 0)
      return true;
    hasQueue = true;
    const Expr *given = argumentNamed("properties", *made->getConstructor(),
                                      {made->getArgs(), made->getNumArgs()});
    const auto properties = given ? constantOf(*given, Ast) : 0;
    isInOrder &= properties && (*properties & OutOfOrder) == 0;
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
    MemoryObject object;
    object.array.name = variable->getNameAsString();
    object.isHost = true;
    const ObjectId id = unit.model.addObject(std::move(object));
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
