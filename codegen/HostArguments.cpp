//===- codegen/HostArguments.cpp - What a moved launch evaluates ----------===//
#include "codegen/HostArguments.h"

#include "text/Edits.h"

#include <algorithm>

namespace kfuse {
namespace {

bool isEffect(const HostExpr &expression) {
  return !expression.isPure && !expression.text.empty();
}

} // namespace

std::vector<const HostExpr *> expressionsOf(const Launch &launch) {
  std::vector<const HostExpr *> all = {&launch.grid.expression,
                                       &launch.block.expression,
                                       &launch.sharedBytes, &launch.stream};
  for (const LaunchArgument &argument : launch.arguments)
    all.push_back(&argument.expression);
  return all;
}

bool HostArguments::changes(LaunchId launch, const HostExpr &expression) const {
  const StepPlace own = placeOf(Code, Code[launch].step);
  const bool isMoved = own != At;
  if (isEffect(expression) && (isMoved || Repeats))
    return true;
  if (!isMoved)
    return false;
  const std::vector<StepId> &steps = Code.regions[indexOf(own.region)].steps;
  for (std::size_t i = own.step; i <= At.step && i < steps.size(); ++i)
    for (const VariableId assigned : Code[steps[i]].assigns)
      if (std::find(expression.uses.begin(), expression.uses.end(), assigned) !=
          expression.uses.end())
        return true;
  return false;
}

std::string HostArguments::nameFor(LaunchId id,
                                   const HostExpr &expression) const {
  const Launch &launch = Code[id];
  if (&expression == &launch.grid.expression)
    return "grid";
  if (&expression == &launch.block.expression)
    return "block";
  if (&expression == &launch.sharedBytes)
    return "shared";
  if (&expression == &launch.stream)
    return "stream";
  const std::vector<Parameter> &parameters = Code[launch.kernel].parameters;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    if (&expression == &launch.arguments[i].expression &&
        i < parameters.size() && !parameters[i].name.empty())
      return parameters[i].name;
  return "value";
}

std::string HostArguments::text(LaunchId launch, const HostExpr &expression) {
  if (const auto known = Temporaries.find(&expression);
      known != Temporaries.end())
    return known->second.name;
  if (expression.text.empty())
    Problem = "an argument of a launch has no text";
  Asked.push_back(&expression);
  if (!changes(launch, expression))
    return expression.text;
  if (expression.text.front() == '{')
    Problem = "an argument in braces can't be kept in a temporary";
  const std::string name = Unique.fresh("kfuse_" + nameFor(launch, expression));
  Temporaries[&expression] = {
      launch, name, "const auto " + name + " = " + expression.text + ";"};
  Order.push_back(&expression);
  return name;
}

std::string HostArguments::statement(LaunchId id) {
  const Launch &launch = Code[id];
  const SourceRange &range = Code[launch.step].range;
  Edits edits;
  for (const HostExpr *expression : expressionsOf(launch)) {
    if (expression->text.empty())
      continue;
    const std::string now = text(id, *expression);
    if (now == expression->text)
      continue;
    if (expression->range.inMacro ||
        Source.at(expression->range) != expression->text)
      Problem = "an argument of a launch isn't plain text";
    else
      edits.replace(expression->range.begin, expression->range.end, now);
  }
  const auto result = edits.apply(Source.text, range.begin, range.end);
  if (!result)
    Problem = "an argument stands outside of its launch";
  return result.value_or("");
}

void HostArguments::keepEffects(LaunchId launch) {
  for (const HostExpr *expression : expressionsOf(Code[launch])) {
    const bool isAsked =
        std::find(Asked.begin(), Asked.end(), expression) != Asked.end();
    if (!isEffect(*expression) || isAsked)
      continue;
    Temporaries[expression] = {launch, expression->text,
                               "static_cast<void>(" + expression->text + ");"};
    Order.push_back(expression);
  }
}

std::vector<std::string> HostArguments::declarations(LaunchId launch) const {
  std::vector<std::string> result;
  for (const HostExpr *expression : Order) {
    const Temporary &temporary = Temporaries.at(expression);
    if (temporary.launch == launch)
      result.push_back(temporary.declaration);
  }
  return result;
}

} // namespace kfuse
