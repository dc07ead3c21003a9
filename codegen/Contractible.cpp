//===- codegen/Contractible.cpp - Sums of members that stand side by side -===//
#include "codegen/Contractible.h"

#include <algorithm>
#include <map>
#include <set>

namespace kfuse {
namespace {

/// Names what a product is computed from, alike in all members.
struct Roots {
  std::set<std::string> names;
  bool isOpaque = false;
  void add(const Roots &other) {
    names.insert(other.names.begin(), other.names.end());
    isOpaque |= other.isOpaque;
  }
};

class Group {
public:
  Group(const Program &program, const FusedKernel &kernel,
        const std::vector<Forward> &forwards)
      : Code(program), Fused(kernel), Forwards(forwards),
        Values(forwards.size()) {}

  bool contractsAlike() {
    bool isLate = false, hasBranches = false;
    std::vector<std::pair<std::size_t, std::size_t>> taken; // member, product
    std::vector<std::vector<Roots>> products(Fused.launches.size());
    for (std::size_t m = 0; m < Fused.launches.size(); ++m) {
      const auto &facts = Code.kernelOf(Fused.launches[m]).multiplyAdds;
      if (!facts)
        return false;
      isLate |= facts->contractsLate;
      hasBranches |= facts->hasBranches;
      for (const RoundedProduct &product : facts->products) {
        if (product.isTaken)
          taken.emplace_back(m, products[m].size());
        products[m].push_back(rootsOf(product.of, m));
      }
      addValues(m);
    }
    if (isLate && hasBranches)
      return false;
    return std::all_of(taken.begin(), taken.end(), [&](const auto &each) {
      const Roots &own = products[each.first][each.second];
      return differsByElement(own) && isAlone(own, each.first, products);
    });
  }

private:
  Roots rootsOf(const Ingredients &of, std::size_t member) const {
    const Launch &launch = Code[Fused.launches[member]];
    const Kernel &kernel = Code[launch.kernel];
    Roots roots;
    roots.isOpaque = of.isOpaque;
    for (const std::string &name : of.names) {
      if (name.front() != '#') {
        roots.names.insert(name);
        continue;
      }
      const std::size_t parameter = std::stoul(name.substr(1));
      bool isPointer = false;
      for (std::size_t p = 0; p < kernel.pointers.size(); ++p)
        if (!kernel.pointers[p].global &&
            kernel.pointers[p].parameter == parameter) {
          isPointer = true;
          roots.add(arrayRoots(launch.pointers[p].array, member));
        }
      // Equal arguments are one parameter of the fused kernel.
      if (!isPointer)
        roots.names.insert("=" +
                           (parameter < launch.arguments.size()
                                ? launch.arguments[parameter].expression.text
                                : name));
    }
    return roots;
  }

  /// What the member reads of an array: values of an earlier member, or memory.
  Roots arrayRoots(ArrayId array, std::size_t member) const {
    Roots roots;
    for (std::size_t f = 0; f < Forwards.size(); ++f)
      if (Forwards[f].array == array && Forwards[f].roles[member].consumes)
        return Values[f];
    roots.names.insert("[" + std::to_string(indexOf(array)) + "]");
    return roots;
  }

  void addValues(std::size_t member) {
    const Kernel &kernel = Code.kernelOf(Fused.launches[member]);
    for (std::size_t f = 0; f < Forwards.size(); ++f) {
      if (!Forwards[f].roles[member].produces)
        continue;
      for (const Access *store :
           accessesTo(Code, Code[Fused.launches[member]], Forwards[f].array)) {
        if (store->kind == AccessKind::Read)
          continue;
        const auto known = kernel.multiplyAdds->stored.find(store->value.begin);
        if (store->form != AccessForm::Store ||
            known == kernel.multiplyAdds->stored.end())
          Values[f].isOpaque = true;
        else
          Values[f].add(rootsOf(known->second.of, member));
      }
    }
  }

  /// Whether the elements of a thread have different values of the product.
  bool differsByElement(const Roots &own) const {
    return Fused.elementsPerThread == 1 ||
           std::any_of(own.names.begin(), own.names.end(),
                       [this](const std::string &name) {
                         return name.front() == '[' && isPerElement(name);
                       });
  }

  /// Whether all reads of the array are of the thread's own elements.
  bool isPerElement(const std::string &array) const {
    const Symbol block{SymbolKind::BlockIdx, Fused.elementsAxis};
    for (const LaunchId id : Fused.launches) {
      const Launch &launch = Code[id];
      for (const Access &access : Code[launch.kernel].accesses) {
        const ArrayId accessed = launch.pointers[access.pointer].array;
        if ("[" + std::to_string(indexOf(accessed)) + "]" != array)
          continue;
        const auto *index = std::get_if<Polynomial>(&access.index);
        if (!index || !index->mentions(block))
          return false;
      }
    }
    return true;
  }

  static bool isAlone(const Roots &own, std::size_t member,
                      const std::vector<std::vector<Roots>> &products) {
    for (std::size_t m = 0; m < products.size(); ++m)
      for (const Roots &other : products[m])
        if (m != member &&
            (own.isOpaque || other.isOpaque || own.names == other.names))
          return false;
    return true;
  }

  const Program &Code;
  const FusedKernel &Fused;
  const std::vector<Forward> &Forwards;
  std::vector<Roots> Values; ///< by forward
};

/// Whether what an update leaves is a sum: `B[i] += e`.
bool isSum(const Program &program, const Access &update) {
  const std::string &text = program.files[update.whole.file].text;
  const std::string_view between = std::string_view(text).substr(
      update.range.end, update.value.begin > update.range.end
                            ? update.value.begin - update.range.end
                            : 0);
  return between.find("+=") != std::string_view::npos ||
         between.find("-=") != std::string_view::npos;
}

} // namespace

Rounding roundingOf(const Program &program, const FusedKernel &kernel,
                    const Forward &forward, std::size_t member,
                    const Access &store) {
  if (!forward.element.hasFloatingPoint)
    return Rounding::AsWritten;
  bool isDivisor = false;    // or may be one
  bool isAdded = false;      // to something
  bool isMultiplied = false; // in a product that a sum takes
  for (std::size_t m = member + 1; m < kernel.launches.size(); ++m) {
    const auto &facts = program.kernelOf(kernel.launches[m]).multiplyAdds;
    isDivisor |= !facts || facts->hasBranches;
    isAdded |= !facts || facts->adds;
    isMultiplied |=
        !facts || std::any_of(facts->products.begin(), facts->products.end(),
                              [](const RoundedProduct &product) {
                                return product.isTaken;
                              });
  }
  if (!isAdded && !isDivisor)
    return Rounding::AsWritten;
  if (store.form == AccessForm::Update)
    return isSum(program, store) ? Rounding::AsWritten : Rounding::Opaque;
  const auto &facts = program.kernelOf(kernel.launches[member]).multiplyAdds;
  const auto known = facts ? facts->stored.find(store.value.begin)
                           : decltype(facts->stored.begin()){};
  if (!facts || known == facts->stored.end())
    return Rounding::Opaque;
  const StoredValue &value = known->second;
  if (isDivisor && value.mayBeCall)
    return Rounding::Opaque;
  if (!isAdded)
    return Rounding::AsWritten;
  // What is constant, if only on one path, makes products something else.
  if (isMultiplied && (!value.isPlain || value.of.names.empty()))
    return Rounding::Opaque;
  if (!value.mayBeProduct)
    return Rounding::AsWritten;
  const bool isExplicit = value.factors && program.language == Language::Cuda &&
                          (forward.element.spelling == "float" ||
                           forward.element.spelling == "double");
  return isExplicit ? Rounding::Product : Rounding::Opaque;
}

bool contractAlike(const Program &program, const FusedKernel &kernel,
                   const std::vector<Forward> &forwards) {
  return Group(program, kernel, forwards).contractsAlike();
}

} // namespace kfuse
