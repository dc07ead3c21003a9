//===- WholeAllocations.cpp - Pointers that no arithmetic made ------------===//
//
// All pointers are taken for whole allocations at first. Then those go that may
// be given something else: by a value that isn't one, or where they are named
// other than to be read, assigned, allocated or swapped.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/WholeAllocations.h"

#include "frontend/api/Callees.h"
#include "frontend/api/RuntimeRoles.h"
#include "frontend/host/Assignments.h"
#include "frontend/host/StoresInSight.h"
#include "frontend/host/Unit.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <vector>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether `type` is a pointer, or an array of pointers.
bool holdsPointers(QualType type) {
  while (const ArrayType *array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  return type->isPointerType();
}

/// Returns the name or member that the lvalue `place` is, or is an element of;
/// nullptr for others, such as what a pointer leads to.
const Expr *rootOf(const Expr &place) {
  const Expr *inner = &plainValue(place);
  while (true) {
    const Expr *next = inner;
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(inner)) {
      next = element->getBase()->IgnoreParenImpCasts();
      if (!next->getType()->isArrayType())
        return nullptr;
    } else if (const auto *assigned = dyn_cast<BinaryOperator>(inner);
               assigned && assigned->getOpcode() == BO_Assign) {
      next = assigned->getLHS();
    }
    next = next->IgnoreParens();
    if (next == inner)
      return isa<DeclRefExpr, MemberExpr>(inner) ? inner : nullptr;
    inner = next;
  }
}

const Decl *declarationOf(const Expr &name) {
  if (const auto *member = dyn_cast<MemberExpr>(&name))
    return member->getMemberDecl()->getCanonicalDecl();
  return cast<DeclRefExpr>(name).getDecl()->getCanonicalDecl();
}

/// Returns the plain name of the function of namespace std that is called.
std::string nameInStd(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  return callee && callee->isInStdNamespace() ? plainName(*callee)
                                              : std::string();
}

/// Collects what the functions of a unit give pointers.
class PointerFlow : public SourceVisitor {
public:
  explicit PointerFlow(const SourceManager &sources) : Sources(sources) {}

  std::map<const Decl *, std::vector<const Expr *>> given;
  std::set<const Decl *> refuted;
  std::vector<const Expr *> named; ///< mentions of pointers

  void traverse(const FunctionDecl &function) {
    Function = function.getCanonicalDecl();
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&function))
      for (const CXXCtorInitializer *each : constructor->inits()) {
        if (const FieldDecl *field = each->getMember())
          give(*field, *each->getInit());
        TraverseStmt(each->getInit());
      }
    TraverseStmt(function.getBody());
  }

  /// Completes the facts once everything was seen.
  void finish() {
    for (const Expr *name : named)
      if (Left.count(name) == 0)
        refuted.insert(declarationOf(*name));
    // Indirect calls may pass anything.
    for (const DeclRefExpr *name : Functions)
      if (Called.count(name) == 0)
        if (const FunctionDecl *definition =
                cast<FunctionDecl>(name->getDecl())->getDefinition())
          for (const ParmVarDecl *parameter : definition->parameters())
            refuted.insert(parameter->getCanonicalDecl());
  }

  bool VisitVarDecl(VarDecl *variable) override {
    if (isa<DecompositionDecl>(variable))
      refuteMembers(variable->getType().getNonReferenceType());
    else if (!isa<ParmVarDecl>(variable) && variable->getInit())
      give(*variable, *variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->getOpcode() == BO_Assign)
      if (const Expr *target = rootOf(*operation->getLHS())) {
        Left.insert(target);
        give(*declarationOf(*target), *operation->getRHS());
      }
    return true;
  }
  bool VisitCastExpr(CastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue)
      leave(*cast->getSubExpr());
    // Bytes of a structure may be stored.
    const QualType from = cast->getSubExpr()->getType();
    if ((cast->getCastKind() == CK_BitCast && from->isPointerType() &&
         !cast->getType()->getPointeeType().isConstQualified()))
      refuteMembers(from->getPointeeType());
    if (cast->getCastKind() == CK_LValueBitCast)
      refuteMembers(from);
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *trait) override {
    if (!trait->isArgumentType())
      leave(*trait->getArgumentExpr());
    return true;
  }
  bool VisitInitListExpr(InitListExpr *list) override {
    const InitListExpr *values =
        list->isSemanticForm() ? list : list->getSemanticForm();
    const auto *record =
        values ? values->getType()->getAsRecordDecl() : nullptr;
    if (!record)
      return true;
    // Bases come first.
    const auto *own = dyn_cast<CXXRecordDecl>(record);
    unsigned next = own ? own->getNumBases() : 0;
    for (const FieldDecl *field : record->fields()) {
      if (field->isUnnamedBitField() || record->isUnion())
        continue;
      if (next < values->getNumInits())
        give(*field, *values->getInit(next++));
    }
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *statement) override {
    if (const Expr *value = statement->getRetValue())
      give(*Function, *value);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    Called.insert(
        dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()));
    if (const auto role = runtimeRole(*callee, Sources);
        role && role->role == RuntimeCall::Role::Allocate &&
        static_cast<unsigned>(role->pointer) < call->getNumArgs())
      if (const Expr *target =
              addressee(*call->getArg(static_cast<unsigned>(role->pointer))))
        leave(*target);
    const std::string name = nameInStd(*call);
    if (call->getNumArgs() == 2 && (name == "swap" || name == "exchange")) {
      const Expr &one = *call->getArg(0), &other = *call->getArg(1);
      const Expr *first = rootOf(one), *second = rootOf(other);
      if (first) {
        Left.insert(first);
        give(*declarationOf(*first), other);
      }
      if (second && name == "swap") {
        Left.insert(second);
        give(*declarationOf(*second), one);
      }
    }
    if (name == "move" && call->getNumArgs() == 1)
      leave(*call->getArg(0));
    const FunctionDecl *definition = callee->getDefinition();
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const Expr &argument = *call->getArg(i);
      if (definition && i < definition->getNumParams() &&
          !isa<CXXMethodDecl>(callee))
        give(*definition->getParamDecl(i), argument);
      // Another file has its own view of the structures that it is given.
      if (!definition && !isSystem(*callee, Sources) && !callee->isImplicit())
        refuteMembers(argument.getType()->isPointerType()
                          ? argument.getType()->getPointeeType()
                      : argument.isLValue() ? argument.getType()
                                            : QualType());
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    if (isa<FunctionDecl>(name->getDecl()))
      Functions.push_back(name);
    else if (isa<FieldDecl>(name->getDecl())) // `&Class::member`
      refuted.insert(name->getDecl()->getCanonicalDecl());
    else if (holdsPointers(name->getType()))
      named.push_back(name);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *member) override {
    if (holdsPointers(member->getType()))
      named.push_back(member);
    return true;
  }

private:
  void leave(const Expr &place) { Left.insert(rootOf(place)); }
  void give(const Decl &target, const Expr &value) {
    const auto *list = dyn_cast<InitListExpr>(&plainValue(value));
    if (const auto *named = dyn_cast<ValueDecl>(&target);
        list && named && named->getType()->isArrayType()) {
      for (const Expr *each : list->inits())
        give(target, *each);
      return;
    }
    given[target.getCanonicalDecl()].push_back(&value);
  }
  void refuteMembers(QualType type) {
    if (type.isNull() || type.isConstQualified())
      return;
    while (const ArrayType *array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    const RecordDecl *record = type->getAsRecordDecl();
    if (!record || !Refuted.insert(record->getCanonicalDecl()).second)
      return;
    for (const FieldDecl *field : record->fields()) {
      refuted.insert(field->getCanonicalDecl());
      refuteMembers(field->getType());
    }
    if (const auto *own = dyn_cast<CXXRecordDecl>(record);
        own && own->hasDefinition())
      for (const CXXBaseSpecifier &base : own->bases())
        refuteMembers(base.getType());
  }

  const SourceManager &Sources;
  const Decl *Function = nullptr; ///< that is traversed
  std::set<const DeclRefExpr *> Called;
  std::vector<const DeclRefExpr *> Functions;
  std::set<const Expr *> Left;    ///< mentions that store nothing unseen
  std::set<const Decl *> Refuted; ///< structures
};

/// Finds the largest set of pointers that are given only each other's values.
class Solver {
public:
  Solver(const HostUnit &unit, PointerFlow &flow) : Unit(unit), Flow(flow) {
    bool isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (const auto &[target, values] : Flow.given)
        if (isWhole(*target) && !llvm::all_of(values, [&](const Expr *value) {
              return isWhole(*value);
            }))
          isChanged |= Flow.refuted.insert(target).second;
    }
  }

  bool isWhole(const Decl &pointer) {
    if (Flow.refuted.count(&pointer) != 0)
      return false;
    const auto [known, isNew] = Seen.try_emplace(&pointer, false);
    if (isNew)
      known->second = areStoresInSight(Unit, pointer);
    return known->second;
  }

private:
  bool isWhole(const Expr &value) {
    const Expr &expression = plainValue(value);
    if (const Expr *place = rootOf(expression))
      return isWhole(*declarationOf(*place));
    if (isa<CXXNullPtrLiteralExpr, GNUNullExpr, ImplicitValueInitExpr>(
            expression))
      return true;
    if (const auto *cast = dyn_cast<CastExpr>(&expression)) {
      switch (cast->getCastKind()) {
      case CK_NullToPointer:
        return true;
      case CK_NoOp:
      case CK_BitCast:
      case CK_LValueToRValue:
        return isWhole(*cast->getSubExpr());
      default:
        return false;
      }
    }
    if (const auto *choice = dyn_cast<ConditionalOperator>(&expression))
      return isWhole(*choice->getTrueExpr()) &&
             isWhole(*choice->getFalseExpr());
    if (const auto *list = dyn_cast<InitListExpr>(&expression))
      return list->getNumInits() == 0 ||
             (list->getNumInits() == 1 && isWhole(*list->getInit(0)));
    const auto *call = dyn_cast<CallExpr>(&expression);
    if (!call)
      return false;
    const std::string name = nameInStd(*call);
    if (!name.empty())
      return (name == "move" || name == "exchange") &&
             call->getNumArgs() != 0 && isWhole(*call->getArg(0));
    const FunctionDecl *callee = call->getDirectCallee();
    return callee && !callee->getReturnType()->isReferenceType() &&
           isWhole(*callee->getCanonicalDecl());
  }

  const HostUnit &Unit;
  PointerFlow &Flow;
  std::map<const Decl *, bool> Seen;
};

} // namespace

void findWholeAllocations(HostUnit &unit) {
  // Kernels may store to the host's variables.
  if (unit.managed || unit.mapsHostMemory ||
      unit.model.program.language != Language::Cuda)
    return;
  PointerFlow flow(unit.model.files.sources());
  for (const FunctionDecl *function : unit.order)
    flow.traverse(*function);
  flow.finish();
  Solver solver(unit, flow);
  for (const Expr *name : flow.named)
    if (const Decl *pointer = declarationOf(*name); solver.isWhole(*pointer))
      unit.wholeAllocations.insert(pointer);
}

bool isWholeAllocation(const HostUnit &unit, const Expr &place) {
  const Expr *name = rootOf(place);
  return name && unit.wholeAllocations.count(declarationOf(*name)) != 0;
}

} // namespace kfuse
