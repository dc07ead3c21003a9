//===- RoundingBarriers.cpp - Values isolated between stages --------------===//
#include "codegen/builder/FusedKernelBuilder.h"
#include "codegen/stage/ForwardRounding.h"
#include "codegen/text/OpenClText.h"
#include "graphs/program/Aliases.h"

#include <algorithm>

namespace kfuse {

bool FusedKernelBuilder::feedsCommonProducts(std::size_t member,
                                             std::size_t forward) const {
  for (std::size_t m = member + 1; m < members(); ++m)
    if (hasCommonProducts[m] && forwards[forward].roles[m].consumes)
      return true;
  return false;
}

bool FusedKernelBuilder::needsRoundingBarrier(std::size_t member,
                                              std::size_t forward) const {
  const ForwardedArray &value = forwards[forward];
  if (!hasCommonProducts[member] && !feedsCommonProducts(member, forward) &&
      roundingInStage(program, group, value, member) != Rounding::Opaque)
    return false;
  return !value.isTile && value.isUsedAfter(member) &&
         (value.computed ? value.roles[member].produces
                         : value.roles[member].takesPart());
}

std::set<LaunchId> FusedKernelBuilder::isolatingLaunches() const {
  std::set<LaunchId> all;
  if (!usesZeros)
    return all;
  // Values that may be missing or are in memory are isolated from all sums.
  const bool arePassed =
      std::any_of(forwards.begin(), forwards.end(),
                  [](const ForwardedArray &each) { return each.isPartial; }) ||
      std::any_of(group.placements.begin(), group.placements.end(),
                  [](const Placement &each) {
                    return each.kind == PlacementKind::ThroughGlobal;
                  });
  bool isOpaque = arePassed;
  for (std::size_t m = 0; m < members(); ++m) {
    if (hasCommonProducts[m] ||
        (isOpaque && takesProducts(program, group.launches[m])))
      all.insert(group.launches[m]);
    isOpaque |= std::any_of(forwards.begin(), forwards.end(),
                            [&](const ForwardedArray &forward) {
                              return roundingInStage(program, group, forward,
                                                     m) == Rounding::Opaque;
                            });
  }
  return all;
}

std::size_t FusedKernelBuilder::zeroNumber(std::size_t member,
                                           std::size_t zeroOfMember) {
  if (!allHaveCommonProducts())
    return ZeroNumbers.try_emplace({member, zeroOfMember}, ZeroNumbers.size())
        .first->second;
  if (zeroOfMember == 0)
    return member;
  std::size_t number = members() + zeroOfMember - 1;
  for (std::size_t m = 0; m < member; ++m) {
    std::size_t values = 0;
    for (std::size_t i = 0; i < forwards.size(); ++i)
      values += needsRoundingBarrier(m, i) ? 1 : 0;
    number += values > 1 ? values - 1 : 0;
  }
  return number;
}

/// Counts the zeros. If all members have some, their number is the one that a
/// further zero after the last member would get.
std::size_t FusedKernelBuilder::opaqueZeros() {
  const std::size_t count =
      allHaveCommonProducts() ? zeroNumber(members(), 1) : ZeroNumbers.size();
  return count * (hasTiles() ? 1 : group.elementsPerThread);
}

/// Returns the expression of a zero for the element of the thread that a member
/// works on, or for a cell of a tile. If all had the same one, the compiler
/// would move what they share out of the loop.
std::string FusedKernelBuilder::zeroText(const CallPlace &place,
                                         std::size_t number) {
  usesZeros = true;
  const std::string index =
      std::to_string(number) +
      (movesBlocks() && !hasTiles() ? " * " + count() + " + " + element : "");
  return zero + "." + helpers.zeroMember() + "[" + index + "]" +
         (place.number.empty() ? "" : " & " + place.number);
}

std::string FusedKernelBuilder::isolate(const std::string &value,
                                        const std::string &type,
                                        std::size_t member,
                                        const CallPlace &place,
                                        std::size_t zeroOfMember) {
  const std::string own = zeroText(place, zeroNumber(member, zeroOfMember));
  if (!isOpenCl())
    return helpers.isolate() + "(" + value + ", " + own + ")";
  const auto text = isolateInOpenCl(type, value, own);
  if (!text)
    problem = "values of type '" + type + "' can't be set apart";
  return text.value_or(value);
}

/// Returns the isolated coordinate `name`, as a `uint3`: Clang's coordinates
/// have types of their own.
std::string FusedKernelBuilder::ownCoordinate(const std::string &name,
                                              std::size_t member) {
  return helpers.isolate() + "<uint3>(" + name + ", " +
         zeroText({}, zeroNumber(member, 0)) + ")";
}

bool FusedKernelBuilder::isIsolated(std::size_t member) const {
  return std::find(group.isolated.begin(), group.isolated.end(), member) !=
         group.isolated.end();
}

/// Checks whether loads through the pointer can give several elements of a
/// thread, or cells of a tile, the same value. They can if an axis doesn't
/// matter, or if one element or cell is the other's neighbour.
bool FusedKernelBuilder::loadsInCommon(std::size_t member,
                                       std::size_t pointer) const {
  const Polynomial *first = nullptr;
  for (const Access &access : program.ownAccesses(launchOf(member))) {
    if (access.pointer != pointer || access.kind != AccessKind::Read)
      continue;
    const auto *index = std::get_if<Polynomial>(&access.index);
    if (!index || (first && *first != *index))
      return true;
    for (std::uint32_t axis = 0; axis < rank; ++axis)
      if (!index->mentions(Symbol{SymbolKind::BlockIdx, axis}))
        return true;
    first = index;
  }
  return false;
}

/// Checks whether another member of the pass takes the tile's values too, or
/// the member takes one thread's value for two elements of a thread. These are
/// a block apart.
bool FusedKernelBuilder::takesInCommon(std::size_t member,
                                       const ForwardedArray &forward) const {
  if (!hasCommonProducts[member] || !forward.element.hasFloatingPoint)
    return false;
  for (std::size_t m = 0; m < members(); ++m)
    if (m != member && forward.roles[m].consumes &&
        group.phases[m] == group.phases[member])
      return true;
  const std::uint32_t axis = group.elementsAxis;
  std::int32_t low = 0, high = 0;
  for (const ForwardedRead &read : forward.reads)
    if (read.member == member) {
      low = std::min(low, read.window.least()[axis]);
      high = std::max(high, read.window.most()[axis]);
    }
  return movesBlocks() &&
         static_cast<std::uint32_t>(high - low) >= group.block[axis];
}

std::string FusedKernelBuilder::elementText(std::size_t member,
                                            const ForwardedArray &forward,
                                            const std::string &element,
                                            const CallPlace &place) {
  if (forward.roles[member].produces)
    return element;
  return takesInCommon(member, forward)
             ? isolate("&" + element, "", member, place)
             : "&" + element;
}

/// Checks whether a stage loads through the parameter what another one stored,
/// and a sum could be contracted otherwise for that.
bool FusedKernelBuilder::passesInMemory(std::size_t member,
                                        std::size_t parameter) const {
  const Kernel &kernel = kernelOf(member);
  for (std::size_t p = 0; p < kernel.pointers.size(); ++p)
    for (const Placement &placement : group.placements)
      if (placement.kind == PlacementKind::ThroughGlobal &&
          !kernel.pointers[p].global &&
          kernel.pointers[p].parameter == parameter &&
          alias(program, launchOf(member).pointers[p].array, placement.array) ==
              Alias::Same &&
          mayContractInMemory(program, group, placement.array))
        return true;
  return false;
}

/// Returns the argument for a parameter of the user's. It is isolated if the
/// compiler could compute with it in one stage what it computes in another, or
/// for another element of the thread. Integers in memory may be the bits of
/// floating-point values.
std::string FusedKernelBuilder::parameterText(std::size_t member,
                                              std::size_t parameter,
                                              const CallPlace &place) {
  const Kernel &kernel = kernelOf(member);
  const FusedParameter &fused = *parameterFor(member, parameter);
  const bool isShared =
      std::any_of(fused.sources.begin(), fused.sources.end(),
                  [&](ParameterSource s) { return s.member != member; });
  const bool isRepeated = movesBlocks() || !place.number.empty();
  if ((!isShared && !isRepeated) ||
      (!hasCommonProducts[member] && !passesInMemory(member, parameter)))
    return fused.name;
  for (std::size_t p = 0; p < kernel.pointers.size(); ++p) {
    const PointerParameter &pointer = kernel.pointers[p];
    if (pointer.global || !pointer.path.empty() ||
        pointer.parameter != parameter)
      continue;
    if (isRepeated && loadsInCommon(member, p))
      return isolate(fused.name, fused.type, member, place);
    return isShared ? isolate(fused.name, fused.type, member, {}) : fused.name;
  }
  // Integers that stay integers take no part in contractions; what is neither
  // a known integer nor a pointer may hold floating-point values.
  const bool isInteger =
      std::any_of(kernel.scalars.begin(), kernel.scalars.end(),
                  [&](const ScalarParameter &scalar) {
                    return scalar.parameter == parameter && scalar.path.empty();
                  });
  const bool isConverted = kernel.integersToFloating &&
                           (isIsolated(member) || !place.number.empty());
  return isInteger && !isConverted
             ? fused.name
             : isolate(fused.name, fused.type, member, place);
}

/// Gives each value a zero of its own: the member may have given several the
/// same value, and the compiler must not know that they are equal.
std::string FusedKernelBuilder::roundingBarriers(std::size_t member,
                                                 const std::string &indent,
                                                 const CallPlace &place,
                                                 bool isInPass) {
  std::string text;
  std::size_t settled = 0;
  for (std::size_t i = 0; i < forwards.size(); ++i) {
    if (!needsRoundingBarrier(member, i))
      continue;
    const std::size_t zeroOfMember = settled++;
    if (isInPass && !forwards[i].staysInPass)
      continue;
    const std::string value = nameIn(member, values, i, place);
    text += indent + value + " = " +
            isolate(value, forwards[i].element.spelling, member, place,
                    zeroOfMember) +
            ";\n";
  }
  return text;
}

} // namespace kfuse
