//===- UsualPointers.cpp - Pointers of one storage ------------------------===//
//
// Two pointers may always lead into one storage at the same distance: every
// call passes them so, or the only assignment of one makes it from the other.
// Tests that they don't overlap have one outcome then. As with other values
// this is no more than a guess.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/variables/UsualPointers.h"

#include "frontend/host/Unit.h"
#include "frontend/host/variables/Assignments.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kfuse {

using namespace clang;

namespace {

/// A place that is `bytes` after what a variable points to.
struct Origin {
  const VarDecl *variable = nullptr;
  std::int64_t bytes = 0;
};

class Resolver {
public:
  Resolver(const Assignments &assignments, const ASTContext &ast)
      : All(assignments), Ast(ast) {}

  /// Returns the origin of `expression`, following `depth` assignments.
  std::optional<Origin> of(const Expr &expression, unsigned depth = 8) const {
    const Expr &value = *plainValue(expression).IgnoreParenCasts();
    if (const auto *sum = dyn_cast<BinaryOperator>(&value)) {
      const bool isDifference = sum->getOpcode() == BO_Sub;
      const Expr *pointer = sum->getLHS(), *index = sum->getRHS();
      if (!isDifference && sum->getOpcode() != BO_Add)
        return std::nullopt;
      if (!pointer->getType()->isAnyPointerType())
        std::swap(pointer, index);
      return displaced(*pointer, *index, isDifference, depth);
    }
    const auto *address = dyn_cast<UnaryOperator>(&value);
    const auto *element =
        address && address->getOpcode() == UO_AddrOf
            ? dyn_cast<ArraySubscriptExpr>(
                  address->getSubExpr()->IgnoreParenImpCasts())
            : nullptr;
    if (element)
      return displaced(*element->getBase(), *element->getIdx(), false, depth);
    const auto part = partOf(value);
    const auto *variable = part ? dyn_cast<VarDecl>(part->first) : nullptr;
    if (!variable || !part->second.empty() ||
        !variable->getType()->isAnyPointerType())
      return std::nullopt;
    return of(*variable, depth);
  }

  Origin of(const VarDecl &variable, unsigned depth = 8) const {
    const auto given = All.given.find({&variable, ""});
    if (depth > 0 && !isa<ParmVarDecl>(variable) && All.isOwn(variable) &&
        given != All.given.end() && given->second.size() == 1)
      if (const auto origin = of(*given->second.front(), depth - 1))
        return *origin;
    return {&variable, 0};
  }

private:
  std::optional<Origin> displaced(const Expr &pointer, const Expr &index,
                                  bool isDifference, unsigned depth) const {
    Expr::EvalResult number;
    const QualType pointee = pointer.getType()->getPointeeType();
    if (depth == 0 || pointee.isNull() || pointee->isIncompleteType() ||
        index.isValueDependent() || !index.EvaluateAsInt(number, Ast))
      return std::nullopt;
    auto origin = of(pointer, depth - 1);
    const auto elements = number.Val.getInt().tryExtValue();
    std::int64_t bytes = 0;
    if (!origin || !elements ||
        __builtin_mul_overflow(
            *elements, Ast.getTypeSizeInChars(pointee).getQuantity(), &bytes) ||
        (isDifference
             ? __builtin_sub_overflow(origin->bytes, bytes, &origin->bytes)
             : __builtin_add_overflow(origin->bytes, bytes, &origin->bytes)))
      return std::nullopt;
    return origin;
  }

  const Assignments &All;
  const ASTContext &Ast;
};

/// A pointer of a launch: the variable of the program that its array is named
/// after.
struct Named {
  ArrayId array{};
  const VarDecl *variable = nullptr;
};

/// The same, and how many bytes it is after its origin in each call.
struct Placed {
  ArrayId array{};
  const VarDecl *variable = nullptr;
  std::vector<std::int64_t> bytes;
};

/// For more pointers into one storage, not all pairs are compared.
constexpr std::size_t MostKin = 16;

class DistanceFinder {
public:
  DistanceFinder(HostUnit &unit, const Assignments &assignments)
      : Unit(unit), All(assignments), Resolve(assignments, unit.model.ast) {
    for (const FunctionDecl *function : unit.order) {
      auto [place, isNew] =
          Functions.emplace(function->getQualifiedNameAsString(), function);
      if (!isNew)
        place->second = nullptr; // one of several
    }
    for (const auto &[declaration, id] : unit.model.variables())
      if (const auto *variable = dyn_cast<VarDecl>(declaration);
          variable && variable->isFileVarDecl())
        Globals.emplace(variable->getNameAsString(), variable);
  }

  /// Adds what is known to the launches of the function `name`.
  void add(const std::string &name,
           const std::vector<std::uint32_t> &launches) const {
    std::vector<Launch> &all = Unit.model.program.launches;
    const auto function = Functions.find(name);
    if (function == Functions.end() || !function->second)
      return;
    // Pointers that have the same origins in each call.
    std::map<std::vector<const VarDecl *>, std::vector<Placed>> kin;
    std::set<ArrayId> seen;
    for (const std::uint32_t launch : launches)
      for (const PointerValue &pointer : all[launch].pointers)
        if (seen.insert(pointer.array).second)
          if (const auto named = nameOf(pointer.array, *function->second))
            place(*named, *function->second, kin);
    for (const auto &[made, pointers] : kin)
      for (std::size_t i = 0; i < pointers.size() && i < MostKin; ++i)
        for (std::size_t j = i + 1; j < pointers.size() && j < MostKin; ++j)
          if (const auto bytes = distance(pointers[i], pointers[j]))
            for (const std::uint32_t launch : launches)
              if (uses(all[launch], pointers[i]) ||
                  uses(all[launch], pointers[j]))
                all[launch].given.push_back(
                    known(pointers[i], pointers[j], *bytes));
  }

private:
  std::optional<Named> nameOf(ArrayId array,
                              const FunctionDecl &function) const {
    const Program &program = Unit.model.program;
    if (indexOf(array) >= program.arrays.size())
      return std::nullopt;
    const Array &info = program[array];
    if (info.origin == ArrayOrigin::PointerArgument) {
      for (const ParmVarDecl *parameter : function.parameters())
        if (parameter->getNameAsString() == info.name)
          return Named{array, parameter};
    } else if (info.origin == ArrayOrigin::Unknown && info.candidates.empty()) {
      const auto global = Globals.find(info.name);
      if (global != Globals.end() && global->second->getType()->isPointerType())
        return Named{array, global->second};
    }
    return std::nullopt;
  }

  /// Returns the variable's origin in a call of the function.
  std::optional<Origin> originIn(const CallExpr *call,
                                 const VarDecl &variable) const {
    const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
    if (!parameter)
      return Resolve.of(variable);
    const unsigned number = parameter->getFunctionScopeIndex();
    if (!call || number >= call->getNumArgs() || !All.isOwn(variable))
      return std::nullopt;
    return Resolve.of(*call->getArg(number));
  }

  void place(
      const Named &named, const FunctionDecl &function,
      std::map<std::vector<const VarDecl *>, std::vector<Placed>> &kin) const {
    const auto found = All.calls.find(&function);
    // A variable that is no parameter is the same in every call.
    std::vector<const CallExpr *> calls = {nullptr};
    if (found != All.calls.end())
      calls = found->second;
    std::vector<const VarDecl *> made;
    Placed placed{named.array, named.variable, {}};
    for (const CallExpr *call : calls) {
      const auto origin = originIn(call, *named.variable);
      if (!origin)
        return;
      made.push_back(origin->variable);
      placed.bytes.push_back(origin->bytes);
    }
    kin[made].push_back(std::move(placed));
  }

  /// Returns the bytes from `first` to `second` if they are the same in each
  /// call; otherwise nullopt.
  static std::optional<std::int64_t> distance(const Placed &first,
                                              const Placed &second) {
    std::optional<std::int64_t> bytes;
    for (std::size_t call = 0; call < first.bytes.size(); ++call) {
      const std::int64_t apart = second.bytes[call] - first.bytes[call];
      if (bytes && *bytes != apart)
        return std::nullopt;
      bytes = apart;
    }
    return bytes;
  }

  static bool uses(const Launch &launch, const Placed &pointer) {
    return std::any_of(launch.pointers.begin(), launch.pointers.end(),
                       [&](const PointerValue &other) {
                         return other.array == pointer.array;
                       });
  }

  /// Returns the condition that `second` is always `bytes` after `first`. The
  /// addresses of arrays are Parameter symbols, which hosts have no other use
  /// for.
  static KnownCondition known(const Placed &first, const Placed &second,
                              std::int64_t bytes) {
    const auto address = [](const Placed &pointer) {
      return Polynomial(Symbol{SymbolKind::Parameter, indexOf(pointer.array)});
    };
    const std::string one = first.variable->getNameAsString();
    const std::string two = second.variable->getNameAsString();
    KnownCondition condition;
    condition.statement.relation = Relation::Zero;
    condition.statement.expression = *subtract(
        *subtract(address(second), address(first)), Polynomial(bytes));
    condition.text =
        bytes == 0
            ? one + " and " + two + " are always one pointer"
            : two + " is always " + std::to_string(bytes < 0 ? -bytes : bytes) +
                  " bytes " + (bytes < 0 ? "before " : "behind ") + one;
    condition.isGuess = true;
    return condition;
  }

  HostUnit &Unit;
  const Assignments &All;
  Resolver Resolve;
  std::map<std::string, const FunctionDecl *> Functions;
  std::map<std::string, const VarDecl *> Globals;
};

} // namespace

void addUsualDistances(HostUnit &unit, const Assignments &assignments) {
  const DistanceFinder guesser(unit, assignments);
  const Program &program = unit.model.program;
  std::map<std::string, std::vector<std::uint32_t>> functions;
  for (std::uint32_t i = 0; i < program.launches.size(); ++i)
    functions[program[program.launches[i].region].function].push_back(i);
  for (const auto &[name, launches] : functions)
    guesser.add(name, launches);
}

} // namespace kfuse
