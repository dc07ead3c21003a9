//===- ReturnedAllocations.cpp - Storage that functions return ------------===//
//
// A function that allocates in each call and returns the pointer, with nobody
// else to know it, is as good as the allocation itself.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/Walker.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

unsigned countReturns(const Stmt &statement) {
  if (isa<LambdaExpr>(statement))
    return 0;
  unsigned count = isa<ReturnStmt>(statement) ? 1 : 0;
  for (const Stmt *child : statement.children())
    if (child)
      count += countReturns(*child);
  return count;
}

const Expr &madeBy(const Expr &expression) {
  return *expression.IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
}

} // namespace

void HostWalker::returnAllocation(const Expr &value) {
  const bool isNull =
      value.isNullPointerConstant(Model.ast, Expr::NPC_ValueDependentIsNotNull);
  if (!value.getType()->isAnyPointerType() || isNull) {
    Results.others += !isNull;
    return escape(value);
  }
  const HostPointer pointer = Reader.pointer(value);
  const MemoryObject &object = Model[pointer.object];
  // Storage that has a name in this function alone, and whose name ends here.
  if (object.array.origin == ArrayOrigin::Allocation && !object.array.escapes &&
      pointer.offset == IndexExpr(Polynomial{}) &&
      indexOf(pointer.object) >= FirstObject) {
    Results.storage.insert(pointer.object);
    return;
  }
  ++Results.others;
  Model.escape(pointer.object);
}

void HostWalker::resolveReturnedAllocation() {
  const FunctionDecl &function = *Function.declaration;
  const bool isGift = Results.storage.size() == 1 && Results.others == 0 &&
                      !Model[*Results.storage.begin()].array.escapes &&
                      countReturns(*function.getBody()) == Results.count;
  for (ObjectId returned : Results.storage)
    Model.escape(returned);
  if (!isGift)
    return;
  ReturnedAllocation gift;
  gift.storage = *Results.storage.begin();
  for (unsigned i = 0; i < function.getNumParams(); ++i) {
    const HostPlace place{Model.variable(*function.getParamDecl(i)), {}};
    const auto held = Model.defaults.find({place, Model.entryEpoch, 0});
    if (held == Model.defaults.end())
      continue;
    if (const auto *value = std::get_if<Polynomial>(&held->second))
      if (const auto symbol = value->asSymbol())
        gift.arguments.emplace(*symbol, i);
  }
  Function.gift = std::move(gift);
}

/// Returns the bytes of `gift` if they depend only on values that the call
/// passes.
std::optional<Polynomial> HostWalker::giftBytes(const ReturnedAllocation &gift,
                                                const CallExpr &call) {
  const std::optional<Polynomial> bytes = Model[gift.storage].array.bytes;
  const auto isKnown = [this](const Expr *argument) {
    const auto *inDeclaration = dyn_cast<CXXDefaultArgExpr>(argument);
    return isPure(inDeclaration ? *inDeclaration->getExpr() : *argument,
                  Model.files);
  };
  if (!bytes || call.getNumArgs() != call.getDirectCallee()->getNumParams() ||
      !std::all_of(call.arg_begin(), call.arg_end(), isKnown))
    return std::nullopt;
  TermTable &terms = Model.program.terms;
  for (Symbol symbol : symbolsDeep(*bytes, terms))
    if (symbol.kind == SymbolKind::Opaque ? terms.hasUnique(symbol)
                                          : !gift.arguments.contains(symbol))
      return std::nullopt;
  // Sizes are modular in the width of size_t, narrower numbers are not.
  const auto given = [&](const Expr &argument) {
    return Model.ast.getIntWidth(argument.getType()) < 64
               ? Reader.exact(argument)
               : Reader.integer(argument);
  };
  return substituteDeep(*bytes, terms,
                        [&](Symbol symbol) -> std::optional<Polynomial> {
                          const auto found = gift.arguments.find(symbol);
                          if (found == gift.arguments.end())
                            return std::nullopt;
                          return given(*call.getArg(found->second));
                        });
}

void HostWalker::receive(const CallExpr &call, StepFacts &facts) {
  const HostFunction *function = Unit.find(*call.getDirectCallee());
  if (!function || function->state != HostFunction::State::Done ||
      !function->gift)
    return;
  MemoryObject object;
  object.array.name = Reader.text(call);
  object.array.element = pointeeElement(Model.ast, call.getType());
  object.array.origin = ArrayOrigin::Allocation;
  object.array.range = Model.files.wholeText(call.getSourceRange());
  const Array &inner = Model[function->gift->storage].array;
  object.array.site =
      !inner.site.empty()
          ? inner.site
          : call.getDirectCallee()->getNameAsString() + ":" + inner.name;
  const ObjectId id = Model.addObject(std::move(object));
  facts.use(id, false, true);
  Reader.setResult(call, id);
}

void HostWalker::bindReturnedAllocation(const ValueDecl &target,
                                        const Expr &source) {
  const Expr &made = madeBy(source);
  const std::optional<ObjectId> storage = Reader.result(made);
  if (!storage)
    return;
  Array &array = Model[*storage].array;
  // The bytes of a buffer that OpenCL returns are known already.
  const auto *call = dyn_cast<CallExpr>(&made);
  if (const HostFunction *function =
          call ? Unit.find(*call->getDirectCallee()) : nullptr)
    array.bytes = giftBytes(*function->gift, *call);
  array.name = target.getNameAsString();
  if (target.getType()->isAnyPointerType())
    array.element = pointeeElement(Model.ast, target.getType());
  if (const auto *variable = dyn_cast<VarDecl>(&target))
    Unit.gifts[variable->getCanonicalDecl()].push_back(*storage);
}

} // namespace kfuse
