//===- Stores.cpp - Stores, and what is recorded of accesses --------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/syntax/SourceRanges.h"

#include "clang/AST/ASTContext.h"

namespace kfuse {

using namespace clang;

namespace {

/// Limits a kernel's accesses: each pair of two kernels' accesses is compared.
constexpr std::size_t MostAccesses = 10000;

} // namespace

void KernelExecutor::store(const Place &place, const Value &value,
                           const Expr *lvalue, const Expr *whole,
                           const Expr *stored) {
  const bool leaks = value.kind == Value::Kind::Pointer &&
                     isGlobal(value.pointer) &&
                     place.kind != Place::Kind::Variable;
  if (leaks)
    note(KernelFeature::EscapingPointer, whole->getSourceRange());
  if (place.kind == Place::Kind::Memory) {
    if (Access *access = record(AccessKind::Write,
                                stored && place.isWhole ? AccessForm::Store
                                                        : AccessForm::Other,
                                place, lvalue)) {
      access->whole = wholeText(whole->getSourceRange());
      if (stored)
        access->value = wholeText(stored->getSourceRange());
      access->editable &= isOwnText(access->whole);
      if (place.isWhole && lvalue->getType()->isScalarType())
        access->copyOf = value.loaded;
    }
    return;
  }
  if (place.kind == Place::Kind::Unknown) {
    note(KernelFeature::EscapingPointer, lvalue->getSourceRange(),
         "memory that can't be followed");
    giveUp(lvalue->getSourceRange());
  }
  assign(place, value);
}

void KernelExecutor::update(const Place &place, const Value &value,
                            const Expr *lvalue, const Expr *whole,
                            const Expr *stored) {
  if (place.kind != Place::Kind::Memory) {
    store(place, value, lvalue, whole, nullptr);
    return;
  }
  record(AccessKind::Read, AccessForm::UpdateLoad, place, lvalue);
  if (Access *access =
          record(AccessKind::Write, AccessForm::Update, place, lvalue)) {
    access->whole = wholeText(whole->getSourceRange());
    if (stored)
      access->value = wholeText(stored->getSourceRange());
    access->editable &= isOwnText(access->whole);
  }
}

Access *KernelExecutor::record(AccessKind kind, AccessForm form,
                               const Place &place, const Expr *lvalue) {
  if (place.pointer.base == PointerBase::Choice) {
    recordChoice(kind, form, place, lvalue);
    return nullptr;
  }
  if (kind != AccessKind::Read || Frames.size() > 1)
    ++Effects;
  if (lvalue->getType().isVolatileQualified())
    note(KernelFeature::Volatile, lvalue->getSourceRange());
  if (!isRecording())
    return nullptr;
  if (Result.accesses.size() == MostAccesses) {
    giveUpSize(lvalue->getSourceRange(), MostAccesses, "accesses");
    return nullptr;
  }
  Access access;
  access.kind = kind;
  access.form = place.isWhole ? form : AccessForm::Other;
  access.pointer = place.pointer.pointer;
  access.elementBytes = place.elementBytes;
  access.offset = place.offset;
  access.width = place.width;
  access.index =
      Arithmetic.divideExactly(place.pointer.bytes, place.elementBytes);
  if (!std::holds_alternative<Polynomial>(access.index))
    access.index =
        Arithmetic.divideAligned(place.pointer.bytes, place.elementBytes);
  if (auto *index = std::get_if<Polynomial>(&access.index))
    *index = Arithmetic.recombine(*index);
  access.guard = Current.guard;
  access.loops = LoopStack;
  access.range = wholeText(lvalue->getSourceRange());
  access.isReinterpreted = !isPartOfElement(place, lvalue);
  access.editable = Frames.size() == 1 && isOwnText(access.range) &&
                    isSeenAsElement(place, lvalue->getType()) &&
                    onlyComputes(*lvalue);
  if (const auto *index = std::get_if<Polynomial>(&access.index);
      index && kind == AccessKind::Read && access.editable &&
      differsInTerm(*index))
    access.names = namesAt(*lvalue);
  Result.accesses.push_back(std::move(access));
  return &Result.accesses.back();
}

/// Records an access to each place that a pointer may point to. The text is one
/// for all of them, so that none can be edited.
void KernelExecutor::recordChoice(AccessKind kind, AccessForm form,
                                  const Place &place, const Expr *lvalue) {
  for (const PointerTarget &target : place.pointer.targets) {
    Place one = place;
    one.pointer = {};
    one.pointer.base = PointerBase::Global;
    one.pointer.pointer = target.pointer;
    one.pointer.bytes = target.bytes;
    Access *access = underGuard(target.guard, [&] {
      return record(kind, kind == AccessKind::Read ? form : AccessForm::Other,
                    one, lvalue);
    });
    if (access)
      access->editable = false;
  }
}

} // namespace kfuse
