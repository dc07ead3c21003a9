//===- OpenClCalls.cpp - What calls of OpenCL are given -------------------===//

#include "frontend/api/OpenClCalls.h"

#include "frontend/api/AssignedValues.h"
#include "frontend/api/Callees.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;
using llvm::StringRef;

std::string argumentPath(std::int64_t index) {
  return ".argument(" + std::to_string(index) + ")";
}

std::string shownPath(const std::string &path) {
  return path == HandlePath ? std::string() : path;
}

std::string rangePath(unsigned axis) {
  return ".sizes_[" + std::to_string(axis) + "]";
}

bool isNull(const Expr &expression, ASTContext &ast) {
  return expression.isNullPointerConstant(
             ast, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
}

std::optional<std::int64_t> constantOf(const Expr &expression,
                                       const ASTContext &ast) {
  Expr::EvalResult value;
  if (expression.isValueDependent() || !expression.EvaluateAsInt(value, ast))
    return std::nullopt;
  return value.Val.getInt().tryExtValue();
}

StringRef openClClass(QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getIdentifier() && isOwnOpenCl(*record) &&
                 isa<NamespaceDecl>(record->getDeclContext())
             ? record->getName()
             : StringRef();
}

bool isBuffer(QualType type) {
  const RecordDecl *record = type->isPointerType()
                                 ? type->getPointeeType()->getAsRecordDecl()
                                 : nullptr;
  return record ? record->getName() == "_cl_mem"
                : openClClass(type) == "Buffer";
}

const Expr *argumentNamed(StringRef name, const FunctionDecl &callee,
                          llvm::ArrayRef<const Expr *> arguments) {
  for (unsigned i = 0; i < callee.getNumParams() && i < arguments.size(); ++i)
    if (callee.getParamDecl(i)->getName() == name)
      return isa<CXXDefaultArgExpr>(arguments[i]) ? nullptr : arguments[i];
  return nullptr;
}

const Expr &copiedObject(const Expr &expression) {
  const Expr *value = expression.IgnoreUnlessSpelledInSource();
  const auto *made = dyn_cast<CXXConstructExpr>(value);
  const bool isCopy = made && made->getNumArgs() == 1 &&
                      made->getConstructor()->isCopyOrMoveConstructor();
  return isCopy ? copiedObject(*made->getArg(0))
                : *value->IgnoreParenImpCasts();
}

const Expr *wholeString(const CXXConstructExpr &made) {
  const bool isWhole =
      libraryClass(made.getType()) == "basic_string" && made.getNumArgs() > 0 &&
      std::all_of(made.arg_begin() + 1, made.arg_end(), [](const Expr *more) {
        return isa<CXXDefaultArgExpr>(more);
      });
  const QualType type =
      isWhole ? made.getArg(0)->getType().getNonReferenceType() : QualType();
  return isWhole && (type->isPointerType() || type->isArrayType() ||
                     libraryClass(type) == "basic_string")
             ? made.getArg(0)
             : nullptr;
}

const clang::StringLiteral *literalIn(const Expr &expression) {
  const Expr *value = expression.IgnoreUnlessSpelledInSource();
  value = value->IgnoreParenCasts();
  if (const auto *made = dyn_cast<CXXConstructExpr>(value)) {
    const Expr *text = wholeString(*made);
    return text ? literalIn(*text) : nullptr;
  }
  return dyn_cast<clang::StringLiteral>(value);
}

namespace {

/// The arguments of clSetKernelArg.
enum SetArgument : unsigned { ObjectOfSet, IndexOfSet, BytesOfSet, ValueOfSet };

/// The arguments of clEnqueueNDRangeKernel.
enum EnqueueArgument : unsigned {
  QueueArgument,
  KernelArgument,
  DimensionsArgument,
  OffsetArgument,
  GlobalArgument,
  LocalArgument,
  WaitCountArgument,
  WaitListArgument,
  EventArgument,
  EnqueueArguments
};

const char *const WaitsForEvents = "it waits for events";
const char *const HasEvent = "an event tells of it";
const char *const HasOffset = "its work-items begin at an offset";

EnqueueCall enqueueInC(const CallExpr &call, ASTContext &ast) {
  EnqueueCall made;
  made.queue = call.getArg(QueueArgument);
  made.kernel = call.getArg(KernelArgument);
  made.dimensions = call.getArg(DimensionsArgument);
  made.global = call.getArg(GlobalArgument);
  made.local = call.getArg(LocalArgument);
  made.choosesGroups = isNull(*made.local, ast);
  if (constantOf(*call.getArg(WaitCountArgument), ast) != 0 ||
      !isNull(*call.getArg(WaitListArgument), ast))
    made.obstacle = WaitsForEvents;
  else if (!isNull(*call.getArg(EventArgument), ast))
    made.obstacle = HasEvent;
  else if (!isNull(*call.getArg(OffsetArgument), ast))
    made.obstacle = HasOffset;
  return made;
}

/// Checks whether `range` is `cl::NullRange`, empty, or not given at all.
bool isNoRange(const Expr *range) {
  if (!range)
    return true;
  const Expr &object = copiedObject(*range);
  if (const auto *made = dyn_cast<CXXConstructExpr>(&object))
    return made->getNumArgs() == 0;
  const auto *name = dyn_cast<DeclRefExpr>(&object);
  return name && name->getDecl()->getName() == "NullRange" &&
         isOwnOpenCl(*name->getDecl());
}

/// Returns the launch that the arguments of a queue's method or of
/// cl::EnqueueArgs describe.
EnqueueCall enqueueInRange(const FunctionDecl &callee,
                           llvm::ArrayRef<const Expr *> arguments,
                           ASTContext &ast) {
  const auto named = [&](StringRef name) {
    return argumentNamed(name, callee, arguments);
  };
  EnqueueCall made;
  made.byClasses = true;
  made.queue = named("queue");
  made.kernel = named("kernel");
  made.global = named("global");
  made.local = named("local");
  made.choosesGroups = isNoRange(made.local);
  const auto isGiven = [&](const Expr *argument) {
    return argument && !isNull(*argument, ast);
  };
  if (isGiven(named("events")))
    made.obstacle = WaitsForEvents;
  else if (isGiven(named("event")))
    made.obstacle = HasEvent;
  else if (!isNoRange(named("offset")))
    made.obstacle = HasOffset;
  return made;
}

EnqueueCall enqueueByFunctor(const CXXOperatorCallExpr &call,
                             const FunctionDecl &callee, ASTContext &ast) {
  EnqueueCall made;
  made.byClasses = true;
  const auto *range =
      dyn_cast<CXXConstructExpr>(&copiedObject(*call.getArg(1)));
  if (!range) {
    made.obstacle = "its range can't be followed";
    return made;
  }
  made = enqueueInRange(*range->getConstructor(),
                        {range->getArgs(), range->getNumArgs()}, ast);
  if (!made.queue)
    made.obstacle = "its queue has no name";
  made.kernel = call.getArg(0);
  made.arguments.emplace();
  for (unsigned i = 2; i < call.getNumArgs(); ++i) {
    made.arguments->push_back(&copiedObject(*call.getArg(i)));
    made.types.push_back(callee.getParamDecl(i - 1)->getType());
  }
  return made;
}

} // namespace

const Expr *localBytes(const Expr &argument) {
  const auto *call = dyn_cast<CallExpr>(&copiedObject(argument));
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && plainName(*callee) == "cl::Local" && call->getNumArgs() == 1
             ? call->getArg(0)
             : nullptr;
}

std::optional<ArgumentSetting> argumentSetting(const CallExpr &call,
                                               const ASTContext &ast) {
  ArgumentSetting set;
  // A pointer to nothing asks for memory of the kernel's own.
  const auto setLocal = [&](const Expr &bytes, const Expr &value) {
    set.isLocal = isNull(value, const_cast<ASTContext &>(ast));
    if (set.isLocal)
      set.value = &bytes;
  };
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
    if (call.getNumArgs() < 2)
      return std::nullopt;
    set.object = member->getImplicitObjectArgument();
    set.index = call.getArg(0);
    if (call.getNumArgs() == 3) {
      setLocal(*call.getArg(1), *call.getArg(2));
      return set;
    }
    if (const Expr *bytes = localBytes(*call.getArg(1))) {
      set.isLocal = true;
      set.value = bytes;
      return set;
    }
    // `setArg<bool>(2, flag)` passes what it converts.
    const Expr &value = copiedObject(*call.getArg(1));
    if (call.getNumArgs() == 2 &&
        ast.hasSameUnqualifiedType(value.getType(), call.getDirectCallee()
                                                        ->getParamDecl(1)
                                                        ->getType()
                                                        .getNonReferenceType()))
      set.value = &value;
    return set;
  }
  if (call.getNumArgs() <= ValueOfSet)
    return std::nullopt;
  set.object = call.getArg(ObjectOfSet);
  set.index = call.getArg(IndexOfSet);
  setLocal(*call.getArg(BytesOfSet), *call.getArg(ValueOfSet));
  if (set.isLocal)
    return set;
  const Expr *variable = addressee(*call.getArg(ValueOfSet));
  const auto bytes = constantOf(*call.getArg(BytesOfSet), ast);
  if (variable && bytes && !variable->getType()->isIncompleteType() &&
      ast.getTypeSizeInChars(variable->getType()).getQuantity() == *bytes)
    set.value = variable;
  return set;
}

EnqueueCall enqueueCall(const CallExpr &call, ASTContext &ast) {
  const FunctionDecl &callee = *call.getDirectCallee();
  EnqueueCall made;
  if (const auto *functor = dyn_cast<CXXOperatorCallExpr>(&call)) {
    made = enqueueByFunctor(*functor, callee, ast);
  } else if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
    made = enqueueInRange(callee, {call.getArgs(), call.getNumArgs()}, ast);
    made.queue = member->getImplicitObjectArgument();
  } else if (call.getNumArgs() == EnqueueArguments) {
    made = enqueueInC(call, ast);
  } else {
    made.obstacle = "the launch has errors";
  }
  return made;
}

const CallExpr *kernelCreation(const Expr &expression,
                               const SourceManager &sources) {
  const auto *call = dyn_cast<CallExpr>(expression.IgnoreParenCasts());
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const auto role = callee ? runtimeRole(*callee, sources) : std::nullopt;
  return role && role->role == RuntimeCall::Role::CreateKernel ? call : nullptr;
}

llvm::StringRef kernelNameIn(const CallExpr &creation) {
  const auto *name =
      creation.getNumArgs() > 1 ? literalIn(*creation.getArg(1)) : nullptr;
  return name ? name->getString() : llvm::StringRef();
}

} // namespace kfuse
