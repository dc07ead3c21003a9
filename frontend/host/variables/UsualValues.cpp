//===- UsualValues.cpp - What variables are ever given --------------------===//
//
// The few constants that the input gives a variable, or a member of one, all
// over the unit and in no order. They come from assignments, from initial
// values and, for parameters, from what calls pass. A launch under a test that
// none of them passes would never run. The result is no more than a guess:
// pointers may lead to a variable, and other files may know it.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/variables/UsualValues.h"

#include "frontend/host/Unit.h"
#include "frontend/host/Values.h"
#include "frontend/host/variables/Assignments.h"
#include "frontend/host/variables/UsualPointers.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kfuse {

using namespace clang;

namespace {

using Values = std::set<std::int64_t>;

/// The most values that a guess is made of.
constexpr std::size_t MostValues = 8;
constexpr unsigned MostAssignmentDepth = 32;

class UsualValueFinder {
public:
  UsualValueFinder(const Assignments &assignments, const ASTContext &ast)
      : All(assignments), Ast(ast) {}

  std::optional<Values> of(const VariablePart &place) {
    const auto [known, isNew] = Known.try_emplace(place);
    if (isNew) // while it is empty, it is asked for by itself
      if (auto values = find(place))
        Known[place] = std::move(values);
    return Known[place];
  }

private:
  std::optional<Values> find(const VariablePart &place) {
    const auto &[variable, path] = place;
    if (!All.isOwn(*variable))
      return std::nullopt;
    std::optional<Values> values = Values{};
    // The whole is given its parts, too.
    for (std::size_t end = path.size();; end = path.rfind('.', end - 1)) {
      const auto given = All.given.find({variable, path.substr(0, end)});
      if (given != All.given.end())
        for (const Expr *each : given->second)
          join(values, of(*each, path.substr(end)));
      if (end == 0)
        break;
    }
    if (const auto *file = dyn_cast<VarDecl>(variable);
        file && file->isFileVarDecl())
      if (const Expr *init = file->getAnyInitializer())
        join(values, of(*init, path));
    return values && !values->empty() ? values : std::nullopt;
  }

  static void join(std::optional<Values> &values,
                   const std::optional<Values> &more) {
    if (values && more)
      values->insert(more->begin(), more->end());
    if (!more || (values && values->size() > MostValues))
      values.reset();
  }

  /// Returns the values that the number at `path` in `expression` may have;
  /// nullopt if they aren't known.
  std::optional<Values> of(const Expr &expression, const std::string &path) {
    if (++Depth > MostAssignmentDepth) {
      --Depth;
      return std::nullopt;
    }
    std::optional<Values> values = path.empty()
                                       ? ofNumber(plainValue(expression))
                                       : ofRecord(plainValue(expression), path);
    --Depth;
    return values;
  }

  std::optional<Values> ofRecord(const Expr &record, const std::string &path) {
    const auto *made = dyn_cast<CXXConstructExpr>(&record);
    const bool isCopy =
        made && made->getConstructor()->isCopyOrMoveConstructor();
    if (isCopy && made->getNumArgs() > 0)
      return of(*made->getArg(0), path);
    if (const auto *cast = dyn_cast<CastExpr>(&record))
      return of(*cast->getSubExpr(), path);
    if (auto place = partOf(record))
      return of(VariablePart(place->first, place->second + path));
    const auto *type = record.getType()->getAsRecordDecl();
    if (!type || !type->getDefinition())
      return std::nullopt;
    const std::size_t dot = path.find('.', 1);
    const std::string name = path.substr(1, dot - 1);
    // The runtime's dim3(x, y, z).
    const bool isShape = type->getNameAsString() == "dim3";
    if (made && !isShape)
      for (const CXXCtorInitializer *each : made->getConstructor()->inits())
        if (each->isMemberInitializer() &&
            each->getMember()->getNameAsString() == name)
          return of(*each->getInit(),
                    dot == std::string::npos ? "" : path.substr(dot));
    const std::string rest = dot == std::string::npos ? "" : path.substr(dot);
    const auto *list = dyn_cast<InitListExpr>(&record);
    for (const FieldDecl *field : type->getDefinition()->fields()) {
      if (field->getNameAsString() != name)
        continue;
      const unsigned number = field->getFieldIndex();
      if (made && isShape && number < made->getNumArgs())
        return of(*made->getArg(number), rest);
      if (list && number < list->getNumInits())
        return of(*list->getInit(number), rest);
    }
    return std::nullopt;
  }

  static std::optional<std::int64_t> apply(BinaryOperatorKind operation,
                                           std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    const bool isDivision = operation == BO_Div || operation == BO_Rem;
    const bool isShift = operation == BO_Shl || operation == BO_Shr;
    if ((isDivision && (b == 0 || b == -1)) ||
        (isShift && (b < 0 || b > 62 || a < 0)))
      return std::nullopt;
    switch (operation) {
    case BO_Add:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                                   : std::optional(result);
    case BO_Sub:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt
                                                   : std::optional(result);
    case BO_Mul:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                                   : std::optional(result);
    case BO_Shl:
      return __builtin_mul_overflow(a, std::int64_t{1} << b, &result)
                 ? std::nullopt
                 : std::optional(result);
    case BO_Shr:
      return a >> b;
    case BO_Div:
      return a / b;
    case BO_Rem:
      return a % b;
    default:
      return std::nullopt;
    }
  }

  /// Checks whether `value` fits the type: nobody launches sizes that wrap.
  bool fits(std::int64_t value, QualType type) const {
    const unsigned bits = Ast.getIntWidth(type) -
                          (type->isSignedIntegerOrEnumerationType() ? 1 : 0);
    const std::int64_t last =
        bits >= 63 ? INT64_MAX : (std::int64_t{1} << bits) - 1;
    return value <= last &&
           value >= (type->isSignedIntegerOrEnumerationType() ? -last - 1 : 0);
  }

  std::optional<Values> ofNumber(const Expr &number) {
    if (number.isValueDependent() ||
        !number.getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    Expr::EvalResult constant;
    if (number.EvaluateAsInt(constant, Ast)) {
      const auto value = constant.Val.getInt().tryExtValue();
      return value ? std::optional(Values{*value}) : std::nullopt;
    }
    std::optional<Values> values;
    if (const auto *cast = dyn_cast<CastExpr>(&number)) {
      const CastKind kind = cast->getCastKind();
      if (kind == CK_LValueToRValue || kind == CK_NoOp ||
          kind == CK_IntegralCast)
        values = of(*cast->getSubExpr(), "");
    } else if (const auto place = partOf(number)) {
      values = of(*place);
    } else if (const auto *choice = dyn_cast<ConditionalOperator>(&number)) {
      values = of(*choice->getTrueExpr(), "");
      join(values, of(*choice->getFalseExpr(), ""));
    } else if (const auto *operation = dyn_cast<BinaryOperator>(&number)) {
      const auto left = of(*operation->getLHS(), "");
      const auto right = of(*operation->getRHS(), "");
      values = Values{};
      for (const std::int64_t a : left.value_or(Values{}))
        for (const std::int64_t b : right.value_or(Values{})) {
          const auto value = apply(operation->getOpcode(), a, b);
          join(values, value ? std::optional(Values{*value}) : std::nullopt);
        }
    } else if (const auto *call = dyn_cast<CallExpr>(&number)) {
      // Its parameters have what all calls pass.
      const FunctionDecl *callee = call->getDirectCallee();
      if (const auto body = callee ? helperBody(*callee) : std::nullopt)
        values = of(*body->value, "");
    }
    if (!values || values->empty() ||
        !std::all_of(values->begin(), values->end(), [&](std::int64_t value) {
          return fits(value, number.getType());
        }))
      return std::nullopt;
    return values;
  }

  const Assignments &All;
  const ASTContext &Ast;
  unsigned Depth = 0;
  std::map<VariablePart, std::optional<Values>> Known;
};

} // namespace

void addUsualValues(HostUnit &unit) {
  const Assignments assignments = assignmentsOf(unit);
  addUsualDistances(unit, assignments);
  UsualValueFinder guesser(assignments, unit.model.ast);
  std::map<VariableId, const ValueDecl *> variables;
  for (const auto &[declaration, id] : unit.model.variables())
    if (isa<VarDecl, FieldDecl>(declaration))
      variables.emplace(id, declaration);
  std::vector<HostValue> &values = unit.model.program.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const HostPlace &place = unit.model.valuePlaces()[i];
    const auto variable = variables.find(place.base);
    const bool isMember = place.path.find_first_of("[-(") == std::string::npos;
    if (variable == variables.end() || !isMember)
      continue;
    if (const auto usual = guesser.of({variable->second, place.path}))
      values[i].usual.assign(usual->begin(), usual->end());
  }
}

} // namespace kfuse
