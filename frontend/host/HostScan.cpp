//===- HostScan.cpp - Summary of a piece of host code ---------------------===//

#include "frontend/host/HostScan.h"

#include "frontend/syntax/Lvalues.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

namespace kfuse {

using namespace clang;

void HostScan::assign(const Expr &lvalue, const Expr *source) {
  if (const auto choices = choicesOf(lvalue); choices.front() != &lvalue) {
    for (const Expr *each : choices)
      assign(*each, nullptr);
    return;
  }
  const ValueDecl *target = baseOf(lvalue);
  if (!target) {
    // Floating-point values aren't tracked in memory.
    if (!lvalue.getType()->isFloatingType())
      ++memoryStores;
    return;
  }
  insert(assigned, target);
  if (!lvalue.getType()->isAnyPointerType())
    return;
  const auto *name =
      source ? dyn_cast<DeclRefExpr>(source->IgnoreParenCasts()) : nullptr;
  const bool isWhole =
      isa<DeclRefExpr>(lvalue.IgnoreParens()) && !boundBy(lvalue);
  const ValueDecl *origin = name ? baseOf(*name) : nullptr;
  if (origin && isWhole && origin->getType()->isAnyPointerType())
    flows[target].push_back(origin);
  else
    otherFlows.insert(target);
}

void HostScan::takeAddress(const Expr &lvalue, bool isTransient) {
  if (const auto choices = choicesOf(lvalue); choices.front() != &lvalue) {
    for (const Expr *each : choices)
      takeAddress(*each, isTransient);
    return;
  }
  const ValueDecl *variable = baseOf(lvalue);
  if (!variable) {
    ++memoryStores;
    return;
  }
  insert(assigned, variable);
  otherFlows.insert(variable);
  if (!isTransient)
    insert(addressTaken, variable);
}

void HostScan::takeMembers(const InitListExpr &list) {
  const RecordDecl *record = list.getType()->getAsRecordDecl();
  if (!record || record->isUnion())
    return;
  const auto *derived = dyn_cast<CXXRecordDecl>(record);
  unsigned index = derived ? derived->getNumBases() : 0;
  for (const FieldDecl *field : record->fields()) {
    if (index >= list.getNumInits())
      return;
    const Expr *init = list.getInit(index++);
    if (init && field->getType()->isReferenceType() &&
        !field->getType()->getPointeeType().isConstQualified())
      takeAddress(*init, false);
  }
}

void HostScan::declare(const VarDecl &variable) {
  const VarDecl *canonical = variable.getCanonicalDecl();
  declared.insert(canonical);
  insert<const ValueDecl *>(assigned, canonical);
  if (!variable.getType()->isAnyPointerType() || !variable.getInit())
    return;
  const auto *name =
      dyn_cast<DeclRefExpr>(variable.getInit()->IgnoreParenCasts());
  const ValueDecl *origin = name ? baseOf(*name) : nullptr;
  if (origin && origin->getType()->isAnyPointerType())
    flows[canonical].push_back(origin);
  else
    otherFlows.insert(canonical);
}

void HostScan::measure(const Expr &value) {
  const auto note = [this](const Expr &pointer) {
    const ValueDecl *base = baseOf(pointer);
    const auto *variable = dyn_cast_or_null<VarDecl>(base);
    if (base && (!variable || variable->hasGlobalStorage()))
      measured.insert(base);
  };
  if (const auto *binary = dyn_cast<BinaryOperator>(&value);
      binary && binary->getOpcode() == BO_Sub &&
      binary->getLHS()->getType()->isAnyPointerType() &&
      binary->getRHS()->getType()->isAnyPointerType()) {
    subtractsPointers = true;
    note(*binary->getLHS());
    note(*binary->getRHS());
  } else if (const auto *cast = dyn_cast<CastExpr>(&value);
             cast && cast->getCastKind() == CK_PointerToIntegral) {
    numbersPointers = true;
    note(*cast->getSubExpr());
  }
}

} // namespace kfuse
