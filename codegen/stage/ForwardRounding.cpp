//===- ForwardRounding.cpp - How forwarded values are rounded -------------===//
#include "codegen/stage/ForwardRounding.h"

#include "codegen/stage/ExplicitSums.h"

#include "graphs/program/Aliases.h"
#include "text/Tokens.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

/// Checks whether an update leaves a sum: `B[i] += e` or `B[i] -= e`.
bool isSum(const Program &program, const Access &update) {
  const std::string &text = program.files[update.whole.file].text;
  const std::string_view between = std::string_view(text).substr(
      update.range.end, update.value.begin > update.range.end
                            ? update.value.begin - update.range.end
                            : 0);
  return between.find("+=") != std::string_view::npos ||
         between.find("-=") != std::string_view::npos;
}

/// Checks whether a member from `first` on has a sum that takes a product.
bool takesProductsFrom(const Program &program, const FusedKernel &kernel,
                       std::size_t first) {
  for (std::size_t m = first; m < kernel.launches.size(); ++m)
    if (takesProducts(program, kernel.launches[m]))
      return true;
  return false;
}

/// Returns the names by which the launch's values depend on the array.
std::set<std::string> namesOf(const Program &program, const Launch &launch,
                              ArrayId array) {
  std::set<std::string> names;
  const Kernel &kernel = program[launch.kernel];
  for (std::size_t p = 0; p < kernel.pointers.size(); ++p)
    if (launch.pointers[p].array == array)
      names.insert(kernel.pointers[p].global
                       ? program[array].name
                       : "#" + std::to_string(kernel.pointers[p].parameter));
  return names;
}

bool isOf(const Ingredients &value, const std::set<std::string> &names) {
  return value.isOpaque ||
         std::any_of(names.begin(), names.end(), [&](const std::string &name) {
           return value.names.count(name) != 0;
         });
}

/// Returns the text of the element that the update changes, if that may stand
/// twice; else an empty string.
std::string elementText(const Program &program, const Access &update) {
  const SourceRange &range = update.range;
  const std::string text = program.files[range.file].text.substr(
      range.begin, range.end - range.begin);
  bool isName = false;
  for (const TextToken &token : tokensOf(text)) {
    const std::string_view word = spelling(text, token);
    const bool isOperator =
        word.size() == 1 &&
        std::string_view("+-*/%()[].").find(word) != std::string_view::npos;
    const bool isWord = isIdentifierCharacter(word.front());
    if ((!isOperator && !isWord && word != "->") || (isName && word == "("))
      return {};
    isName = isWord;
  }
  return text;
}

/// Checks whether the store runs whenever any other access of the kernel does.
bool isCertain(const Kernel &kernel, const Access &store) {
  return store.loops.empty() &&
         std::all_of(kernel.accesses.begin(), kernel.accesses.end(),
                     [&](const Access &other) {
                       return std::all_of(
                           store.guard.begin(), store.guard.end(),
                           [&](const Constraint &each) {
                             return each.relation != Relation::Unknown &&
                                    std::find(other.guard.begin(),
                                              other.guard.end(),
                                              each) != other.guard.end();
                           });
                     });
}

/// Checks whether all later members can add what `member` leaves explicitly.
bool haveExplicitSums(const Program &program, const FusedKernel &kernel,
                      const ForwardedArray &forward, std::size_t member) {
  if (forward.isPartial || forward.computed)
    return false;
  for (std::size_t m = member + 1; m < kernel.launches.size(); ++m)
    if (forward.roles[m].consumes &&
        !canBeExplicitSums(program, program[kernel.launches[m]], forward.array))
      return false;
  return true;
}

} // namespace

/// Returns what is known of the value that the access stores, or nullptr.
const StoredValue *storedValue(const Kernel &kernel, const Access &store) {
  if (!kernel.multiplyAdds ||
      (store.form != AccessForm::Store && store.form != AccessForm::Update))
    return nullptr;
  const auto &stored = kernel.multiplyAdds->stored;
  const auto known = stored.find(
      store.form == AccessForm::Update ? store.whole.begin : store.value.begin);
  return known == stored.end() ? nullptr : &known->second;
}

bool mayBeFactor(const Program &program, const FusedKernel &kernel,
                 const ForwardedArray &forward, std::size_t member) {
  for (std::size_t m = member + 1; m < kernel.launches.size(); ++m) {
    const Launch &launch = program[kernel.launches[m]];
    const Kernel &later = program[launch.kernel];
    const auto names = namesOf(program, launch, forward.array);
    const bool isGlobal = std::any_of(
        later.pointers.begin(), later.pointers.end(),
        [](const PointerParameter &pointer) { return pointer.global; });
    bool isGone = false;
    if (forward.roles[m].consumes) {
      if (!later.multiplyAdds || isGlobal)
        return takesProductsFrom(program, kernel, m);
      for (const RoundedProduct &product : later.multiplyAdds->products)
        if (product.isTaken && isOf(product.of, names))
          return true;
    }
    for (const Access &store : later.accesses) {
      if (store.kind == AccessKind::Read)
        continue;
      const bool isOwn = launch.pointers[store.pointer].array == forward.array;
      isGone |= isOwn && isCertain(later, store);
      if (!forward.roles[m].consumes)
        continue;
      // A value computed from a constant alone is constant too.
      const StoredValue *value = storedValue(later, store);
      const bool isChanged = value && store.form == AccessForm::Update &&
                             isOwn && value->isPlainUpdate;
      if ((!value || isOf(value->of, names)) && !isChanged &&
          takesProductsFrom(program, kernel, m + 1))
        return true;
    }
    if (isGone)
      return false;
  }
  return false;
}

Rounding roundingOf(const Program &program, const FusedKernel &kernel,
                    const ForwardedArray &forward, std::size_t member,
                    const Access &store) {
  // Values in shared memory were rounded on their way there.
  if (!forward.element.hasFloatingPoint || forward.isTile)
    return Rounding::AsWritten;
  bool isDivisor = false; // or may be one
  bool isAdded = false;   // to something
  for (std::size_t m = member + 1; m < kernel.launches.size(); ++m) {
    const auto &facts = program.kernelOf(kernel.launches[m]).multiplyAdds;
    isDivisor |= !facts || facts->hasBranches;
    isAdded |= !facts || facts->adds;
  }
  if (!isAdded && !isDivisor)
    return Rounding::AsWritten;
  if (store.form == AccessForm::Update && isSum(program, store))
    return Rounding::AsWritten;
  const StoredValue *value =
      storedValue(program.kernelOf(kernel.launches[member]), store);
  if (!value || (isDivisor && value->mayBeRoot))
    return Rounding::Opaque;
  if (!isAdded)
    return Rounding::AsWritten;
  // A value that is constant, if only on one path, changes what products are.
  if ((!value->isPlain || value->of.names.empty()) &&
      mayBeFactor(program, kernel, forward, member))
    return Rounding::Opaque;
  if (!value->mayBeProduct)
    return Rounding::AsWritten;
  const bool isExplicit = value->factors &&
                          program.language == Language::Cuda &&
                          (forward.element.canonical == "float" ||
                           forward.element.canonical == "double");
  return isExplicit ? Rounding::Product
         : haveExplicitSums(program, kernel, forward, member)
             ? Rounding::Sums
             : Rounding::Opaque;
}

bool addsExplicitly(const Program &program, const FusedKernel &kernel,
                    const ForwardedArray &forward, std::size_t member,
                    bool isStage) {
  const auto isLeftToSums = [&](std::size_t m) {
    if (isStage)
      return roundingInStage(program, kernel, forward, m) == Rounding::Sums;
    const auto stores =
        accessesTo(program, program[kernel.launches[m]], forward.array);
    return forward.roles[m].produces &&
           std::any_of(stores.begin(), stores.end(), [&](const Access *store) {
             return store->kind != AccessKind::Read &&
                    roundingOf(program, kernel, forward, m, *store) ==
                        Rounding::Sums;
           });
  };
  if (!forward.roles[member].consumes)
    return false;
  for (std::size_t m = 0; m < member; ++m)
    if (isLeftToSums(m))
      return true;
  return false;
}

bool takesProducts(const Program &program, LaunchId launch) {
  const Kernel &kernel = program.kernelOf(launch);
  if (!kernel.multiplyAdds)
    return kernel.ambiguousSums;
  const auto &products = kernel.multiplyAdds->products;
  return std::any_of(
      products.begin(), products.end(),
      [](const RoundedProduct &product) { return product.isTaken; });
}

bool takesProducts(const Program &program, const FusedKernel &kernel) {
  return takesProductsFrom(program, kernel, 0);
}

namespace {

/// Returns the rounding for what the member's store leaves in memory.
Rounding roundingInMemory(const Program &program, const FusedKernel &kernel,
                          std::size_t member, const Access &store) {
  const Launch &launch = program[kernel.launches[member]];
  const Kernel &code = program[launch.kernel];
  ForwardedArray passed;
  passed.array = launch.pointers[store.pointer].array;
  passed.element = code.pointers[store.pointer].element;
  passed.roles.resize(kernel.launches.size());
  const Rounding rounding = roundingOf(program, kernel, passed, member, store);
  if (rounding == Rounding::Sums)
    return Rounding::Opaque;
  Edits edits;
  const bool isWritten = rounding != Rounding::Product ||
                         (store.editable && !store.range.inMacro &&
                          roundProduct(program, code, store, "", edits));
  return isWritten ? rounding : Rounding::Opaque;
}

} // namespace

bool mayContractInMemory(const Program &program, const FusedKernel &kernel,
                         ArrayId array) {
  if (takesProducts(program, kernel))
    return true;
  for (std::size_t m = 0; m < kernel.launches.size(); ++m) {
    const Launch &launch = program[kernel.launches[m]];
    for (const Access &store : program[launch.kernel].accesses) {
      const ArrayId other = launch.pointers[store.pointer].array;
      // Names that may be one storage are parameters of their own, which
      // compilers don't know to be equal.
      if (store.kind == AccessKind::Read ||
          alias(program, other, array) != Alias::Same)
        continue;
      const Rounding rounding = roundingInMemory(program, kernel, m, store);
      if (rounding == Rounding::Opaque ||
          (rounding == Rounding::Product && other != array))
        return true;
    }
  }
  return false;
}

std::vector<const Access *> roundedStores(const Program &program,
                                          const FusedKernel &kernel,
                                          std::size_t member) {
  const Launch &launch = program[kernel.launches[member]];
  std::vector<const Access *> rounded;
  for (const Placement &placement : kernel.placements)
    if (placement.kind == PlacementKind::ThroughGlobal &&
        !mayContractInMemory(program, kernel, placement.array))
      for (const Access *store : accessesTo(program, launch, placement.array))
        if (store->kind != AccessKind::Read &&
            roundingInMemory(program, kernel, member, *store) ==
                Rounding::Product)
          rounded.push_back(store);
  return rounded;
}

Rounding roundingInStage(const Program &program, const FusedKernel &kernel,
                         const ForwardedArray &forward, std::size_t member) {
  if (!forward.element.hasFloatingPoint || forward.isTile ||
      !forward.roles[member].produces || !forward.isUsedAfter(member))
    return Rounding::AsWritten;
  if ((forward.isPartial && takesProducts(program, kernel)) ||
      mayBeFactor(program, kernel, forward, member))
    return Rounding::Opaque;
  Rounding rounding = Rounding::AsWritten;
  const Launch &launch = program[kernel.launches[member]];
  for (const Access *store : accessesTo(program, launch, forward.array)) {
    if (store->kind == AccessKind::Read)
      continue;
    rounding = std::max(rounding,
                        roundingOf(program, kernel, forward, member, *store));
    Edits edits;
    if (rounding == Rounding::Product &&
        !roundProduct(program, program[launch.kernel], *store,
                      forward.roles[member].consumes ? "value" : "", edits))
      rounding = Rounding::Opaque;
  }
  return rounding;
}

bool roundProduct(const Program &program, const Kernel &kernel,
                  const Access &store, const std::string &variable,
                  Edits &edits) {
  const StoredValue *value = storedValue(kernel, store);
  if (!value || !value->factors)
    return false;
  const auto &[left, right] = *value->factors;
  const bool isDouble =
      kernel.pointers[store.pointer].element.canonical == "double";
  const std::string multiply = isDouble ? "__dmul_rn(" : "__fmul_rn(";
  if (store.form == AccessForm::Update) {
    const std::string old =
        variable.empty() ? elementText(program, store) : variable;
    if (left != store.range || right != store.value || old.empty())
      return false;
    edits.replace(left.end, right.begin, " = " + multiply + old + ", ");
  } else {
    edits.insert(left.begin, multiply);
    edits.replace(left.end, right.begin, ", ");
  }
  edits.insert(right.end, ")");
  return true;
}

} // namespace kfuse
