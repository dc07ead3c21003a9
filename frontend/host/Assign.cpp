//===- Assign.cpp - What expressions assign -------------------------------===//
//
// An expression's device effects come first, then everything that it may
// assign is forgotten, then what it assigns exactly is written.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/Walker.h"
#include "frontend/syntax/Lvalues.h"

#include "frontend/host/Changes.h"
#include "frontend/syntax/EvaluatedChildren.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Returns the expression if it assigns an object member by member, else
/// nullptr.
const CXXOperatorCallExpr *copyAssignment(const Expr &expression) {
  const auto *copy = dyn_cast<CXXOperatorCallExpr>(&expression);
  const auto *method =
      copy ? dyn_cast_or_null<CXXMethodDecl>(copy->getDirectCallee()) : nullptr;
  const bool isCopy = method && method->isTrivial() &&
                      copy->getNumArgs() == 2 &&
                      (method->isCopyAssignmentOperator() ||
                       method->isMoveAssignmentOperator());
  return isCopy ? copy : nullptr;
}

bool isTracked(QualType type) {
  return type->isIntegralOrEnumerationType() || type->isAnyPointerType();
}

} // namespace

void HostWalker::recordWrite(const Expr &target, HostData data) {
  if (std::optional<HostPlace> place = Reader.place(target))
    KnownWrites.emplace_back(*place, std::move(data));
  else if (const auto *pointer = std::get_if<HostPointer>(&data))
    Model.escape(pointer->object);
}

/// Marks the pointers in the initialiser list `source` as escaped, because
/// arrays and bases in an aggregate aren't followed.
void HostWalker::escapeInside(const Expr &source) {
  const auto *list = dyn_cast<InitListExpr>(&withoutCleanups(source));
  if (!list)
    return;
  for (const Expr *element : list->inits()) {
    if (isTracked(element->getType()) && element->getType()->isPointerType())
      Model.escape(Reader.pointer(*element).object);
    else
      escapeInside(*element);
  }
}

void HostWalker::writeRecord(const HostPlace &target, const Expr &source) {
  for (const RecordLeaf &leaf : recordLeaves(source.getType()))
    KnownWrites.emplace_back(HostPlace{target.base, target.path + leaf.path},
                             Reader.member(source, leaf.path, leaf.type));
  escapeInside(source);
}

void HostWalker::writeArray(const HostPlace &target, const Expr &source) {
  const auto *list = dyn_cast<InitListExpr>(&withoutCleanups(source));
  if (!list)
    return;
  if (Reader.changesNames(source))
    return Reader.escapeMentioned(source);
  for (unsigned index = 0; index < list->getNumInits(); ++index) {
    const Expr &element = *list->getInit(index);
    HostPlace place{target.base,
                    target.path + "[" + std::to_string(index) + "]"};
    if (isTracked(element.getType()))
      KnownWrites.emplace_back(place, Reader.data(element));
    else if (element.getType()->isRecordType())
      writeRecord(place, element);
    else
      writeArray(place, element);
  }
}

void HostWalker::update(const Expr &target, const Expr *operand, bool isSum,
                        bool isDifference, bool isProduct, bool isAlternative) {
  std::optional<HostPlace> place = Reader.place(target);
  if (!place)
    return;
  QualType type = target.getType();
  if (type->isAnyPointerType()) {
    HostPointer old = Env.readPointer(*place, type, Reader.text(target));
    old.offset = NotPolynomial::Unsupported;
    KnownWrites.emplace_back(*place, old);
    return;
  }
  if (!type->isIntegralOrEnumerationType() ||
      (operand && !operand->getType()->isIntegralOrEnumerationType()))
    return;
  Polynomial old = Env.readInteger(*place, Reader.text(target), type);
  Polynomial by = operand ? Reader.integer(*operand) : Polynomial(1);
  std::optional<Polynomial> value;
  if (isSum)
    value = add(old, by);
  else if (isDifference)
    value = subtract(old, by);
  else if (isProduct)
    value = multiply(old, by);
  // The result says that one or the other failed.
  if (isAlternative && operand && Model.isError(old) && Model.isError(by)) {
    KnownWrites.emplace_back(*place, Model.errorValue());
    return;
  }
  // The operand comes first.
  if (operand && mayReach(changesOf(*operand, Unit), {place->base}, Model))
    value.reset();
  // Narrow and mixed arithmetic converts in ways that aren't followed here.
  bool isPlain = Model.ast.getIntWidth(type) >= 32 &&
                 (!operand || Model.ast.getIntWidth(operand->getType()) <=
                                  Model.ast.getIntWidth(type));
  KnownWrites.emplace_back(
      *place, value && isPlain ? Reader.wrapped(*value, type)
                               : Model.freshValue(*place, Reader.text(target)));
}

/// Checks whether evaluating `source` may change which place `target` names.
bool HostWalker::movesPlace(const Expr &source, const Expr &target) {
  std::set<VariableId> uses = usesOf(target, Model);
  uses.erase(Model.memory());
  if (const ValueDecl *base = baseOf(target))
    uses.erase(Model.variable(*base));
  return mayReach(changesOf(source, Unit), uses, Model);
}

void HostWalker::assign(const Expr &target, const Expr &source,
                        StepFacts &facts) {
  // `a = b = 0`: the inner one first.
  if (const auto *inner = dyn_cast<BinaryOperator>(&withoutCleanups(source));
      inner && inner->getOpcode() == BO_Assign)
    assign(*inner->getLHS(), *inner->getRHS(), facts);
  QualType type = target.getType();
  if (const auto *name = dyn_cast<DeclRefExpr>(target.IgnoreParenImpCasts()))
    bindReturnedAllocation(*name->getDecl(), source);
  if (!isa<DeclRefExpr>(target.IgnoreParens()) && movesPlace(source, target))
    return escape(source);
  if (type->isRecordType()) {
    if (std::optional<HostPlace> place = Reader.place(target))
      writeRecord(*place, source);
    else
      escape(source);
  } else if (isTracked(type)) {
    recordWrite(target, Reader.data(source));
  }
}

/// Notes the assignments whose targets are known to hold the assigned values
/// after the expression. Others may not be made, or be followed by more.
void HostWalker::noteExact(const Expr &assignment) {
  ExactAssignments.clear();
  if (copyAssignment(assignment))
    ExactAssignments.insert(&assignment);
  const auto *binary = dyn_cast<BinaryOperator>(&assignment);
  while (binary && binary->getOpcode() == BO_Assign) {
    ExactAssignments.insert(binary);
    binary = dyn_cast<BinaryOperator>(&withoutCleanups(*binary->getRHS()));
  }
}

void HostWalker::expression(const Expr &raw, StepFacts &facts) {
  const Expr &value = withoutCleanups(raw);
  if (const auto *pair = dyn_cast<BinaryOperator>(&value);
      pair && pair->getOpcode() == BO_Comma) {
    expression(*pair->getLHS(), facts);
    return expression(*pair->getRHS(), facts);
  }
  KnownWrites.clear();
  ClobbersShared = RunsUnknown = false;
  noteExact(value);
  effects(value, facts);
  if (const auto *binary = dyn_cast<BinaryOperator>(&value)) {
    if (binary->getOpcode() == BO_Assign)
      assign(*binary->getLHS(), *binary->getRHS(), facts);
    else if (binary->isCompoundAssignmentOp())
      update(*binary->getLHS(), binary->getRHS(),
             binary->getOpcode() == BO_AddAssign,
             binary->getOpcode() == BO_SubAssign,
             binary->getOpcode() == BO_MulAssign,
             binary->getOpcode() == BO_OrAssign);
  } else if (const auto *unary = dyn_cast<UnaryOperator>(&value)) {
    if (unary->isIncrementDecrementOp())
      update(*unary->getSubExpr(), nullptr, unary->isIncrementOp(),
             unary->isDecrementOp(), false);
  } else if (const CXXOperatorCallExpr *copy = copyAssignment(value)) {
    assign(*copy->getArg(0), *copy->getArg(1), facts);
  }
  forgetAssigned(scanHost(value, Model.files.sources()), facts);
}

void HostWalker::declare(const DeclStmt &statement, Context context) {
  // Variables that end with the function do so after all its launches.
  const bool isLast =
      context.step && Model.program[CurrentRegion].kind == RegionKind::Function;
  for (const Decl *declaration : statement.decls()) {
    for (const Stmt *part : evaluatedBy(*declaration))
      expression(*cast<Expr>(part), context.facts);
    if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
      initialise(*variable, context.facts);
      FunctionList enders = destructorsRunFor(*variable, Model.files.sources());
      if (isLast)
        std::erase_if(enders, [this](const FunctionDecl *each) {
          const HostFunction *function = Unit.find(*each);
          return function && function->onlyFrees();
        });
      implicit(enders, context.facts);
    }
  }
}

void HostWalker::initialise(const VarDecl &variable, StepFacts &facts) {
  VariableId id = Model.variable(variable);
  facts.assigns.insert(id);
  const Expr *init = variable.getInit();
  if (variable.getType()->isReferenceType() || !init) {
    if (init) {
      expression(*init, facts);
      // A name for one or the other.
      if (!baseOf(*init)) {
        Reader.escapeMentioned(*init);
        Env.forget(id);
      }
    } else if (!variable.hasGlobalStorage())
      Env.forget(id);
    return;
  }
  KnownWrites.clear();
  ClobbersShared = RunsUnknown = false;
  effects(*init, facts);
  // A static local keeps what it held, and what a volatile one holds is read
  // anew each time.
  if (!variable.hasGlobalStorage() &&
      !variable.getType().isVolatileQualified()) {
    bindReturnedAllocation(variable, *init);
    if (variable.getType()->isRecordType())
      writeRecord({id, {}}, *init);
    else if (isTracked(variable.getType()))
      KnownWrites.emplace_back(HostPlace{id, {}}, Reader.data(*init));
    else
      writeArray({id, {}}, *init);
  } else {
    escape(*init);
  }
  HostScan scan = scanHost(*init, Model.files.sources());
  std::vector<std::pair<HostPlace, HostData>> settled = std::move(KnownWrites);
  KnownWrites.clear();
  Env.forget(id);
  KnownWrites = std::move(settled);
  forgetAssigned(scan, facts);
}

bool HostWalker::clobbersShared(const HostScan &scan) const {
  if (scan.callsUnknown || scan.hasLabel || !scan.lambdas.empty())
    return true;
  return std::any_of(scan.callees.begin(), scan.callees.end(),
                     [&](const FunctionDecl *callee) {
                       const HostFunction *known = Unit.find(*callee);
                       return !known || known->assignsShared;
                     });
}

/// Notes that the unit's own variables which calls in the scanned code may
/// assign have other values.
void HostWalker::forgetOwn(const HostScan &scan, StepFacts &facts) {
  std::set<VariableId> changed;
  if (RunsUnknown || scan.callsUnknown || scan.hasLabel ||
      !scan.lambdas.empty())
    changed = Unit.ownOfOthers;
  for (const FunctionDecl *callee : scan.callees) {
    const HostFunction *known = Unit.find(*callee);
    const auto &assigned = known ? known->assignsOwn : Unit.ownOfOthers;
    changed.insert(assigned.begin(), assigned.end());
  }
  for (VariableId id : changed) {
    noteAssigned(id, facts);
    Env.forget(id);
  }
}

/// Notes that the variable, and what pointers and references lead to if it may
/// be that, has another value.
void HostWalker::noteAssigned(VariableId id, StepFacts &facts) {
  facts.assigns.insert(id);
  if (Model.isShared(id))
    facts.assigns.insert(Model.memory());
}

void HostWalker::forgetAssigned(const HostScan &scan, StepFacts &facts) {
  auto isSettled = [&](VariableId id) {
    return std::any_of(
        KnownWrites.begin(), KnownWrites.end(),
        [&](const auto &entry) { return entry.first.base == id; });
  };
  auto indirect = static_cast<unsigned>(std::count_if(
      KnownWrites.begin(), KnownWrites.end(),
      [](const auto &entry) { return entry.first.isIndirect(); }));
  if (ClobbersShared || clobbersShared(scan) || scan.memoryStores > indirect) {
    Env.forgetShared();
    facts.assignsShared = true;
  }
  forgetOwn(scan, facts);
  for (const ValueDecl *variable : scan.assigned) {
    VariableId id = Model.variable(*variable);
    noteAssigned(id, facts);
    if (!isSettled(id))
      Env.forget(id);
  }
  for (const HostPlace &place : PossibleWrites) {
    noteAssigned(place.base, facts);
    facts.assignsShared |= place.isIndirect();
    Env.forget(place);
  }
  PossibleWrites.clear();
  for (auto &[place, data] : KnownWrites) {
    noteAssigned(place.base, facts);
    if (place.isIndirect())
      facts.assignsShared = true;
    // A pointer's new target makes its pointee another place.
    if (place.path.empty() && std::holds_alternative<HostPointer>(data))
      Env.forgetBehind(place.base);
    Env.write(place, std::move(data));
  }
  KnownWrites.clear();
  ClobbersShared = RunsUnknown = false;
}

/// Returns where a pointer variable that a loop assigns may point when an
/// iteration starts; nullopt if that isn't known.
std::optional<ObjectId> HostWalker::repeatedPointer(const ValueDecl &variable,
                                                    const HostScan &scan) {
  std::set<const ValueDecl *> seen = {&variable};
  std::vector<const ValueDecl *> work = {&variable};
  std::set<ObjectId> values;
  while (!work.empty()) {
    const ValueDecl *source = work.back();
    work.pop_back();
    VariableId id = Model.variable(*source);
    if (scan.otherFlows.count(source) || Model.isShared(id) ||
        !source->getType()->isAnyPointerType())
      return std::nullopt;
    if (!scan.declared.count(source)) {
      std::optional<ObjectId> held = Env.knownPointer({id, {}});
      if (!held)
        return std::nullopt;
      values.insert(*held);
    }
    auto flows = scan.flows.find(source);
    if (flows == scan.flows.end())
      continue;
    for (const ValueDecl *from : flows->second)
      if (seen.insert(from).second)
        work.push_back(from);
  }
  return Model.merge(variable.getNameAsString(), values);
}

void HostWalker::forgetRepeated(const HostScan &scan, StepFacts &facts) {
  forgetArguments(scan, facts);
  std::vector<std::pair<VariableId, std::optional<ObjectId>>> merged;
  for (const ValueDecl *variable : scan.assigned) {
    std::optional<ObjectId> pointer;
    // A variable declared there is new each time.
    const bool lives = !scan.declared.count(variable);
    if (variable->getType()->isAnyPointerType() && lives)
      pointer = repeatedPointer(*variable, scan);
    if (lives && !pointer)
      Model.markInvalidatedAtJoins(Model.variable(*variable));
    merged.emplace_back(Model.variable(*variable), pointer);
  }
  if (clobbersShared(scan) || scan.memoryStores > 0) {
    Env.forgetShared();
    facts.assignsShared = true;
  }
  forgetOwn(scan, facts);
  for (const auto &[id, pointer] : merged) {
    noteAssigned(id, facts);
    if (pointer)
      Env.bindMerged(id, *pointer);
    else
      Env.forget(id);
  }
}

} // namespace kfuse
