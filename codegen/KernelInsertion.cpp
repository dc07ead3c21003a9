//===- KernelInsertion.cpp - Where a fused kernel is defined --------------===//
#include "codegen/KernelInsertion.h"

#include "codegen/text/TemplateNames.h"
#include "text/Layout.h"

#include <algorithm>
#include <string>
#include <vector>

namespace kfuse {
namespace {

/// Returns how the launch names the kernel's scope if that is the end of its
/// whole name, and else the whole name.
std::string scopeIn(const SourceText &source, const Launch &launch,
                    const Kernel &kernel) {
  std::string whole = scopeOf(kernel), spelled, last;
  for (std::size_t i = tokenAt(source, launch.range.begin);
       i < source.tokens.size(); ++i) {
    const std::string_view word = spelling(source.text, source.tokens[i]);
    if (word == "::") {
      spelled += last + "::";
      last.clear();
    } else if (last.empty() && source.tokens[i].kind == TokenKind::Identifier) {
      last = word;
    } else {
      break;
    }
  }
  return !spelled.empty() && whole.ends_with("::" + spelled) ? spelled : whole;
}

} // namespace

bool serves(const Sources &sources, const KernelInsertion &known,
            const KernelInsertion &place) {
  return known.first() <= place.first() &&
         known.namespaces == place.namespaces &&
         isCompiledWith(sources.input(), known.first(), place.first()) &&
         namespacesAt(sources.input(), known.first()) ==
             namespacesAt(sources.input(), place.first());
}

Result<KernelInsertion> placeFor(const Sources &sources, const Program &program,
                                 const FusedKernel &kernel) {
  const Launch &launch = program[kernel.launches.front()];
  const SourceRange &function =
      program.regions[indexOf(launch.region)].functionRange;
  if (!sources.input().holds(function) || function.begin >= function.end)
    return Refusal{"the function that launches the group isn't in the input"};
  KernelInsertion place;
  place.definition = placeBefore(sources.input(), function.begin);
  for (const std::uint32_t own :
       {place.definition, placeAtTop(sources.input(), place.definition)})
    if (!isCompiledWith(sources.input(), own, launch.range.begin))
      return Refusal{"the function that launches the group begins in a part "
                     "that isn't compiled"};
  std::uint32_t stages = 0;
  // OpenCL's are in a string, and only the host's function stands here.
  if (program.kernelString)
    return place;
  for (const LaunchId member : kernel.launches)
    stages = std::max(
        stages,
        insertionPoint(sources, program.kernelOf(member).text).value_or(0));
  if (stages <= place.definition)
    return place;
  const auto here = namespacesAt(sources.input(), place.definition);
  if (!here || here != namespacesAt(sources.input(), stages))
    return Refusal{"a member is defined after its launch in another "
                   "namespace"};
  place.declaration = place.definition;
  place.definition = stages;
  place.isBehind = true;
  return place;
}

std::optional<KernelInsertion> placeBehindMembers(const Sources &sources,
                                                  const Program &program,
                                                  const FusedKernel &kernel,
                                                  UsedText text) {
  const auto usual = placeFor(sources, program, kernel);
  if (refusalOf(usual))
    return std::nullopt;
  KernelInsertion place = std::get<KernelInsertion>(usual);
  const Kernel &first = program.kernelOf(kernel.launches.front());
  const auto isEach = [&](auto condition) {
    return std::all_of(
        kernel.launches.begin(), kernel.launches.end(),
        [&](LaunchId member) { return condition(program.kernelOf(member)); });
  };
  if (program.kernelString)
    return isEach([](const Kernel &each) { return !each.text.changesAt; })
               ? std::optional(place)
               : std::nullopt;
  place.definition = 0;
  for (const LaunchId member : kernel.launches)
    place.definition = std::max(
        place.definition,
        insertionPoint(sources, program.kernelOf(member).text).value_or(0));
  const auto here = namespacesAt(sources.input(), place.definition);
  const bool isOneScope =
      here && isEach([&](const Kernel &each) {
        const auto own = insertionPoint(sources, each.text);
        return own && namespacesAt(sources.input(), *own) == here &&
               each.text.namespaces == first.text.namespaces &&
               scopeOf(each) == scopeOf(first) &&
               !(text == UsedText::Types && each.text.include.line == 0 &&
                 sources.isOwn(each.text.declaration.begin)) &&
               each.text.typesFrom < place.definition &&
               place.definition <= (text == UsedText::Statements
                                        ? each.text.changesAt
                                        : each.text.typesChangeAt)
                                       .value_or(-1);
      });
  const std::uint32_t launch = program[kernel.launches.front()].range.begin;
  if (!isOneScope || !isCompiledWith(sources.input(), place.definition, launch))
    return std::nullopt;
  place.isBehind = true;
  place.namespaces = first.text.namespaces;
  if (first.text.include.line == 0)
    place.indent = indentation(sources.input(), first.text.declaration.begin);
  const auto there =
      namespacesAt(sources.input(), std::get<KernelInsertion>(usual).first());
  if (place.namespaces.empty() && here == there)
    return place;
  // A declaration outside would be of another kernel.
  if (place.declaration)
    return std::nullopt;
  // In a namespace the short name may lead into one that only uses the kernel.
  place.scope =
      there && there->empty()
          ? scopeIn(sources.input(), program[kernel.launches.front()], first)
          : scopeOf(first);
  return place;
}

std::string typesObstacle(const Program &program, const FusedKernel &kernel,
                          const KernelInsertion &place) {
  for (const LaunchId member : kernel.launches) {
    const Kernel &each = program.kernelOf(member);
    if (!each.text.typeNames.empty() &&
        place.first() > each.text.typesChangeAt.value_or(-1))
      return "a type of '" + each.name +
             "' may be another one where it is launched";
  }
  return {};
}

} // namespace kfuse
