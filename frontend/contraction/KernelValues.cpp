//===- KernelValues.cpp - Where values of a kernel come from --------------===//

#include "frontend/contraction/KernelValues.h"

#include "frontend/contraction/Addressing.h"
#include "frontend/contraction/DeviceArithmetic.h"
#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

/// Checks whether `value` is zero as written. Computed values aren't looked up.
bool isWrittenZero(const Expr &value, const ASTContext &ast) {
  llvm::APFloat number(0.0);
  return !isa<BinaryOperator>(sameValue(&value)) &&
         value.EvaluateAsFloat(number, ast) && number.isZero();
}

/// Checks whether `place` is in memory, and no variable of the function.
bool isLoad(const Expr &place) {
  if (localVariable(place))
    return false;
  if (const auto *name = dyn_cast<DeclRefExpr>(&place))
    return isa<VarDecl>(name->getDecl());
  const auto *step = dyn_cast<UnaryOperator>(&place);
  return isa<ArraySubscriptExpr>(place) ||
         (isa<CallExpr>(place) && place.isGLValue()) ||
         (step && step->getOpcode() == UO_Deref) ||
         (isa<MemberExpr>(place) && place.isGLValue());
}

bool isCoordinate(const Expr &place) {
  if (const auto *call = dyn_cast<CallExpr>(&place)) {
    const FunctionDecl *callee = call->getDirectCallee();
    return isLibraryFunction(callee) && callee->getName().starts_with("get_");
  }
  return coordinateOf(&place).has_value();
}

Root rootOfCoordinate(const Expr &place) {
  if (const auto *call = dyn_cast<CallExpr>(&place))
    return {call->getDirectCallee(), nullptr};
  const auto coordinate = coordinateOf(&place);
  return {coordinate->object->getDecl(), coordinate->member};
}

KernelValues::KernelValues(const ASTContext &ast, const CallTree &tree)
    : Ast(ast), Tree(tree) {
  for (const CallFrame &frame : tree.frames)
    for (const auto &[place, value] : frame.facts->stores)
      Stores.push_back({&frame, place, value, rootsOf(*place, frame, 0)});
  for (const Store &store : Stores) {
    StoresAnywhere |= !store.roots;
    if (store.roots)
      Stored.insert(store.roots->begin(), store.roots->end());
  }
}

const Expr *KernelValues::argument(const VarDecl &variable,
                                   const CallFrame &in) {
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  if (!parameter || !in.call)
    return nullptr;
  // The first argument of an operator is its object.
  const unsigned index =
      parameter->getFunctionScopeIndex() +
      (isa<CXXOperatorCallExpr>(in.call) && isa<CXXMethodDecl>(in.function)
           ? 1
           : 0);
  return index < in.call->getNumArgs() ? in.call->getArg(index) : nullptr;
}

namespace {

/// Returns the value that the structure `variable` gets as a whole; nullopt if
/// it gets several, or its members do.
std::optional<Source> wholeValue(const VarDecl &variable, const CallFrame &in) {
  const auto values = in.facts->valuesOf(variable);
  const Expr *given = KernelValues::argument(variable, in);
  if (given && values.empty())
    return Source{given, in.caller};
  if (given || isa<ParmVarDecl>(variable) || values.size() != 1 ||
      values.front() != variable.getInit())
    return std::nullopt;
  return Source{values.front(), &in};
}

/// Returns the member `field` of `whole`, as if it were written there.
const Expr *memberOf(const ASTContext &ast, const Expr &whole,
                     const FieldDecl &field) {
  const Expr *place = sameValue(&whole);
  return MemberExpr::CreateImplicit(
      ast, const_cast<Expr *>(place), /*IsArrow=*/false,
      const_cast<FieldDecl *>(&field), field.getType(),
      place->isGLValue() ? VK_LValue : VK_PRValue, OK_Ordinary);
}

} // namespace

std::optional<Source> KernelValues::component(const Expr &part,
                                              const CallFrame &in) const {
  const auto *member = dyn_cast<MemberExpr>(&part);
  const auto *field =
      member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  if (!field || field->getParent()->isUnion() || field->isBitField() ||
      field->getType()->isReferenceType())
    return std::nullopt;
  const Expr *whole = sameValue(member->getBase());
  if (isa<CXXThisExpr>(whole)) {
    const Expr *object = objectOf(in);
    return object ? std::optional(
                        Source{memberOf(Ast, *object, *field), in.caller})
                  : std::nullopt;
  }
  if (member->isArrow())
    return std::nullopt;
  Source from{whole, &in};
  for (unsigned steps = 0; steps < MostSteps; ++steps) {
    from.first = sameValue(from.first);
    const auto &[value, frame] = from;
    if (const auto *made = dyn_cast<CXXConstructExpr>(value);
        made && made->getNumArgs() == 1) {
      from.first = made->getArg(0);
      continue;
    }
    if (const auto *name = dyn_cast<DeclRefExpr>(value)) {
      const auto *variable = dyn_cast<VarDecl>(name->getDecl());
      const auto only = variable && variable->isLocalVarDeclOrParm()
                            ? wholeValue(*variable, *frame)
                            : std::nullopt;
      if (!only)
        break;
      from = *only;
      continue;
    }
    const auto *call = dyn_cast<CallExpr>(value);
    const CallFrame *callee = call ? Tree.calleeOf(*call, *frame) : nullptr;
    if (!callee || callee->facts->returned.size() != 1)
      break;
    from = {callee->facts->returned.front(), callee};
  }
  const auto &[value, frame] = from;
  if (value == whole)
    return std::nullopt;
  const unsigned index = field->getFieldIndex();
  if (const auto *list = dyn_cast<InitListExpr>(value)) {
    const InitListExpr *all =
        list->isSemanticForm() ? list : list->getSemanticForm();
    const auto *record = dyn_cast<CXXRecordDecl>(field->getParent());
    return index < all->getNumInits() && !(record && record->getNumBases() > 0)
               ? std::optional(Source{all->getInit(index), frame})
               : std::nullopt;
  }
  if (const auto *call = dyn_cast<CallExpr>(value);
      call && isLibraryFunction(call->getDirectCallee()))
    return call->getDirectCallee()->getName().starts_with("make_") &&
                   index < call->getNumArgs()
               ? std::optional(Source{call->getArg(index), frame})
               : std::nullopt;
  if (!isa<DeclRefExpr>(value) && !isLoad(*value))
    return std::nullopt;
  return Source{memberOf(Ast, *value, *field), frame};
}

std::optional<Source> KernelValues::onlyValue(const VarDecl &variable,
                                              const CallFrame &in) {
  const auto values = in.facts->valuesOf(variable);
  const Expr *given = argument(variable, in);
  if (given && values.empty())
    return Source{given, in.caller};
  if (!given && values.size() == 1 && !isa<ParmVarDecl>(variable) &&
      !variable.getType()->isAggregateType())
    return Source{values.front(), &in};
  return std::nullopt;
}

/// Follows `source` through variables of one value, parameters and calls.
Source KernelValues::sourceOf(Source source) const {
  for (unsigned steps = 0; steps < MostSteps; ++steps) {
    auto &[value, in] = source;
    value = sameValue(value);
    const auto *name = dyn_cast<DeclRefExpr>(value);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    const auto only = variable && variable->isLocalVarDeclOrParm()
                          ? onlyValue(*variable, *in)
                          : std::nullopt;
    if (only) {
      source = *only;
      continue;
    }
    if (const auto part = component(*value, *in)) {
      source = *part;
      continue;
    }
    const auto *call = dyn_cast<CallExpr>(value);
    const auto known = Tree.callees.find({in, call});
    if (!call || known == Tree.callees.end() ||
        known->second->facts->returned.size() != 1)
      break;
    source = {known->second->facts->returned.front(), known->second};
  }
  return source;
}

/// Checks whether `part` is a member of a structure that the kernel is given.
bool KernelValues::isGivenMember(const Expr &part, const CallFrame &in) {
  const VarDecl *variable = localVariable(part);
  return isa<MemberExpr>(part) && isa_and_nonnull<ParmVarDecl>(variable) &&
         !in.caller && in.facts->valuesOf(*variable).empty();
}

/// Returns the only value of the variable that `part` belongs to.
const Expr *KernelValues::wholeOf(const Expr &part, const CallFrame &in) {
  const VarDecl *variable = localVariable(part);
  if (!variable || isa<DeclRefExpr>(part) || isa<ParmVarDecl>(variable))
    return nullptr;
  const auto values = in.facts->valuesOf(*variable);
  return values.size() == 1 ? values.front() : nullptr;
}

std::optional<std::set<Root>> KernelValues::rootsOf(const Expr &place,
                                                    const CallFrame &in,
                                                    unsigned depth) const {
  const Expr *value = sameValue(&place);
  if (depth > MostSteps)
    return std::nullopt;
  if (const auto *cast = dyn_cast<CastExpr>(value))
    return rootsOf(*cast->getSubExpr(), in, depth + 1);
  if (const auto part = component(*value, in))
    return rootsOf(*part->first, *part->second, depth + 1);
  // A pointer that is loaded leads anywhere.
  if (depth > 0 && isa<ArraySubscriptExpr, UnaryOperator>(value) &&
      value->getType()->isPointerType() &&
      !(isa<UnaryOperator>(value) &&
        cast<UnaryOperator>(value)->getOpcode() != UO_Deref))
    return std::nullopt;
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(value))
    return rootsOf(*element->getBase(), in, depth + 1);
  if (const auto *step = dyn_cast<UnaryOperator>(value))
    return rootsOf(*step->getSubExpr(), in, depth + 1);
  if (const auto *sum = dyn_cast<BinaryOperator>(value);
      sum && sum->isAdditiveOp())
    return rootsOf(*(sum->getLHS()->getType()->isPointerType() ? sum->getLHS()
                                                               : sum->getRHS()),
                   in, depth + 1);
  const auto ofGiven = [&](const Expr &object, const ValueDecl *pointer) {
    const auto *name = dyn_cast<DeclRefExpr>(object.IgnoreParenCasts());
    return name && isa<ParmVarDecl>(name->getDecl()) && !in.caller &&
                   in.facts->given.count(cast<VarDecl>(name->getDecl())) == 0
               ? std::optional(std::set{Root{name->getDecl(), pointer}})
               : std::nullopt;
  };
  if (const auto *call = dyn_cast<CallExpr>(value)) {
    const FunctionDecl *callee = call->getDirectCallee();
    const auto found = callee ? addressing(*callee) : std::nullopt;
    const auto *method = dyn_cast<CXXMemberCallExpr>(call);
    return found && found->pointer
               ? ofGiven(method ? *method->getImplicitObjectArgument()
                                : *call->getArg(0),
                         found->pointer)
               : std::nullopt;
  }
  if (const auto *member = dyn_cast<MemberExpr>(value)) {
    if (!member->isArrow() && member->getType()->isPointerType())
      if (auto given = ofGiven(*member->getBase(), member->getMemberDecl()))
        return given;
    if (depth > 0 && member->getType()->isPointerType())
      return std::nullopt;
    return rootsOf(*member->getBase(), in, depth + 1);
  }
  const auto *name = dyn_cast<DeclRefExpr>(value);
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  if (!variable)
    return std::nullopt;
  if (!variable->getType()->isPointerType() ||
      !variable->isLocalVarDeclOrParm())
    return std::set{Root{variable, nullptr}};
  const auto values = in.facts->valuesOf(*variable);
  const Expr *given = argument(*variable, in);
  std::set<Root> all;
  if (isa<ParmVarDecl>(variable) && !given)
    all.insert({variable, nullptr});
  const auto add = [&](const Expr &from, const CallFrame &frame) {
    const auto more = rootsOf(from, frame, depth + 1);
    if (more)
      all.insert(more->begin(), more->end());
    return more.has_value();
  };
  if (given && !add(*given, *in.caller))
    return std::nullopt;
  for (const Expr *each : values)
    // `p += n` and `++p` lead to where p did.
    if (const Expr *from = sameValue(each);
        !(isa<CompoundAssignOperator>(from) ||
          (isa<UnaryOperator>(from) &&
           cast<UnaryOperator>(from)->isIncrementDecrementOp())) &&
        !add(*from, in))
      return std::nullopt;
  return all.empty() ? std::nullopt : std::optional(all);
}

bool KernelValues::isStored(const Root &root) const {
  return StoresAnywhere || Stored.count(root) != 0;
}

/// Checks whether `load` comes before `store`, or after a barrier that follows
/// it. The store, and a load before it, must run once; the barrier must precede
/// all loops around the load.
bool KernelValues::isParted(const Expr &load, const Store &store,
                            const CallFrame &in) {
  // The member of a copied structure is loaded with all of it.
  const Expr *known = &load;
  while (in.facts->positions.count(known) == 0 && isa<MemberExpr>(known))
    known = cast<MemberExpr>(known)->getBase();
  if (&in != store.in || in.caller || in.facts->positions.count(known) == 0)
    return false;
  const Position from = in.facts->positions.lookup(store.value);
  const Position to = in.facts->positions.lookup(known);
  if (from.loop)
    return false;
  unsigned first = to.order;
  for (const Stmt *loop = to.loop; loop;
       loop = in.facts->around.lookup(loop).loop)
    first = in.facts->around.lookup(loop).order;
  return (!to.loop && to.order <= from.last) ||
         llvm::any_of(in.facts->barriers, [&](unsigned at) {
           return from.last < at && at < first;
         });
}

} // namespace kfuse
