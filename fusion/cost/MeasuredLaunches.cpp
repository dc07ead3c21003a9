//===- MeasuredLaunches.cpp - A profile's entries by launch ---------------===//

#include "fusion/cost/MeasuredLaunches.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace kfuse {
namespace {

using Entries = std::vector<const MeasuredLaunch *>;

/// Checks whether a function's whole name, with its type and namespaces, is
/// that of the signature.
bool hasSignature(const MeasuredLaunch &entry, const std::string &signature) {
  return !signature.empty() && entry.function.ends_with(signature) &&
         entry.function.size() > entry.name.size();
}

const MeasuredScalar *scalarAt(const MeasuredLaunch &entry,
                               std::uint32_t parameter) {
  for (const MeasuredScalar &scalar : entry.scalars)
    if (scalar.index == parameter)
      return &scalar;
  return nullptr;
}

/// Returns the integer that hexadecimal digits, in memory's order, stand for.
std::int64_t integerOf(const std::string &digits, bool isSigned) {
  std::uint64_t value = 0;
  const std::size_t bytes = std::min<std::size_t>(8, digits.size() / 2);
  for (std::size_t i = bytes; i-- > 0;)
    value = (value << 8) | std::stoul(digits.substr(2 * i, 2), nullptr, 16);
  const std::size_t unused = 64 - 8 * bytes;
  if (isSigned && unused < 64)
    return static_cast<std::int64_t>(value << unused) >> unused;
  return static_cast<std::int64_t>(value);
}

/// A scalar's least and most value.
struct ScalarRange {
  std::int64_t min = 0, max = 0;
};

std::optional<ScalarRange> rangeOf(const Kernel &kernel,
                                   const MeasuredLaunch &entry,
                                   std::uint32_t number) {
  if (number >= kernel.scalars.size() || !kernel.scalars[number].path.empty())
    return std::nullopt;
  const ScalarParameter &parameter = kernel.scalars[number];
  const MeasuredScalar *scalar = scalarAt(entry, parameter.parameter);
  if (!scalar)
    return std::nullopt;
  if (!scalar->raw.empty()) {
    const auto value = integerOf(scalar->raw, !parameter.type.isUnsigned);
    return ScalarRange{value, value};
  }
  constexpr double Exact = 9007199254740992.0; // 2^53
  if (!scalar->min || std::abs(*scalar->min) > Exact ||
      std::abs(*scalar->max) > Exact)
    return std::nullopt;
  return ScalarRange{static_cast<std::int64_t>(*scalar->min),
                     static_cast<std::int64_t>(*scalar->max)};
}

/// Checks whether the numbers that stand in the source are those that ran.
bool isPossible(const Problem &problem, LaunchId id,
                const MeasuredLaunch &entry) {
  const Launch &launch = problem.program[id];
  const Kernel &kernel = problem.program.kernelOf(id);
  const auto differ = [](const LaunchConfig &config,
                         const std::optional<LaunchExtents> &measured) {
    for (std::size_t axis = 0; measured && axis < 3; ++axis)
      if (const auto value = config.extent[axis].asConstant();
          value && *value != static_cast<std::int64_t>((*measured)[axis]))
        return true;
    return false;
  };
  if (differ(launch.grid, entry.grid) || differ(launch.block, entry.block))
    return false;
  for (std::uint32_t i = 0; i < launch.scalars.size(); ++i) {
    const auto value = launch.scalars[i].asConstant();
    const auto range = rangeOf(kernel, entry, i);
    if (value && range && (*value < range->min || *value > range->max))
      return false;
  }
  return true;
}

/// Returns the threads of the launch if the source tells.
std::optional<double> threadsInSource(const Launch &launch) {
  double threads = 1;
  for (const LaunchConfig *config : {&launch.grid, &launch.block})
    for (const Polynomial &extent : config->extent) {
      const auto value = extent.asConstant();
      if (!value || *value < 1)
        return std::nullopt;
      threads *= static_cast<double>(*value);
    }
  return threads;
}

/// Returns the one of the kernel's configurations whose turn the launch has, if
/// the source has a launch for each.
const MeasuredLaunch *byOrder(const Program &program, LaunchId id,
                              Entries entries) {
  std::sort(entries.begin(), entries.end(),
            [](const MeasuredLaunch *lhs, const MeasuredLaunch *rhs) {
              return lhs->first < rhs->first;
            });
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i]->first == entries[i - 1]->first)
      return nullptr; // of several profiles, or of version 1
  std::size_t before = 0, all = 0;
  for (std::uint32_t i = 0; i < program.launches.size(); ++i)
    if (program.launches[i].kernel == program[id].kernel) {
      ++all;
      before += i < indexOf(id) ? 1 : 0;
    }
  return all == entries.size() ? entries[before] : nullptr;
}

const MeasuredLaunch *nearest(const Entries &entries, double threads) {
  const auto distance = [&](const MeasuredLaunch *entry) {
    return entry->threads ? std::abs(std::log(*entry->threads / threads)) : 0;
  };
  return *std::min_element(
      entries.begin(), entries.end(),
      [&](const MeasuredLaunch *lhs, const MeasuredLaunch *rhs) {
        return distance(lhs) < distance(rhs);
      });
}

/// Returns those for which the predicate holds, or all if it holds for none.
template <typename Predicate>
Entries chosen(const Entries &entries, Predicate isChosen) {
  Entries some;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(some),
               isChosen);
  return some.empty() ? entries : some;
}

/// Returns the configuration that the launch most likely is; nullptr if none of
/// its kernel was measured.
const MeasuredLaunch *choose(const Problem &problem, LaunchId launch) {
  const Profile &profile = problem.evidence.measured;
  const Kernel &kernel = problem.program.kernelOf(launch);
  const auto found =
      profile.find(kernel.part.of.empty() ? kernel.name : kernel.part.of);
  if (found == profile.end())
    return nullptr;
  Entries entries;
  for (const MeasuredLaunch &entry : found->second)
    entries.push_back(&entry);
  entries = chosen(entries, [&](const MeasuredLaunch *entry) {
    return hasSignature(*entry, kernel.signature);
  });
  const Entries possible = chosen(entries, [&](const MeasuredLaunch *entry) {
    return isPossible(problem, launch, *entry);
  });
  if (possible.size() > 1)
    if (const MeasuredLaunch *one = byOrder(problem.program, launch, entries);
        one && isPossible(problem, launch, *one))
      return one;
  const auto threads = threadsInSource(problem.program[launch]);
  return threads ? nearest(possible, *threads) : possible.front();
}

} // namespace

struct MeasuredMemo {
  explicit MeasuredMemo(std::size_t launches) : known(launches) {}
  std::vector<std::optional<const MeasuredLaunch *>> known; ///< by LaunchId
};

const MeasuredLaunch *measuredLaunch(const Problem &problem, LaunchId launch) {
  if (problem.evidence.measured.empty())
    return nullptr;
  MeasuredMemo &memo =
      madeOn(problem.memos.measured, problem.program.launches.size());
  auto &known = memo.known[indexOf(launch)];
  if (!known)
    known = choose(problem, launch);
  return *known;
}

std::optional<std::int64_t>
measuredScalar(const Problem &problem, LaunchId launch, std::uint32_t scalar) {
  const MeasuredLaunch *entry = measuredLaunch(problem, launch);
  const auto range =
      entry ? rangeOf(problem.program.kernelOf(launch), *entry, scalar)
            : std::nullopt;
  if (!range)
    return std::nullopt;
  return range->min + (range->max - range->min) / 2;
}

std::optional<double> measuredBytes(const Problem &problem, LaunchId id,
                                    ArrayId array) {
  const MeasuredLaunch *entry = measuredLaunch(problem, id);
  if (!entry)
    return std::nullopt;
  const Launch &launch = problem.program[id];
  const Kernel &kernel = problem.program.kernelOf(id);
  std::optional<double> most;
  for (std::size_t i = 0; i < launch.pointers.size(); ++i) {
    const PointerParameter &pointer = kernel.pointers[i];
    if (launch.pointers[i].array != array || pointer.global ||
        !pointer.path.empty())
      continue;
    for (const MeasuredArray &each : entry->arrays)
      if (each.index == pointer.parameter && each.maxBytes != 0)
        most = std::max(most.value_or(0), static_cast<double>(each.maxBytes));
  }
  return most;
}

SizeOrigin sizeOrigin(const Problem &problem, LaunchId launch) {
  if (threadsInSource(problem.program[launch]))
    return SizeOrigin::Source;
  const MeasuredLaunch *entry = measuredLaunch(problem, launch);
  return entry && (entry->grid || entry->threads) ? SizeOrigin::Measured
                                                  : SizeOrigin::Assumed;
}

} // namespace kfuse
