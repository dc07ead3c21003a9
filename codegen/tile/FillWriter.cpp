//===- FillWriter.cpp - What memory holds, for cells of tiles -------------===//
#include "codegen/tile/FillWriter.h"

#include "codegen/text/Coordinates.h"
#include "codegen/text/ParameterText.h"
#include "text/Tokens.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace kfuse {
namespace {

std::string wordOf(Relation relation) {
  return relation == Relation::NonNegative ? " >= "
         : relation == Relation::Zero      ? " == "
                                           : " != ";
}

} // namespace

FillWriter::FillWriter(FusedKernelBuilder &builder) : Builder(builder) {
  Names = {Builder.names.inner("column", Builder.taken),
           Builder.names.inner("row", Builder.taken),
           Builder.names.inner("plane", Builder.taken)};
}

std::optional<FillWriter::Texts> FillWriter::tests(std::size_t member,
                                                   const Guard &guard) const {
  Texts all;
  for (const Constraint &constraint : guard) {
    const auto [more, less] = sidesOf(constraint.expression);
    const auto left = Builder.valueOf(member, more, Names);
    const auto right = Builder.valueOf(member, less, Names);
    if (!left || !right)
      return std::nullopt;
    all.push_back(*left + wordOf(constraint.relation) + *right);
  }
  return all;
}

/// Returns the tests for whether some thread runs the access.
std::optional<FillWriter::Texts>
FillWriter::tests(const CellAccess &access) const {
  auto all = tests(access.member, access.guard);
  for (std::uint32_t axis = 0; all && axis < Builder.rank; ++axis) {
    if (access.mayBeBefore[axis])
      all->push_back(Names[axis] + " >= 0");
    if (access.mayBeBehind[axis])
      all->push_back(Names[axis] + " < 1ll * " +
                     (Builder.grid.empty() ? "gridDim" : Builder.grid) + "." +
                     axisName(axis) + " * " +
                     std::to_string(Builder.group.block[axis]));
  }
  return all;
}

std::string FillWriter::call(const Texts &tests, const Offset &offset) {
  std::string &name = Functions[tests];
  const bool isNew = name.empty();
  if (isNew)
    name = Builder.names.local("kfuseInside", Builder.taken);
  const std::string body = listed(
      "    return ", tests.empty() ? Texts{"true"} : tests, ";", "", " &&");
  Texts parameters, arguments;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (!mentions(body, Names[axis]))
      continue;
    parameters.push_back("long long " + Names[axis]);
    const std::string distance = std::to_string(std::abs(offset[axis]));
    arguments.push_back(Names[axis] + (offset[axis] > 0   ? " - " + distance
                                       : offset[axis] < 0 ? " + " + distance
                                                          : ""));
  }
  if (isNew)
    Declarations +=
        listed("  const auto " + name + " = [&](", parameters, ") {", "") +
        "\n" + body + "\n  };\n";
  return listed(name + "(", arguments, ")", "");
}

Result<std::string> FillWriter::fill(const ForwardedArray &forward,
                                     const std::string &element,
                                     const std::string &indent) {
  const TilePrefill &fill = *forward.fill;
  const std::uint32_t producer = fill.write.member;
  const auto cover = tests(fill.write);
  const auto index = Builder.valueOf(producer, fill.index, Names);
  const PointerParameter &pointer =
      Builder.kernelOf(producer).pointers[fill.pointer];
  const FusedParameter *parameter =
      Builder.parameterFor(producer, pointer.parameter);
  std::vector<std::optional<Texts>> guards;
  for (const CellAccess &read : fill.reads)
    guards.push_back(tests(read));
  if (!cover || !index || !parameter ||
      std::find(guards.begin(), guards.end(), std::nullopt) != guards.end())
    return Refusal{"the old content of " + Builder.program[forward.array].name +
                   " can't be named for its tile"};
  // Nothing needs to be loaded if the producer is sure to write.
  const std::string isWritten = call(*cover, {});
  Texts readers;
  for (std::size_t i = 0; i < guards.size(); ++i) {
    std::string text = call(*guards[i], fill.reads[i].offset);
    if (std::find(readers.begin(), readers.end(), text) == readers.end())
      readers.push_back(std::move(text));
  }
  // Cells are counted from the first on, also of `float (*p)[32]`.
  std::string first = parameter->name + pointer.path;
  if (pointer.dimensions > 0) {
    first = "(&" + first + "[0]";
    for (std::uint32_t i = 0; i < pointer.dimensions; ++i)
      first += "[0]";
    first += ")";
  }
  return indent + "if (!" + isWritten + ")\n" +
         listed("if (", readers, ")", indent + "  ", " ||") + "\n" + indent +
         "    " + element + " = " + first + "[" + *index + "];\n";
}

} // namespace kfuse
