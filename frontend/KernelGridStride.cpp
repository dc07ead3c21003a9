//===- frontend/KernelGridStride.cpp - Grid-stride loops, grid shape ------===//
//
// `for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x *
// blockDim.x)` over a whole kernel runs each i once, whatever the grid: its
// shape may be changed. Any other use of the grid's shape may not.
//
//===----------------------------------------------------------------------===//

#include "frontend/KernelExecutor.h"
#include "frontend/SourceRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace kfuse {

using namespace clang;

namespace {

/// Uses of coordinates and of variables in a piece of code.
class UseFinder : public RecursiveASTVisitor<UseFinder> {
public:
  std::set<const VarDecl *> variables;
  std::vector<const Expr *> coordinates;

  bool VisitExpr(Expr *expression) {
    // The read of a coordinate contains the coordinate: one is enough.
    if (!isa<ParenExpr, ImplicitCastExpr, PseudoObjectExpr>(expression) &&
        coordinateOf(expression))
      coordinates.push_back(expression);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      variables.insert(variable);
    return true;
  }
};

UseFinder usesIn(const Stmt *code) {
  UseFinder finder;
  if (code)
    finder.TraverseStmt(const_cast<Stmt *>(code));
  return finder;
}

/// Declarations, then one loop, which is all that the kernel does.
struct LoopKernel {
  std::vector<const DeclStmt *> prologue;
  const ForStmt *loop = nullptr;
};

std::optional<LoopKernel> splitBody(const CompoundStmt &body) {
  LoopKernel result;
  for (const Stmt *statement : body.body()) {
    if (isa<NullStmt>(statement))
      continue;
    if (result.loop)
      return std::nullopt;
    if (const auto *declaration = dyn_cast<DeclStmt>(statement))
      result.prologue.push_back(declaration);
    else if (const auto *loop = dyn_cast<ForStmt>(statement))
      result.loop = loop;
    else
      return std::nullopt;
  }
  if (!result.loop || !result.loop->getCond() || !result.loop->getInc())
    return std::nullopt;
  return result;
}

/// The variable that the loop's increment changes.
const VarDecl *loopVariable(const ForStmt &loop) {
  const CodeEffects effects = effectsOf({loop.getInc()});
  return effects.modified.size() == 1 ? *effects.modified.begin() : nullptr;
}

/// Whether the body works on the loop's variable alone: it knows nothing else
/// of the thread it runs in, and leaves nothing to the next iteration.
bool isIndependent(const LoopKernel &kernel, const VarDecl &variable) {
  const CodeEffects effects = effectsOf({kernel.loop->getBody()});
  if (effects.hasBreak || effects.hasContinue || effects.hasReturn)
    return false;
  const clang::SourceRange inside = kernel.loop->getBody()->getSourceRange();
  for (const VarDecl *modified : effects.modified)
    if (modified->hasLocalStorage() &&
        !inside.fullyContains(modified->getSourceRange()))
      return false;
  std::set<const VarDecl *> tainted;
  for (const DeclStmt *statement : kernel.prologue)
    for (const Decl *declaration : statement->decls()) {
      const auto *local = dyn_cast<VarDecl>(declaration);
      if (!local || !local->hasLocalStorage())
        return false;
      const UseFinder uses = usesIn(local->getInit());
      if (!uses.coordinates.empty() ||
          std::any_of(
              uses.variables.begin(), uses.variables.end(),
              [&](const VarDecl *used) { return tainted.contains(used); }))
        tainted.insert(local);
    }
  const UseFinder uses = usesIn(kernel.loop->getBody());
  return uses.coordinates.empty() &&
         std::none_of(uses.variables.begin(), uses.variables.end(),
                      [&](const VarDecl *used) {
                        return used != &variable && tainted.contains(used);
                      });
}

} // namespace

bool KernelExecutor::executeGridStride(const CompoundStmt &body) {
  const std::optional<LoopKernel> shape = splitBody(body);
  if (!shape)
    return false;
  const ForStmt &loop = *shape->loop;
  const VarDecl *variable = loopVariable(loop);
  if (!variable || !variable->getType()->isIntegerType() ||
      !isIndependent(*shape, *variable))
    return false;

  const Kernel before = Result;
  const State start = Current;
  const auto shared = SharedVariables;
  auto undo = [&] {
    Result = before;
    Current = start;
    SharedVariables = shared;
    LocalWords = 0;
    return false;
  };
  for (const DeclStmt *statement : shape->prologue)
    execute(statement);
  execute(loop.getInit());
  if (!Result.accesses.empty() || Result.barriers != 0)
    return undo();

  const Place where = variablePlace(*variable);
  const QualType type = variable->getType();
  const Value first = read(where, type);
  std::optional<std::uint32_t> axis;
  for (std::uint32_t a = 0; a < 3; ++a) {
    const IndexExpr global = Arithmetic.add(
        Arithmetic.multiply(Polynomial(Symbol{SymbolKind::BlockIdx, a}),
                            Polynomial(Symbol{SymbolKind::BlockDim, a})),
        Polynomial(Symbol{SymbolKind::ThreadIdx, a}));
    if (first.integer == global)
      axis = a;
  }
  if (!axis)
    return undo();
  const Symbol index{SymbolKind::StrideIdx, *axis};
  assign(where, integerValue(Polynomial(index)));

  const Branch branch = evaluateCondition(loop.getCond());
  if (branch.whenTrue.size() != 1 ||
      branch.whenTrue.front().relation != Relation::NonNegative)
    return undo();
  const std::optional<Polynomial::LinearSplit> split =
      branch.whenTrue.front().expression.splitLinear(index);
  if (!split || split->coefficient != Polynomial(-1))
    return undo();
  const std::optional<Polynomial> bound = add(split->rest, Polynomial(1));
  for (SymbolKind kind :
       {SymbolKind::ThreadIdx, SymbolKind::BlockIdx, SymbolKind::BlockDim,
        SymbolKind::GridDim, SymbolKind::StrideIdx})
    if (!bound || dependsOn(*bound, kind, Context.terms))
      return undo();

  const Variables head = Current.variables;
  evaluate(loop.getInc());
  const IndexExpr stride =
      Arithmetic.subtract(read(where, type).integer, Polynomial(index));
  const IndexExpr grid =
      Arithmetic.multiply(Polynomial(Symbol{SymbolKind::GridDim, *axis}),
                          Polynomial(Symbol{SymbolKind::BlockDim, *axis}));
  if (stride != grid)
    return undo();

  Current.variables = head;
  Current.guard = branch.whenTrue;
  execute(loop.getBody());
  if (Result.barriers != 0 || !SharedVariables.empty() ||
      has(Result, KernelFeature::CoordinatesInCallee))
    return undo();
  Current.ended = false;
  Current.guard.clear();

  GridStrideLoop &result = Result.gridStride.emplace();
  result.axis = *axis;
  result.variable = variable->getNameAsString();
  result.type = spellType(ast(), type.getUnqualifiedType());
  if (!shape->prologue.empty())
    result.prologue =
        Context.files.range({shape->prologue.front()->getBeginLoc(),
                             shape->prologue.back()->getEndLoc()});
  result.header = Context.files.range({loop.getForLoc(), loop.getRParenLoc()});
  result.body = Context.files.statement(*loop.getBody());
  result.bound = *bound;
  return true;
}

void KernelExecutor::findGridShape(const Stmt &body) {
  // `blockIdx.a * blockDim.a` is where a block starts; everything else that
  // names the shape depends on it.
  auto isStartOfBlock = [&](const Expr *use, std::uint32_t axis) {
    DynTypedNode node = DynTypedNode::create(*use);
    while (true) {
      const DynTypedNodeList parents = Context.ast.getParents(node);
      if (parents.empty())
        return false;
      if (const auto *product = parents[0].get<BinaryOperator>()) {
        if (product->getOpcode() != BO_Mul)
          return false;
        for (const Expr *side : {product->getLHS(), product->getRHS()})
          if (std::optional<Coordinate> other =
                  coordinateOf(side->IgnoreParenCasts());
              other && other->kind == SymbolKind::BlockIdx &&
              other->axis == axis)
            return true;
        return false;
      }
      if (!parents[0].get<ParenExpr>() && !parents[0].get<CastExpr>() &&
          !parents[0].get<PseudoObjectExpr>())
        return false;
      node = parents[0];
    }
  };
  for (const Expr *use : usesIn(&body).coordinates) {
    const Coordinate coordinate = *coordinateOf(use);
    if (coordinate.kind == SymbolKind::GridDim ||
        (coordinate.kind == SymbolKind::BlockDim &&
         !isStartOfBlock(use, coordinate.axis)))
      note(KernelFeature::GridShape, use->getSourceRange());
  }
}

} // namespace kfuse
