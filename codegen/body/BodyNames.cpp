//===- BodyNames.cpp - The names in a merged body -------------------------===//

#include "codegen/body/BodyNames.h"

#include "codegen/text/BodyText.h"
#include "codegen/text/Names.h"
#include "codegen/text/TemplateNames.h"

#include <algorithm>

namespace kfuse {

std::set<std::string> usedNames(const MergedBodyBuilder &body,
                                std::size_t member) {
  const GuardedBody &parts = body.bodyOf(member);
  std::set<std::string> used =
      plainIdentifiers(body.members[member].statements);
  for (const LastStore &store : body.lastStores)
    if (store.owner == member)
      used.merge(plainIdentifiers(store.text));
  for (const auto &[forward, load] : body.firstLoads)
    if (load.owner == member)
      used.merge(plainIdentifiers(load.text));
  for (const BodyGuard &guard : parts.guards)
    used.merge(plainIdentifiers(body.textAt(member, guard.condition)));
  if (const auto &loop = body.builder.kernelOf(member).gridStride)
    used.merge(plainIdentifiers(body.textAt(member, loop->header)));
  used.merge(body.builder.names.mentionedBy(used));
  for (std::size_t i = parts.coordinates.size(); i-- > 0;)
    if (used.count(parts.coordinates[i].name) != 0) {
      std::set<std::string> words =
          plainIdentifiers(body.textAt(member, parts.coordinates[i].value));
      used.merge(body.builder.names.mentionedBy(words));
      used.merge(words);
    }
  return used;
}

namespace {

/// Removes a bracket at the end of the text and what it encloses; returns
/// whether there was one.
bool dropBrackets(std::string &text, char open, char close) {
  if (!text.ends_with(close))
    return false;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == close ? 1 : text[i] == open ? -1 : 0;
    if (depth == 0) {
      text.resize(i);
      return true;
    }
  }
  return false;
}

/// Returns a name for an element of an array that is called like that: `speed`
/// of `fields->speed`, `d_speed`, `speed_.data()`, `speed.ptr` and `speed[2]`.
std::string elementName(std::string array) {
  while (dropBrackets(array, '[', ']')) {
  }
  if (dropBrackets(array, '(', ')')) {
    dropBrackets(array, '<', '>');
    // A getter that only says that there is a pointer.
    for (const std::string getter : {"get", "data", "ptr", "data_ptr"})
      for (const std::string access : {".", "->"})
        if (array.ends_with(access + getter))
          array.resize(array.size() - access.size() - getter.size());
    while (dropBrackets(array, '[', ']')) {
    }
  }
  for (const std::string member : {"p", "ptr", "data", "d", "d_ptr", "d_data"})
    for (const std::string access : {".", "->"})
      if (array.ends_with(access + member)) {
        array.resize(array.size() - access.size() - member.size());
        while (dropBrackets(array, '[', ']')) {
        }
      }
  array.erase(0, array.find_last_of(".>") + 1);
  const bool isName = !array.empty() && std::all_of(array.begin(), array.end(),
                                                    isIdentifierCharacter);
  if (!isName)
    return "value";
  // The element, not the array on the device, nor the member.
  for (const std::string prefix : {"d_", "dev_", "device_", "m_"})
    if (array.starts_with(prefix) && array.size() > prefix.size())
      array.erase(0, prefix.size());
  if (array.ends_with('_') && array.size() > 1)
    array.pop_back();
  return array;
}

} // namespace

void holdForwards(MergedBodyBuilder &body) {
  std::set<std::string> avoided = body.builder.taken;
  for (std::size_t m = 0; m < body.builder.members(); ++m) {
    for (const Parameter &parameter : body.builder.kernelOf(m).parameters)
      avoided.insert(parameter.name);
    for (const BodyCoordinate &each : body.bodyOf(m).coordinates)
      avoided.insert(each.name);
    avoided.insert(body.bodyOf(m).declared.begin(),
                   body.bodyOf(m).declared.end());
  }
  for (const ForwardedArray &forward : body.builder.forwards) {
    addIdentifiers(forward.element.spelling, body.builder.taken);
    body.held.push_back(body.builder.names.local("kfuseValue", avoided));
  }
  if (body.builder.movesBlocks()) {
    body.builder.grid = body.builder.names.local("kfuseGrid", avoided);
    body.builder.element = body.builder.names.plain("v", avoided);
    body.builder.taken.insert({body.builder.grid, body.builder.element});
  }
  body.builder.zero = body.builder.names.local("kfuseZero", avoided);
  body.builder.taken.insert(body.builder.zero);
}

void nameForwards(MergedBodyBuilder &body) {
  for (std::size_t f = 0; f < body.builder.forwards.size(); ++f) {
    const ForwardedArray &forward = body.builder.forwards[f];
    std::string wanted = elementName(body.builder.program[forward.array].name);
    std::set<std::string> avoided = body.builder.taken;
    for (std::size_t m = 0; m < body.builder.members(); ++m)
      if (forward.roles[m].takesPart()) {
        avoided.insert(body.bodyOf(m).declared.begin(),
                       body.bodyOf(m).declared.end());
        for (const BodyCoordinate &each : body.bodyOf(m).coordinates)
          avoided.insert(each.name);
      }
    if (avoided.count(wanted) != 0)
      wanted = suffixed(wanted, "_value");
    body.builder.values.push_back(body.builder.names.plain(wanted, avoided));
    body.builder.flags.emplace_back();
    body.builder.taken.insert(body.builder.values.back());
    for (MemberText &member : body.members)
      member.names[body.held[f]] = body.builder.values.back();
  }
}

void nameParameters(MergedBodyBuilder &body) {
  for (std::size_t m = 0; m < body.builder.members(); ++m) {
    const std::set<std::string> used = usedNames(body, m);
    StageCall call;
    for (std::size_t p = 0; p < body.builder.kernelOf(m).parameters.size(); ++p)
      if (used.count(body.builder.kernelOf(m).parameters[p].name) != 0)
        call.arguments.push_back({StageArgument::Kind::Parameter, p});
    body.builder.calls.push_back(std::move(call));
  }
  body.builder.parameters = fusedParameters(
      body.builder.program, body.builder.group, body.builder.calls,
      body.builder.hasCommonProducts, body.builder.names, body.builder.taken);
  for (const FusedParameter &parameter : body.builder.parameters)
    for (const ParameterSource source : parameter.sources)
      body.members[source.member].names[body.builder.kernelOf(source.member)
                                            .parameters[source.parameter]
                                            .name] = parameter.name;
}

void nameVariables(MergedBodyBuilder &body, std::size_t member) {
  Renames &names = body.members[member].names;
  for (const std::string &name : body.bodyOf(member).declared) {
    if (names.count(name) != 0)
      continue;
    if (body.builder.taken.insert(name).second)
      continue;
    const std::string other = body.builder.names.plain(
        name + "_" + body.builder.kernelOf(member).name, body.builder.taken);
    names[name] = other;
  }
  for (LastStore &store : body.lastStores)
    if (store.owner == member)
      store.text = renamed(store.text, names);
  for (auto &[forward, load] : body.firstLoads)
    if (load.owner == member)
      load.text = renamed(load.text, names);
  Renames all = names;
  for (const auto &[parameter, variable] : body.members[member].parameterNames)
    all[parameter] = variable;
  std::string text = renamed(body.members[member].statements, all);
  if (body.builder.movesBlocks()) {
    const char axis = axisName(body.builder.group.elementsAxis)[0];
    const auto moved = withBlockIndex(text, axis,
                                      std::string("(blockIdx.") + axis + " * " +
                                          body.builder.count() + " + " +
                                          body.builder.element + ")");
    body.hasProblem |= !moved;
    text = moved.value_or(text);
  }
  body.members[member].statements = std::move(text);
}

} // namespace kfuse
