//===- GridStride.cpp - Grid-stride loops, grid shape ---------------------===//
//
// `for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x *
// blockDim.x)` over a whole kernel runs each i once, whatever the grid: its
// shape may be changed. Any other use of the grid's shape may not.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"

#include <array>

namespace kfuse {

using namespace clang;

namespace {

/// Uses of coordinates and of variables in a piece of code.
class UseFinder : public SourceVisitor {
public:
  std::set<const VarDecl *> variables;
  std::vector<const Expr *> coordinates;
  bool asksForPlace = false; ///< of the work-item, in OpenCL

  bool VisitCallExpr(CallExpr *call) override {
    asksForPlace |= isWorkItemFunction(*call);
    return true;
  }
  bool VisitExpr(Expr *expression) override {
    // The read of a coordinate contains the coordinate: one is enough.
    if (isa<ParenExpr, ImplicitCastExpr, PseudoObjectExpr>(expression))
      return true;
    if (const auto coordinate = coordinateOf(expression)) {
      coordinates.push_back(expression);
      Bases.insert(coordinate->object);
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (!variable)
      return true;
    variables.insert(variable);
    if (coordinatesIn(*variable))
      Objects.push_back(reference);
    return true;
  }

  /// Returns the uses of `threadIdx` and similar variables other than as the
  /// base of a coordinate: copied, passed on, pointed to.
  std::vector<const DeclRefExpr *> wholes() const {
    std::vector<const DeclRefExpr *> found;
    std::copy_if(Objects.begin(), Objects.end(), std::back_inserter(found),
                 [&](const DeclRefExpr *use) { return !Bases.contains(use); });
    return found;
  }

private:
  std::vector<const DeclRefExpr *> Objects;
  std::set<const DeclRefExpr *> Bases;
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

/// Returns the variable that the loop's increment changes.
const VarDecl *loopVariable(const ForStmt &loop) {
  const CodeEffects effects = effectsOf({loop.getInc()});
  return effects.modified.size() == 1 ? *effects.modified.begin() : nullptr;
}

/// Checks whether the body depends on the thread only by the loop's variable,
/// and leaves nothing to the next iteration.
bool isIndependent(const CompoundStmt &body, const LoopKernel &kernel,
                   const VarDecl &variable) {
  const CodeEffects effects = effectsOf({kernel.loop->getBody()});
  if (effects.hasBreak || effects.hasContinue || effects.hasReturn)
    return false;
  const clang::SourceRange inside = kernel.loop->getBody()->getSourceRange();
  for (const VarDecl *modified : effects.modified)
    if (modified->hasLocalStorage() &&
        !inside.fullyContains(modified->getSourceRange()))
      return false;
  for (const VarDecl *exposed : exposedVariables(body))
    if (exposed->hasLocalStorage() &&
        !inside.fullyContains(exposed->getSourceRange()))
      return false;
  std::set<const VarDecl *> tainted;
  for (const DeclStmt *statement : kernel.prologue)
    for (const Decl *declaration : statement->decls()) {
      const auto *local = dyn_cast<VarDecl>(declaration);
      if (!local || !local->hasLocalStorage())
        return false;
      const UseFinder uses = usesIn(local->getInit());
      if (!uses.coordinates.empty() || uses.asksForPlace ||
          std::any_of(
              uses.variables.begin(), uses.variables.end(),
              [&](const VarDecl *used) { return tainted.contains(used); }))
        tainted.insert(local);
    }
  const UseFinder uses = usesIn(kernel.loop->getBody());
  return uses.coordinates.empty() && !uses.asksForPlace &&
         std::none_of(uses.variables.begin(), uses.variables.end(),
                      [&](const VarDecl *used) {
                        return used != &variable && tainted.contains(used);
                      });
}

/// How often a sum has each axis's coordinates.
struct SumParts {
  std::array<unsigned, 3> starts{}, threads{};
};

bool isWideInteger(const ASTContext &ast, QualType type) {
  return type->isIntegerType() && ast.getIntWidth(type) >= 32;
}

/// Returns the integer operation that `operand` is an operand of, past
/// parentheses and conversions that keep a thread's index as it is; otherwise
/// nullptr.
const BinaryOperator *arithmeticAround(ASTContext &ast, const Expr &operand) {
  DynTypedNode node = DynTypedNode::create(operand);
  while (true) {
    const DynTypedNodeList parents = ast.getParents(node);
    if (parents.empty())
      return nullptr;
    if (const auto *operation = parents[0].get<BinaryOperator>())
      return isWideInteger(ast, operation->getType()) ? operation : nullptr;
    const auto *cast = parents[0].get<CastExpr>();
    if (cast && !isWideInteger(ast, cast->getType()))
      return nullptr;
    if (!cast && !parents[0].get<ParenExpr>() &&
        !parents[0].get<PseudoObjectExpr>())
      return nullptr;
    node = parents[0];
  }
}

/// Returns the axis of `blockIdx.a * blockDim.a`, the start of a block.
std::optional<std::uint32_t> startOfBlock(const BinaryOperator &product) {
  if (product.getOpcode() != BO_Mul)
    return std::nullopt;
  const auto left = coordinateOf(product.getLHS()->IgnoreParenCasts());
  const auto right = coordinateOf(product.getRHS()->IgnoreParenCasts());
  if (!left || !right || left->axis != right->axis)
    return std::nullopt;
  const bool isStart = (left->kind == SymbolKind::BlockIdx &&
                        right->kind == SymbolKind::BlockDim) ||
                       (left->kind == SymbolKind::BlockDim &&
                        right->kind == SymbolKind::BlockIdx);
  return isStart ? std::optional(left->axis) : std::nullopt;
}

/// Checks whether the product is `blockDim.a * gridDim.a`.
bool isThreadCount(const BinaryOperator &product) {
  const auto left = coordinateOf(product.getLHS()->IgnoreParenCasts());
  const auto right = coordinateOf(product.getRHS()->IgnoreParenCasts());
  const auto isExtent = [](const Coordinate &one) {
    return one.kind == SymbolKind::BlockDim || one.kind == SymbolKind::GridDim;
  };
  return product.getOpcode() == BO_Mul && left && right && isExtent(*left) &&
         isExtent(*right) && left->kind != right->kind &&
         left->axis == right->axis;
}

void countParts(const Expr &operand, SumParts &parts) {
  const Expr *bare = operand.IgnoreParenCasts();
  if (const auto coordinate = coordinateOf(bare)) {
    parts.threads[coordinate->axis] +=
        coordinate->kind == SymbolKind::ThreadIdx;
    return;
  }
  const auto *operation = dyn_cast<BinaryOperator>(bare);
  if (!operation)
    return;
  if (const auto axis = startOfBlock(*operation)) {
    ++parts.starts[*axis];
  } else if (operation->getOpcode() == BO_Add) {
    countParts(*operation->getLHS(), parts);
    countParts(*operation->getRHS(), parts);
  }
}

/// Checks whether `use`, a threadIdx or blockIdx, is part of a sum that is the
/// thread's global index, or that index and something else.
bool isInGlobalIndex(ASTContext &ast, const Expr &use) {
  const Coordinate coordinate = *coordinateOf(&use);
  const BinaryOperator *sum = arithmeticAround(ast, use);
  if (sum && coordinate.kind == SymbolKind::BlockIdx)
    sum = startOfBlock(*sum) ? arithmeticAround(ast, *sum) : nullptr;
  if (!sum || sum->getOpcode() != BO_Add)
    return false;
  for (const BinaryOperator *wider = arithmeticAround(ast, *sum);
       wider && wider->getOpcode() == BO_Add;
       wider = arithmeticAround(ast, *sum))
    sum = wider;
  SumParts parts;
  countParts(*sum, parts);
  return parts.starts[coordinate.axis] == 1 &&
         parts.threads[coordinate.axis] == 1;
}

} // namespace

bool KernelExecutor::executeGridStride(const CompoundStmt &body) {
  const std::optional<LoopKernel> shape = splitBody(body);
  if (!shape || !usesIn(&body).wholes().empty())
    return false;
  const ForStmt &loop = *shape->loop;
  const VarDecl *variable = loopVariable(loop);
  if (!variable || !variable->getType()->isIntegerType() ||
      !isIndependent(body, *shape, *variable))
    return false;

  const Kernel before = Result;
  const State start = Current;
  const auto shared = SharedVariables;
  auto undo = [&] {
    Result = before;
    Current = start;
    SharedVariables = shared;
    return false;
  };
  // Changes to a variable through an alias don't show in the text.
  Changed.clear();
  auto changes = [&](const VarDecl *allowed) {
    return std::any_of(
        Changed.begin(), Changed.end(), [&](const VarDecl *changed) {
          return changed != allowed &&
                 changed->getDeclContext() == Frames.back().function &&
                 !loop.getBody()->getSourceRange().fullyContains(
                     changed->getSourceRange());
        });
  };
  for (const DeclStmt *statement : shape->prologue)
    execute(statement);
  execute(loop.getInit());
  if (!Result.accesses.empty() || Result.barriers != 0 || changes(variable))
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

  // The loop ends, so that its variable doesn't wrap.
  const auto outer = std::exchange(Condition, Counting{index, false});
  const Branch branch = evaluateCondition(loop.getCond());
  Condition = outer;
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
  IsStepping = true;
  evaluate(loop.getInc());
  IsStepping = false;
  if (changes(variable))
    return undo();
  const IndexExpr stride =
      Arithmetic.subtract(read(where, type).integer, Polynomial(index));
  const IndexExpr grid =
      Arithmetic.multiply(Polynomial(Symbol{SymbolKind::GridDim, *axis}),
                          Polynomial(Symbol{SymbolKind::BlockDim, *axis}));
  if (stride != grid)
    return undo();

  Current.variables = head;
  Current.guard = branch.whenTrue;
  Changed.clear();
  execute(loop.getBody());
  if (changes(nullptr) || Result.barriers != 0 || !SharedVariables.empty() ||
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
  const UseFinder uses = usesIn(&body);
  // Code that gets an object may read any of its coordinates.
  for (const DeclRefExpr *whole : uses.wholes()) {
    const SymbolKind kind = *coordinatesIn(*cast<VarDecl>(whole->getDecl()));
    const bool isPlace =
        kind == SymbolKind::ThreadIdx || kind == SymbolKind::BlockIdx;
    note(isPlace ? KernelFeature::BlockPlace : KernelFeature::GridShape,
         whole->getSourceRange());
    if (!isPlace)
      note(KernelFeature::GridFactor, whole->getSourceRange());
    note(KernelFeature::CoordinatesInCallee, whole->getSourceRange());
  }
  for (const Expr *use : uses.coordinates) {
    const Coordinate coordinate = *coordinateOf(use);
    if (coordinate.kind == SymbolKind::ThreadIdx ||
        coordinate.kind == SymbolKind::BlockIdx) {
      if (!isInGlobalIndex(Context.ast, *use))
        note(KernelFeature::BlockPlace, use->getSourceRange());
      continue;
    }
    const BinaryOperator *product = arithmeticAround(Context.ast, *use);
    if (product && startOfBlock(*product))
      continue;
    note(KernelFeature::GridShape, use->getSourceRange());
    if (!product || !isThreadCount(*product))
      note(KernelFeature::GridFactor, use->getSourceRange());
  }
}

} // namespace kfuse
