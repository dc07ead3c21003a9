//===- Contractible.cpp - Sums of members that stand side by side ---------===//
#include "codegen/builder/Contractible.h"

#include "codegen/builder/FusedParameters.h"
#include "codegen/stage/ForwardRounding.h"
#include "fusion/plan/TileStorage.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace kfuse {
namespace {

/// Names what a product is computed from, alike in all members: `[3]` is memory
/// of array 3, `{0}` values of forward 0, `=0.2` parameter 2 of member 0.
struct Roots {
  std::set<std::string> names;
  bool isOpaque = false;
  void add(const Roots &other) {
    names.insert(other.names.begin(), other.names.end());
    isOpaque |= other.isOpaque;
  }
};

struct FactorRoots {
  Roots roots;
  std::optional<double> number;
  bool mayBe(const FactorRoots &other) const {
    if (roots.isOpaque || other.roots.isOpaque)
      return true;
    if (number && other.number)
      return *number == *other.number;
    // A factor that is computed of nothing is a number, too.
    return roots.names == other.roots.names;
  }
};

struct Product {
  Roots roots;
  std::optional<std::array<FactorRoots, 2>> factors;
  /// Checks whether the product certainly has another value than `other`.
  bool differsFrom(const Product &other) const {
    if (!factors || !other.factors)
      return !roots.isOpaque && !other.roots.isOpaque &&
             roots.names != other.roots.names;
    const auto &[left, right] = *factors;
    const auto &[otherLeft, otherRight] = *other.factors;
    return !(left.mayBe(otherLeft) && right.mayBe(otherRight)) &&
           !(left.mayBe(otherRight) && right.mayBe(otherLeft));
  }
};

std::string memoryName(ArrayId array) {
  return "[" + std::to_string(indexOf(array)) + "]";
}
std::string passedName(std::size_t forward) {
  return "{" + std::to_string(forward) + "}";
}

class ProductGroup {
public:
  ProductGroup(const Program &program, const FusedKernel &kernel,
               const std::vector<ForwardedArray> &forwards)
      : Code(program), Fused(kernel), Forwards(forwards),
        Values(forwards.size()) {}

  std::vector<bool> meeting() {
    const std::size_t members = Fused.launches.size();
    if (!takesProducts(Code, Fused))
      return std::vector<bool>(members, false);
    const std::vector<bool> all(members, true);
    // One text may be computed at several places.
    const bool isComputed = std::any_of(Forwards.begin(), Forwards.end(),
                                        [](const ForwardedArray &forward) {
                                          return forward.computed.has_value();
                                        });
    if (isComputed)
      return all;
    bool hasBranches = false;
    std::vector<std::pair<std::size_t, std::size_t>> taken; // member, product
    for (std::size_t m = 0; m < members; ++m) {
      const auto &facts = Code.kernelOf(Fused.launches[m]).multiplyAdds;
      if (!facts)
        return all;
      hasBranches |= facts->hasBranches;
      Products.emplace_back();
      for (const RoundedProduct &product : facts->products) {
        if (isExplicit(product, m))
          continue;
        if (product.isTaken)
          taken.emplace_back(m, Products[m].size());
        Products[m].push_back(productOf(product, m));
      }
      addValues(m);
    }
    std::vector<bool> hasCommonProducts(members, false);
    for (std::size_t m = 0; m < members; ++m)
      hasCommonProducts[m] =
          hasBranches &&
          Code.kernelOf(Fused.launches[m]).multiplyAdds->contractsLate;
    for (const auto &[member, product] : taken)
      if (isRepeated(member) && !differsByElement(product, member))
        hasCommonProducts[member] = true;
    for (const auto &[member, product] : taken)
      for (std::size_t m = 0; m < members; ++m)
        if (m != member && !hasCommonProducts[m] &&
            !hasCommonProducts[member] && mayHave(m, Products[member][product]))
          hasCommonProducts[std::max(m, member)] = true;
    return hasCommonProducts;
  }

private:
  /// Checks whether the stage writes the product as an explicitly rounded one,
  /// which compilers don't contract.
  bool isExplicit(const RoundedProduct &product, std::size_t member) const {
    if (!product.storedAs)
      return false;
    const Launch &launch = Code[Fused.launches[member]];
    for (const Access &store : Code[launch.kernel].accesses)
      for (const ForwardedArray &forward : Forwards)
        if (store.kind != AccessKind::Read && forward.roles[member].produces &&
            launch.pointers[store.pointer].array == forward.array &&
            storedValue(Code[launch.kernel], store) ==
                &Code[launch.kernel].multiplyAdds->stored.at(*product.storedAs))
          return roundingInStage(Code, Fused, forward, member) ==
                 Rounding::Product;
    return false;
  }

  Product productOf(const RoundedProduct &product, std::size_t member) const {
    Product result{rootsOf(product.of, member), std::nullopt};
    if (product.factors) {
      const auto &[left, right] = *product.factors;
      result.factors = {{{rootsOf(left.of, member), left.number},
                         {rootsOf(right.of, member), right.number}}};
    }
    return result;
  }

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
      if (!isPointer)
        roots.names.insert(passedValue({member, parameter}));
    }
    return roots;
  }

  /// Names the value of a parameter, alike for all that may be one parameter of
  /// the fused kernel.
  std::string passedValue(ParameterSource source) const {
    const auto textOf = [&](ParameterSource of) -> std::string {
      const auto &arguments = Code[Fused.launches[of.member]].arguments;
      return of.parameter < arguments.size()
                 ? arguments[of.parameter].expression.text
                 : "";
    };
    const std::string text = textOf(source);
    for (std::size_t m = 0; m < source.member; ++m)
      for (std::size_t p = 0;
           p < Code.kernelOf(Fused.launches[m]).parameters.size(); ++p)
        if ((!text.empty() && textOf({m, p}) == text) ||
            haveOneValue(Code, Fused, {m, p}, source))
          return passedValue({m, p});
    return "=" + std::to_string(source.member) + "." +
           std::to_string(source.parameter);
  }

  /// Returns what the values that the member reads of an array are computed
  /// from: those of an earlier member, or memory. Values of a tile, which
  /// follow a barrier, and values that may be missing, which are isolated, only
  /// get the name of their forward.
  Roots arrayRoots(ArrayId array, std::size_t member) const {
    Roots roots;
    for (std::size_t f = 0; f < Forwards.size(); ++f) {
      if (Forwards[f].array != array || !Forwards[f].roles[member].consumes)
        continue;
      if (Forwards[f].isTile || Forwards[f].isPartial)
        roots.names.insert(passedName(f));
      else
        roots.add(Values[f]);
    }
    if (readsMemory(member, array))
      roots.names.insert(memoryName(array));
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
        const StoredValue *known = storedValue(kernel, *store);
        if (!known)
          Values[f].isOpaque = true;
        else
          Values[f].add(rootsOf(known->of, member));
      }
    }
  }

  bool mayHave(std::size_t member, const Product &product) const {
    return std::any_of(
        Products[member].begin(), Products[member].end(),
        [&](const Product &each) { return !product.differsFrom(each); });
  }

  //===--------------------------------------------------------------------===//
  // Members that a thread runs several times
  //===--------------------------------------------------------------------===//

  bool runsAround(std::size_t member) const {
    return member < Fused.halos.size() && !Fused.halos[member].isEmpty();
  }
  bool isShared(std::size_t member) const {
    return member < Fused.fits.size() && Fused.fits[member].chunk;
  }
  bool isRepeated(std::size_t member) const {
    return Fused.elementsPerThread > 1 || runsAround(member) ||
           isShared(member);
  }

  /// Checks whether a thread runs the member for several cells of the halo in a
  /// loop.
  bool loopsAround(std::size_t member) const {
    const auto work = workOf(Fused);
    return runsAround(member) &&
           cellsOf(work, Fused.halos[member]) - cellsOf(work, {}) >
               cellsOf(Fused.block, {});
  }

  /// Checks whether no two of the elements that a thread runs the member for
  /// can have product `own` in common. It must be computed from a load of each
  /// element's own. If another product may equal it for a neighbouring element,
  /// the elements' loads must also be from different places.
  bool differsByElement(std::size_t own, std::size_t member) const {
    const std::vector<Product> &products = Products[member];
    const std::set<std::string> &names = products[own].roots.names;
    if (std::none_of(names.begin(), names.end(), [&](const std::string &name) {
          return isPerElement(name);
        }))
      return false;
    for (std::size_t p = 0; p < products.size(); ++p)
      if (p != own && !products[own].differsFrom(products[p]) &&
          (products[own].roots.isOpaque || isShared(member) ||
           loopsAround(member) ||
           std::none_of(names.begin(), names.end(),
                        [&](const std::string &name) {
                          return isPerElement(name) && areApart(name, member);
                        })))
        return false;
    return true;
  }

  /// Returns the member's axes along which a thread's elements lie.
  std::set<std::uint32_t> axesOf(std::size_t member) const {
    std::set<std::uint32_t> axes;
    if (Fused.schedule == Schedule::Tile)
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        if (workOf(Fused)[axis] > 1 || Fused.elementsAxis == axis)
          axes.insert(axis);
    const ConfigMapping fit =
        member < Fused.fits.size() ? Fused.fits[member] : ConfigMapping{};
    if (Fused.elementsPerThread > 1)
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        for (const std::uint32_t on : fit.axes[axis])
          if (on == Fused.elementsAxis)
            axes.insert(axis);
    if (fit.chunk)
      axes.insert(0);
    return axes;
  }

  template <typename Action> bool forAllOf(ArrayId array, Action action) const {
    for (std::size_t m = 0; m < Fused.launches.size(); ++m) {
      const Launch &launch = Code[Fused.launches[m]];
      for (const Access &access : Code.ownAccesses(launch))
        if (launch.pointers[access.pointer].array == array &&
            !action(m, access))
          return false;
    }
    return true;
  }

  static std::size_t numberIn(const std::string &name) {
    return std::stoul(name.substr(1));
  }

  /// Checks whether `name` has a value for each element: it is forwarded, or an
  /// array whose accesses are all to the thread's own elements.
  bool isPerElement(const std::string &name) const {
    if (name.front() == '{')
      return true;
    return name.front() == '[' &&
           forAllOf(static_cast<ArrayId>(numberIn(name)),
                    [this](std::size_t m, const Access &access) {
                      const auto *index =
                          std::get_if<Polynomial>(&access.index);
                      const auto axes = axesOf(m);
                      return index &&
                             std::all_of(axes.begin(), axes.end(),
                                         [&](std::uint32_t axis) {
                                           return index->mentions(block(axis));
                                         });
                    });
  }

  static Symbol block(std::uint32_t axis) {
    return {SymbolKind::BlockIdx, axis};
  }

  /// Checks whether no two elements of a thread load the same place of `name`.
  /// Only the loads count that the member's products are computed from.
  bool areApart(const std::string &name, std::size_t member) const {
    if (Fused.elementsPerThread == 1)
      return true;
    if (name.front() == '{')
      return !spansBlock(Forwards[numberIn(name)]);
    std::set<std::size_t> readers;
    std::vector<const Access *> loads;
    forAllOf(static_cast<ArrayId>(numberIn(name)),
             [&](std::size_t m, const Access &access) {
               const bool isOther = m != member && !comesFrom(name, member);
               if (access.kind == AccessKind::Read && !isOther &&
                   readsMemory(m, static_cast<ArrayId>(numberIn(name)))) {
                 readers.insert(m);
                 loads.push_back(&access);
               }
               return true;
             });
    return readers.size() == 1 && areApart(loads, *readers.begin());
  }

  /// Checks whether the member takes values that an earlier one computed from
  /// `name`.
  bool comesFrom(const std::string &name, std::size_t member) const {
    for (std::size_t f = 0; f < Forwards.size(); ++f)
      if (Forwards[f].roles[member].consumes && !Forwards[f].isTile &&
          (Values[f].isOpaque || Values[f].names.count(name) != 0))
        return true;
    return false;
  }

  bool readsMemory(std::size_t member, ArrayId array) const {
    return std::none_of(
        Forwards.begin(), Forwards.end(), [&](const ForwardedArray &forward) {
          return forward.array == array && forward.roles[member].consumes &&
                 !forward.isPartial;
        });
  }

  bool spansBlock(const ForwardedArray &forward) const {
    std::int32_t low = 0, high = 0;
    for (const ForwardedRead &read : forward.reads) {
      low = std::min(low, read.window.least()[Fused.elementsAxis]);
      high = std::max(high, read.window.most()[Fused.elementsAxis]);
    }
    return static_cast<std::uint32_t>(high - low) >=
           Fused.block[Fused.elementsAxis];
  }

  bool areApart(const std::vector<const Access *> &loads,
                std::size_t member) const {
    for (const Access *one : loads)
      for (const Access *other : loads)
        for (const std::uint32_t axis : axesOf(member))
          if (one != other && mayBeBlocksApart(*one, *other, axis))
            return false;
    return true;
  }

  /// Checks whether the loads may be as far from each other as those of two
  /// elements of a thread.
  bool mayBeBlocksApart(const Access &one, const Access &other,
                        std::uint32_t axis) const {
    const auto a = numbered(one.index), b = numbered(other.index);
    if (!a || !b)
      return true;
    const auto distance = subtract(*a, *b);
    const auto along = a->splitLinear(block(axis));
    const auto alongOther = b->splitLinear(block(axis));
    if (!distance || !along || !alongOther ||
        along->coefficient != alongOther->coefficient)
      return true;
    for (std::int64_t blocks = 1; blocks < Fused.elementsPerThread; ++blocks)
      for (const std::int64_t signedBlocks : {blocks, -blocks}) {
        const auto step =
            multiply(along->coefficient, Polynomial(signedBlocks));
        if (!step || *step == *distance)
          return true;
      }
    return false;
  }

  /// Returns the index, with numbers for the block's extents if the kernel has
  /// tiles; nullopt if it isn't a polynomial.
  std::optional<Polynomial> numbered(const IndexExpr &index) const {
    const auto *known = std::get_if<Polynomial>(&index);
    if (!known)
      return std::nullopt;
    if (Fused.schedule != Schedule::Tile)
      return *known;
    return substitute(*known, [this](Symbol symbol) {
      return symbol.kind == SymbolKind::BlockDim
                 ? std::optional(Polynomial(
                       static_cast<std::int64_t>(Fused.block[symbol.index])))
                 : std::nullopt;
    });
  }

  const Program &Code;
  const FusedKernel &Fused;
  const std::vector<ForwardedArray> &Forwards;
  std::vector<Roots> Values;                  ///< by forward
  std::vector<std::vector<Product>> Products; ///< by member
};

} // namespace

std::vector<bool>
membersWithCommonProducts(const Program &program, const FusedKernel &kernel,
                          const std::vector<ForwardedArray> &forwards) {
  return ProductGroup(program, kernel, forwards).meeting();
}

} // namespace kfuse
