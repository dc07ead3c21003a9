//===- Plan.cpp - How each group of a partition becomes a kernel ----------===//

#include "fusion/plan/Plan.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Returns the offset in those iterations in which it is least or most, as
/// `chosen` says of two numbers.
template <typename Chosen> Offset extreme(const Window &window, Chosen chosen) {
  Offset offset = window.base;
  for (const Window::Loop &loop : window.loops)
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::int32_t last = loop.first + loop.increment * (loop.trips - 1);
      offset[axis] +=
          chosen(loop.step[axis] * loop.first, loop.step[axis] * last);
    }
  return offset;
}

} // namespace

Offset Window::least() const {
  Offset offset =
      extreme(*this, [](auto one, auto other) { return std::min(one, other); });
  for (const Choice &choice : choices)
    offset[choice.axis] += choice.least;
  return offset;
}

Offset Window::most() const {
  Offset offset =
      extreme(*this, [](auto one, auto other) { return std::max(one, other); });
  for (const Choice &choice : choices)
    offset[choice.axis] += choice.most;
  return offset;
}

bool Placement::isPartial() const {
  return std::any_of(reads.begin(), reads.end(),
                     [](const ForwardedRead &read) { return read.isPartial; });
}

bool isRemainder(const TermTable &terms, const Condition &condition) {
  const auto symbol = condition.other.asSymbol();
  return condition.kind == ConditionKind::NoWrap &&
         condition.polynomial.isZero() && symbol &&
         symbol->kind == SymbolKind::Opaque &&
         terms[*symbol].kind == TermKind::Remainder;
}

bool isOfAllocations(const Condition &condition) {
  return condition.kind == ConditionKind::NoOverlap &&
         condition.firstSpans.empty();
}

bool isComputed(const FusedKernel &kernel, std::size_t member) {
  return std::any_of(kernel.placements.begin(), kernel.placements.end(),
                     [&](const Placement &placement) {
                       return placement.computed &&
                              placement.producers.front() == member;
                     });
}

bool spillsMore(const FusedKernel &kernel) {
  return kernel.launches.size() > 1 &&
         std::all_of(kernel.members.begin(), kernel.members.end(),
                     [&](const Projection &member) {
                       return member.spilledBytes <
                              kernel.projection.spilledBytes;
                     });
}

Groups groupsOf(const FusionPlan &plan) {
  Groups groups;
  for (const FusedKernel &kernel : plan.kernels)
    groups.push_back(kernel.launches);
  return groups;
}

} // namespace kfuse
