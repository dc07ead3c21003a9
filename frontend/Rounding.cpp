//===- frontend/Rounding.cpp - What contraction leaves open in a kernel ---===//

#include "frontend/Rounding.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <set>
#include <vector>

namespace kfuse {
namespace {

using namespace clang;

bool isFloating(QualType type) {
  return type.getNonReferenceType().getCanonicalType()->isRealFloatingType();
}

/// The expression without what doesn't change a value's bits.
const Expr *strip(const Expr *expression) {
  while (true) {
    const Expr *next = expression->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(next))
      if (cast->getCastKind() == CK_LValueToRValue ||
          cast->getCastKind() == CK_NoOp)
        next = cast->getSubExpr();
    if (const auto *full = dyn_cast<FullExpr>(next))
      next = full->getSubExpr();
    if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(next))
      next = temporary->getSubExpr();
    if (const auto *sign = dyn_cast<UnaryOperator>(next))
      if (sign->getOpcode() == UO_Minus || sign->getOpcode() == UO_Plus)
        next = sign->getSubExpr();
    if (const auto *both = dyn_cast<BinaryOperator>(next))
      if (both->getOpcode() == BO_Comma)
        next = both->getRHS();
    if (const auto *common = dyn_cast<OpaqueValueExpr>(next))
      if (common->getSourceExpr())
        next = common->getSourceExpr();
    if (const auto *block = dyn_cast<StmtExpr>(next))
      if (const auto *last =
              dyn_cast_or_null<Expr>(block->getSubStmt()->body_empty()
                                         ? nullptr
                                         : block->getSubStmt()->body_back()))
        next = last;
    if (next == expression)
      return expression;
    expression = next;
  }
}

/// The local variable or parameter that an expression is, or is a part of;
/// nullptr for what lies behind a pointer or a reference.
const VarDecl *baseOf(const Expr *expression) {
  while (true) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto *member = dyn_cast<MemberExpr>(expression)) {
      if (member->isArrow())
        return nullptr;
      expression = member->getBase();
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
      const Expr *array = element->getBase()->IgnoreParenImpCasts();
      if (!array->getType()->isArrayType())
        return nullptr;
      expression = array;
    } else {
      const auto *name = dyn_cast<DeclRefExpr>(expression);
      const auto *variable =
          name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
      return variable && variable->isLocalVarDeclOrParm() &&
                     !variable->getType()->isReferenceType()
                 ? variable
                 : nullptr;
    }
  }
}

/// Whether what is pointed to, or referred to, is a local variable.
const VarDecl *addressed(const Expr *expression) {
  expression = expression->IgnoreParenCasts();
  if (const auto *address = dyn_cast<UnaryOperator>(expression))
    return address->getOpcode() == UO_AddrOf ? baseOf(address->getSubExpr())
                                             : nullptr;
  return expression->getType()->isArrayType() ? baseOf(expression) : nullptr;
}

/// The variables of one function: what they, or parts of them, are given, and
/// how often they are read. A variable is *open* when others may give it a
/// value, through its address or a reference.
struct Variables {
  llvm::DenseMap<const VarDecl *, std::vector<const Expr *>> values;
  llvm::DenseMap<const VarDecl *, unsigned> reads;
  llvm::SmallPtrSet<const VarDecl *, 8> open;
};

class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(Variables &variables) : Found(variables) {}

  bool VisitVarDecl(VarDecl *variable) {
    if (!variable->hasInit())
      return true;
    if (const auto *reference = variable->getType()->getAs<ReferenceType>()) {
      if (!reference->getPointeeType().isConstQualified())
        openUp(baseOf(variable->getInit()));
      return true;
    }
    Found.values[variable].push_back(variable->getInit());
    openUp(addressed(variable->getInit()));
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (!operation->isAssignmentOp())
      return true;
    if (const VarDecl *variable = baseOf(operation->getLHS()))
      Found.values[variable].push_back(operation->isCompoundAssignmentOp()
                                           ? operation
                                           : operation->getRHS());
    openUp(addressed(operation->getRHS()));
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    const auto *assignment = dyn_cast<CXXOperatorCallExpr>(call);
    if (assignment && assignment->getOperator() == OO_Equal && callee &&
        callee->isTrivial()) {
      if (const VarDecl *variable = baseOf(call->getArg(0)))
        Found.values[variable].push_back(call->getArg(1));
      return true;
    }
    // A member operator's object comes first; its parameter is the second.
    const bool isMember = assignment && isa_and_nonnull<CXXMethodDecl>(callee);
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      openUp(addressed(call->getArg(i)));
      const unsigned parameter = isMember ? i - 1 : i;
      const bool isObject = isMember && i == 0;
      const QualType type =
          !isObject && callee && parameter < callee->getNumParams()
              ? callee->getParamDecl(parameter)->getType()
              : QualType();
      if (isObject || type.isNull() ||
          (type->isReferenceType() &&
           !type.getNonReferenceType().isConstQualified()))
        openUp(baseOf(call->getArg(i)));
    }
    if (const auto *method = dyn_cast<CXXMemberCallExpr>(call))
      openUp(baseOf(method->getImplicitObjectArgument()));
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef)
        openUp(dyn_cast<VarDecl>(capture.getCapturedVar()));
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    if (cast->getCastKind() == CK_LValueToRValue)
      if (const auto *place =
              dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
        if (const auto *variable = dyn_cast<VarDecl>(place->getDecl()))
          ++Found.reads[variable];
    return true;
  }

private:
  void openUp(const VarDecl *variable) {
    if (variable)
      Found.open.insert(variable);
  }

  Variables &Found;
};

/// Functions that a result of which no multiplication makes: one instruction,
/// or another value moved.
bool isNeverProduct(llvm::StringRef name) {
  static const std::set<llvm::StringRef> names = {
      "sqrt",  "fabs",  "abs",   "fmin",     "fmax",  "min",    "max",
      "floor", "ceil",  "trunc", "rint",     "fma",   "rsqrt",  "nearbyint",
      "ldg",   "fadd",  "fmul",  "fsub",     "fdiv",  "fsqrt",  "dadd",
      "dmul",  "dsub",  "ddiv",  "copysign", "frcp",  "frsqrt", "isnan",
      "isinf", "clamp", "round", "saturate", "dsqrt", "drcp"};
  name.consume_front("__");
  if (name.starts_with("shfl") || name.starts_with("atomic") ||
      name.starts_with("make_"))
    return true;
  for (const char *suffix : {"_rn", "_rz", "_ru", "_rd", "_sync", "f"})
    if (names.count(name) == 0)
      name.consume_back(suffix);
  return names.count(name) != 0;
}

/// Parameters of called functions that may be given a product, and those of
/// them that may be given one that something else uses too.
struct Products {
  llvm::SmallPtrSet<const ParmVarDecl *, 16> given, shared;
  std::size_t size() const { return given.size() + shared.size(); }
};

/// What a body multiplies, and what inlined functions may, a call counting as
/// one product; and whether a sum may take any.
struct ProductUse {
  unsigned products = 0;
  bool isInSum = false;
};

class Judge : public RecursiveASTVisitor<Judge> {
public:
  Judge(const ASTContext &ast, Variables &variables, Products &parameters,
        RoundingTraits &traits, ProductUse &found)
      : Ast(ast), Known(variables), Parameters(parameters), Traits(traits),
        Found(found) {}

  std::vector<const FunctionDecl *> callees;

  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (!isFloating(operation->getType()))
      return true;
    const BinaryOperatorKind kind = operation->getOpcode();
    if (isMultiplication(*operation)) {
      // The same product twice becomes one with two uses.
      llvm::FoldingSetNodeID id;
      operation->Profile(id, Ast, /*Canonical=*/true);
      Traits.ambiguousSums |= !Multiplications.insert(id.ComputeHash()).second;
      ++Found.products;
    }
    if (kind == BO_Add || kind == BO_Sub || kind == BO_AddAssign ||
        kind == BO_SubAssign) {
      const Use left = use(operation->getLHS(), 0);
      const Use right = use(operation->getRHS(), 0);
      Traits.ambiguousSums |= (left.isProduct && right.isProduct) ||
                              left.isShared || right.isShared;
      Found.isInSum |= left.isProduct || right.isProduct;
    }
    return true;
  }

  bool VisitCastExpr(CastExpr *cast) {
    if (cast->getCastKind() == CK_IntegralToFloating &&
        !cast->getSubExpr()->isEvaluatable(Ast))
      Traits.integersToFloating = true;
    return true;
  }

  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    // What is inlined may multiply what others do.
    if (useOfCall(*call, 0).isProduct)
      ++Found.products;
    // __int_as_float and its kin.
    if (callee->getDeclName().isIdentifier() &&
        callee->getName().contains("_as_") && isFloating(call->getType()))
      Traits.integersToFloating = true;
    const FunctionDecl *definition = callee->getDefinition();
    if (!definition)
      return true;
    callees.push_back(definition);
    const unsigned first =
        isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee) ? 1 : 0;
    for (unsigned i = first; i < call->getNumArgs(); ++i)
      if (i - first < definition->getNumParams()) {
        const ParmVarDecl *parameter = definition->getParamDecl(i - first);
        if (mayBeProduct(call->getArg(i), 0))
          Parameters.given.insert(parameter);
        if (use(call->getArg(i), 0).isShared)
          Parameters.shared.insert(parameter);
      }
    return true;
  }

private:
  struct Use {
    bool isProduct = false; ///< may be a product
    bool isShared = false;  ///< a product that something else uses too
  };

  /// A division by a constant too: where the constant is a power of two,
  /// compilers multiply by its inverse.
  bool isMultiplication(const BinaryOperator &operation) const {
    switch (operation.getOpcode()) {
    case BO_Mul:
    case BO_MulAssign:
      return true;
    case BO_Div:
    case BO_DivAssign:
      return operation.getRHS()->isEvaluatable(Ast);
    default:
      return false;
    }
  }

  /// Beyond this a chain of variables is taken for the worst.
  static constexpr unsigned MaximumDepth = 8;

  bool mayHoldProduct(const VarDecl *variable, unsigned depth) {
    if (depth > MaximumDepth || Known.open.count(variable) != 0)
      return true;
    if (const auto *parameter = dyn_cast<ParmVarDecl>(variable))
      if (Parameters.given.count(parameter) != 0)
        return true;
    const auto found = Known.values.find(variable);
    if (found == Known.values.end())
      return false;
    return std::any_of(
        found->second.begin(), found->second.end(),
        [&](const Expr *value) { return mayBeProduct(value, depth + 1); });
  }

  /// Whether the value, or a part of it, may be a product; of a pointer or
  /// reference, what it leads to in the variables of the function.
  bool mayBeProduct(const Expr *expression, unsigned depth) {
    if (depth > MaximumDepth)
      return true;
    if (const VarDecl *variable = addressed(expression))
      return mayHoldProduct(variable, depth + 1);
    const Expr *value = strip(expression)->IgnoreParenCasts();
    if (const auto *list = dyn_cast<InitListExpr>(value))
      return std::any_of(list->begin(), list->end(), [&](const Stmt *element) {
        return mayBeProduct(cast<Expr>(element), depth + 1);
      });
    if (const auto *made = dyn_cast<CXXConstructExpr>(value)) {
      const CXXConstructorDecl *constructor = made->getConstructor();
      if (!constructor->isTrivial() && !constructor->isDefaulted() &&
          !constructor->isCopyOrMoveConstructor() && made->getNumArgs() != 0)
        return true;
      return std::any_of(made->arg_begin(), made->arg_end(),
                         [&](const Expr *argument) {
                           return mayBeProduct(argument, depth + 1);
                         });
    }
    return use(value, depth).isProduct;
  }

  Use useOfCall(const CallExpr &call, unsigned depth) {
    const FunctionDecl *callee = call.getDirectCallee();
    const bool isNamed = callee && callee->getDeclName().isIdentifier();
    // As of a half or a bfloat16 to a float.
    if (isa_and_nonnull<CXXConversionDecl>(callee) &&
        Ast.getSourceManager().isInSystemHeader(callee->getLocation()))
      return {};
    // An inlined function may return a product.
    if (!isNamed || callee->hasBody())
      return {true, false};
    const llvm::StringRef name = callee->getName();
    if (name.contains("_as_"))
      return {true, true};
    if (name.starts_with("make_"))
      return {std::any_of(call.arg_begin(), call.arg_end(),
                          [&](const Expr *argument) {
                            return mayBeProduct(argument, depth + 1);
                          }),
              false};
    // As many library functions end with one: expf scales its result.
    return {!isNeverProduct(name), false};
  }

  Use use(const Expr *operand, unsigned depth) {
    const Expr *value = strip(operand);
    if (depth > MaximumDepth)
      return {true, true};
    if (const auto *operation = dyn_cast<BinaryOperator>(value);
        operation && operation->getOpcode() == BO_Assign) {
      const bool isProduct = mayBeProduct(operation->getRHS(), depth + 1);
      return {isProduct, isProduct};
    }
    if (const auto *operation = dyn_cast<BinaryOperator>(value))
      return {isMultiplication(*operation),
              isMultiplication(*operation) && operation->isAssignmentOp()};
    if (const auto *choice = dyn_cast<AbstractConditionalOperator>(value)) {
      const Use yes = use(choice->getTrueExpr(), depth + 1);
      const Use no = use(choice->getFalseExpr(), depth + 1);
      return {yes.isProduct || no.isProduct, yes.isProduct || no.isProduct};
    }
    if (const auto *call = dyn_cast<CallExpr>(value))
      return useOfCall(*call, depth);
    if (const VarDecl *variable = baseOf(value)) {
      const bool isProduct = mayHoldProduct(variable, depth + 1);
      // Of the parts of a variable it isn't counted who reads which.
      const bool isWhole = isa<DeclRefExpr>(value);
      const auto *parameter = dyn_cast<ParmVarDecl>(variable);
      return {isProduct,
              isProduct && (!isWhole || Known.open.count(variable) ||
                            (parameter && Parameters.shared.count(parameter)) ||
                            Known.reads.lookup(variable) > 1)};
    }
    return useThrough(value, depth);
  }

  /// Of a value behind a pointer or a reference that leads to a variable.
  Use useThrough(const Expr *value, unsigned depth) {
    const Expr *place = value->IgnoreParenCasts();
    while (true) {
      if (const auto *member = dyn_cast<MemberExpr>(place))
        place = member->getBase();
      else if (const auto *element = dyn_cast<ArraySubscriptExpr>(place))
        place = element->getBase();
      else if (const auto *load = dyn_cast<UnaryOperator>(place);
               load && load->getOpcode() == UO_Deref)
        place = load->getSubExpr();
      else
        break;
      place = place->IgnoreParenCasts();
    }
    // What a method's object holds isn't followed.
    if (isa<CXXThisExpr>(place))
      return {true, true};
    const auto *name = dyn_cast<DeclRefExpr>(place);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (!variable || !variable->isLocalVarDeclOrParm())
      return {};
    if (const auto *parameter = dyn_cast<ParmVarDecl>(variable))
      return {Parameters.given.count(parameter) != 0,
              Parameters.given.count(parameter) != 0};
    bool leadsToLocal = variable->getType()->isReferenceType() &&
                        variable->hasInit() && baseOf(variable->getInit()) &&
                        mayHoldProduct(baseOf(variable->getInit()), depth + 1);
    const auto found = Known.values.find(variable);
    if (variable->getType()->isPointerType() && found != Known.values.end())
      for (const Expr *given : found->second)
        if (const VarDecl *target = addressed(given))
          leadsToLocal |= mayHoldProduct(target, depth + 1);
    return {leadsToLocal, leadsToLocal};
  }

  const ASTContext &Ast;
  Variables &Known;
  Products &Parameters;
  RoundingTraits &Traits;
  ProductUse &Found;
  std::set<unsigned> Multiplications;
};

} // namespace

RoundingTraits roundingTraits(const ASTContext &ast,
                              const FunctionDecl &function) {
  RoundingTraits traits;
  Products parameters;
  // What a function is given as parameters may be learned after it was judged.
  for (std::size_t known = 0, round = 0;
       round == 0 || known != parameters.size(); ++round) {
    known = parameters.size();
    ProductUse found;
    llvm::SmallPtrSet<const FunctionDecl *, 16> seen;
    std::vector<const FunctionDecl *> pending{&function};
    while (!pending.empty()) {
      const FunctionDecl *next = pending.back();
      pending.pop_back();
      Stmt *body = next->getBody();
      if (!body || !seen.insert(next->getCanonicalDecl()).second)
        continue;
      Variables variables;
      Collector(variables).TraverseStmt(body);
      Judge judge(ast, variables, parameters, traits, found);
      judge.TraverseStmt(body);
      pending.insert(pending.end(), judge.callees.begin(), judge.callees.end());
    }
    traits.sharedProducts = found.isInSum && found.products > 1;
  }
  return traits;
}

} // namespace kfuse
