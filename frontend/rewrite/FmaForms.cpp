//===- FmaForms.cpp - What stands for the sums of a function --------------===//

#include "frontend/rewrite/FmaForms.h"

#include "frontend/contraction/DeviceArithmetic.h"
#include "frontend/contraction/PowerOfTwoProducts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Returns the inverse of a power of two; empty for other divisors.
std::string inverseOf(const Expr &divisor, const ASTContext &ast) {
  llvm::APFloat value(0.0), inverse(0.0);
  if (!divisor.EvaluateAsFloat(value, ast) || !value.getExactInverse(&inverse))
    return {};
  llvm::SmallString<32> text;
  inverse.toString(text);
  const bool isSingle =
      divisor.getType()->isSpecificBuiltinType(BuiltinType::Float);
  if (llvm::StringRef(text).find_first_of(".E") == llvm::StringRef::npos)
    text += ".0";
  return text.str().str() + (isSingle ? "f" : "");
}

bool isDifference(const BinaryOperator &sum) {
  return sum.getOpcode() == BO_Sub || sum.getOpcode() == BO_SubAssign;
}

bool multiplies(const BinaryOperator &operation) {
  return operation.getOpcode() == BO_Mul ||
         operation.getOpcode() == BO_MulAssign;
}

/// The line of the operation, and the one after it.
constexpr std::uint32_t LinesOfLabel = 2;

/// Returns the type of a variable for `operand`. An integer is converted where
/// it is read, as the operation does it, and not after the other operand.
std::string typeFor(const Expr &operand) {
  return operand.IgnoreImplicit()->getType()->isIntegerType()
             ? operand.getType().getUnqualifiedType().getAsString()
             : "auto";
}

/// Returns `operation` by itself on the line `line`, its operands on others. An
/// assignment's value comes first, as the language has it.
ExplicitForm labelled(const BinaryOperator &operation, std::uint32_t line) {
  const std::string own = "\n#line " + std::to_string(line) + "\n";
  const std::string kind = operation.getOpcodeStr().str();
  const Expr *left = operation.getLHS(), *right = operation.getRHS();
  const std::string rightName = "const " + typeFor(*right) + " kfuseRight = ";
  if (operation.isCompoundAssignmentOp())
    return {"({ " + rightName, right, ";" + own, left,
            " " + kind + " kfuseRight;\n#line 1\n})"};
  return {"({ const " + typeFor(*left) + " kfuseLeft = ", left,
          "; " + rightName, right,
          ";" + own + "const auto kfuseBoth = kfuseLeft " + kind +
              " kfuseRight;\n#line 1\nkfuseBoth; })"};
}

/// Checks whether it matters when `value` is computed beside others. Functions
/// of the library but atomic ones only compute.
bool mayHaveEffects(const Stmt &value) {
  if (const auto *call = dyn_cast<CallExpr>(&value);
      call && (!isOfLibrary(call->getDirectCallee()) ||
               call->getDirectCallee()->getName().contains("atomic")))
    return true;
  const auto *step = dyn_cast<UnaryOperator>(&value);
  const auto *operation = dyn_cast<BinaryOperator>(&value);
  return (step && step->isIncrementDecrementOp()) ||
         (operation && operation->isAssignmentOp()) ||
         isa<CXXConstructExpr, LambdaExpr, StmtExpr>(value) ||
         llvm::any_of(value.children(), [](const Stmt *part) {
           return part && mayHaveEffects(*part);
         });
}

} // namespace

/// Returns the functions for numbers of `type` that round to nearest; nullopt
/// for other types.
std::optional<FmaForms::Arithmetic> FmaForms::arithmetic(QualType type) {
  const auto *number = type->getAs<BuiltinType>();
  if (number && number->getKind() == BuiltinType::Float)
    return Arithmetic{"__fadd_rn(", "__fsub_rn(", "__fmul_rn(",
                      "__fmaf_rn(", "f",          "float"};
  if (number && number->getKind() == BuiltinType::Double)
    return Arithmetic{"__dadd_rn(", "__dsub_rn(", "__dmul_rn(",
                      "__fma_rn(",  "",           "double"};
  return std::nullopt;
}

bool FmaForms::isRounded(const Product &product) const {
  return product.operation && !isExact(*product.operation, Ast);
}

FmaForms::FmaForms(const FunctionDecl &function,
                   const std::set<const BinaryOperator *> &sums,
                   const ASTContext &ast, FileTable &files)
    : Ast(ast), Files(files), Body(*function.getBody()),
      File(files.point(function.getLocation()).file), Held(function, files) {
  visit(Body, nullptr, sums);
}

std::optional<Forms> FmaForms::forms(const FunctionContractions &chosen,
                                     const Namer &namer) const {
  Forms all;
  NamedFactors named;
  for (std::size_t i = 0; i < All.size() && i < chosen.size(); ++i) {
    const BinaryOperator &sum = *All[i];
    const Contraction side = chosen[i];
    const auto names = arithmetic(sum.getType());
    if (!names)
      return std::nullopt;
    const Product left = product(sum, sum.getLHS());
    const Product right = product(sum, sum.getRHS());
    const auto round = [&](const Product &product) {
      auto own = rounded(*product.operation, *names);
      if (!own)
        return false;
      all.operations[product.operation] = *std::move(own);
      return true;
    };
    if ((isRounded(left) && side != Contraction::Left && !round(left)) ||
        (isRounded(right) && side != Contraction::Right && !round(right)))
      return std::nullopt;
    auto form = formOf(sum, side, *names, namer, all, named);
    if (!form)
      return std::nullopt;
    all.operations[&sum] = *std::move(form);
  }
  for (const auto &[held, names] : named)
    declare(*held, names, all);
  return all;
}

Labels FmaForms::labels(const std::set<const Expr *> &free,
                        const std::set<const Expr *> &exact,
                        std::uint32_t &next) const {
  Labels all;
  const auto label = [&](const BinaryOperator *operation) -> std::uint32_t {
    if (!operation)
      return 0;
    const auto [known, isNew] = all.lines.try_emplace(operation, next);
    if (isNew) {
      all.forms.operations[operation] = labelled(*operation, next);
      next += LinesOfLabel;
    }
    return known->second;
  };
  const auto labelOperand = [&](const BinaryOperator &sum,
                                const Expr *operand) {
    const Product own = product(sum, operand);
    all.products.push_back(own.operation);
    ProductLine line{label(own.operation),
                     own.operation ? !isRounded(own)
                                   : exact.count(operand) != 0,
                     own.held != nullptr};
    int sign = 1;
    const auto *inner =
        dyn_cast<BinaryOperator>(unsign(operand, Ast, sign)->IgnoreParens());
    if (inner && !inner->isAssignmentOp() && llvm::is_contained(All, inner))
      line.sum = label(inner);
    return line;
  };
  for (const BinaryOperator *sum : All)
    all.sums.push_back({label(sum), labelOperand(*sum, sum->getLHS()),
                        labelOperand(*sum, sum->getRHS()),
                        free.count(sum->getLHS()) != 0,
                        free.count(sum->getRHS()) != 0});
  // Compilers may compute one product for these and others.
  for (const BinaryOperator *operation : Products)
    label(operation);
  return all;
}

void FmaForms::visit(const Stmt &statement, const Expr *around,
                     const std::set<const BinaryOperator *> &sums) {
  const auto *own = dyn_cast<Expr>(&statement);
  if (own)
    Around.try_emplace(own, around);
  if (const auto *operation = dyn_cast<BinaryOperator>(&statement)) {
    Order.try_emplace(operation, Order.size());
    if (sums.count(operation) != 0)
      All.push_back(operation);
    else if (arithmetic(operation->getType()) &&
             (operation->isMultiplicativeOp() ||
              operation->getOpcode() == BO_MulAssign) &&
             !operation->isEvaluatable(Ast))
      Products.push_back(operation);
  }
  for (const Stmt *part : statement.children())
    if (part)
      visit(*part, own, sums);
}

FmaForms::Product FmaForms::product(const BinaryOperator &sum,
                                    const Expr *operand) const {
  Product found;
  int sign = 1;
  const Expr *value = unsign(operand, Ast, sign)->IgnoreParens();
  const auto *operation = dyn_cast<BinaryOperator>(value);
  found.held = Held.heldBy(*value);
  if (found.held) {
    operation = found.held->product;
    sign = found.held->isNegated ? -sign : sign;
  }
  found.isNegated = sign == -1;
  if (operation && isMultiplication(*operation) &&
      (found.held || !operation->isAssignmentOp()) &&
      operation->getType().getCanonicalType().getUnqualifiedType() ==
          sum.getType().getCanonicalType().getUnqualifiedType())
    found.operation = operation;
  return found;
}

/// Returns `place = ` for an assignment that computes too.
std::optional<std::string>
FmaForms::assignment(const BinaryOperator &operation) const {
  const auto *assigned = dyn_cast<CompoundAssignOperator>(&operation);
  if (!assigned)
    return std::string();
  // The place is written twice.
  if (operation.getLHS()->HasSideEffects(Ast) ||
      operation.getRHS()->HasSideEffects(Ast,
                                         /*IncludePossibleEffects=*/false) ||
      assigned->getComputationResultType().getCanonicalType() !=
          operation.getType().getCanonicalType())
    return std::nullopt;
  const SourceRange place =
      Files.wholeText(operation.getLHS()->getSourceRange());
  if (isTextOf(File, place))
    return Files.text(place) + " = ";
  // All of it is in a macro.
  std::string text;
  llvm::raw_string_ostream stream(text);
  operation.getLHS()->printPretty(stream, nullptr,
                                  PrintingPolicy(Ast.getLangOpts()));
  return text + " = ";
}

bool FmaForms::isMultiplication(const BinaryOperator &operation) const {
  return multiplies(operation) ||
         ((operation.getOpcode() == BO_Div ||
           operation.getOpcode() == BO_DivAssign) &&
          !inverseOf(*operation.getRHS(), Ast).empty());
}

/// Returns the factors of `product`; for a division, one is the inverse.
void FmaForms::negate(ExplicitForm &form, const Factor &factor,
                      const Arithmetic &names, const Forms &all) {
  const auto *const *expression = std::get_if<const Expr *>(&factor);
  const Expr *value = expression ? (*expression)->IgnoreImplicit() : nullptr;
  // An integer becomes a number first: if unsigned, it has no negative.
  const bool isInteger = value && value->getType()->isIntegerType();
  // A minus sign binds to these alone.
  const auto *operation =
      value ? dyn_cast<BinaryOperator>(value->IgnoreParens()) : nullptr;
  const bool isBare =
      !value || (operation && all.operations.count(operation) != 0) ||
      (!isInteger &&
       isa<DeclRefExpr, ParenExpr, ArraySubscriptExpr, MemberExpr, CallExpr>(
           value));
  form.emplace_back(isInteger ? std::string("-") + names.type + "("
                    : isBare  ? "-"
                              : "-(");
  form.push_back(factor);
  if (!isBare)
    form.emplace_back(")");
}

std::pair<FmaForms::Factor, FmaForms::Factor>
FmaForms::factors(const BinaryOperator &product) const {
  if (!multiplies(product))
    return {product.getLHS(), inverseOf(*product.getRHS(), Ast)};
  return {product.getLHS(), product.getRHS()};
}

FmaForms::Factors FmaForms::name(const NamedProduct &held,
                                 const Namer &namer) const {
  const std::string own = held.variable->getNameAsString();
  return {namer.fresh(own + "_left"),
          multiplies(*held.product) ? namer.fresh(own + "_right")
                                    : inverseOf(*held.product->getRHS(), Ast)};
}

/// Declares the factors `names` before the variable that holds their product.
void FmaForms::declare(const NamedProduct &held, const Factors &names,
                       Forms &all) const {
  const bool isRounded = all.operations.erase(held.product) != 0;
  const QualType type =
      held.variable->getType().getCanonicalType().getUnqualifiedType();
  const auto arithmetic = FmaForms::arithmetic(type);
  std::string value =
      isRounded ? arithmetic->multiply + names.left + ", " + names.right + ")"
                : names.left + " * " + names.right;
  if (held.isNegated)
    value = "-(" + value + ")";
  ExplicitForm form{names.left + " = ", held.product->getLHS()};
  if (multiplies(*held.product))
    form.insert(form.end(),
                {", " + names.right + " = ", held.product->getRHS()});
  const std::string own = held.variable->getNameAsString();
  const bool isUnread = names.sums == held.reads;
  if (held.assignment) {
    std::get<std::string>(form.front()).insert(0, type.getAsString() + " ");
    if (!isUnread)
      form.push_back("; " + own + " = " + value);
    all.operations[held.assignment] = std::move(form);
    return;
  }
  form.push_back(", " + own + (isUnread ? " [[maybe_unused]] = " : " = ") +
                 value);
  all.declarators[held.variable] = std::move(form);
}

std::optional<ExplicitForm> FmaForms::rounded(const BinaryOperator &product,
                                              const Arithmetic &names) const {
  const auto assigned = assignment(product);
  if (!assigned)
    return std::nullopt;
  const auto [left, right] = factors(product);
  return ExplicitForm{*assigned + names.multiply, left, ", ", right, ")"};
}

std::optional<ExplicitForm>
FmaForms::formOf(const BinaryOperator &sum, Contraction side,
                 const Arithmetic &names, const Namer &namer, const Forms &all,
                 NamedFactors &named) const {
  const auto assigned = assignment(sum);
  if (!assigned)
    return std::nullopt;
  const Expr *left = sum.getLHS(), *right = sum.getRHS();
  if (side == Contraction::None)
    return ExplicitForm{*assigned +
                            (isDifference(sum) ? names.subtract : names.add),
                        left, ", ", right, ")"};
  const bool isLeft = side == Contraction::Left;
  const Product taken = product(sum, isLeft ? left : right);
  auto [first, second] = factors(*taken.operation);
  if (taken.held) {
    const auto [known, isNew] = named.try_emplace(taken.held);
    if (isNew)
      known->second = name(*taken.held, namer);
    ++known->second.sums;
    first = known->second.left;
    second = known->second.right;
  }
  const bool isNegated = taken.isNegated != (!isLeft && isDifference(sum));
  ExplicitForm form;
  // Operands with effects stay in the order in which they are computed.
  const bool isHelped =
      !isLeft && (mayHaveEffects(*left) || mayHaveEffects(*right));
  if (isHelped)
    form = {*assigned + namer.helper(names.suffix) + "(", left, ", "};
  else
    form = {*assigned + names.contract};
  if (isNegated)
    negate(form, first, names, all);
  else
    form.push_back(first);
  form.emplace_back(", ");
  form.push_back(second);
  if (!isHelped) {
    form.emplace_back(", ");
    if (isLeft && isDifference(sum))
      negate(form, right, names, all);
    else
      form.emplace_back(isLeft ? right : left);
  }
  form.emplace_back(")");
  return form;
}

} // namespace kfuse
