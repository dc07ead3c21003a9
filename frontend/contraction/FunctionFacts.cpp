//===- FunctionFacts.cpp - What the text of a function computes -----------===//

#include "frontend/contraction/FunctionFacts.h"

#include "frontend/contraction/Addressing.h"
#include "frontend/contraction/DeviceArithmetic.h"
#include "frontend/syntax/KnownFunctions.h"
#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

bool isBarrier(const FunctionDecl &callee) {
  return callee.getDeclName().isIdentifier() &&
         (callee.getName() == "__syncthreads" || callee.getName() == "barrier");
}

class Pass {
public:
  Pass(const ASTContext &ast, FunctionFacts &facts) : Ast(ast), Facts(facts) {}

  void visit(const Stmt *statement, const Position &at) {
    if (!statement)
      return;
    const unsigned order = Next++;
    visitOne(*statement, at);
    if (isa<Expr>(statement))
      Facts.positions[statement] = {order, Next - 1, at.arm, at.loop};
  }

private:
  void visitOne(const Stmt &statement, const Position &at);
  void visitParts(const Stmt &statement, const Position &at) {
    for (const Stmt *part : statement.children())
      visit(part, at);
  }
  void visitArm(const Stmt *arm, Position at) {
    if (!arm)
      return;
    at.order = Next;
    Facts.around[arm] = at;
    Facts.branches.push_back(Next);
    at.arm = arm;
    visit(arm, at);
  }
  void visitLoop(const Stmt &loop, llvm::ArrayRef<const Stmt *> parts,
                 Position at);
  void visitVariable(const VarDecl &variable, const Position &at);
  bool mayContract(FPOptions features) const;
  void visitOperation(const BinaryOperator &operation);
  void visitStep(const UnaryOperator &step);
  void visitCall(const CallExpr &call);
  void visitCollective(const CallExpr &call);
  void visitCast(const CastExpr &cast);
  void visitConstruction(const CXXConstructExpr &made);
  void give(const Expr &place, const Expr &value);
  bool isPlainCall(const CallExpr &call) const;
  void addArms(const Stmt *yes, const Stmt *no) {
    Facts.otherArm[yes] = no;
    Facts.otherArm[no] = yes;
  }
  /// Adds a branch after the operands, and after what is computed from them.
  void branch(bool isChoice = false) {
    Facts.branches.push_back(Next++);
    Facts.dividesOrCalls |= !isChoice;
  }

  const ASTContext &Ast;
  FunctionFacts &Facts;
  unsigned Next = 0;
  std::vector<const Stmt *> Loops;
  /// Arrays with an element that is named, and addresses that only the function
  /// uses that gets them.
  llvm::SmallPtrSet<const Stmt *, 8> Named;
};

/// Checks whether `part` is a member of the object that a method runs for.
bool isMemberOfThis(const Stmt &part) {
  const auto *member = dyn_cast<MemberExpr>(&part);
  return member && isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
}

void Pass::visitOne(const Stmt &one, const Position &at) {
  const Stmt *statement = &one;
  if (isMemberOfThis(one))
    return;
  if (const auto *list = dyn_cast<InitListExpr>(statement))
    if (const InitListExpr *meant = list->getSemanticForm())
      return visitParts(*meant, at);
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(statement))
    return visit(argument->getExpr(), at);
  // Clang's own headers make `threadIdx.x` a call of a method.
  if (isa<PseudoObjectExpr>(statement))
    if (const auto coordinate = coordinateOf(cast<Expr>(statement)))
      return visit(coordinate->object, at);
  if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *each : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(each))
        visitVariable(*variable, at);
    return;
  }
  if (const auto *loop = dyn_cast<ForStmt>(statement)) {
    visit(loop->getInit(), at);
    return visitLoop(*loop,
                     {loop->getConditionVariableDeclStmt(), loop->getCond(),
                      loop->getBody(), loop->getInc()},
                     at);
  }
  if (const auto *loop = dyn_cast<WhileStmt>(statement))
    return visitLoop(*loop,
                     {loop->getConditionVariableDeclStmt(), loop->getCond(),
                      loop->getBody()},
                     at);
  if (const auto *loop = dyn_cast<DoStmt>(statement))
    return visitLoop(*loop, {loop->getBody(), loop->getCond()}, at);
  if (const auto *branch = dyn_cast<IfStmt>(statement)) {
    visit(branch->getInit(), at);
    visit(branch->getConditionVariableDeclStmt(), at);
    visit(branch->getCond(), at);
    visitArm(branch->getThen(), at);
    visitArm(branch->getElse(), at);
    if (branch->getElse())
      addArms(branch->getThen(), branch->getElse());
    return;
  }
  if (const auto *branch = dyn_cast<SwitchStmt>(statement)) {
    visit(branch->getCond(), at);
    return visitArm(branch->getBody(), at);
  }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(statement)) {
    visit(choice->getCond(), at);
    visitArm(choice->getTrueExpr(), at);
    visitArm(choice->getFalseExpr(), at);
    addArms(choice->getTrueExpr(), choice->getFalseExpr());
    Facts.isPlain &= isa<ConditionalOperator>(choice);
    return branch(/*isChoice=*/true);
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(statement)) {
    visit(operation->getLHS(), at);
    if (operation->isLogicalOp())
      visitArm(operation->getRHS(), at);
    else
      visit(operation->getRHS(), at);
    return visitOperation(*operation);
  }
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(statement))
    Named.insert(element->getBase()->IgnoreParens());
  if (const auto *call = dyn_cast<CallExpr>(statement);
      call && call->getDirectCallee() && isRandom(*call->getDirectCallee()))
    for (const Expr *argument : call->arguments())
      if (const auto *state = dyn_cast<UnaryOperator>(argument->IgnoreParens());
          state && state->getOpcode() == UO_AddrOf) {
        Named.insert(state);
        give(*state->getSubExpr(), *call);
      }
  visitParts(*statement, at);
  if (const auto *step = dyn_cast<UnaryOperator>(statement))
    visitStep(*step);
  else if (const auto *call = dyn_cast<CallExpr>(statement))
    visitCall(*call);
  else if (const auto *cast = dyn_cast<CastExpr>(statement))
    visitCast(*cast);
  else if (const auto *made = dyn_cast<CXXConstructExpr>(statement))
    visitConstruction(*made);
  else if (const auto *name = dyn_cast<DeclRefExpr>(statement)) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      Facts.reads[variable].push_back(name);
  } else if (const auto *member = dyn_cast<MemberExpr>(statement)) {
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (const auto *name =
            dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
        name && field)
      if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
        ++Facts.memberReads[variable][member->getMemberDecl()];
    Facts.isPlain &= isa<CXXMethodDecl>(member->getMemberDecl()) ||
                     (field && !field->getParent()->isUnion());
  } else if (const auto *result = dyn_cast<ReturnStmt>(statement)) {
    if (result->getRetValue())
      Facts.returned.push_back(result->getRetValue());
  } else if (isa<LambdaExpr, AsmStmt, StmtExpr, CXXBindTemporaryExpr,
                 CXXNewExpr, CXXDefaultInitExpr, CXXThisExpr, GotoStmt,
                 IndirectGotoStmt, CXXTryStmt, CXXForRangeStmt>(statement)) {
    Facts.isPlain = false;
  }
}

void Pass::visitLoop(const Stmt &loop, llvm::ArrayRef<const Stmt *> parts,
                     Position at) {
  at.order = Next;
  Facts.around[&loop] = at;
  Facts.branches.push_back(Next);
  at.loop = &loop;
  Loops.push_back(&loop);
  for (const Stmt *part : parts)
    visit(part, at);
  Loops.pop_back();
}

void Pass::visitVariable(const VarDecl &variable, const Position &at) {
  const QualType type = variable.getType();
  const CXXRecordDecl *record =
      type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  Facts.isPlain &=
      !type->isReferenceType() &&
      (variable.hasLocalStorage() || isShared(variable)) &&
      !(record && record->hasDefinition() && !record->hasTrivialDestructor());
  if (!variable.hasInit())
    return;
  visit(variable.getInit(), at);
  Facts.given[&variable].push_back(variable.getInit());
  for (const Stmt *loop : Loops)
    Facts.changed[loop].insert(&variable);
}

/// Checks whether compilers may contract operations with these features. nvcc
/// has a flag alone, and knows no pragma for it.
bool Pass::mayContract(FPOptions features) const {
  const LangOptions &language = Ast.getLangOpts();
  return (language.OpenCL
              ? features.getFPContractMode()
              : language.getDefaultFPContractMode()) != LangOptions::FPM_Off;
}

void Pass::visitOperation(const BinaryOperator &operation) {
  const BinaryOperatorKind kind =
      operation.isCompoundAssignmentOp()
          ? BinaryOperator::getOpForCompoundAssignment(operation.getOpcode())
          : operation.getOpcode();
  const bool isFloat = isFloating(operation.getType());
  if (isFloat && (kind == BO_Add || kind == BO_Sub) &&
      mayContract(operation.getFPFeaturesInEffect(Ast.getLangOpts())))
    Facts.sums.push_back(&operation);
  if (isFloat && (kind == BO_Mul || kind == BO_Div))
    Facts.products.push_back(&operation);
  if ((kind == BO_Div || kind == BO_Rem) &&
      !(isFloat ? hasExactInverse(Ast, *operation.getRHS()).value_or(false)
                : operation.getRHS()->isEvaluatable(Ast)))
    branch();
  if (operation.isAssignmentOp())
    give(*operation.getLHS(), operation.isCompoundAssignmentOp()
                                  ? static_cast<const Expr &>(operation)
                                  : *operation.getRHS());
}

void Pass::visitStep(const UnaryOperator &step) {
  if (step.isIncrementDecrementOp()) {
    if (isFloating(step.getType()) &&
        mayContract(step.getFPFeaturesInEffect(Ast.getLangOpts())))
      Facts.sums.push_back(&step);
    give(*step.getSubExpr(), step);
  }
  // Pointers to variables aren't followed.
  if (step.getOpcode() == UO_AddrOf)
    Facts.isPlain &=
        Named.contains(&step) || !localVariable(*step.getSubExpr());
}

void Pass::give(const Expr &place, const Expr &value) {
  const VarDecl *variable = localVariable(place);
  if (!variable) {
    Facts.stores.emplace_back(&place, &value);
    return;
  }
  Facts.given[variable].push_back(&value);
  for (const Stmt *loop : Loops)
    Facts.changed[loop].insert(variable);
}

void Pass::visitCall(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (const auto *copied = dyn_cast<CXXOperatorCallExpr>(&call);
      copied && copied->getOperator() == OO_Equal && callee &&
      callee->isTrivial())
    return give(*copied->getArg(0), *copied->getArg(1));
  if (const auto found = callee ? addressing(*callee) : std::nullopt) {
    if (found->hasBranches)
      branch();
    return;
  }
  if (callee && isCollective(*callee))
    return visitCollective(call);
  if (!isPlainCall(call)) {
    Facts.isPlain = false;
    Facts.hasUnseen |= !callee || !callee->hasBody();
    return;
  }
  if (callee->hasBody() && !wrapsLibraryFunction(callee)) {
    Facts.calls.push_back(&call);
    Facts.branches.push_back(Next++);
    return;
  }
  if (isBarrier(*callee))
    Facts.barriers.push_back(Next);
  // INFINITY is a number.
  if (!callee->getDeclName().isIdentifier() || callee->hasBody() ||
      call.isEvaluatable(Ast))
    return;
  const LibraryFunction meaning = libraryFunction(callee->getName());
  if (meaning.mayEndInProduct && isFloating(call.getType()))
    Facts.products.push_back(&call);
  Facts.hasUnseen |= meaning.mayEndInProduct;
  if (meaning.mayBranch)
    branch();
}

/// Visits a call of a collective. It gives a value to the variables that it
/// gets references to.
void Pass::visitCollective(const CallExpr &call) {
  Facts.collectives.push_back(&call);
  const FunctionDecl &callee = *call.getDirectCallee();
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const Expr &argument = *call.getArg(i);
    const QualType type = argument.getType();
    Facts.isPlain &= !type->isPointerType() && !type->isArrayType();
    const bool isReferred =
        i < callee.getNumParams() &&
        callee.getParamDecl(i)->getType()->isLValueReferenceType();
    if (isReferred && argument.isLValue() && isFloating(type))
      give(argument, call);
  }
  branch();
}

/// Checks whether `call` runs a method that can't change its object, which is a
/// variable, or memory that is loaded.
bool isPlainMethodCall(const CallExpr &call, const CXXMethodDecl &method) {
  if (method.isStatic() || method.isVirtual() || !method.isConst() ||
      method.isVolatile() || method.getParent()->isLambda() ||
      method.getParent()->isUnion() || !method.hasBody())
    return false;
  const auto *named = dyn_cast<CXXMemberCallExpr>(&call);
  const Expr *object =
      sameValue(named ? named->getImplicitObjectArgument() : call.getArg(0));
  return isa<DeclRefExpr, ArraySubscriptExpr, CXXThisExpr>(object) ||
         isMemberOfThis(*object);
}

/// Checks whether `call` calls a known function, which changes its arguments
/// only through pointers to memory.
bool Pass::isPlainCall(const CallExpr &call) const {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return false;
  // OpenCL's own functions have no text, and its programs have all of theirs.
  const bool isOfSystem =
      Ast.getLangOpts().OpenCL || callee->getBuiltinID() != 0 ||
      Ast.getSourceManager().isInSystemHeader(callee->getLocation());
  // Such as from a half to a float.
  if (isa<CXXConversionDecl>(callee))
    return isOfSystem;
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  if ((method && !isPlainMethodCall(call, *method)) ||
      (!callee->hasBody() &&
       !(isOfSystem && callee->getDeclName().isIdentifier())))
    return false;
  // A constant reference stands for the value of the argument.
  return std::all_of(
      callee->param_begin(), callee->param_end(), [&](const ParmVarDecl *each) {
        const QualType type = each->getType();
        return !type->isReferenceType() ||
               (callee->hasBody() && type->isLValueReferenceType() &&
                type->getPointeeType().isConstQualified() &&
                !type->getPointeeType().isVolatileQualified());
      });
}

void Pass::visitCast(const CastExpr &cast) {
  switch (cast.getCastKind()) {
  case CK_BitCast:
  case CK_LValueBitCast:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
  case CK_AddressSpaceConversion:
    Facts.isPlain &=
        !cast.getType()->isPointerType() || cast.getType()->isVoidPointerType();
    Facts.isPlain &= cast.getCastKind() == CK_BitCast;
    break;
  case CK_NoOp:
    Facts.isPlain &= !(isa<ExplicitCastExpr>(cast) && cast.isGLValue());
    break;
  case CK_ArrayToPointerDecay:
    // Else something points to it.
    Facts.isPlain &=
        Named.contains(&cast) || !localVariable(*cast.getSubExpr());
    break;
  default:
    break;
  }
}

void Pass::visitConstruction(const CXXConstructExpr &made) {
  const CXXConstructorDecl *constructor = made.getConstructor();
  Facts.isPlain &=
      constructor->isTrivial() || isCollective(*constructor) ||
      (constructor->isCopyOrMoveConstructor() && constructor->isDefaulted());
}

/// Fills in the facts that are known only after the whole visit.
void completeFacts(FunctionFacts &facts) {
  std::sort(facts.branches.begin(), facts.branches.end());
  for (const auto &[variable, values] : facts.given)
    for (const Expr *value : values)
      facts.values.add(*value, variable, facts.positions.lookup(value));
  const auto mark = [&](const Expr *sum) {
    const Stmt *arm = facts.positions.lookup(sum).arm;
    while (arm && facts.armsWithSums.insert(arm).second)
      arm = facts.around.lookup(arm).arm;
  };
  for (const Expr *sum : facts.sums)
    mark(sum);
  for (const CallExpr *call : facts.calls) {
    mark(call);
    facts.callNest.add(*call, nullptr, facts.positions.lookup(call));
  }
  facts.values.link();
  facts.callNest.link();
}

} // namespace

void Nest::link() {
  std::sort(All.begin(), All.end(), [](const Item &lhs, const Item &rhs) {
    return std::pair(lhs.position.order, rhs.position.last) <
           std::pair(rhs.position.order, lhs.position.last);
  });
  std::vector<int> open;
  for (std::size_t i = 0; i < All.size(); ++i) {
    while (!open.empty() &&
           !All[static_cast<std::size_t>(open.back())].position.contains(
               All[i].position))
      open.pop_back();
    All[i].around = open.empty() ? -1 : open.back();
    open.push_back(static_cast<int>(i));
  }
}

std::vector<const Nest::Item *>
Nest::containing(const Position &position) const {
  const auto next = std::upper_bound(All.begin(), All.end(), position.order,
                                     [](unsigned order, const Item &item) {
                                       return order < item.position.order;
                                     });
  std::vector<const Item *> found;
  for (int at = static_cast<int>(next - All.begin()) - 1; at >= 0;
       at = All[static_cast<std::size_t>(at)].around)
    if (const Item &item = All[static_cast<std::size_t>(at)];
        item.position.contains(position))
      found.push_back(&item);
  return found;
}

FunctionFacts functionFacts(const ASTContext &ast,
                            const FunctionDecl &definition) {
  FunctionFacts facts;
  Pass pass(ast, facts);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&definition))
    for (const CXXCtorInitializer *member : constructor->inits())
      pass.visit(member->getInit(), {});
  pass.visit(definition.getBody(), {});
  completeFacts(facts);
  // A method that is called for a constant object may still change a mutable
  // member.
  const auto *method = dyn_cast<CXXMethodDecl>(&definition);
  facts.isPlain &= !method || (method->isConst() &&
                               !method->getParent()->hasMutableFields());
  return facts;
}

unsigned FunctionFacts::readsOf(const VarDecl &variable,
                                const Expr &member) const {
  const auto *field = dyn_cast<MemberExpr>(member.IgnoreParenImpCasts());
  const auto known = memberReads.find(&variable);
  if (!field || known == memberReads.end())
    return 0;
  std::size_t all = 0;
  for (const auto &[name, times] : known->second)
    all += times;
  return all == readsOf(variable).size()
             ? known->second.lookup(field->getMemberDecl())
             : 0;
}

} // namespace kfuse
