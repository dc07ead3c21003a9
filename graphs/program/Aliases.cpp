//===- Aliases.cpp - Which names can be one storage -----------------------===//

#include "graphs/program/Aliases.h"

#include "graphs/program/Storages.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

/// Returns whether the array has storage of its own, wherever its address goes.
bool isOwnStorage(const Array &array) {
  if (array.isMeasured)
    return false;
  return array.origin == ArrayOrigin::Allocation ||
         array.origin == ArrayOrigin::DeviceVariable ||
         array.origin == ArrayOrigin::ConstantVariable ||
         (array.origin == ArrayOrigin::Managed && !array.escapes);
}

/// Returns whether a pointer from elsewhere may lead to the storage.
/// Allocations and constants are hidden until their address escapes; the
/// address of a device variable or of managed memory can be had elsewhere too.
bool isReachable(const Array &array) {
  switch (array.origin) {
  case ArrayOrigin::Allocation:
    return array.escapes;
  case ArrayOrigin::ConstantVariable:
    return array.escapes && !array.isOnlyNamed;
  case ArrayOrigin::Managed:
  case ArrayOrigin::DeviceVariable:
  case ArrayOrigin::PointerArgument:
  case ArrayOrigin::Unknown:
    return true;
  }
  return true;
}

bool mayOverlap(const Array &lhs, const Array &rhs) {
  if (isOwnStorage(lhs) && isOwnStorage(rhs))
    return false;
  return isReachable(lhs) && isReachable(rhs);
}

} // namespace

Alias alias(const Program &program, ArrayId lhs, ArrayId rhs) {
  if (lhs == rhs)
    return Alias::Same;
  if (std::max(indexOf(lhs), indexOf(rhs)) >= program.arrays.size())
    return Alias::May;
  if (isOwnStorage(program[lhs]) && isOwnStorage(program[rhs]))
    return Alias::Never;
  if (program[lhs].candidates.empty() && program[rhs].candidates.empty())
    return mayOverlap(program[lhs], program[rhs]) ? Alias::May : Alias::Never;
  std::set<ArrayId> left = storagesOf(program, lhs);
  std::set<ArrayId> right = storagesOf(program, rhs);
  for (ArrayId l : left)
    for (ArrayId r : right)
      if (l == r || mayOverlap(program[l], program[r]))
        return Alias::May;
  return Alias::Never;
}

std::vector<std::vector<ArrayId>> namesOf(const Program &program) {
  const auto count = static_cast<std::uint32_t>(program.arrays.size());
  std::vector<std::vector<ArrayId>> names(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    // Two that have storage of their own are never one: there may be thousands.
    if (isOwnStorage(program.arrays[i])) {
      names[i].push_back(ArrayId{i});
      continue;
    }
    for (std::uint32_t j = 0; j < count; ++j)
      if (alias(program, ArrayId{i}, ArrayId{j}) != Alias::Never) {
        names[i].push_back(ArrayId{j});
        if (isOwnStorage(program.arrays[j]))
          names[j].push_back(ArrayId{i});
      }
  }
  for (std::vector<ArrayId> &each : names)
    std::sort(each.begin(), each.end());
  return names;
}

} // namespace kfuse
