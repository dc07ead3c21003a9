//===- HostWriter.cpp - Launches become one -------------------------------===//
#include "codegen/host/HostWriter.h"

#include "codegen/host/Arguments.h"
#include "codegen/host/OpenClLaunchers.h"
#include "codegen/text/BodyText.h"
#include "codegen/text/Conditions.h"
#include "codegen/text/ParameterText.h"
#include "codegen/text/TileText.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

/// Statements one below the other, at the indentation of the line they begin
/// on.
using Lines = std::vector<std::string>;

/// Returns one step of indentation: how much further the statement's line is
/// indented than that of the brace around it.
std::string indentUnit(const SourceText &source, std::uint32_t statement) {
  const std::string indent = indentation(source, statement);
  unsigned closed = 0;
  for (std::size_t i = tokenAt(source, statement); i-- > 0;) {
    const std::string_view word = spelling(source.text, source.tokens[i]);
    if (word == "}" || (word == "{" && closed != 0)) {
      closed += word == "}" ? 1 : -1;
      continue;
    }
    if (word != "{")
      continue;
    const std::string outer = indentation(source, source.tokens[i].begin);
    if (indent.size() > outer.size() && indent.starts_with(outer))
      return indent.substr(outer.size());
    break;
  }
  return indent.find('\t') != std::string::npos ? "\t" : "  ";
}

class HostWriter {
public:
  HostWriter(const SourceText &source, const Program &program, Names &names,
             Helpers &helpers)
      : Source(source), Code(program), Unique(names), Tools(helpers) {}

  /// The texts of one group: the one at its place, and what its launches leave
  /// where they stood.
  struct GroupText {
    std::string atPlace;
    std::map<LaunchId, std::vector<std::string>> declarations;
  };

  /// Checks whether the OpenCL launch stands in the condition of a check, whose
  /// block follows it.
  bool endsInBlock(LaunchId launch) const {
    const auto &enqueue = Code[launch].enqueue;
    return enqueue && enqueue->after.ends_with("}");
  }

  /// Adds a statement for a replaced OpenCL launch: the result that it assigned
  /// becomes CL_SUCCESS, since nothing went wrong.
  void keepResult(LaunchId launch, std::vector<std::string> &lines) const {
    const auto &enqueue = Code[launch].enqueue;
    if (!enqueue || enqueue->isPlainCheck || enqueue->before.empty())
      return;
    const std::vector<TextToken> tokens = tokensOf(enqueue->before);
    // An error more among those that it may be.
    if (enqueue->after.empty() && !tokens.empty() &&
        spelling(enqueue->before, tokens.back()) == "|=")
      return;
    lines.push_back(enqueue->before + "CL_SUCCESS" + enqueue->after +
                    (endsInBlock(launch) ? "" : ";"));
  }

  Result<GroupText> write(const HostGroup &group, StepPlace place) {
    const std::string why = checkLaunches(group, place);
    if (!why.empty())
      return Refusal{why};
    if (!group.swap.empty())
      return GroupText{group.swap, {{group.launches.front(), {}}}};
    const bool repeats = group.kernel && !group.kernel->conditions.empty();
    HostArguments arguments(Source, Code, Unique, place, repeats);
    GroupText result;
    auto text = group.kernel ? fusedText(group, place, arguments)
                             : arguments.statement(group.launches.front());
    if (const Refusal *refusal = refusalOf(text))
      return *refusal;
    result.atPlace = std::get<std::string>(std::move(text));
    for (const LaunchId launch : group.launches) {
      arguments.keepEffects(launch);
      result.declarations[launch] = arguments.declarations(launch);
      if (placeOf(Code, Code[launch].step) != place)
        keepResult(launch, result.declarations[launch]);
      if (!arguments.declarations(launch).empty() &&
          hasJumps(Source, Code, Code[launch].region))
        return Refusal{"a jump would pass over a temporary"};
    }
    if (!arguments.problem().empty())
      return Refusal{arguments.problem()};
    return result;
  }

private:
  const HostStep &stepOf(LaunchId launch) const {
    return Code[Code[launch].step];
  }

  const HostStep &stepAt(StepPlace place) const {
    return Code[Code.regions[indexOf(place.region)].steps[place.step]];
  }

  std::string checkLaunches(const HostGroup &group, StepPlace place) const {
    for (const LaunchId launch : group.launches) {
      const HostStep &step = stepOf(launch);
      const SourceRange &range = Code[launch].range;
      const bool isPlain =
          isWhole(Source, step) && Source.holds(range) && !range.inMacro &&
          range.begin == step.range.begin && range.end <= step.range.end &&
          (isSemicolon(range.end, step.range.end) || endsInBlock(launch)) &&
          beginsStatement(Source, step.range.begin);
      if (!isPlain)
        return "the launch of '" + Code.kernelOf(launch).name +
               "' isn't a statement of its own";
      if (Code.regions[indexOf(step.region)].isShared)
        return "the function that launches '" + Code.kernelOf(launch).name +
               "' is shared";
      if (step.region != place.region)
        return "the launches stand in different regions";
    }
    if (place.step >= Code.regions[indexOf(place.region)].steps.size() ||
        !isWhole(Source, stepAt(place)))
      return "the place of the fused launch can't be edited";
    return {};
  }

  bool isSemicolon(std::uint32_t begin, std::uint32_t end) const {
    const std::size_t first = tokenAt(Source, begin);
    return first < Source.tokens.size() &&
           spelling(Source.text, Source.tokens[first]) == ";" &&
           Source.tokens[first].end == end;
  }

  Result<std::string> fusedText(const HostGroup &group, StepPlace place,
                                HostArguments &arguments) {
    const std::string indent = indentation(Source, stepAt(place).range.begin);
    const std::string unit = indentUnit(Source, stepAt(place).range.begin);
    const HostText text = [&](LaunchId launch, const HostExpr &expression) {
      return arguments.text(launch, expression);
    };
    auto tests = conditionTexts(Code, *group.kernel, text, Tools);
    if (const Refusal *refusal = refusalOf(tests))
      return *refusal;
    auto &conditions = std::get<std::vector<std::string>>(tests);
    if (Code.language == Language::OpenCL && !conditions.empty())
      return Refusal{"conditions aren't written for OpenCL"};
    if (Code.language == Language::OpenCL)
      return launcherCall(Code, group, text, indent);
    const std::string flags = flagsOf(group, arguments);
    if (!conditions.empty() && !flags.empty())
      conditions.insert(conditions.begin(), operand(flags));
    const bool isAsked = conditions.empty() && !flags.empty();
    const bool isBraced =
        !conditions.empty() || group.code->passesGrid || isAsked;
    std::string call =
        callText(group, arguments, isBraced ? indent + unit : indent);
    if (!isBraced)
      return call;
    std::string head = isAsked              ? "if (" + flags + ") {\n"
                       : conditions.empty() ? "{\n"
                                            : "";
    // One line for each test, if it fits.
    for (std::size_t i = 0; i < conditions.size(); ++i)
      head += wrapped(indent + (i == 0 ? "if (" : "    ") + conditions[i] +
                          (i + 1 < conditions.size() ? " &&\n" : ") {\n"),
                      100);
    // The first line stands where the launch stood.
    std::string result = conditions.empty() ? head : head.substr(indent.size());
    result += indent + unit + call + "\n" + indent + "}";
    if (conditions.empty())
      return result;
    result += " else {\n";
    for (const LaunchId launch : group.launches)
      result +=
          indent + unit + shifted(arguments.statement(launch), unit) + "\n";
    return result + indent + "}";
  }

  /// Returns the condition under which one of the launches runs: nothing else
  /// says that there may be a launch of this shape. Empty if one always does.
  std::string flagsOf(const HostGroup &group, HostArguments &arguments) const {
    std::vector<std::string> flags;
    for (const LaunchId launch : group.launches) {
      if (!Code.kernelOf(launch).part.hasFlag)
        return {};
      std::string flag = operand(
          arguments.text(launch, Code[launch].arguments.back().expression));
      if (std::find(flags.begin(), flags.end(), flag) == flags.end())
        flags.push_back(std::move(flag));
    }
    std::string all;
    for (const std::string &flag : flags)
      all += (all.empty() ? "" : " || ") + flag;
    return all;
  }

  /// Returns the condition as an operand of `&&` or `||`.
  static std::string operand(const std::string &condition) {
    return condition.find_first_of("?,|&^") == std::string::npos
               ? condition
               : "(" + condition + ")";
  }

  /// Writes the fused launch, its first line without indentation.
  std::string callText(const HostGroup &group, HostArguments &arguments,
                       const std::string &indent) {
    const LaunchId shapeId = group.kernel->launches[group.kernel->leader];
    const Launch &shape = Code[shapeId];
    const LaunchId lastId = group.launches.back();
    const Launch &last = Code[lastId];
    std::string text;
    std::string grid = arguments.text(shapeId, shape.grid.expression);
    std::string gridName;
    if (group.code->passesGrid) {
      const std::string count = std::to_string(group.kernel->elementsPerThread);
      std::set<std::string> taken;
      gridName = Unique.local("kfuseGrid", taken);
      const std::string blocks = Unique.local("kfuseBlocks", taken);
      text = "const dim3 " + gridName + " = " + grid + ";\n" + indent +
             "const dim3 " + blocks + "(";
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        const std::string extent = gridName + "." + axisName(axis);
        text += axis == 0 ? "" : ", ";
        text += axis != group.kernel->elementsAxis
                    ? extent
                    : "(" + extent + " + " +
                          std::to_string(group.kernel->elementsPerThread - 1) +
                          ") / " + count;
      }
      text += ");\n" + indent;
      grid = blocks;
    }
    std::string configuration =
        grid + ", " + arguments.text(shapeId, shape.block.expression);
    // Stages use it in turn: the most is enough for each.
    std::string shared;
    std::int64_t most = 0;
    for (const LaunchId launch : group.launches) {
      const HostExpr &bytes = Code[launch].sharedBytes;
      const std::int64_t known = bytes.value.asConstant().value_or(0);
      if (!Code.kernelOf(launch).usesDynamicShared || bytes.text.empty() ||
          known < most)
        continue;
      shared = arguments.text(launch, bytes);
      most = known;
    }
    const bool hasStream = !last.stream.text.empty();
    if (hasStream || !shared.empty())
      configuration += ", " + (shared.empty() ? "0" : shared);
    if (hasStream)
      configuration += ", " + arguments.text(lastId, last.stream);

    std::vector<std::string> items;
    for (const ParameterSource source : group.code->arguments) {
      const LaunchId launch = group.launches[source.member];
      items.push_back(arguments.text(
          launch, Code[launch].arguments[source.parameter].expression));
    }
    for (const ShapeArgument &argument : group.code->shapes) {
      const LaunchId launch = group.launches[argument.member];
      items.push_back(arguments.text(
          launch, (argument.isBlock ? Code[launch].block : Code[launch].grid)
                      .expression));
    }
    if (group.code->passesGrid)
      items.push_back(gridName);
    if (!group.code->opaqueZeros.empty())
      items.push_back(group.code->opaqueZeros);
    return text + listed(group.code->scope + group.code->name + "<<<" +
                             configuration + ">>>(",
                         items, ");", indent)
                      .substr(indent.size());
  }

  const SourceText &Source;
  const Program &Code;
  Names &Unique;
  Helpers &Tools;
};

/// Puts the groups' texts into the region's statements.
class Placer {
public:
  Placer(const SourceText &source, const Program &program, Edits &edits)
      : Source(source), Code(program), Out(edits) {}

  void add(const HostGroup &group, StepPlace place,
           const HostWriter::GroupText &text, bool isUnmoved) {
    Texts[place].push_back(isUnmoved ? "" : text.atPlace);
    if (isUnmoved)
      return;
    for (const LaunchId launch : group.launches)
      Edited[launch] = text.declarations.at(launch);
  }

  /// Moves the check after all texts of its place, unless the last of them is
  /// the same check. A second `error = cudaGetLastError();` would lose what the
  /// first one found.
  void defer(const DeferredCheck &check) {
    const HostStep &step = Code[check.step];
    const SourceRange &range = step.range;
    std::vector<std::string> &texts = Texts[check.place];
    const bool mergesWithSame = step.onlyReports || step.takesError;
    if (!mergesWithSame || texts.empty() || texts.back() != Source.at(range))
      texts.emplace_back(Source.at(range));
    MergesWithSame[check.place] = mergesWithSame;
    const TextRange extent = removal(Source, range);
    Out.replace(extent.begin, extent.end, "");
  }

  /// Returns the statement behind the place; empty if there is none.
  std::string_view textBehind(StepPlace place) const {
    const std::vector<StepId> &steps = Code[place.region].steps;
    return place.step + 1 < steps.size()
               ? Source.at(Code[steps[place.step + 1]].range)
               : std::string_view();
  }

  void finish() {
    std::set<LaunchId> done;
    for (auto &[place, texts] : Texts) {
      if (MergesWithSame[place] && texts.back() == textBehind(place))
        texts.pop_back();
      const HostStep &step =
          Code[Code.regions[indexOf(place.region)].steps[place.step]];
      const auto edited = Edited.find(step.launch);
      Lines lines;
      if (edited != Edited.end())
        lines = edited->second;
      for (const std::string &text : texts)
        if (!text.empty())
          lines.push_back(text);
      if (lines.empty())
        continue;
      if (edited != Edited.end()) {
        done.insert(step.launch);
        replace(step.range, lines);
      } else {
        insertAfter(step.range, lines);
      }
    }
    for (const auto &[launch, lines] : Edited) {
      const SourceRange &range = Code[Code[launch].step].range;
      if (done.count(launch) != 0)
        continue;
      if (!lines.empty()) {
        replace(range, lines);
        continue;
      }
      const TextRange extent = removal(Source, range);
      Out.replace(extent.begin, extent.end, "");
    }
  }

private:
  std::string joined(const SourceRange &range, const Lines &lines) const {
    const std::string indent = indentation(Source, range.begin);
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == 0 ? "" : "\n" + indent) + lines[i];
    return text;
  }
  void replace(const SourceRange &range, const Lines &lines) {
    Out.replace(range.begin, range.end,
                withLineEnds(Source, joined(range, lines)));
  }
  void insertAfter(const SourceRange &range, const Lines &lines) {
    const std::string indent = indentation(Source, range.begin);
    Out.insert(range.end,
               withLineEnds(Source, "\n" + indent + joined(range, lines)));
  }

  const SourceText &Source;
  const Program &Code;
  Edits &Out;
  std::map<StepPlace, Lines> Texts; ///< empty for a launch that stays there
  std::map<StepPlace, bool> MergesWithSame; ///< the last text of a place
  std::map<LaunchId, Lines> Edited;         ///< with what stands in their place
};

} // namespace

HostEdits rewriteHost(const SourceText &source, const Program &program,
                      const std::vector<HostGroup> &groups,
                      const LaunchPlacement &arrangement,
                      const std::vector<DeferredCheck> &checks, Names &names,
                      Helpers &helpers) {
  HostEdits result;
  HostWriter writer(source, program, names, helpers);
  Placer placer(source, program, result.edits);
  std::map<std::size_t, std::string> stuck; // single launches
  for (const std::uint32_t index : arrangement.sequence) {
    const HostGroup &group = groups[index];
    const StepPlace place = arrangement.places[index];
    const bool isUnmoved =
        !group.kernel && group.swap.empty() &&
        place == placeOf(program, program[group.launches.front()].step);
    if (isUnmoved) {
      placer.add(group, place, {}, true);
      continue;
    }
    auto text = writer.write(group, place);
    if (const Refusal *refusal = refusalOf(text))
      (group.kernel || !group.swap.empty() ? result.refused : stuck)[index] =
          refusal->reason;
    else
      placer.add(group, place, std::get<HostWriter::GroupText>(text), false);
  }
  // If a launch would have to move and can't, the groups that it waits for are
  // refused: all that share its region.
  for (const auto &[index, reason] : stuck)
    for (std::size_t other = 0; other < groups.size(); ++other)
      if (groups[other].kernel &&
          arrangement.places[other].region == arrangement.places[index].region)
        result.refused.emplace(other, "a launch that waits for it can't be "
                                      "moved: " +
                                          reason);
  for (const DeferredCheck &check : checks)
    if (check.obstacle.empty())
      placer.defer(check);
  placer.finish();
  return result;
}

} // namespace kfuse
