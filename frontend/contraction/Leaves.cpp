//===- Leaves.cpp - What values are computed of ---------------------------===//

#include "frontend/contraction/Leaves.h"

#include "frontend/contraction/DeviceArithmetic.h"
#include "frontend/contraction/PowerOfTwoProducts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Beyond these a value may be anything.
constexpr unsigned MostParts = 128;
constexpr std::size_t MostMonomials = 64;

/// The operation that computes a value, if no other one gives the same. But
/// twice a number is its sum with itself.
enum class ValueForm : std::uint8_t { Product, Double, Sum, Call, Load, Other };

/// Splits `s.inner.x` into `s` and the fields' numbers, `.1.0`. Fields of
/// unions are no places of their own, so they aren't split off.
std::pair<const Expr *, std::string> withoutFields(const Expr &place) {
  const Expr *whole = sameValue(&place);
  std::string fields;
  while (const auto *member = dyn_cast<MemberExpr>(whole)) {
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field || member->isArrow() || field->getParent()->isUnion())
      break;
    fields = "." + std::to_string(field->getFieldIndex()) + fields;
    whole = sameValue(member->getBase());
  }
  return {whole, fields};
}

} // namespace

const Leaves &LeafFinder::leavesOf(const Expr &value,
                                   const CallFrame &in) const {
  const auto [known, isNew] = Known.try_emplace({&value, &in});
  if (isNew) {
    unsigned budget = MostParts;
    gather(&value, in, known->second, budget);
  }
  return known->second;
}

bool LeafFinder::isGiven(const Expr &value, const CallFrame &in) const {
  const Leaves &leaves = leavesOf(value, in);
  return std::any_of(
      leaves.names.begin(), leaves.names.end(), [](const Root &root) {
        const auto *variable = dyn_cast<VarDecl>(root.first);
        return variable && (variable->isLocalVarDeclOrParm() || !root.second);
      });
}

bool LeafFinder::areSame(const Source &one, const Source &other,
                         unsigned &budget) const {
  const auto [left, leftIn] = Values.sourceOf(one);
  const auto [right, rightIn] = Values.sourceOf(other);
  if (budget == 0)
    return true;
  --budget;
  const auto parts = [&](const Expr *first, const Expr *second) {
    return areSame({first, leftIn}, {second, rightIn}, budget);
  };
  llvm::APFloat number(0.0), otherNumber(0.0);
  const bool isNumber = left->EvaluateAsFloat(number, Values.ast());
  if (isNumber && right->EvaluateAsFloat(otherNumber, Values.ast()))
    return number.bitwiseIsEqual(otherNumber);
  const auto *product = dyn_cast<BinaryOperator>(left);
  const auto *otherProduct = dyn_cast<BinaryOperator>(right);
  if (product && otherProduct && product->getOpcode() == BO_Mul &&
      otherProduct->getOpcode() == BO_Mul)
    return (parts(product->getLHS(), otherProduct->getLHS()) &&
            parts(product->getRHS(), otherProduct->getRHS())) ||
           (parts(product->getLHS(), otherProduct->getRHS()) &&
            parts(product->getRHS(), otherProduct->getLHS()));
  const Leaves &leaves = leavesOf(*left, *leftIn);
  const Leaves &otherLeaves = leavesOf(*right, *rightIn);
  if (leaves.isOpaque || otherLeaves.isOpaque)
    return true;
  // Compilers know the product of numbers alone, and other forms of a product
  // with a power of two.
  const auto isRounded = [&](const BinaryOperator *operation,
                             const Leaves &factors) {
    return operation && operation->getOpcode() == BO_Mul &&
           !factors.names.empty() && !scalingOf(*operation, Values.ast());
  };
  const auto kindOf = [&](const Source &source, const Leaves &all) {
    const auto *operation = dyn_cast<BinaryOperator>(source.first);
    if (isRounded(operation, all))
      return ValueForm::Product;
    if (const auto scaling =
            operation ? scalingOf(*operation, Values.ast()) : std::nullopt)
      return scaling->isByOne() ? ValueForm::Other : ValueForm::Double;
    if (operation && operation->isAdditiveOp() &&
        llvm::none_of(operation->children(), [&](const Stmt *part) {
          return leavesOf(*cast<Expr>(part), *source.second).names.empty();
        }))
      return ValueForm::Sum;
    const auto *call = dyn_cast<CallExpr>(source.first);
    if (call && isLibraryFunction(call->getDirectCallee())) {
      const llvm::StringRef name = call->getDirectCallee()->getName();
      // Others are a few instructions that the program may have too.
      if (libraryFunction(name).mayBranch && !name.starts_with("__"))
        return ValueForm::Call;
    }
    return isLoad(*source.first) ? ValueForm::Load : ValueForm::Other;
  };
  const ValueForm kind = kindOf({left, leftIn}, leaves);
  const ValueForm otherKind = kindOf({right, rightIn}, otherLeaves);
  const auto areOf = [&](ValueForm first, ValueForm second) {
    return (kind == first && otherKind == second) ||
           (kind == second && otherKind == first);
  };
  if (kind != otherKind && kind != ValueForm::Other &&
      otherKind != ValueForm::Other &&
      !areOf(ValueForm::Double, ValueForm::Sum))
    return false;
  if (leaves.names != otherLeaves.names)
    return false;
  return llvm::all_of(leaves.indices, [&](const auto &each) {
    // A load without an index may be one of any element.
    const auto other = otherLeaves.indices.find(each.first);
    return other == otherLeaves.indices.end() || each.second == other->second ||
           each.second.count("?") != 0 || other->second.count("?") != 0;
  });
}

void LeafFinder::gather(const Expr *value, const CallFrame &in, Leaves &leaves,
                        unsigned &budget) const {
  value = sameValue(value);
  if (budget == 0 || isa<ConditionalOperator>(value)) {
    leaves.isOpaque = true;
    return;
  }
  --budget;
  if (const auto part = Values.component(*value, in))
    return gather(part->first, *part->second, leaves, budget);
  if (isCoordinate(*value)) {
    leaves.names.insert(rootOfCoordinate(*value));
    leaves.isOpaque |= isa<CallExpr>(value);
    return;
  }
  if (const auto *name = dyn_cast<DeclRefExpr>(value)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    if (variable && variable->isLocalVarDeclOrParm()) {
      const auto only = KernelValues::onlyValue(*variable, in);
      if (only)
        return gather(only->first, *only->second, leaves, budget);
      if (isa<ParmVarDecl>(variable) && !in.call &&
          in.facts->valuesOf(*variable).empty())
        leaves.names.insert({variable, nullptr});
      else
        gatherAny(*variable, in, leaves, budget);
      return;
    }
  }
  if (KernelValues::isGivenMember(*value, in)) {
    const auto *member = cast<MemberExpr>(value);
    leaves.names.insert({localVariable(*value), member->getMemberDecl()});
    return;
  }
  if (const Expr *whole = KernelValues::wholeOf(*value, in)) {
    const auto [variable, fields] = withoutFields(*value);
    const Expr *copied = sameValue(whole);
    if (const auto *copy = dyn_cast<CXXConstructExpr>(copied);
        copy && copy->getNumArgs() == 1)
      copied = sameValue(copy->getArg(0));
    if (isa<DeclRefExpr>(variable) && isLoad(*copied))
      return gatherLoad(*copied, fields, in, leaves, budget);
    leaves.isOpaque = true; // It isn't all of that.
    return gather(whole, in, leaves, budget);
  }
  if (const Expr *whole = temporaryOf(*value)) {
    leaves.isOpaque = true;
    return gather(whole, in, leaves, budget);
  }
  if (const auto *made = dyn_cast<CXXConstructExpr>(value);
      made && made->getNumArgs() == 1)
    return gather(made->getArg(0), in, leaves, budget);
  if (const auto *list = dyn_cast<InitListExpr>(value)) {
    for (const Expr *each : list->inits())
      gather(each, in, leaves, budget);
    return;
  }
  if (isLoad(*value))
    return gatherLoad(*value, "", in, leaves, budget);
  if (const auto *call = dyn_cast<CallExpr>(value)) {
    if (const auto known = Values.tree().callees.find({&in, call});
        known != Values.tree().callees.end()) {
      const auto &returned = known->second->facts->returned;
      if (returned.size() == 1)
        return gather(returned.front(), *known->second, leaves, budget);
      leaves.isOpaque = true;
      return;
    }
    leaves.isOpaque |= !isOfLibrary(call->getDirectCallee());
    for (const Expr *each : call->arguments())
      gather(each, in, leaves, budget);
    return;
  }
  if (!isa<BinaryOperator, UnaryOperator, CastExpr>(value)) {
    leaves.isOpaque |= !value->isEvaluatable(Values.ast());
    return;
  }
  for (const Stmt *part : value->children())
    gather(cast<Expr>(part), in, leaves, budget);
}

/// Gathers the leaves of a variable that may have several values.
void LeafFinder::gatherAny(const VarDecl &variable, const CallFrame &in,
                           Leaves &leaves, unsigned &budget) const {
  leaves.isOpaque = true;
  if (const Expr *given = KernelValues::argument(variable, in))
    gather(given, *in.caller, leaves, budget);
  for (const Expr *each : in.facts->valuesOf(variable)) {
    if (budget == 0)
      return;
    // `x += y` adds the leaves of y; `++x` adds none.
    if (const auto *step = dyn_cast<CompoundAssignOperator>(each))
      gather(step->getRHS(), in, leaves, budget);
    else if (const auto *sign = dyn_cast<UnaryOperator>(each);
             !sign || !sign->isIncrementDecrementOp())
      gather(each, in, leaves, budget);
  }
}

/// Gathers the leaves of the fields `part` of what is loaded from `place`.
void LeafFinder::gatherLoad(const Expr &place, const std::string &part,
                            const CallFrame &in, Leaves &leaves,
                            unsigned &budget) const {
  const auto roots = Values.rootsOf(place, in);
  const auto [whole, fields] = withoutFields(place);
  const auto *element = dyn_cast<ArraySubscriptExpr>(whole);
  if (!roots || roots->size() != 1) {
    leaves.isOpaque = true;
    return;
  }
  const Root &root = *roots->begin();
  leaves.names.insert(root);
  leaves.isOpaque |= Values.isStored(root);
  const Expr *base =
      element ? element->getBase()->IgnoreParenImpCasts() : nullptr;
  const auto *name = base ? dyn_cast<DeclRefExpr>(base) : nullptr;
  std::string text = "?";
  // The index counts from where the root itself points.
  if (name && name->getDecl() == root.first)
    if (const auto index = indexOf(element->getIdx(), in, 0)) {
      text.clear();
      for (const auto &[monomial, factor] : *index)
        text += std::to_string(factor) + monomial + " ";
      text += fields + part;
    }
  leaves.indices[root].insert(text);
  if (budget != 0)
    --budget;
}

/// Returns the coefficients of `index` by monomial; nullopt if it isn't a known
/// polynomial.
std::optional<LeafFinder::Polynomial>
LeafFinder::indexOf(const Expr *index, const CallFrame &in,
                    unsigned depth) const {
  index = sameValue(index);
  while (const auto *cast = dyn_cast<CastExpr>(index)) {
    if (cast->getCastKind() != CK_IntegralCast)
      return std::nullopt;
    index = sameValue(cast->getSubExpr());
  }
  if (depth > MostSteps)
    return std::nullopt;
  Expr::EvalResult constant;
  if (index->EvaluateAsInt(constant, Values.ast())) {
    const std::int64_t number = constant.Val.getInt().getExtValue();
    return number == 0 ? Polynomial() : Polynomial{{"", number}};
  }
  if (const auto *call = dyn_cast<CallExpr>(index)) {
    Expr::EvalResult axis;
    if (!isCoordinate(*index) || call->getNumArgs() != 1 ||
        !call->getArg(0)->EvaluateAsInt(axis, Values.ast()))
      return std::nullopt;
    return Polynomial{{"*" + call->getDirectCallee()->getNameAsString() +
                           std::to_string(axis.Val.getInt().getExtValue()),
                       1}};
  }
  if (isCoordinate(*index)) {
    const auto [object, axis] = rootOfCoordinate(*index);
    return Polynomial{{"*" + cast<NamedDecl>(object)->getNameAsString() + "." +
                           cast<NamedDecl>(axis)->getNameAsString(),
                       1}};
  }
  if (const auto *name = dyn_cast<DeclRefExpr>(index)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    if (!variable)
      return std::nullopt;
    if (const auto only = KernelValues::onlyValue(*variable, in))
      return indexOf(only->first, *only->second, depth + 1);
    if (isa<ParmVarDecl>(variable) && !in.call &&
        in.facts->valuesOf(*variable).empty())
      return Polynomial{{"*" + variable->getNameAsString(), 1}};
    return std::nullopt;
  }
  const auto *operation = dyn_cast<BinaryOperator>(index);
  if (!operation)
    return std::nullopt;
  const auto left = indexOf(operation->getLHS(), in, depth + 1);
  const auto right = indexOf(operation->getRHS(), in, depth + 1);
  if (!left || !right || left->size() * right->size() > MostMonomials)
    return std::nullopt;
  Polynomial result;
  const auto add = [&](const std::string &monomial, std::int64_t factor) {
    std::int64_t &sum = result[monomial];
    sum += factor;
    if (sum == 0)
      result.erase(monomial);
  };
  switch (operation->getOpcode()) {
  case BO_Add:
  case BO_Sub:
    result = *left;
    for (const auto &[monomial, factor] : *right)
      add(monomial, operation->getOpcode() == BO_Add ? factor : -factor);
    return result;
  case BO_Mul:
    for (const auto &[one, factor] : *left)
      for (const auto &[other, second] : *right) {
        // Sorts the factors alphabetically.
        llvm::SmallVector<llvm::StringRef> names;
        llvm::StringRef(one).split(names, '*', -1, /*KeepEmpty=*/false);
        llvm::StringRef(other).split(names, '*', -1, /*KeepEmpty=*/false);
        std::sort(names.begin(), names.end());
        std::string monomial;
        for (const llvm::StringRef each : names)
          monomial += "*" + each.str();
        std::int64_t product = 0;
        if (llvm::MulOverflow(factor, second, product))
          return std::nullopt;
        add(monomial, product);
      }
    return result;
  default:
    return std::nullopt;
  }
}

} // namespace kfuse
