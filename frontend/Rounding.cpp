//===- frontend/Rounding.cpp - What contraction leaves open in a kernel ---===//

#include "frontend/Rounding.h"

#include "frontend/GivenValues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

using namespace clang;

bool isFloating(QualType type) {
  return type.getNonReferenceType().getCanonicalType()->isRealFloatingType();
}

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

/// Parameters of called functions that may be given a product, those of them
/// that may be given one that something else uses too, and those that may be
/// given a number that compilers know.
struct Products {
  llvm::SmallPtrSet<const ParmVarDecl *, 16> given, shared, constant;
  std::size_t size() const {
    return given.size() + shared.size() + constant.size();
  }
};

/// What a body multiplies, and what inlined functions may, a call counting as
/// one product; and whether a sum may take any.
struct ProductUse {
  unsigned products = 0;
  bool isInSum = false;
};

class Judge : public RecursiveASTVisitor<Judge> {
public:
  Judge(const ASTContext &ast, GivenValues &variables, Products &parameters,
        RoundingTraits &traits, ProductUse &found, UncertainProducts &doubts)
      : Ast(ast), Known(variables), Parameters(parameters), Traits(traits),
        Found(found), Doubted(doubts) {}

  std::vector<const FunctionDecl *> callees;

  /// Where a sum takes a product that is there twice, it becomes one with two
  /// uses.
  void finish() {
    for (const auto &[key, operations] : Taken)
      if (const auto found = Count.find(key);
          found != Count.end() && found->second > 1) {
        Traits.ambiguousSums = true;
        Doubted.shared.insert(operations.begin(), operations.end());
      }
  }

  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (!isFloating(operation->getType()))
      return true;
    const BinaryOperatorKind kind = operation->getOpcode();
    if (isMultiplication(*operation) && !isExact(*operation)) {
      ++Count[keyOf(operation, 0)];
      ++Found.products;
    }
    if (kind == BO_Add || kind == BO_Sub || kind == BO_AddAssign ||
        kind == BO_SubAssign) {
      const auto [left, ofLeft] = summand(operation->getLHS());
      const auto [right, ofRight] = summand(operation->getRHS());
      const bool areTwo = left.isProduct && right.isProduct;
      Traits.ambiguousSums |= areTwo || left.isShared || right.isShared;
      if (areTwo) {
        Doubted.left.insert(ofLeft.begin(), ofLeft.end());
        Doubted.right.insert(ofRight.begin(), ofRight.end());
      }
      if (left.isShared)
        Doubted.shared.insert(ofLeft.begin(), ofLeft.end());
      if (right.isShared)
        Doubted.shared.insert(ofRight.begin(), ofRight.end());
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
    if (useOfCall(*call, 0).isProduct) {
      ++Count[keyOf(call, 0)];
      ++Found.products;
    }
    // __int_as_float and its kin.
    if (callee->getDeclName().isIdentifier() &&
        callee->getName().contains("_as_") && isFloating(call->getType()))
      Traits.integersToFloating = true;
    const unsigned first =
        isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee) ? 1 : 0;
    enter(*callee, {call->getArgs() + first, call->getNumArgs() - first});
    return true;
  }

  // What runs without a call in the text.
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    enter(*made->getConstructor(), {made->getArgs(), made->getNumArgs()});
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *inherited) {
    enter(*inherited->getConstructor(), {});
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    enterDestructor(variable->getType());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *temporary) {
    enterDestructor(temporary->getType());
    return true;
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *member) {
    return TraverseStmt(member->getExpr());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
    return TraverseStmt(argument->getExpr());
  }

private:
  void enter(const FunctionDecl &callee,
             llvm::ArrayRef<const Expr *> arguments) {
    const FunctionDecl *definition = callee.getDefinition();
    if (!definition)
      return;
    callees.push_back(definition);
    const std::size_t count =
        std::min<std::size_t>(arguments.size(), definition->getNumParams());
    for (std::size_t i = 0; i < count; ++i) {
      const ParmVarDecl *parameter = definition->getParamDecl(i);
      if (mayBeProduct(arguments[i], 0))
        Parameters.given.insert(parameter);
      if (use(arguments[i], 0).isShared)
        Parameters.shared.insert(parameter);
      if (!isGiven(arguments[i], 0))
        Parameters.constant.insert(parameter);
    }
  }

  void enterDestructor(QualType type) {
    const CXXRecordDecl *record =
        type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
      return;
    if (const CXXDestructorDecl *destructor = record->getDestructor())
      enter(*destructor, {});
    for (const CXXBaseSpecifier &base : record->bases())
      enterDestructor(base.getType());
    for (const FieldDecl *field : record->fields())
      enterDestructor(field->getType());
  }

  struct Use {
    bool isProduct = false; ///< may be a product
    bool isShared = false;  ///< a product that something else uses too
  };

  using Operations = std::vector<const BinaryOperator *>;

  /// With the multiplications that it may be.
  std::pair<Use, Operations> summand(const Expr *operand) {
    Reached.clear();
    const Use found = use(operand, 0);
    return {found, std::exchange(Reached, {})};
  }

  /// Compilers multiply by the inverse of a power of two, and of any number
  /// where they may approximate.
  bool isMultiplication(const BinaryOperator &operation) const {
    switch (operation.getOpcode()) {
    case BO_Mul:
    case BO_MulAssign:
      return true;
    case BO_Div:
    case BO_DivAssign:
      return approximates(operation.getType()) ||
             hasExactInverse(*operation.getRHS());
    default:
      return false;
    }
  }
  /// Whether quotients and roots of the type may be products.
  bool approximates(QualType type) const {
    return Ast.getLangOpts().AllowRecip &&
           !type->isSpecificBuiltinType(BuiltinType::Double);
  }
  bool hasExactInverse(const Expr &divisor) const {
    llvm::APFloat value(0.0);
    return divisor.EvaluateAsFloat(value, Ast)
               ? value.getExactLog2Abs() != INT_MIN
               : !isGiven(&divisor, 0);
  }
  /// Whether the value depends on what the kernel is given, so that compilers
  /// don't know it.
  bool isGiven(const Stmt *value, unsigned depth) const {
    if (depth > MaximumDepth)
      return false;
    const auto *name = dyn_cast<DeclRefExpr>(value);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (!variable)
      return std::any_of(
          value->child_begin(), value->child_end(),
          [&](const Stmt *part) { return part && isGiven(part, depth); });
    if (const auto *parameter = dyn_cast<ParmVarDecl>(variable))
      return Parameters.constant.count(parameter) == 0;
    const auto found = Known.values.find(variable);
    if (!variable->isLocalVarDecl())
      return !variable->getType().isConstQualified();
    return found != Known.values.end() &&
           std::all_of(
               found->second.begin(), found->second.end(),
               [&](const Expr *each) { return isGiven(each, depth + 1); });
  }

  /// A product that is never rounded, so that it doesn't matter whether it is
  /// contracted; but for one beyond the largest number, which a contracted sum
  /// may bring back.
  static bool isExact(const BinaryOperator &operation) {
    return operation.getOpcode() == BO_Mul &&
           (isPowerOfTwo(operation.getLHS()) ||
            isPowerOfTwo(operation.getRHS()));
  }
  static bool isPowerOfTwo(const Expr *expression) {
    const Expr *factor = expression->IgnoreParenImpCasts();
    if (const auto *literal = dyn_cast<FloatingLiteral>(factor))
      return literal->getValue().getExactLog2() >= 0;
    const auto *literal = dyn_cast<IntegerLiteral>(factor);
    return literal && literal->getValue().isPowerOf2();
  }

  /// The expression with operands in one order and with what variables were
  /// given: what compilers take for one value has one key.
  std::string keyOf(const Expr *expression, unsigned depth) {
    const Expr *value = sameBits(expression);
    const auto *operation = dyn_cast<BinaryOperator>(value);
    if (operation && depth <= MaximumDepth &&
        (operation->isMultiplicativeOp() || operation->isAdditiveOp())) {
      std::string left = keyOf(operation->getLHS(), depth + 1);
      std::string right = keyOf(operation->getRHS(), depth + 1);
      const bool isCommutative =
          operation->getOpcode() == BO_Mul || operation->getOpcode() == BO_Add;
      if (isCommutative && right < left)
        std::swap(left, right);
      return "(" + left + operation->getOpcodeStr().str() + right + ")";
    }
    const VarDecl *variable = variableOf(value);
    if (variable && depth <= MaximumDepth && !isa<ParmVarDecl>(variable) &&
        Known.open.count(variable) == 0) {
      const auto found = Known.values.find(variable);
      if (found != Known.values.end() && found->second.size() == 1)
        return keyOf(found->second.front(), depth + 1);
    }
    llvm::FoldingSetNodeID id;
    value->Profile(id, Ast, /*Canonical=*/true);
    return std::to_string(id.ComputeHash());
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
    // What a variable is given of its own it held before.
    if (found == Known.values.end() || !Followed.insert(variable).second)
      return false;
    const bool isAny = anyProduct(found->second, depth);
    Followed.erase(variable);
    return isAny;
  }

  /// Whether one of the values may be a product; all are looked at, for what
  /// sums take.
  template <typename Range>
  bool anyProduct(const Range &values, unsigned depth) {
    bool isAny = false;
    for (const Stmt *value : values)
      isAny |= mayBeProduct(cast<Expr>(value), depth + 1);
    return isAny;
  }

  /// Whether the value, or a part of it, may be a product; of a pointer or
  /// reference, what it leads to in the variables of the function.
  bool mayBeProduct(const Expr *expression, unsigned depth) {
    if (depth > MaximumDepth)
      return true;
    if (const VarDecl *variable = addressed(expression))
      return mayHoldProduct(variable, depth + 1);
    const Expr *value = sameBits(expression)->IgnoreParenCasts();
    if (const auto *list = dyn_cast<InitListExpr>(value))
      return anyProduct(list->inits(), depth);
    if (const auto *made = dyn_cast<CXXConstructExpr>(value)) {
      const CXXConstructorDecl *constructor = made->getConstructor();
      if (!constructor->isTrivial() && !constructor->isDefaulted() &&
          !constructor->isCopyOrMoveConstructor() && made->getNumArgs() != 0)
        return true;
      return anyProduct(made->arguments(), depth);
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
      return {anyProduct(call.arguments(), depth), false};
    // As many library functions end with one: expf scales its result.
    return {!isNeverProduct(name) ||
                (name.contains("sqrt") && approximates(call.getType())),
            false};
  }

  Use use(const Expr *operand, unsigned depth) {
    const Expr *value = sameBits(operand);
    if (depth > MaximumDepth)
      return {true, true};
    if (const auto *operation = dyn_cast<BinaryOperator>(value);
        operation && operation->getOpcode() == BO_Assign) {
      const bool isProduct = mayBeProduct(operation->getRHS(), depth + 1);
      return {isProduct, isProduct};
    }
    if (const auto *operation = dyn_cast<BinaryOperator>(value)) {
      const bool isProduct = isMultiplication(*operation);
      if (isProduct) {
        Taken[keyOf(operation, 0)].push_back(operation);
        Reached.push_back(operation);
      }
      return {isProduct, isProduct && operation->isAssignmentOp()};
    }
    if (const auto *choice = dyn_cast<AbstractConditionalOperator>(value)) {
      const Use yes = use(choice->getTrueExpr(), depth + 1);
      const Use no = use(choice->getFalseExpr(), depth + 1);
      return {yes.isProduct || no.isProduct, yes.isProduct || no.isProduct};
    }
    if (const auto *call = dyn_cast<CallExpr>(value)) {
      Taken[keyOf(call, 0)];
      return useOfCall(*call, depth);
    }
    if (const VarDecl *variable = localOf(value)) {
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
    const Expr *place = rootOf(value);
    // What a method's object holds isn't followed.
    if (isa<CXXThisExpr>(place))
      return {true, true};
    const VarDecl *variable = variableOf(place);
    if (!variable)
      return {};
    if (const Use stored = loadOfStored(*value, variable, depth);
        stored.isProduct)
      return stored;
    if (!variable->isLocalVarDeclOrParm())
      return {};
    if (const auto *parameter = dyn_cast<ParmVarDecl>(variable))
      return {Parameters.given.count(parameter) != 0,
              Parameters.given.count(parameter) != 0};
    bool leadsToLocal = variable->getType()->isReferenceType() &&
                        variable->hasInit() && localOf(variable->getInit()) &&
                        mayHoldProduct(localOf(variable->getInit()), depth + 1);
    const auto found = Known.values.find(variable);
    if (variable->getType()->isPointerType() && found != Known.values.end())
      for (const Expr *given : found->second)
        if (const VarDecl *target = addressed(given))
          leadsToLocal |= mayHoldProduct(target, depth + 1);
    return {leadsToLocal, leadsToLocal};
  }

  /// Compilers know what was stored just before. (In front of the stores, a
  /// load isn't of them without a loop.)
  Use loadOfStored(const Expr &load, const VarDecl *root, unsigned depth) {
    Use all;
    const auto found = Known.stored.find(root);
    if (found == Known.stored.end())
      return all;
    for (const Expr *value : found->second) {
      const bool isBefore =
          Known.hasLoop || Ast.getSourceManager().isBeforeInTranslationUnit(
                               value->getEndLoc(), load.getBeginLoc());
      if (!isBefore || !mayBeProduct(value, depth + 1))
        continue;
      const auto *product = dyn_cast<BinaryOperator>(sameBits(value));
      all.isProduct = true;
      all.isShared |= !product || !isExact(*product);
    }
    return all;
  }

  const ASTContext &Ast;
  GivenValues &Known;
  Products &Parameters;
  RoundingTraits &Traits;
  ProductUse &Found;
  /// Variables whose values are being looked at.
  llvm::SmallPtrSet<const VarDecl *, 8> Followed;
  UncertainProducts &Doubted;
  Operations Reached;
  /// Products by their keys, and those that a sum may take.
  std::map<std::string, unsigned> Count;
  std::map<std::string, Operations> Taken;
};

using Doubts = std::map<const FunctionDecl *, UncertainProducts>;

RoundingTraits judge(const ASTContext &ast, const FunctionDecl &function,
                     Doubts &doubts) {
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
      GivenValues variables = givenValues(body);
      Judge judge(ast, variables, parameters, traits, found, doubts[next]);
      judge.TraverseStmt(body);
      if (const auto *constructor = dyn_cast<CXXConstructorDecl>(next))
        for (const CXXCtorInitializer *member : constructor->inits())
          judge.TraverseStmt(member->getInit());
      judge.finish();
      pending.insert(pending.end(), judge.callees.begin(), judge.callees.end());
    }
    traits.sharedProducts = found.isInSum && found.products > 1;
  }
  return traits;
}

} // namespace

RoundingTraits roundingTraits(const ASTContext &ast,
                              const FunctionDecl &function) {
  Doubts doubts;
  RoundingTraits traits = judge(ast, function, doubts);
  for (const auto &[each, uncertain] : doubts)
    if (each != &function)
      traits.called.push_back(each);
  return traits;
}

Doubts uncertainProducts(const ASTContext &ast, const FunctionDecl &function) {
  Doubts doubts;
  judge(ast, function, doubts);
  return doubts;
}

} // namespace kfuse
