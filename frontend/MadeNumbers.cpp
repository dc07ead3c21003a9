//===- frontend/MadeNumbers.cpp - Floating point out of integers ----------===//

#include "frontend/MadeNumbers.h"

#include "frontend/DeviceArithmetic.h"
#include "frontend/KnownNumbers.h"
#include "frontend/MeaningVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

#include <algorithm>

namespace kfuse {
namespace {

using namespace clang;

class Finder : public MeaningVisitor<Finder> {
public:
  Finder(const ASTContext &ast, KnownNumbers &numbers)
      : Ast(ast), Numbers(numbers) {}

  bool isFound = false;

  bool VisitCastExpr(CastExpr *cast) {
    const Expr *from = cast->getSubExpr();
    const QualType to = cast->getType();
    switch (cast->getCastKind()) {
    case CK_IntegralToFloating:
      isFound |= !from->isEvaluatable(Ast);
      break;
    case CK_LValueBitCast:
      isFound |= isFloating(to) && localOf(from);
      break;
    case CK_BitCast:
      isFound |= to->isPointerType() && isFloating(to->getPointeeType()) &&
                 addressed(from);
      break;
    default:
      break;
    }
    return true;
  }

  bool VisitMemberExpr(MemberExpr *member) {
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    isFound |= field && field->getParent()->isUnion() &&
               isFloating(member->getType()) && localOf(member);
    return true;
  }

  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || callee->hasBody() || !callee->getDeclName().isIdentifier())
      return true;
    const llvm::StringRef name = callee->getName();
    if (name.contains("memcpy"))
      isFound |= call->getNumArgs() != 0 && addressed(call->getArg(0));
    // __int_as_float, __ll2double_rn, ldexp; not what other threads have.
    if (isFloating(call->getType()) && !name.contains("shfl"))
      isFound |= std::any_of(call->arg_begin(), call->arg_end(),
                             [&](const Expr *each) {
                               return each->getType()->isIntegerType() &&
                                      !each->isEvaluatable(Ast);
                             });
    return true;
  }

  bool VisitAbstractConditionalOperator(AbstractConditionalOperator *choice) {
    isFound |= isFloating(choice->getType()) &&
               !Numbers.isGiven(choice->getTrueExpr()) &&
               !Numbers.isGiven(choice->getFalseExpr());
    return true;
  }

  // Of a table, by the index.
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *element) {
    const Expr *table = element->getBase()->IgnoreParenImpCasts();
    const VarDecl *variable = variableOf(table);
    const ArrayType *array = Ast.getAsArrayType(table->getType());
    isFound |=
        variable && array && isFloating(element->getType()) &&
        !variable->hasAttr<CUDASharedAttr>() &&
        !element->getIdx()->isEvaluatable(Ast) &&
        (array->getElementType().isConstQualified() || !Numbers.isGiven(table));
    return true;
  }

  void findAmong(const std::vector<const Expr *> &values) {
    isFound |=
        std::count_if(values.begin(), values.end(), [&](const Expr *each) {
          return isFloating(each->getType()) && !Numbers.isGiven(each);
        }) > 1;
  }

private:
  const ASTContext &Ast;
  KnownNumbers &Numbers;
};

} // namespace

bool makesNumbers(const ASTContext &ast, const FunctionDecl &definition,
                  KnownNumbers &numbers) {
  Finder finder(ast, numbers);
  finder.TraverseStmt(definition.getBody());
  for (const auto &[variable, values] : numbers.valuesIn(definition).values)
    finder.findAmong(values);
  finder.findAmong(numbers.returnedBy(definition));
  return finder.isFound;
}

} // namespace kfuse
