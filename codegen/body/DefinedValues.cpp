//===- DefinedValues.cpp - What defines forwarded values ------------------===//

#include "codegen/body/DefinedValues.h"

#include <algorithm>

namespace kfuse {

const Access *declaringStore(const MergedBodyBuilder &body, std::size_t member,
                             std::size_t forward) {
  if (body.firstLoads.count(forward) != 0)
    return nullptr;
  const auto &roles = body.builder.forwards[forward].roles;
  const auto first =
      std::find_if(roles.begin(), roles.end(),
                   [](const ForwardRole &role) { return role.takesPart(); });
  if (first != roles.begin() + static_cast<std::ptrdiff_t>(member) ||
      !first->produces)
    return nullptr;
  const Access *only = nullptr;
  for (const Access *access :
       accessesTo(body.builder.program, body.builder.launchOf(member),
                  body.builder.forwards[forward].array)) {
    if (access->kind == AccessKind::Read)
      continue;
    if (only)
      return nullptr;
    only = access;
  }
  const bool isDeclaring =
      only &&
      (only->form == AccessForm::Store || only->form == AccessForm::Update) &&
      only->loops.empty() && body.isOutermost(member, only->whole.begin) &&
      body.endOfStatement(member, *only).has_value();
  return isDeclaring ? only : nullptr;
}

std::set<std::size_t> alwaysDefined(const MergedBodyBuilder &body) {
  std::set<std::size_t> result;
  for (std::size_t f = 0; f < body.builder.forwards.size(); ++f)
    for (std::size_t m = 0; m < body.builder.members(); ++m)
      if (body.guards[m].empty() && declaringStore(body, m, f))
        result.insert(f);
  return result;
}

bool findFirstLoads(MergedBodyBuilder &body) {
  FusedKernelBuilder &builder = body.builder;
  for (std::size_t f = 0; f < builder.forwards.size(); ++f) {
    ForwardedArray &forward = builder.forwards[f];
    if (!forward.isPartial)
      continue;
    const std::size_t owner = forward.firstLoad->member;
    const Access &load =
        builder.kernelOf(owner).accesses[forward.firstLoad->access];
    if (!forward.stored || load.range.inMacro || !body.isCertain(owner, load) ||
        !body.isOfCoordinates(owner, load.range))
      return false;
    body.firstLoads[f] = {owner, body.textAt(owner, load.range)};
    forward.isPartial = false;
    for (ForwardedRead &read : forward.reads)
      read.isPartial = false;
    for (std::size_t m = 0; m < builder.members(); ++m)
      forward.roles[m].consumes |=
          !accessesTo(builder.program, builder.launchOf(m), forward.array)
               .empty();
  }
  return true;
}

void findLastStores(MergedBodyBuilder &body) {
  for (std::size_t f = 0; f < body.builder.forwards.size(); ++f) {
    ForwardedArray &forward = body.builder.forwards[f];
    std::vector<ForwardRole> &roles = forward.roles;
    const auto owner = static_cast<std::size_t>(
        std::find_if(roles.begin(), roles.end(),
                     [](const ForwardRole &role) { return role.produces; }) -
        roles.begin());
    const Access *first = declaringStore(body, owner, f);
    if (!forward.stored || !forward.canStoreLast || !first ||
        first->form != AccessForm::Store ||
        !body.isOfCoordinates(owner, first->range))
      continue;
    const auto isStored = [&](std::size_t m) {
      return storesTo(body.builder.program, body.builder.launchOf(m),
                      forward.array);
    };
    std::size_t stores = 0;
    for (std::size_t m = owner; m < roles.size(); ++m)
      stores += !roles[m].isOverwritten && isStored(m) ? 1 : 0;
    if (stores < 2)
      continue;
    LastStore store;
    store.owner = owner;
    store.text = body.textAt(owner, first->range) + " = " + body.held[f] + ";";
    for (std::size_t m = owner; m < roles.size(); ++m)
      if (isStored(m)) {
        store.after = m;
        roles[m].produces = roles[m].isOverwritten = true;
      }
    body.lastStores.push_back(std::move(store));
  }
}

} // namespace kfuse
