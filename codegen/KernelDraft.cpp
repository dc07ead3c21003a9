//===- codegen/KernelDraft.cpp - A fused kernel while it is written -------===//
#include "codegen/KernelDraft.h"

#include "codegen/ParameterText.h"

#include <algorithm>

namespace kfuse {

using Kind = StageArgument::Kind;

const char *axisName(std::uint32_t axis) {
  static constexpr const char *Names[] = {"x", "y", "z"};
  return Names[std::min<std::uint32_t>(axis, 2)];
}

bool usesShared(const Kernel &kernel) {
  return kernel.staticSharedBytes != 0 || kernel.usesDynamicShared;
}

bool isInTileOf(const Forward &value, std::size_t member) {
  const ForwardRole role = value.roles[member];
  return role.consumes || (role.produces && value.isUsedAfter(member));
}

bool KernelDraft::isOwned(std::size_t member) const {
  if (!runsAround(member))
    return true;
  for (const Forward &value : forwardsAround[member]) {
    const bool isInTile = value.isTile && isInTileOf(value, member);
    const Forward *kept = nullptr;
    for (const Forward &forward : forwards)
      if (forward.array == value.array)
        kept = &forward;
    if (value.roles[member].produces && (!kept || kept->stored || !isInTile))
      return true;
  }
  return false;
}

/// The name by which the forward's producer knows the array.
std::string KernelDraft::userName(const Forward &forward) const {
  for (std::size_t m = 0; m < members(); ++m) {
    if (!forward.roles[m].takesPart())
      continue;
    const auto accesses = accessesTo(program, launchOf(m), forward.array);
    if (accesses.empty())
      continue;
    const PointerParameter &pointer =
        kernelOf(m).pointers[accesses.front()->pointer];
    if (!pointer.global && pointer.path.empty())
      return kernelOf(m).parameters[pointer.parameter].name;
    break;
  }
  return arrayName(forward);
}

/// The name by which the host knows it.
std::string KernelDraft::arrayName(const Forward &forward) const {
  const std::string &name = program[forward.array].name;
  const bool isName =
      !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return isIdentifierCharacter(c);
      });
  return isName ? name : "array";
}

std::vector<std::string> KernelDraft::forwardNames() const {
  std::vector<std::string> all;
  for (const Forward &forward : forwards) {
    const std::string name = userName(forward);
    const auto isAlike = [&](const Forward &other) {
      return userName(other) == name;
    };
    const bool isUnique =
        std::count_if(forwards.begin(), forwards.end(), isAlike) == 1;
    all.push_back(isUnique ? name : arrayName(forward));
  }
  return all;
}

const FusedParameter *KernelDraft::parameterFor(std::size_t member,
                                                std::size_t parameter) const {
  for (const FusedParameter &known : parameters)
    for (const ParameterSource source : known.sources)
      if (source == ParameterSource{member, parameter})
        return &known;
  return nullptr;
}

/// The zero of a member and of the element of the thread it works on: where
/// all had one, the compiler would move what they share out of the loop.
std::string KernelDraft::zeroText(std::size_t member) {
  usesZeros = true;
  const std::string number =
      std::to_string(member) +
      (movesBlocks() ? " * " + count() + " + " + element : "");
  return zero + "." + helpers.zeroMember() + "[" + number + "]";
}

std::string KernelDraft::apart(const std::string &value, std::size_t member) {
  return helpers.apart() + "(" + value + ", " + zeroText(member) + ")";
}

/// Whether a load through the pointer can give several elements of a thread
/// the same value.
bool KernelDraft::loadsUniformly(std::size_t member,
                                 std::size_t pointer) const {
  const auto &accesses = kernelOf(member).accesses;
  return std::any_of(
      accesses.begin(), accesses.end(), [&](const Access &access) {
        const auto *index = std::get_if<Polynomial>(&access.index);
        return access.pointer == pointer && access.kind == AccessKind::Read &&
               !(index && index->mentions(Symbol{SymbolKind::BlockIdx, 0}));
      });
}

/// Whether the compiler could compute with the argument in one stage what it
/// computes in another, or for another element of the thread. Integers in
/// memory may be floating-point values' bits.
bool KernelDraft::mustBeApart(std::size_t member, std::size_t parameter) const {
  const Kernel &kernel = kernelOf(member);
  const FusedParameter &fused = *parameterFor(member, parameter);
  const bool isShared =
      std::any_of(fused.sources.begin(), fused.sources.end(),
                  [&](ParameterSource s) { return s.member != member; });
  if (!isShared && !movesBlocks())
    return false;
  for (std::size_t p = 0; p < kernel.pointers.size(); ++p) {
    const PointerParameter &pointer = kernel.pointers[p];
    if (!pointer.global && pointer.path.empty() &&
        pointer.parameter == parameter)
      return isShared || loadsUniformly(member, p);
  }
  // Integers take no part in contractions; what is neither a known integer
  // nor a pointer may hold floating-point values.
  return !std::any_of(kernel.scalars.begin(), kernel.scalars.end(),
                      [&](const ScalarParameter &scalar) {
                        return scalar.parameter == parameter &&
                               scalar.path.empty();
                      });
}

/// What the member gets of a forward, or of whether it has a value.
std::string KernelDraft::valueText(std::size_t member, std::size_t forward,
                                   const std::vector<std::string> &from,
                                   const CallPlace &place) const {
  if (!forwards[forward].isTile)
    return from[forward] + place.element;
  const std::string cell =
      from[forward] + tileElement(place.cell, forwards[forward].halo, rank);
  return forwards[forward].roles[member].produces ? cell : "&" + cell;
}

std::string KernelDraft::argumentText(std::size_t member,
                                      const StageArgument &argument,
                                      const CallPlace &place) {
  switch (argument.kind) {
  case Kind::Block:
    return place.block;
  case Kind::Thread:
    return place.thread;
  case Kind::Grid:
    return grid;
  case Kind::Parameter: {
    const std::string &name = parameterFor(member, argument.index)->name;
    return mustBeApart(member, argument.index) ? apart(name, member) : name;
  }
  case Kind::Forward:
    return valueText(member, argument.index, values, place);
  case Kind::Written:
    return valueText(member, argument.index, flags, place);
  case Kind::LoopVariable:
    return place.index;
  }
  return {};
}

std::string KernelDraft::callText(std::size_t member, const std::string &indent,
                                  const CallPlace &place) {
  std::vector<std::string> arguments;
  for (const StageArgument &argument : calls[member].arguments)
    arguments.push_back(argumentText(member, argument, place));
  std::string text =
      listed(calls[member].call + "(", arguments, ");", indent) + "\n";
  for (std::size_t i = 0; i < forwards.size(); ++i) {
    const std::string value = values[i] + place.element;
    if (!forwards[i].isTile && forwards[i].roles[member].takesPart() &&
        forwards[i].isUsedAfter(member))
      text += indent + value + " = " + apart(value, member) + ";\n";
  }
  return text;
}

std::string KernelDraft::valueDeclarations(const std::string &indent,
                                           const std::string &extent) const {
  std::string text;
  for (std::size_t i = 0; i < forwards.size(); ++i) {
    if (forwards[i].isTile)
      continue;
    text += indent + forwards[i].element.spelling + " " + values[i] + extent +
            " = {};\n";
    if (forwards[i].isPartial)
      text += indent + "bool " + flags[i] + extent + " = {};\n";
  }
  return text;
}

bool KernelDraft::needsBarrier(std::size_t member) const {
  if (!usesShared(kernelOf(member)))
    return false;
  for (std::size_t m = 0; m < member; ++m)
    if (kernelOf(m).text.declaration == kernelOf(member).text.declaration)
      return true;
  return false;
}

} // namespace kfuse
