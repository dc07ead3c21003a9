//===- Borrowing.cpp - Arrays that libraries are given --------------------===//
//
// A library's call that borrows pointers uses the arrays where it stands, as a
// copy or a memset does. No other name of theirs outlives it.
//
//===----------------------------------------------------------------------===//

#include "frontend/api/Callees.h"
#include "frontend/host/Walker.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

/// Returns what the call or the construction borrows, and notes the calls in it
/// that only make iterators.
std::optional<Borrowing> HostWalker::borrowing(const Expr &use) {
  auto borrowed =
      borrowedBy(use, &use == WholeCall, Unit.runtimeNames, Model.ast);
  const auto hasPlace = [this](const Borrowing::Argument &vector) {
    return Reader.place(*vector.value->IgnoreParenImpCasts()).has_value();
  };
  if (!borrowed || !llvm::all_of(borrowed->vectors, hasPlace))
    return std::nullopt;
  Reader.noteBorrowing(use);
  Wrappers.insert(borrowed->wrappers.begin(), borrowed->wrappers.end());
  return borrowed;
}

void HostWalker::borrow(const FunctionDecl &callee, const Borrowing &borrowed,
                        StepFacts &facts) {
  facts.exits |= Unit.catches && mayThrow(callee, Model.files.sources());
  facts.touchesEverything |= Unit.mapsHostMemory;
  Model.program.transferStreams.emplace_back();
  for (const Borrowing::Argument &each : borrowed.pointers)
    useOnDevice(Reader.pointer(*each.value).object, true, each.isWritten,
                facts);
  for (const Borrowing::Argument &each : borrowed.vectors) {
    const Expr &vector = *each.value->IgnoreParenImpCasts();
    const HostPlace place = *Reader.place(vector);
    const auto *type = cast<ClassTemplateSpecializationDecl>(
        vector.getType()->getAsCXXRecordDecl());
    const HostPointer storage = Env.readPointer(
        {place.base, place.path + ".data()"},
        Model.ast.getPointerType(type->getTemplateArgs()[0].getAsType()),
        Reader.text(vector) + ".data()");
    useOnDevice(storage.object, true, each.isWritten, facts);
  }
}

} // namespace kfuse
