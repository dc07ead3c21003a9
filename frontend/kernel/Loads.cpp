//===- Loads.cpp - Loads, and the text of elements ------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/kernel/Types.h"
#include "frontend/syntax/SourceRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

Value KernelExecutor::load(const Expr *lvalue) {
  // `(c ? a : b)[i]` is followed as a pointer; `c ? a[i] : b[i]` arm by arm.
  if (const auto *select =
          dyn_cast<AbstractConditionalOperator>(lvalue->IgnoreParens())) {
    const Branch branch = evaluateCondition(select->getCond());
    auto arm = [&](const Guard &guard, const Expr *value) {
      return underGuard(guard, [&] {
        return value->isGLValue() ? load(value) : evaluate(value);
      });
    };
    const Value whenTrue = arm(branch.whenTrue, select->getTrueExpr());
    const Value whenFalse = arm(branch.whenFalse, select->getFalseExpr());
    return joinValues(selectionBy(branch), whenTrue, whenFalse);
  }
  return load(place(lvalue), lvalue);
}

Value KernelExecutor::loadValue(const Expr *lvalue) {
  const std::size_t before = Result.accesses.size();
  Value value = load(lvalue);
  if (Result.accesses.size() > before)
    if (Access &last = Result.accesses.back();
        last.range == wholeText(lvalue->getSourceRange()))
      last.isValue = true;
  return value;
}

Value KernelExecutor::load(const Place &place, const Expr *lvalue) {
  if (place.kind == Place::Kind::Memory) {
    const Access *access =
        record(AccessKind::Read, AccessForm::Load, place, lvalue);
    Value value = read(place, lvalue->getType());
    // A `bool` may lose bits that no `bool` has.
    const QualType type = lvalue->getType();
    if (access && place.isWhole && type->isScalarType() &&
        !type->isBooleanType())
      value.loaded = static_cast<std::uint32_t>(Result.accesses.size() - 1);
    return value;
  }
  if (place.kind == Place::Kind::Unknown) {
    note(KernelFeature::EscapingPointer, lvalue->getSourceRange(),
         "memory that can't be followed");
    giveUp(lvalue->getSourceRange());
  }
  return read(place, lvalue->getType());
}

/// Evaluates `__ldg(p)`, which may miss what the kernel has stored, or a load
/// or store with a hint for caches.
Value KernelExecutor::accessByCall(const CallExpr &call, llvm::StringRef name,
                                   AccessKind kind) {
  const Expr *target = call.getArg(0);
  const Value pointer = evaluate(target);
  for (unsigned i = 1; i < call.getNumArgs(); ++i)
    evaluate(call.getArg(i));
  if (pointer.kind != Value::Kind::Pointer ||
      pointer.pointer.base == PointerBase::Unknown)
    giveUp(call.getSourceRange());
  const QualType type = target->getType()->getPointeeType();
  const Place where = pointee(pointer.pointer, type);
  const SourceRange whole = wholeText(call.getSourceRange());
  const bool isLoad = kind == AccessKind::Read;
  const bool isOwn = Frames.size() == 1 && isOwnText(whole) &&
                     Context.files.text(whole).find(name.str() + "(") == 0;
  if (name == "__ldg" && !isOwn)
    note(KernelFeature::ReadOnlyLoad, call.getSourceRange(), name.str());
  if (where.kind != Place::Kind::Memory)
    return type->isIntegralOrEnumerationType()
               ? integerValue(NotPolynomial::Indirect)
               : Value{};
  Access *access = record(kind, isLoad ? AccessForm::Load : AccessForm::Other,
                          where, target);
  if (access) {
    access->range = whole;
    access->isValue = isLoad;
    access->editable = isLoad && isOwn && isSeenAsElement(where, type) &&
                       onlyComputes(*target);
  }
  return isLoad ? read(where, type) : Value{};
}

SourceRange KernelExecutor::wholeText(clang::SourceRange tokens) const {
  const SourceManager &sources = ast().getSourceManager();
  // The text of an argument may stand for several things.
  const bool isArgument = sources.isMacroArgExpansion(tokens.getBegin()) ||
                          sources.isMacroArgExpansion(tokens.getEnd());
  return isArgument ? Context.files.range(tokens)
                    : Context.files.wholeText(tokens);
}

bool KernelExecutor::isSeenAsElement(const Place &place, QualType type) const {
  return place.pointer.pointer < Result.pointers.size() &&
         describeElement(ast(), type).canonical ==
             Result.pointers[place.pointer.pointer].element.canonical;
}

/// Checks whether the code at `at`, a glvalue or a pointer to the place, sees
/// the place or an aggregate around it as an element.
bool KernelExecutor::isPartOfElement(const Place &place, const Expr *at) const {
  if (!at->isGLValue()) {
    const QualType pointee = at->getType()->getPointeeType();
    return !pointee.isNull() && isSeenAsElement(place, pointee);
  }
  for (;;) {
    at = at->IgnoreParens();
    if (isSeenAsElement(place, at->getType()))
      return true;
    const auto *member = dyn_cast<MemberExpr>(at);
    const auto *element = dyn_cast<ArraySubscriptExpr>(at);
    if (member && !member->isArrow())
      at = member->getBase();
    else if (member)
      return isSeenAsElement(place,
                             member->getBase()->getType()->getPointeeType());
    else if (element)
      at = element->getBase()->IgnoreParenImpCasts();
    else
      return false;
    if (!at->isGLValue())
      return false;
  }
}

bool KernelExecutor::isOwnText(const SourceRange &range) const {
  return range.line != 0 && !range.inMacro &&
         range.file == Result.text.body.file;
}

bool KernelExecutor::onlyComputes(const Expr &expression) const {
  if (!expression.HasSideEffects(ast()))
    return true;
  const Expr *e = expression.IgnoreParens();
  if (const auto *call = dyn_cast<CallExpr>(e))
    return Computations.contains(call);
  const auto *operation = dyn_cast<BinaryOperator>(e);
  const auto *step = dyn_cast<UnaryOperator>(e);
  const bool isPlain =
      operation ? !operation->isAssignmentOp()
      : step    ? !step->isIncrementDecrementOp()
                : isa<CastExpr, ArraySubscriptExpr, MemberExpr,
                      ConditionalOperator, MaterializeTemporaryExpr>(e);
  return isPlain && !e->getType().isVolatileQualified() &&
         std::all_of(e->child_begin(), e->child_end(), [&](const Stmt *part) {
           return onlyComputes(*cast<Expr>(part));
         });
}

} // namespace kfuse
