//===- FusedParameters.cpp - What a fused kernel receives -----------------===//
#include "codegen/builder/FusedParameters.h"

#include "codegen/text/ParameterText.h"
#include "graphs/program/Aliases.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace kfuse {
namespace {

/// Returns the entry of Kernel::pointers that is the whole parameter, if there
/// is one.
std::optional<std::size_t> pointerOf(const Kernel &kernel,
                                     std::size_t parameter) {
  for (std::size_t i = 0; i < kernel.pointers.size(); ++i) {
    const PointerParameter &pointer = kernel.pointers[i];
    if (!pointer.global && pointer.path.empty() &&
        pointer.parameter == parameter)
      return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> scalarOf(const Kernel &kernel,
                                    std::size_t parameter) {
  for (std::size_t i = 0; i < kernel.scalars.size(); ++i)
    if (kernel.scalars[i].path.empty() &&
        kernel.scalars[i].parameter == parameter)
      return i;
  return std::nullopt;
}

/// Checks whether equal polynomials of this type are equal values. A polynomial
/// says nothing of rounding, so it isn't enough for floating-point types.
bool isIntegerType(std::string_view type) {
  static const std::set<std::string_view> words = {
      "char",     "short",     "int",    "long",    "signed",  "unsigned",
      "bool",     "const",     "size_t", "int32_t", "int64_t", "uint32_t",
      "uint64_t", "ptrdiff_t", "std",    "::"};
  for (const TextToken &token : tokensOf(type))
    if (words.count(spelling(type, token)) == 0)
      return false;
  return !type.empty();
}

bool isFloatingType(std::string_view type) {
  return withoutConst(std::string(type)) == "float" ||
         withoutConst(std::string(type)) == "double";
}

/// Checks whether the fused kernel only runs if both launches' scalars are
/// equal.
bool areTestedEqual(const FusedKernel &kernel, LaunchId one,
                    std::size_t scalarOfOne, LaunchId other,
                    std::size_t scalarOfOther) {
  const auto asksFor = [&](const Condition &each) {
    return each.kind == ConditionKind::EqualScalar &&
           ((each.first == one && each.firstIndex == scalarOfOne &&
             each.second == other && each.secondIndex == scalarOfOther) ||
            (each.first == other && each.firstIndex == scalarOfOther &&
             each.second == one && each.secondIndex == scalarOfOne));
  };
  return std::any_of(kernel.conditions.begin(), kernel.conditions.end(),
                     asksFor) ||
         std::any_of(kernel.promises.begin(), kernel.promises.end(), asksFor);
}

class ParameterMerger {
public:
  ParameterMerger(const Program &program, const FusedKernel &kernel,
                  const std::vector<bool> &hasCommonProducts)
      : Code(program), Group(kernel), HasCommonProducts(hasCommonProducts) {}

  void add(ParameterSource source) {
    const Parameter &parameter = parameterOf(source);
    for (FusedParameter &known : all)
      if (isSame(known, source)) {
        known.sources.push_back(source);
        if (!pointsToConst(source) || pointsToConst(known.representative)) {
          known.type = withoutRestrict(parameter.type);
          known.representative = source;
        }
        return;
      }
    FusedParameter fresh;
    fresh.type = withoutRestrict(parameter.type);
    fresh.sources = {source};
    fresh.representative = source;
    all.push_back(std::move(fresh));
  }

  std::vector<FusedParameter> all;

  const Launch &launchOf(std::size_t member) const {
    return Code[Group.launches[member]];
  }
  const Kernel &kernelOf(std::size_t member) const {
    return Code[launchOf(member).kernel];
  }
  const Parameter &parameterOf(ParameterSource source) const {
    return kernelOf(source.member).parameters[source.parameter];
  }

private:
  bool pointsToConst(ParameterSource source) const {
    const Kernel &kernel = kernelOf(source.member);
    const auto pointer = pointerOf(kernel, source.parameter);
    return pointer && kernel.pointers[*pointer].pointsToConst;
  }

  bool isSame(const FusedParameter &known, ParameterSource source) const {
    // A kernel's own parameters stay apart even if they are equal, since the
    // compiler didn't know that in the kernel alone.
    if (known.sources.back().member == source.member)
      return false;
    const ParameterSource other = known.sources.front();
    const Kernel &kernelA = kernelOf(other.member);
    const Kernel &kernelB = kernelOf(source.member);
    const Launch &launchA = launchOf(other.member);
    const Launch &launchB = launchOf(source.member);
    const std::string &type = parameterOf(source).canonical;
    const std::string &knownType = parameterOf(other).canonical;
    const auto pointerA = pointerOf(kernelA, other.parameter);
    const auto pointerB = pointerOf(kernelB, source.parameter);
    if (pointerA && pointerB) {
      const PointerValue &a = launchA.pointers[*pointerA];
      const PointerValue &b = launchB.pointers[*pointerB];
      return a == b && std::holds_alternative<Polynomial>(a.offset) &&
             withoutConst(knownType) == withoutConst(type);
    }
    if (knownType == type && parameterOf(other).isFollowed &&
        parameterOf(source).isFollowed && !pointerA && !isNumber(other))
      return holdSame(launchA, other.parameter, launchB, source.parameter);
    if (pointerA || pointerB || knownType != type)
      return false;
    const HostExpr &valueA = launchA.arguments[other.parameter].expression;
    const HostExpr &valueB = launchB.arguments[source.parameter].expression;
    const bool isSameText = valueA.text == valueB.text;
    // Structures with numbers, too.
    if (isFloatingType(type) || !isNumber(other) || !isNumber(source))
      return isSameText && valueA.value == valueB.value &&
             valueA.value.asSymbol() && !haveCommonProducts(known, source);
    return isIntegerType(type)
               ? std::any_of(known.sources.begin(), known.sources.end(),
                             [&](const ParameterSource &each) {
                               return haveOneValue(Code, Group, each, source);
                             })
               : isSameText && scalar(other) == scalar(source);
  }

  /// Checks whether members that receive the value have products that compilers
  /// must not find to be one. They don't if each has a parameter of its own.
  bool haveCommonProducts(const FusedParameter &known,
                          ParameterSource source) const {
    return HasCommonProducts[source.member] ||
           std::any_of(known.sources.begin(), known.sources.end(),
                       [&](const ParameterSource &each) {
                         return HasCommonProducts[each.member];
                       });
  }

  bool isNumber(ParameterSource source) const {
    return scalarOf(kernelOf(source.member), source.parameter).has_value();
  }

  const Polynomial &scalar(ParameterSource source) const {
    return launchOf(source.member)
        .scalars[*scalarOf(kernelOf(source.member), source.parameter)];
  }

  /// Checks whether two structures of one type hold the same values.
  bool holdSame(const Launch &one, std::size_t parameter, const Launch &other,
                std::size_t otherParameter) const {
    const auto held = [&](const Launch &launch, std::size_t number) {
      std::pair<std::vector<PointerValue>, std::vector<Polynomial>> values;
      const Kernel &kernel = Code[launch.kernel];
      for (std::size_t p = 0; p < kernel.pointers.size(); ++p)
        if (!kernel.pointers[p].global &&
            kernel.pointers[p].parameter == number)
          values.first.push_back(launch.pointers[p]);
      for (std::size_t s = 0; s < kernel.scalars.size(); ++s)
        if (kernel.scalars[s].parameter == number)
          values.second.push_back(launch.scalars[s]);
      return values;
    };
    const auto values = held(one, parameter);
    return values == held(other, otherParameter) &&
           std::all_of(values.first.begin(), values.first.end(),
                       [](const PointerValue &pointer) {
                         return std::holds_alternative<Polynomial>(
                             pointer.offset);
                       });
  }

  const Program &Code;
  const FusedKernel &Group;
  const std::vector<bool> &HasCommonProducts; ///< by member
};

/// One pointer that a member receives.
struct Binding {
  std::size_t member = 0, pointer = 0;
};

/// Records which memory the group reaches through which pointers.
class Aliases {
public:
  Aliases(const Program &program, const FusedKernel &kernel,
          const std::vector<StageCall> &stages)
      : Code(program), Group(kernel) {
    for (std::size_t m = 0; m < kernel.launches.size(); ++m)
      for (std::size_t p = 0; p < kernelOf(m).pointers.size(); ++p) {
        const PointerParameter &pointer = kernelOf(m).pointers[p];
        if (pointer.global || stages[m].passes(pointer.parameter))
          Bindings.push_back({m, p});
      }
    for (const Placement &placement : Group.placements)
      LoadsStores |= placement.kind == PlacementKind::ThroughGlobal;
    LoadsStores |= !Group.sharedInBlock.empty();
    for (const Binding &store : Bindings)
      for (const Binding &load : Bindings)
        LoadsStores |=
            store.member == load.member && loadsAfter(store, load.pointer) &&
            (store.pointer == load.pointer || !isDisjoint(store, load));
  }

  /// Checks whether the parameter can be `__restrict__`. If the group writes
  /// the memory that it reaches through `parameter`, it reaches this memory
  /// through nothing else. The compiler must also be allowed to know that.
  bool isAlone(const FusedParameter &parameter) const {
    bool isPromised = true; // the user's `__restrict__` on all of them
    bool mustBePromised = false;
    bool isWritten = false;
    for (const ParameterSource source : parameter.sources) {
      const Kernel &kernel = kernelOf(source.member);
      const auto pointer = pointerOf(kernel, source.parameter);
      if (!pointer || isReadBack(source.member, *pointer) ||
          isOnBothSides(arrayOf({source.member, *pointer})))
        return false;
      const Binding mine{source.member, *pointer};
      isPromised &= kernel.pointers[*pointer].isRestrict;
      mustBePromised |= loadsAfter(mine, mine.pointer);
      isWritten |= writes(mine);
      for (const Binding &other : Bindings)
        if (!isPartOf(other, parameter) && !isDisjoint(mine, other))
          return false;
    }
    return (isPromised || !mustBePromised) && (isWritten || !LoadsStores);
  }

private:
  /// Checks whether a stage loads through memory what another one stored to the
  /// pointer's array.
  bool isReadBack(std::size_t member, std::size_t pointer) const {
    return std::any_of(Group.placements.begin(), Group.placements.end(),
                       [&](const Placement &placement) {
                         return placement.kind ==
                                    PlacementKind::ThroughGlobal &&
                                placement.array == arrayOf({member, pointer});
                       });
  }
  /// Checks whether threads access the array after others of their block did,
  /// or both distributed members and others reach it. Compilers may ignore a
  /// barrier for memory that only one pointer reaches.
  bool isOnBothSides(ArrayId array) const {
    if (std::find(Group.sharedInBlock.begin(), Group.sharedInBlock.end(),
                  array) != Group.sharedInBlock.end())
      return true;
    std::array<bool, 2> reached{};
    for (const Binding &binding : Bindings)
      if (arrayOf(binding) == array && binding.member < Group.fits.size())
        reached[Group.fits[binding.member].chunk ? 1 : 0] = true;
    return reached[0] && reached[1];
  }
  const Kernel &kernelOf(std::size_t member) const {
    return Code.kernelOf(Group.launches[member]);
  }
  ArrayId arrayOf(Binding binding) const {
    return Code[Group.launches[binding.member]].pointers[binding.pointer].array;
  }

  static bool isPartOf(Binding binding, const FusedParameter &parameter,
                       const Kernel &kernel) {
    const PointerParameter &pointer = kernel.pointers[binding.pointer];
    return !pointer.global && pointer.path.empty() &&
           std::find(parameter.sources.begin(), parameter.sources.end(),
                     ParameterSource{binding.member, pointer.parameter}) !=
               parameter.sources.end();
  }
  bool isPartOf(Binding binding, const FusedParameter &parameter) const {
    return isPartOf(binding, parameter, kernelOf(binding.member));
  }

  bool writes(Binding binding) const {
    const auto &accesses = kernelOf(binding.member).accesses;
    return std::any_of(accesses.begin(), accesses.end(),
                       [&](const Access &access) {
                         return access.pointer == binding.pointer &&
                                access.kind != AccessKind::Read;
                       });
  }

  bool isDisjoint(Binding a, Binding b) const {
    if (!writes(a) && !writes(b))
      return true;
    if (alias(Code, arrayOf(a), arrayOf(b)) == Alias::Never)
      return true;
    const bool isPromised = a.member == b.member &&
                            kernelOf(a.member).pointers[a.pointer].isRestrict &&
                            kernelOf(b.member).pointers[b.pointer].isRestrict;
    return isPromised || isKept(a, b) || isKept(b, a);
  }

  bool isKept(Binding a, Binding b) const {
    const auto isOfPair = [&](const Condition &condition) {
      return condition.kind == ConditionKind::NoOverlap &&
             condition.first == Group.launches[a.member] &&
             condition.second == Group.launches[b.member] &&
             condition.firstIndex == a.pointer &&
             condition.secondIndex == b.pointer;
    };
    return std::any_of(Group.conditions.begin(), Group.conditions.end(),
                       isOfPair) ||
           std::any_of(Group.promises.begin(), Group.promises.end(), isOfPair);
  }

  /// Checks whether the kernel may load through `pointer` after it stored
  /// through `stores`. If these are one, `__restrict__` would let the compiler
  /// use the stored value before it is rounded.
  bool loadsAfter(Binding stores, std::size_t pointer) const {
    const auto &accesses = kernelOf(stores.member).accesses;
    for (const Access &store : accesses)
      for (const Access &load : accesses)
        if (store.kind != AccessKind::Read && load.kind == AccessKind::Read &&
            store.pointer == stores.pointer && load.pointer == pointer &&
            (!load.loops.empty() || !store.loops.empty() ||
             load.range.begin >= store.whole.end))
          return true;
    return false;
  }

  const Program &Code;
  const FusedKernel &Group;
  std::vector<Binding> Bindings;
  /// Some memory is loaded after stores to it. nvcc 13 makes one load of `c ?
  /// q[i] : p[i]`; if nothing else writes what `p` points to, that load may be
  /// served before this kernel's stores to `q`.
  bool LoadsStores = false;
};

/// Returns the user's name of the parameter or, if another parameter has that
/// name, the host's name of the argument. In OpenCL C the host's name may be a
/// keyword, such as `half`.
std::string nameOf(const ParameterMerger &merger, ParameterSource source,
                   Language language, const Names &names,
                   std::set<std::string> &taken) {
  std::string wanted = merger.parameterOf(source).name;
  if (wanted.empty())
    wanted = "unnamed";
  const std::string &passed = merger.launchOf(source.member)
                                  .arguments[source.parameter]
                                  .expression.text;
  const bool isName =
      language == Language::Cuda && !passed.empty() &&
      (std::isdigit(passed.front()) == 0) &&
      std::all_of(passed.begin(), passed.end(), isIdentifierCharacter);
  if (isName && !names.inMacro(passed) && taken.count(wanted) != 0 &&
      passed != "nullptr" && passed != "true" && passed != "false" &&
      passed != "this" && taken.insert(passed).second)
    return passed;
  return names.parameter(wanted, merger.kernelOf(source.member).name, taken);
}

} // namespace

bool haveOneValue(const Program &program, const FusedKernel &kernel,
                  ScalarSource one, ScalarSource other) {
  const LaunchId launchOne = kernel.launches[one.member];
  const LaunchId launchOther = kernel.launches[other.member];
  return program[launchOne].scalars[one.scalar] ==
             program[launchOther].scalars[other.scalar] ||
         areTestedEqual(kernel, launchOne, one.scalar, launchOther,
                        other.scalar);
}

bool haveOneValue(const Program &program, const FusedKernel &kernel,
                  ParameterSource one, ParameterSource other) {
  const auto scalar = [&](ParameterSource source) {
    return scalarOf(program.kernelOf(kernel.launches[source.member]),
                    source.parameter);
  };
  const auto scalarOne = scalar(one), scalarOther = scalar(other);
  return scalarOne && scalarOther &&
         haveOneValue(program, kernel, ScalarSource{one.member, *scalarOne},
                      ScalarSource{other.member, *scalarOther});
}

std::vector<FusedParameter>
fusedParameters(const Program &program, const FusedKernel &kernel,
                const std::vector<StageCall> &stages,
                const std::vector<bool> &hasCommonProducts, const Names &names,
                std::set<std::string> &taken) {
  ParameterMerger merger(program, kernel, hasCommonProducts);
  for (std::size_t m = 0; m < stages.size(); ++m)
    for (const StageArgument &argument : stages[m].arguments)
      if (argument.kind == StageArgument::Kind::Parameter)
        merger.add({m, argument.index});

  for (const FusedParameter &parameter : merger.all)
    addIdentifiers(parameter.type, taken);
  const Aliases aliases(program, kernel, stages);
  for (FusedParameter &parameter : merger.all) {
    const ParameterSource first = parameter.sources.front();
    parameter.name = nameOf(merger, first, program.language, names, taken);
    parameter.isRestrict = aliases.isAlone(parameter);
  }
  return std::move(merger.all);
}

} // namespace kfuse
