//===- FusedKernelBuilder.cpp - A fused kernel while it is written --------===//
#include "codegen/builder/FusedKernelBuilder.h"

#include "codegen/text/Expressions.h"
#include "codegen/text/ParameterText.h"
#include "text/Layout.h"

#include <algorithm>

namespace kfuse {

using Kind = StageArgument::Kind;

namespace {

/// Writes `const long long i = value;`, on two lines if one is too short.
std::string declared(const std::string &name, const std::string &value,
                     const std::string &indent) {
  const std::string head = indent + "const long long " + name + " =";
  const bool isLong = head.size() + value.size() + 2 > Columns;
  return head + (isLong ? "\n" + indent + "    " : " ") + value + ";\n";
}

/// Writes `if (a && b) {`, with a line for each test if one is too short.
std::string ifAll(const std::vector<std::string> &tests,
                  const std::string &indent) {
  std::string one, several;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    one += (i == 0 ? "" : " && ") + tests[i];
    several += (i == 0 ? "" : " &&\n    " + indent) + tests[i];
  }
  const std::string head = indent + "if (";
  const std::string end = ") {\n";
  return head + (head.size() + one.size() + 3 > Columns ? several : one) + end;
}

/// Returns the thread's global index on an axis: that of `place`, or the one
/// made of the hardware's coordinates.
std::string threadText(std::uint32_t axis, const CallPlace &place) {
  if (!place.at[axis].empty())
    return place.at[axis];
  const std::string at = std::string(".") + axisName(axis);
  return (place.block.empty() ? "blockIdx" : place.block) + at + " * blockDim" +
         at + " + threadIdx" + at;
}

} // namespace

bool isTakenAround(const ForwardedArray &value, std::size_t member) {
  const ForwardRole role = value.roles[member];
  return (value.isTile || value.staysInPass) &&
         (role.consumes || (role.produces && value.isUsedAfter(member)));
}

bool FusedKernelBuilder::isOwned(std::size_t member) const {
  if (!runsAround(member))
    return true;
  for (const ForwardedArray &value : forwardsAround[member]) {
    const bool isTaken = isTakenAround(value, member);
    const ForwardedArray *kept = nullptr;
    for (const ForwardedArray &forward : forwards)
      if (forward.array == value.array)
        kept = &forward;
    if (value.roles[member].produces && (!kept || kept->stored || !isTaken))
      return true;
  }
  return false;
}

/// Returns the name that the first member with the forward has for the array;
/// the host's name if that isn't a parameter.
std::string FusedKernelBuilder::userName(const ForwardedArray &forward) const {
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

/// Returns the host's name of the array, or `array` if that isn't one
/// identifier.
std::string FusedKernelBuilder::arrayName(const ForwardedArray &forward) const {
  const std::string &name = program[forward.array].name;
  const bool isName =
      !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return isIdentifierCharacter(c);
      });
  return isName ? name : "array";
}

std::vector<std::string> FusedKernelBuilder::forwardNames() const {
  std::vector<std::string> all;
  for (const ForwardedArray &forward : forwards) {
    const std::string name = userName(forward);
    const auto isAlike = [&](const ForwardedArray &other) {
      return userName(other) == name;
    };
    const bool isUnique =
        std::count_if(forwards.begin(), forwards.end(), isAlike) == 1;
    all.push_back(isUnique ? name : arrayName(forward));
  }
  return all;
}

const FusedParameter *
FusedKernelBuilder::parameterFor(std::size_t member,
                                 std::size_t parameter) const {
  for (const FusedParameter &known : parameters)
    for (const ParameterSource source : known.sources)
      if (source == ParameterSource{member, parameter})
        return &known;
  return nullptr;
}

/// Returns the variable of a value in a register, or of the flag that there is
/// one.
std::string FusedKernelBuilder::nameIn(std::size_t member,
                                       const std::vector<std::string> &from,
                                       std::size_t forward,
                                       const CallPlace &place) const {
  if (forwards[forward].computed && forwards[forward].roles[member].produces)
    return place.result;
  return from[forward] + (forwards[forward].staysInPass ? "" : place.element);
}

/// Returns the argument for a forward, or for the flag that it has a value.
std::string FusedKernelBuilder::valueText(std::size_t member,
                                          std::size_t forward,
                                          const std::vector<std::string> &from,
                                          const CallPlace &place) {
  if (!forwards[forward].isTile)
    return (isOpenCl() ? "&" : "") + nameIn(member, from, forward, place);
  const std::string cell =
      from[forward] + tileElement(place.cell, forwards[forward].halo, rank);
  return elementText(member, forwards[forward], cell, place);
}

/// Returns a coordinate's value at `place`. An index other than the hardware's
/// may be wider than it, and is then converted to `unsigned`.
std::string
FusedKernelBuilder::coordinateText(const StageCoordinate &coordinate,
                                   const CallPlace &place) const {
  for (const StageCoordinate &known : place.declared)
    if (known.isAlike(coordinate))
      return known.name;
  const std::string text = threadText(coordinate.axis, place);
  const bool isWide = mentions(coordinate.canonical, "long");
  return place.at[coordinate.axis].empty() || !isWide
             ? text
             : "(unsigned)(" + text + ")";
}

std::string
FusedKernelBuilder::declareCoordinates(const std::vector<std::size_t> &of,
                                       CallPlace &place,
                                       const std::string &indent) {
  std::string text;
  for (const std::size_t member : of)
    for (const StageCoordinate &each : calls[member].coordinates) {
      const auto isSame = [&](const StageCoordinate &known) {
        return known.isAlike(each);
      };
      if (std::any_of(place.declared.begin(), place.declared.end(), isSame))
        continue;
      auto known =
          std::find_if(CoordinateNames.begin(), CoordinateNames.end(),
                       [&](const auto &named) { return isSame(named.first); });
      if (known == CoordinateNames.end())
        known = CoordinateNames.insert(known,
                                       {each, names.inner(each.name, taken)});
      text += listed(withoutConst(each.type) + " " + known->second + " = ",
                     {coordinateText(each, place)}, ";", indent) +
              "\n";
      place.declared.push_back(
          {each.axis, each.type, known->second, each.canonical});
    }
  return text;
}

std::string FusedKernelBuilder::argumentText(std::size_t member,
                                             const StageArgument &argument,
                                             const CallPlace &place) {
  switch (argument.kind) {
  case Kind::Block:
    return isIsolated(member) ? ownCoordinate("blockIdx", member) : place.block;
  case Kind::Thread:
    return isIsolated(member) ? ownCoordinate("threadIdx", member)
                              : place.thread;
  case Kind::Grid:
    return grid;
  case Kind::Parameter:
    return parameterText(member, argument.index, place);
  case Kind::Forward:
    return valueText(member, argument.index, values, place);
  case Kind::Written:
    return valueText(member, argument.index, flags, place);
  case Kind::LoopVariable:
    return place.index;
  case Kind::Local:
    return (kernelOf(member).locals[argument.index].dimensions.empty() ? "&"
                                                                       : "") +
           locals[member][argument.index];
  case Kind::Coordinate:
    return coordinateText(calls[member].coordinates[argument.index], place);
  }
  return {};
}

std::string FusedKernelBuilder::callText(std::size_t member,
                                         const std::string &indent,
                                         const CallPlace &place) {
  std::vector<std::string> arguments;
  for (const StageArgument &argument : calls[member].arguments)
    arguments.push_back(argumentText(member, argument, place));
  return listed(calls[member].call + "(", arguments, ");", indent) + "\n" +
         roundingBarriers(member, indent, place, false);
}

std::optional<std::string>
FusedKernelBuilder::valueOf(std::size_t member, const Polynomial &polynomial,
                            const std::array<std::string, 3> &places) const {
  const Kernel &kernel = kernelOf(member);
  // Coordinates come first in a product.
  const bool isNarrow =
      !places[0].empty() &&
      std::any_of(polynomial.terms().begin(), polynomial.terms().end(),
                  [](const auto &term) {
                    return !term.first.empty() &&
                           term.first.front().kind == SymbolKind::Parameter &&
                           (term.first.size() > 1 || term.second != 1);
                  });
  const auto symbol = [&](Symbol s,
                          bool isWidened) -> std::optional<std::string> {
    if (s.kind == SymbolKind::GlobalIdx && !places[s.index].empty())
      return places[s.index];
    if (s.kind == SymbolKind::BlockDim)
      return std::string(isWidened ? "" : "(long long)") + "blockDim." +
             axisName(s.index);
    if (s.kind != SymbolKind::Parameter || s.index >= kernel.scalars.size())
      return std::nullopt;
    const ScalarParameter &scalar = kernel.scalars[s.index];
    const FusedParameter *parameter = parameterFor(member, scalar.parameter);
    if (!parameter)
      return std::nullopt;
    const bool needsCast = isNarrow && (!isWidened || scalar.type.bits > 32);
    return (needsCast ? "(long long)" : "") + parameter->name + scalar.path;
  };
  return expressionText(polynomial, program.terms, symbol);
}

/// Returns the tests for whether a thread, or a whole block, is one of the
/// member's.
std::vector<std::string>
FusedKernelBuilder::boundTexts(std::size_t member,
                               const CallPlace &place) const {
  const ConfigMapping fit = fitOf(member);
  const std::string block = place.block.empty() ? "blockIdx" : place.block;
  std::vector<std::string> tests;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (!fit.bounds[axis])
      continue;
    const std::string at = std::string(".") + axisName(axis);
    // More than 2^32 threads are possible on the first axis alone.
    const std::string wide = axis == 0 ? "1ull * " : "";
    const std::string all =
        wide + grids[member] + at + " * " + blocks[member] + at;
    if (fit.hasBlocks)
      tests.push_back(block + at + " < " + grids[member] + at);
    else if (fit.axes[axis].size() > 1 || fit.chunk)
      tests.push_back(place.index + " < " + all);
    else
      tests.push_back(wide + threadText(fit.axes[axis].front(), place) + " < " +
                      all);
  }
  return tests;
}

/// Writes the member's call with a thread index of the member's own.
std::string FusedKernelBuilder::movedCallText(std::size_t member,
                                              const std::string &indent,
                                              const CallPlace &place) {
  const ConfigMapping fit = fitOf(member);
  const auto &loop = kernelOf(member).gridStride;
  std::set<std::string> inside = taken;
  CallPlace moved = place;
  moved.index = names.inner(loop ? loop->variable : "i", inside);
  std::string text = indent + "{\n";
  std::vector<std::string> tests;
  std::array<std::string, 3> thread = {"0", "0", "0"};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::vector<std::uint32_t> &along = fit.axes[axis];
    if (along.size() == 1)
      thread[axis] = threadText(along.front(), place);
    if (along.size() < 2)
      continue;
    thread[axis] = moved.index;
    std::vector<std::string> places;
    for (const std::uint32_t on : along) {
      constexpr std::array<const char *, 3> PlaceNames = {"column", "row",
                                                          "plane"};
      places.push_back(names.inner(PlaceNames[on], inside));
      text += declared(places.back(), threadText(on, place), indent + "  ");
    }
    std::string value = places.back();
    for (std::size_t i = along.size() - 1; i-- > 0;) {
      const std::string row = valueOf(group.leader, fit.rows[i]).value_or("0");
      value = asOperand(value) + " * " + asOperand(row) + " + " + places[i];
      tests.insert(tests.begin(), places[i] + " < " + row);
    }
    text += declared(moved.index, value, indent + "  ");
  }
  if (!fit.hasRows())
    text += declared(moved.index, "(long long)" + threadText(loop->axis, place),
                     indent + "  ");
  for (std::string &test : boundTexts(member, moved))
    tests.push_back(std::move(test));
  if (loop)
    tests.push_back(moved.index + " < " +
                    valueOf(member, loop->bound).value_or("0"));
  moved.block = "make_uint3(0, 0, 0)";
  moved.thread =
      "make_uint3(" + thread[0] + ", " + thread[1] + ", " + thread[2] + ")";
  moved.at = thread;
  moved.declared.clear();
  return text + ifAll(tests, indent + "  ") +
         callText(member, indent + "    ", moved) + indent + "  }\n" + indent +
         "}\n";
}

std::string FusedKernelBuilder::boundedCallText(std::size_t member,
                                                const std::string &indent,
                                                const CallPlace &place) {
  const ConfigMapping fit = fitOf(member);
  if (fit.isIteration || fit.hasRows())
    return movedCallText(member, indent, place);
  const std::vector<std::string> tests = boundTexts(member, place);
  if (tests.empty())
    return callText(member, indent, place);
  return ifAll(tests, indent) + callText(member, indent + "  ", place) +
         indent + "}\n";
}

std::string FusedKernelBuilder::chunkDeclaration(const std::string &indent) {
  chunk = names.inner("share", taken);
  for (const ConfigMapping &fit : group.fits)
    if (fit.chunk)
      return declared(
          chunk,
          valueOf(group.leader, *fit.chunk, {chunk, "", ""}).value_or("0"),
          indent);
  return {};
}

std::string FusedKernelBuilder::sharedCallText(std::size_t first,
                                               std::size_t last,
                                               const std::string &indent) {
  std::set<std::string> inside = taken;
  CallPlace place;
  place.index = place.number = names.inner("i", inside);
  place.block = "make_uint3(0, 0, 0)";
  place.thread = "make_uint3(" + place.index + ", 0, 0)";
  place.at = {place.index, "0", "0"};
  std::string text = indent + "for (long long " + place.index +
                     " = blockIdx.x * " + chunk + " + threadIdx.x;\n" + indent +
                     "     " + place.index + " < (blockIdx.x + 1) * " + chunk +
                     "; " + place.index + " += blockDim.x) {\n";
  for (std::size_t i = 0; i < forwards.size(); ++i)
    if (std::any_of(
            forwards[i].roles.begin() + static_cast<std::ptrdiff_t>(first),
            forwards[i].roles.begin() + static_cast<std::ptrdiff_t>(last),
            [](const ForwardRole &role) { return role.takesPart(); }))
      text += valueDeclaration(i, indent + "  ");
  for (std::size_t member = first; member < last; ++member)
    text += boundedCallText(member, indent + "  ", place);
  return text + indent + "}\n";
}

/// Returns the index on each axis of the thread that computes `element`;
/// nullopt if one can't be written.
std::optional<std::array<std::string, 3>>
FusedKernelBuilder::threadOf(std::size_t member, const ElementThread &thread,
                             const std::string &element) const {
  std::array<std::string, 3> indices = {"0", "0", "0"};
  std::string rest = element;
  if (const auto constant = thread.first.asConstant().value_or(1);
      constant < 0) {
    rest += " + " + std::to_string(-constant);
  } else if (!thread.first.isZero()) {
    const auto first = valueOf(member, thread.first);
    if (!first)
      return std::nullopt;
    rest += " - " + asOperand(*first);
  }
  if (!thread.rows.empty())
    rest = asOperand(rest);
  for (std::size_t i = 0; i < thread.rows.size(); ++i) {
    const auto row = valueOf(member, thread.rows[i]);
    if (!row)
      return std::nullopt;
    indices[thread.axes[i]] = rest + " % " + asOperand(*row);
    rest += " / " + asOperand(*row);
  }
  indices[thread.axes.back()] = rest;
  return indices;
}

std::optional<std::string>
FusedKernelBuilder::computedArray(std::size_t member,
                                  const std::string &indent) {
  for (std::size_t f = 0; f < forwards.size(); ++f) {
    const ForwardedArray &forward = forwards[f];
    if (!forward.computed || !forward.roles[member].produces)
      continue;
    std::set<std::string> inside = taken;
    const std::string element = names.inner("i", inside);
    const auto thread = threadOf(member, *forward.computed, element);
    if (!thread)
      return std::nullopt;
    CallPlace place;
    place.result = names.inner("value", inside);
    // Sums that several elements share could be contracted otherwise.
    if (!kernelOf(member).contractions.empty())
      place.number = element;
    place.index = (*thread)[forward.computed->axes.back()];
    place.block = "make_uint3(0, 0, 0)";
    place.thread = "make_uint3(" + (*thread)[0] + ", " + (*thread)[1] + ", " +
                   (*thread)[2] + ")";
    place.at = *thread;
    return indent + "const auto " + values[f] + " = " + helpers.computed() +
           "([&](unsigned " + element + ") {\n" + indent + "  " +
           variableOf(forward.element, place.result, program.language) +
           callText(member, indent + "  ", place) + indent + "  return " +
           place.result + ";\n" + indent + "});\n";
  }
  return std::string();
}

std::string
FusedKernelBuilder::valueDeclarations(const std::string &indent,
                                      const std::string &extent) const {
  std::string text;
  const auto isOutside = [this](const ForwardedArray &forward) {
    for (std::size_t member = 0; member < members(); ++member)
      if (forward.roles[member].takesPart() && !fitOf(member).chunk)
        return true;
    return false;
  };
  for (std::size_t i = 0; i < forwards.size(); ++i)
    if (!forwards[i].isTile && !forwards[i].staysInPass &&
        !forwards[i].computed && isOutside(forwards[i]))
      text += valueDeclaration(i, indent, extent);
  return text;
}

std::string
FusedKernelBuilder::valueDeclaration(std::size_t forward,
                                     const std::string &indent,
                                     const std::string &extent) const {
  std::string text =
      indent + variableOf(forwards[forward].element, values[forward] + extent,
                          program.language);
  if (forwards[forward].isPartial)
    text += indent + "bool " + flags[forward] + extent +
            (isOpenCl() ? " = false;\n" : " = {};\n");
  return text;
}

} // namespace kfuse
