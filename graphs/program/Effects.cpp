//===- Effects.cpp - What a host step does to device storage --------------===//

#include "graphs/program/Effects.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

/// Collects effects so that each array is listed once.
class EffectMap {
public:
  void add(ArrayId array, bool reads, bool writes) {
    Effect &effect = Effects[array];
    effect.array = array;
    effect.reads |= reads;
    effect.writes |= writes;
  }
  std::vector<Effect> list() const {
    std::vector<Effect> effects;
    for (const auto &[array, effect] : Effects)
      effects.push_back(effect);
    return effects;
  }

private:
  std::map<ArrayId, Effect> Effects;
};

/// Adds writes of both arrays of each exchange, so that a step that mentions a
/// swapped pointer stays on its side of this one.
void addExchanges(const HostStep &step, EffectMap &effects) {
  for (const Exchange &exchange : step.exchanges) {
    effects.add(exchange.target, false, true);
    effects.add(exchange.source, false, true);
  }
}

/// Returns whether the kernel may reach storage that no access shows.
bool reachesUnseenStorage(const Kernel &kernel) {
  static constexpr KernelFeature Unseen[] = {
      KernelFeature::InlineAssembly,  KernelFeature::DeviceLaunch,
      KernelFeature::Texture,         KernelFeature::UnknownCall,
      KernelFeature::Recursion,       KernelFeature::OtherCompiler,
      KernelFeature::EscapingPointer, KernelFeature::SideEffect,
      KernelFeature::NotFollowed,
  };
  return !kernel.analysed || std::any_of(std::begin(Unseen), std::end(Unseen),
                                         [&](KernelFeature feature) {
                                           return has(kernel, feature);
                                         });
}

/// Appends the steps of `region` and, after each step, those nested in it.
class OrderWalk {
public:
  explicit OrderWalk(const Program &program)
      : Prog(program), StepSeen(program.steps.size()),
        RegionSeen(program.regions.size()) {}

  void visit(RegionId region) {
    if (indexOf(region) >= RegionSeen.size() || RegionSeen[indexOf(region)])
      return;
    RegionSeen[indexOf(region)] = true;
    for (StepId step : Prog[region].steps)
      visit(step);
  }
  void visit(StepId step) {
    if (indexOf(step) >= StepSeen.size() || StepSeen[indexOf(step)])
      return;
    StepSeen[indexOf(step)] = true;
    Order.push_back(step);
    for (RegionId nested : Prog[step].nested)
      visit(nested);
  }
  std::vector<StepId> take() { return std::move(Order); }

private:
  const Program &Prog;
  std::vector<bool> StepSeen, RegionSeen;
  std::vector<StepId> Order;
};

} // namespace

StepEffects effectsOf(const Program &program, LaunchId launch) {
  const Launch &member = program[launch];
  StepEffects result;
  result.everything =
      member.argumentsAct || reachesUnseenStorage(program[member.kernel]);
  EffectMap effects;
  for (const Access &access : member.accesses) {
    if (access.pointer >= member.pointers.size() ||
        indexOf(member.pointers[access.pointer].array) >=
            program.arrays.size()) {
      result.everything = true;
      continue;
    }
    effects.add(member.pointers[access.pointer].array,
                access.kind != AccessKind::Write,
                access.kind != AccessKind::Read);
  }
  // A kernel that was not followed may do anything to what it is given.
  if (result.everything)
    for (const PointerValue &pointer : member.pointers)
      if (indexOf(pointer.array) < program.arrays.size())
        effects.add(pointer.array, true, true);
  addExchanges(program[member.step], effects);
  result.effects = effects.list();
  return result;
}

StepEffects effectsOf(const Program &program, StepId step) {
  if (std::optional<LaunchId> launch = memberOf(program, step))
    return effectsOf(program, *launch);
  const HostStep &host = program[step];
  StepEffects result;
  // A launch that is no member is one that could not be followed.
  result.everything = host.touchesEverything || host.kind == StepKind::Opaque ||
                      host.kind == StepKind::Launch;
  EffectMap effects;
  for (const Effect &effect : host.effects) {
    if (indexOf(effect.array) < program.arrays.size())
      effects.add(effect.array, effect.reads, effect.writes);
    else
      result.everything = true;
  }
  addExchanges(host, effects);
  result.effects = effects.list();
  return result;
}

std::optional<LaunchId> memberOf(const Program &program, StepId step) {
  const LaunchId launch = program[step].launch;
  if (indexOf(launch) < program.launches.size())
    return launch;
  return std::nullopt;
}

std::vector<StepId> programOrder(const Program &program) {
  OrderWalk walk(program);
  for (std::uint32_t i = 0; i < program.regions.size(); ++i)
    if (!program.regions[i].parent)
      walk.visit(static_cast<RegionId>(i));
  // Regions that no step leads to, such as the body of a lambda.
  for (std::uint32_t i = 0; i < program.regions.size(); ++i)
    walk.visit(static_cast<RegionId>(i));
  for (std::uint32_t i = 0; i < program.steps.size(); ++i)
    walk.visit(static_cast<StepId>(i));
  return walk.take();
}

RegionId rootOf(const Program &program, RegionId region) {
  // Bounded, so that parents in a circle can't hang it.
  for (std::size_t depth = 0; depth < program.regions.size(); ++depth) {
    if (indexOf(region) >= program.regions.size() || !program[region].parent)
      break;
    region = *program[region].parent;
  }
  return region;
}

bool isReplaced(const Program &program, LaunchId launch) {
  return program[rootOf(program, program[launch].region)].isReplaced;
}

std::optional<StepId> ownerOf(const Program &program, RegionId region) {
  const std::optional<RegionId> parent = program[region].parent;
  if (!parent)
    return std::nullopt;
  for (const StepId step : program[*parent].steps) {
    const std::vector<RegionId> &nested = program[step].nested;
    if (std::find(nested.begin(), nested.end(), region) != nested.end())
      return step;
  }
  return std::nullopt;
}

} // namespace kfuse
