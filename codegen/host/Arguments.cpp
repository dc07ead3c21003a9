//===- Arguments.cpp - What a moved launch evaluates ----------------------===//
#include "codegen/host/Arguments.h"

#include "codegen/text/ParameterText.h"
#include "text/Edits.h"

#include <algorithm>
#include <set>
#include <sstream>

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
  if (launch.enqueue)
    all.push_back(&launch.enqueue->program);
  return all;
}

namespace {

/// Returns the macros that `text` defines anew; AnyName if that isn't known.
std::set<std::string> redefinitions(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line(text.substr(begin, end - begin));
    begin = end + 1;
    const std::size_t mark = line.find_first_not_of(" \t");
    if (mark == std::string::npos || line[mark] != '#')
      continue;
    std::istringstream words(line.substr(mark + 1));
    std::string directive, name;
    words >> directive >> name;
    if (directive == "define" || directive == "undef")
      names.insert(name.substr(0, name.find('(')));
    else if (directive == "include" || directive == "pragma")
      names.insert(AnyName);
  }
  return names;
}

} // namespace

bool HostArguments::isHidden(LaunchId launch, std::string_view text) const {
  const StepPlace own = placeOf(Code, Code[launch].step);
  if (own == At)
    return false;
  const std::vector<StepId> &steps = Code.regions[indexOf(own.region)].steps;
  const std::size_t last = std::min(At.step, steps.size() - 1);
  const std::uint32_t begin = Code[steps[own.step]].range.begin;
  const std::uint32_t end = Code[steps[last]].range.end;
  std::set<std::string> changed;
  if (begin < end && end <= Source.text.size())
    changed =
        redefinitions(std::string_view(Source.text).substr(begin, end - begin));
  for (std::size_t i = own.step; i <= last; ++i)
    changed.insert(Code[steps[i]].declares.begin(),
                   Code[steps[i]].declares.end());
  if (changed.empty())
    return false;
  const std::vector<TextToken> tokens = tokensOf(text);
  return changed.count(AnyName) != 0 ||
         std::any_of(tokens.begin(), tokens.end(), [&](const TextToken &token) {
           const std::string name(spelling(text, token));
           // The names that a macro mentions aren't in the text.
           return changed.count(name) != 0 ||
                  std::find(Code.macros.begin(), Code.macros.end(), name) !=
                      Code.macros.end();
         });
}

bool HostArguments::changes(LaunchId launch, const HostExpr &expression) const {
  const StepPlace own = placeOf(Code, Code[launch].step);
  const bool isMoved = own != At;
  if (isEffect(expression) && (isMoved || Repeats))
    return true;
  if (!isMoved)
    return false;
  if (isHidden(launch, expression.text))
    return true;
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

std::string HostArguments::declaration(LaunchId id, const HostExpr &expression,
                                       const std::string &name) {
  const Launch &launch = Code[id];
  const std::string own = "const auto " + name;
  if (launch.enqueue) {
    for (const LaunchArgument &argument : launch.arguments)
      if (&expression == &argument.expression)
        return "const " + argument.type + " " + name;
    Problem = "what is launched, or where, changes between the launches";
  }
  for (const LaunchConfig *shape : {&launch.grid, &launch.block})
    if (&expression == &shape->expression)
      return shape->isScalar ? own : "const dim3 " + name;
  if (&expression == &launch.sharedBytes)
    return "const size_t " + name;
  if (&expression == &launch.stream)
    return "const cudaStream_t " + name;
  const auto at = std::find_if(launch.arguments.begin(), launch.arguments.end(),
                               [&](const LaunchArgument &argument) {
                                 return &argument.expression == &expression;
                               });
  const auto &parameters = Code[launch.kernel].parameters;
  const auto index = static_cast<std::size_t>(at - launch.arguments.begin());
  if (index >= parameters.size() || at->hasParameterType)
    return own;
  const Parameter &parameter = parameters[index];
  if (!isSpellable(parameter.type))
    Problem = "an argument is converted to a type that can't be written";
  const std::string type = withoutRestrict(parameter.type);
  const bool isConst = parameter.isPointer || type.rfind("const ", 0) == 0;
  return (isConst ? "" : "const ") + declare(type, name, false);
}

/// Checks whether another argument has a part of the expression's text.
bool HostArguments::sharesText(LaunchId launch,
                               const HostExpr &expression) const {
  const std::vector<const HostExpr *> all = expressionsOf(Code[launch]);
  return std::any_of(all.begin(), all.end(), [&](const HostExpr *other) {
    return other != &expression && !other->text.empty() &&
           other->range.file == expression.range.file &&
           other->range.begin < expression.range.end &&
           expression.range.begin < other->range.end;
  });
}

/// Checks whether the expression names a macro: where the argument was set, the
/// name may have meant something else.
bool HostArguments::namesMacro(LaunchId launch,
                               const HostExpr &expression) const {
  const auto &arguments = Code[launch].arguments;
  const bool isSetElsewhere =
      Code[launch].enqueue &&
      std::any_of(arguments.begin(), arguments.end(),
                  [&](const LaunchArgument &each) {
                    return &each.expression == &expression;
                  });
  const std::vector<TextToken> tokens = tokensOf(expression.text);
  return isSetElsewhere &&
         std::any_of(tokens.begin(), tokens.end(), [&](const TextToken &token) {
           return Unique.isMacro(spelling(expression.text, token));
         });
}

std::string HostArguments::text(LaunchId launch, const HostExpr &expression) {
  if (const auto known = Temporaries.find(&expression);
      known != Temporaries.end())
    return known->second.name;
  if (expression.text.empty())
    Problem = "an argument of a launch has no text";
  Asked.push_back(&expression);
  if (namesMacro(launch, expression))
    Problem = "a macro has the name of an argument";
  if (sharesText(launch, expression))
    Problem = "a macro stands for several arguments";
  if (!changes(launch, expression))
    return expression.text;
  if (expression.text.front() == '{')
    Problem = "an argument in braces can't be kept in a temporary";
  const std::string name = Unique.fresh("kfuse_" + nameFor(launch, expression));
  Temporaries[&expression] = {launch, name,
                              declaration(launch, expression, name) + " = " +
                                  expression.text + ";"};
  Order.push_back(&expression);
  return name;
}

std::string HostArguments::statement(LaunchId id) {
  const Launch &launch = Code[id];
  const SourceRange &range = Code[launch.step].range;
  const std::string_view head = Source.at(range);
  if (launch.enqueue)
    Problem = "the arguments of its kernel can't be moved with it";
  if (isHidden(id, head.substr(0, head.find("<<<"))))
    Problem = "the kernel's name means something else behind the launch";
  Edits edits;
  const HostExpr *flag = Code.kernelOf(id).part.hasFlag
                             ? &launch.arguments.back().expression
                             : nullptr;
  for (const HostExpr *expression : expressionsOf(launch)) {
    if (expression->text.empty() || expression == flag)
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
  std::string condition;
  if (flag) {
    condition = "if (" + text(id, *flag) + ") ";
    dropFlag(launch, edits);
  }
  const auto result = edits.apply(Source.text, range.begin, range.end);
  if (!result)
    Problem = "an argument stands outside of its launch";
  return condition + result.value_or("");
}

void HostArguments::dropFlag(const Launch &launch, Edits &edits) {
  const Kernel &kernel = Code[launch.kernel];
  const HostExpr &flag = launch.arguments.back().expression;
  const std::string_view copy = Source.at(kernel.text.name);
  std::size_t name = tokenAt(Source, launch.range.begin);
  while (name < Source.tokens.size() &&
         spelling(Source.text, Source.tokens[name]) != copy)
    ++name;
  if (name == Source.tokens.size() ||
      Source.tokens[name].begin > launch.range.end) {
    Problem = "the kernel's name isn't plain text";
    return;
  }
  edits.replace(Source.tokens[name].begin, Source.tokens[name].end,
                kernel.name);
  const std::string_view separator = launch.arguments.size() > 1 ? ", " : "";
  edits.replace(flag.range.begin - separator.size(), flag.range.end, "");
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
