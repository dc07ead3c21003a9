//===- Aggregates.cpp - Objects and lists in a kernel ---------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/kernel/ThreadGroups.h"
#include "frontend/syntax/SourceRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

Value KernelExecutor::evaluateConstruct(const CXXConstructExpr &construct) {
  const CXXConstructorDecl *constructor = construct.getConstructor();
  if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial() &&
      construct.getNumArgs() >= 1) {
    const Expr *source = construct.getArg(0);
    return source->isGLValue() ? load(source) : evaluate(source);
  }
  Value result;
  result.kind = Value::Kind::Aggregate;
  if (constructor->isTrivial())
    return result;
  // A collective keeps its storage, and a group nothing.
  if (keepsNothing(*constructor->getParent())) {
    for (const Expr *argument : construct.arguments())
      if (argument->isGLValue())
        place(argument);
      else
        evaluate(argument);
    return result;
  }
  const FunctionDecl *definition = nullptr;
  if (!constructor->hasBody(definition)) {
    for (const Expr *argument : construct.arguments())
      clobber(argument->isGLValue() ? load(argument) : evaluate(argument),
              argument, /*mayWrite=*/true);
    if (!Context.files.isInSystemHeader(constructor->getLocation()))
      giveUp(construct.getSourceRange());
    return result;
  }
  Place object;
  object.kind = Place::Kind::Private;
  std::vector<const Expr *> arguments(construct.arg_begin(),
                                      construct.arg_end());
  follow(*definition, arguments, object, construct);
  return result;
}

Value KernelExecutor::evaluateInitList(const InitListExpr &list) {
  // It would run for each element that has no initialiser of its own.
  if (const Expr *filler = list.getArrayFiller();
      filler && !isa<ImplicitValueInitExpr>(filler) &&
      !filler->isConstantInitializer(Context.ast, /*ForRef=*/false))
    giveUp(list.getSourceRange());
  if (const RecordDecl *record = list.getType()->getAsRecordDecl();
      record && !record->isUnion()) {
    Value result;
    result.kind = Value::Kind::Aggregate;
    unsigned i = 0;
    // Bases are initialised first.
    if (const auto *derived = dyn_cast<CXXRecordDecl>(record))
      for (; i < derived->getNumBases() && i < list.getNumInits(); ++i)
        evaluate(list.getInit(i));
    for (const FieldDecl *field : record->fields()) {
      if (field->isUnnamedBitField() || i >= list.getNumInits())
        continue;
      Value value = evaluate(list.getInit(i++));
      const std::string path = "." + field->getNameAsString();
      if (value.kind == Value::Kind::Aggregate)
        for (auto &[name, member] : value.members)
          result.members[path + name] = std::move(member);
      else
        result.members[path] = std::move(value);
    }
    return result;
  }
  if (list.getType()->isScalarType() && list.getNumInits() == 1)
    return evaluate(list.getInit(0));
  for (const Expr *element : list.inits()) {
    const Value value = evaluate(element);
    if (isGlobal(value.pointer) && value.kind == Value::Kind::Pointer)
      note(KernelFeature::EscapingPointer, element->getSourceRange());
  }
  return {};
}

} // namespace kfuse
