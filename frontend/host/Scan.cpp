//===- Scan.cpp - What a piece of host code may assign --------------------===//

#include "frontend/host/Scan.h"

#include "frontend/api/Callees.h"
#include "frontend/api/DeviceLibraries.h"
#include "frontend/api/OpenClCalls.h"
#include "frontend/api/Swaps.h"
#include "frontend/host/Expressions.h"
#include "frontend/syntax/EvaluatedChildren.h"
#include "frontend/syntax/ImplicitCalls.h"
#include "frontend/syntax/Lvalues.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether the argument is a host array, which the kernel uses in place.
bool isHostArray(const Expr &argument) {
  const Expr &given = *argument.IgnoreParenImpCasts();
  const auto *name = dyn_cast<DeclRefExpr>(&given);
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return variable && given.getType()->isArrayType() &&
         !variable->hasAttr<CUDADeviceAttr>() &&
         !variable->hasAttr<CUDAConstantAttr>() &&
         !variable->hasAttr<HIPManagedAttr>();
}

class Scanner {
public:
  explicit Scanner(const SourceManager &sources) : Sources(sources) {}

  void visit(const Stmt *statement, bool isTransient = false);
  HostScan Result;

private:
  const SourceManager &Sources;
  /// Initialisers and default arguments that were visited: a declaration may
  /// lead to itself again.
  std::set<const Expr *> Declared;
  std::set<const Expr *> Overlooked;

  void visitOnce(const Expr *declared) {
    if (Declared.insert(declared).second)
      visit(declared);
  }
  void visitCall(const CallExpr &call);
  void noteOpenCl(const FunctionDecl &callee, const CallExpr &call);
  void visitRead(const Expr &argument);
  void visitArguments(const FunctionDecl *callee, const CallExpr &call);
  void nameFunction(const FunctionDecl &function);
  void nameAll(const FunctionList &functions) {
    for (const FunctionDecl *function : functions)
      nameFunction(*function);
  }
  void nameAll(const ImplicitCalls &calls) {
    nameAll(calls.functions);
    for (const Expr *init : calls.initialisers)
      visitOnce(init);
  }
  void visitDeclaration(const VarDecl &variable);
  void visitSystem(const FunctionDecl &callee,
                   llvm::ArrayRef<const Expr *> arguments);
  void visitConstructor(const CXXConstructorDecl &constructor);
  void measure(const Stmt &statement);
  void visitDeletion(const CXXDeleteExpr &deletion);
  void visitUnary(const UnaryOperator &unary, bool isTransient);
};

bool isReadOnly(QualType parameter) {
  return !parameter.isNull() && parameter->isAnyPointerType() &&
         parameter->getPointeeType().isConstQualified();
}

void Scanner::nameFunction(const FunctionDecl &function) {
  if (function.isNoReturn())
    Result.mayExit = true;
  if (returnsTwice(function))
    Result.hasLabel = true;
  if (runtimeRole(function, Sources)) {
    Result.runtimeNames.insert(plainName(function));
    return;
  }
  bool hasBody = function.hasBody() && !isSystem(function, Sources);
  if (hasBody)
    HostScan::insert(Result.callees, &function);
  else if (!isSystem(function, Sources) && !function.isImplicit() &&
           !function.isDefaulted() && !isValueFunction(function))
    Result.callsUnknown = true;
}

/// Visits an argument whose address OpenCL is given to read it.
void Scanner::visitRead(const Expr &argument) {
  const Expr *read = addressee(argument);
  const auto *cast = dyn_cast<CastExpr>(argument.IgnoreParens());
  while (!read && cast) {
    if (cast->getCastKind() == CK_ArrayToPointerDecay)
      read = cast->getSubExpr();
    cast = dyn_cast<CastExpr>(cast->getSubExpr()->IgnoreParens());
  }
  visit(read ? read : &argument, true);
}

void Scanner::visitArguments(const FunctionDecl *callee, const CallExpr &call) {
  std::string name = callee ? plainName(*callee) : std::string();
  // C and runtime functions keep no address once they return.
  bool isTransient =
      callee && (runtimeRole(*callee, Sources) ||
                 (isSystem(*callee, Sources) && callee->isExternC()));
  unsigned shift =
      isa<CXXOperatorCallExpr>(call) && callee && isa<CXXMethodDecl>(callee)
          ? 1
          : 0;
  bool isSwap = isStandardSwap(call);
  for (unsigned index = 0; index < call.getNumArgs(); ++index) {
    const Expr *argument = call.getArg(index);
    QualType type;
    if (callee && index >= shift && index - shift < callee->getNumParams())
      type = callee->getParamDecl(index - shift)->getType();
    if (name.starts_with("cl") && isTransient && isReadOnly(type)) {
      visitRead(*argument);
      continue;
    }
    visit(argument, isTransient);
    if (isSwap) {
      Result.assign(*argument, call.getArg(1 - index));
      continue;
    }
    if (!type.isNull() && type->isReferenceType() &&
        !type->getPointeeType().isConstQualified() && argument->isLValue())
      Result.takeAddress(*argument, isTransient);
    if (mayStoreThrough(callee, *argument, type, Sources))
      ++Result.memoryStores;
  }
}

void Scanner::noteOpenCl(const FunctionDecl &callee, const CallExpr &call) {
  const auto role = runtimeRole(callee, Sources);
  if (!role)
    return;
  Result.hasLaunch |= role->role == RuntimeCall::Role::Enqueue;
  if (role->role != RuntimeCall::Role::SetArgument)
    return;
  const auto set = argumentSetting(call, callee.getASTContext());
  HostScan::SetArgument armed{set ? baseOf(*set->object) : nullptr,
                              std::nullopt};
  if (set)
    armed.index = constantOf(*set->index, callee.getASTContext());
  HostScan::insert(Result.armed, armed);
}

void Scanner::visitCall(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (const auto *launch = dyn_cast<CUDAKernelCallExpr>(&call)) {
    Result.hasLaunch = true;
    for (const Expr *argument : launch->getConfig()->arguments())
      visit(argument);
    for (const Expr *argument : launch->arguments()) {
      visit(argument, true);
      Result.launchesOnHostArray |= isHostArray(*argument);
    }
    return;
  }
  if (const auto swapped = swappedBy(call); swapped && !isStandardSwap(call)) {
    visit(swapped->first);
    visit(swapped->second);
    Result.assign(*swapped->first, swapped->second);
    return Result.assign(*swapped->second, swapped->first);
  }
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (callee) {
    nameFunction(*callee);
    noteOpenCl(*callee, call);
    Result.callsUnknown |= isOverridable(*callee, Sources);
    if (borrowedBy(call, /*isWhole=*/true, {}, callee->getASTContext()))
      Result.runtimeNames.insert(callee->getQualifiedNameAsString());
    else if (!isValueFunction(*callee) && isSystem(*callee, Sources))
      visitSystem(*callee, {call.getArgs(), call.getNumArgs()});
    else if (method && (method->isImplicit() || method->isDefaulted()))
      nameAll(calledByImplicit(*method, Sources));
  } else {
    Result.callsUnknown = true;
  }
  const Expr *object = nullptr;
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
    object = member->getImplicitObjectArgument();
    visit(object);
  } else if (!callee) {
    visit(call.getCallee());
  } else if (method && method->isInstance() && call.getNumArgs() > 0 &&
             isa<CXXOperatorCallExpr>(call)) {
    object = call.getArg(0);
  }
  if (object && method && !method->isConst() && !method->isStatic() &&
      !isValueFunction(*method) &&
      !isa<CXXThisExpr>(object->IgnoreParenImpCasts())) {
    if (object->getType()->isAnyPointerType())
      ++Result.memoryStores;
    else
      Result.assign(*object, nullptr);
  }
  visitArguments(callee, call);
}

void Scanner::visitDeclaration(const VarDecl &variable) {
  nameAll(destructorsRunFor(variable, Sources));
  if (const Expr *init = variable.getInit()) {
    visit(init);
    if (variable.getType()->isReferenceType()) {
      // The names of a structured binding aren't followed to what they name.
      if ((!baseOf(*init) || isa<DecompositionDecl>(variable)) &&
          !variable.getType()->getPointeeType().isConstQualified())
        Result.takeAddress(*init, false);
      return;
    }
  }
  Result.declare(variable);
}

void Scanner::visitSystem(const FunctionDecl &callee,
                          llvm::ArrayRef<const Expr *> arguments) {
  nameAll(calledByTemplate(callee, Sources));
  Result.callsTemplate |= callee.isTemplateInstantiation();
  Result.callsUnknown |=
      (isDeviceLibrary(callee) && !callee.isImplicit()) ||
      llvm::any_of(arguments, [&](const Expr *argument) {
        return mayReachOpaqueCode(*argument, callee.getASTContext());
      });
}

void Scanner::visitConstructor(const CXXConstructorDecl &constructor) {
  if (!constructor.isImplicit() && !constructor.isDefaulted())
    nameFunction(constructor);
  else
    nameAll(calledByImplicit(constructor, Sources));
}

void Scanner::visitUnary(const UnaryOperator &unary, bool isTransient) {
  const Expr &operand = *unary.getSubExpr();
  if (unary.isIncrementDecrementOp())
    Result.assign(operand, nullptr);
  if (unary.getOpcode() == UO_Deref)
    Result.readsMemory = true;
  const auto *name = dyn_cast<DeclRefExpr>(operand.IgnoreParens());
  if (unary.getOpcode() == UO_AddrOf &&
      !(name && isa<FunctionDecl>(name->getDecl())))
    Result.takeAddress(operand, isTransient);
}

void Scanner::visitDeletion(const CXXDeleteExpr &deletion) {
  const QualType type = deletion.getDestroyedType();
  nameAll(destructorsOf(type, Sources));
  if (const FunctionDecl *release = deletion.getOperatorDelete())
    nameFunction(*release);
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  // Which class's destructor runs isn't known.
  Result.callsUnknown |= record && record->isPolymorphic();
}

void Scanner::measure(const Stmt &statement) {
  overlookNumbers(statement, Overlooked);
  const auto *value = dyn_cast<Expr>(&statement);
  if (value && Overlooked.count(value) == 0)
    Result.measure(*value);
}

void Scanner::visit(const Stmt *statement, bool isTransient) {
  if (!statement)
    return;
  measure(*statement);
  if (const auto *call = dyn_cast<CallExpr>(statement))
    return visitCall(*call);
  if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *each : declaration->decls()) {
      if (const auto *variable = dyn_cast<VarDecl>(each))
        visitDeclaration(*variable);
      for (const Stmt *part : evaluatedBy(*each))
        visit(part);
    }
    return;
  }
  if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
    HostScan::insert(Result.lambdas, lambda);
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef)
        if (const auto *variable =
                dyn_cast<VarDecl>(capture.getCapturedVar())) {
          if (variable->isInitCapture() && variable->getInit())
            Result.takeAddress(*variable->getInit(), false);
          else
            HostScan::insert<const ValueDecl *>(Result.addressTaken,
                                                variable->getCanonicalDecl());
        }
    for (const Stmt *capture : evaluatedIn(*lambda))
      visit(capture);
    return;
  }
  if (const auto *init = dyn_cast<CXXConstructExpr>(statement)) {
    const CXXConstructorDecl *constructor = init->getConstructor();
    visitConstructor(*constructor);
    if (borrowedBy(*init, /*isWhole=*/false, {}, constructor->getASTContext()))
      Result.runtimeNames.insert(constructor->getQualifiedNameAsString());
    else if (isSystem(*constructor, Sources))
      visitSystem(*constructor, {init->getArgs(), init->getNumArgs()});
    for (unsigned index = 0; index < init->getNumArgs(); ++index) {
      visit(init->getArg(index));
      if (index < constructor->getNumParams()) {
        QualType type = constructor->getParamDecl(index)->getType();
        if (type->isLValueReferenceType() &&
            !type->getPointeeType().isConstQualified())
          Result.takeAddress(*init->getArg(index), false);
      }
    }
    return;
  }
  if (const auto *binary = dyn_cast<BinaryOperator>(statement)) {
    if (binary->isAssignmentOp())
      Result.assign(*binary->getLHS(), binary->getOpcode() == BO_Assign
                                           ? binary->getRHS()
                                           : nullptr);
  } else if (const auto *unary = dyn_cast<UnaryOperator>(statement)) {
    visitUnary(*unary, isTransient);
  } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(statement)) {
    visit(element->getIdx());
    const Expr *base = element->getBase();
    const Expr *inner = base->IgnoreParenImpCasts();
    if (!inner->getType()->isArrayType()) {
      Result.readsMemory = true;
      inner = base;
    }
    return visit(inner);
  } else if (const auto *member = dyn_cast<MemberExpr>(statement)) {
    if (member->isArrow() &&
        !isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
      Result.readsMemory = true;
  } else if (const auto *cast = dyn_cast<CastExpr>(statement)) {
    if (cast->getCastKind() == CK_ArrayToPointerDecay &&
        !isa<StringLiteral>(cast->getSubExpr()->IgnoreParens()))
      Result.takeAddress(*cast->getSubExpr(), isTransient);
    // A view as another type is another name.
    if (cast->getCastKind() == CK_LValueBitCast)
      Result.takeAddress(*cast->getSubExpr(), false);
    for (const Stmt *part : evaluatedIn(*cast))
      visit(part, isTransient && part == cast->getSubExpr());
    return;
  } else if (const auto *parens = dyn_cast<ParenExpr>(statement)) {
    return visit(parens->getSubExpr(), isTransient);
  } else if (const auto *name = dyn_cast<DeclRefExpr>(statement)) {
    if (const auto *function = dyn_cast<FunctionDecl>(name->getDecl()))
      nameFunction(*function);
  } else if (isa<LabelStmt>(statement) || isa<GCCAsmStmt>(statement) ||
             isa<MSAsmStmt>(statement) || isa<IndirectGotoStmt>(statement)) {
    Result.hasLabel = true;
  } else if (const auto *temporary =
                 dyn_cast<CXXBindTemporaryExpr>(statement)) {
    nameAll(destructorsOf(temporary->getType(), Sources));
  } else if (const auto *list = dyn_cast<InitListExpr>(statement)) {
    Result.takeMembers(*list);
  } else if (isa<CXXTryStmt>(statement)) {
    Result.catches = true;
  } else if (const auto *deletion = dyn_cast<CXXDeleteExpr>(statement)) {
    visitDeletion(*deletion);
  } else if (const auto *made = dyn_cast<CXXNewExpr>(statement)) {
    if (const FunctionDecl *allocate = made->getOperatorNew())
      nameFunction(*allocate);
  } else if (const auto *inherited =
                 dyn_cast<CXXInheritedCtorInitExpr>(statement)) {
    visitConstructor(*inherited->getConstructor());
  } else if (isa<CXXThrowExpr>(statement)) {
    Result.mayExit = true;
  } else if (isa<RecoveryExpr>(statement)) {
    Result.callsUnknown = true;
  }
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(statement))
    return visitOnce(argument->getExpr());
  if (const auto *member = dyn_cast<CXXDefaultInitExpr>(statement))
    return visitOnce(member->getExpr());
  for (const Stmt *part : evaluatedIn(*statement))
    visit(part);
}

} // namespace

HostScan scanHost(const Stmt &statement, const SourceManager &sources) {
  Scanner scanner(sources);
  scanner.visit(&statement);
  return std::move(scanner.Result);
}

HostScan scanHost(const FunctionDecl &function, const SourceManager &sources) {
  Scanner scanner(sources);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&function))
    for (const CXXCtorInitializer *init : constructor->inits())
      scanner.visit(init->getInit());
  scanner.visit(function.getBody());
  return std::move(scanner.Result);
}

} // namespace kfuse
