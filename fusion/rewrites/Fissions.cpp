//===- Fissions.cpp - Launches that had better be several -----------------===//

#include "fusion/rewrites/Fissions.h"

#include "fusion/PlanGroup.h"
#include "fusion/group/GroupChecks.h"
#include "graphs/program/Aliases.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace kfuse {
namespace {

using Arrays = std::set<ArrayId>;

/// Maps each launch to the plan's kernel that has it.
std::map<LaunchId, std::size_t> kernelsOf(const FusionPlan &plan) {
  std::map<LaunchId, std::size_t> kernels;
  for (std::size_t i = 0; i < plan.kernels.size(); ++i)
    for (const LaunchId launch : plan.kernels[i].launches)
      kernels[launch] = i;
  return kernels;
}

/// Checks whether the two launches are given a common array.
bool areKin(const Launch &lhs, const Launch &rhs) {
  return std::any_of(
      lhs.pointers.begin(), lhs.pointers.end(), [&](const PointerValue &one) {
        return std::any_of(rhs.pointers.begin(), rhs.pointers.end(),
                           [&](const PointerValue &other) {
                             return one.array == other.array;
                           });
      });
}

void join(PartSet &into, const PartSet &other) {
  into.insert(other.begin(), other.end());
}

/// Joins pairs of pieces for which `belong` holds, until it holds for none.
template <typename Belong>
void joinPairs(std::vector<PartSet> &pieces, Belong belong) {
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (std::size_t j = i + 1; j < pieces.size();)
      if (belong(pieces[i], pieces[j])) {
        join(pieces[i], pieces[j]);
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(j));
        j = i + 1;
      } else {
        ++j;
      }
}

/// Returns the arrays that the piece of the launch touches, or if `isOutput`
/// only those that it writes. Every piece touches device variables.
Arrays touched(const Program &program, const FissionCandidate &separation,
               const Launch &launch, const PartSet &piece, bool isOutput) {
  Arrays arrays;
  const Kernel &kernel = program[launch.kernel];
  for (std::size_t i = 0; i < kernel.pointers.size(); ++i) {
    const PointerParameter &pointer = kernel.pointers[i];
    const bool isOwn =
        std::any_of(piece.begin(), piece.end(), [&](std::uint32_t number) {
          const FissionCandidate::Part &part = separation.parts[number];
          return (isOutput ? part.outputs : part.parameters)
                     .count(pointer.parameter) != 0;
        });
    if (pointer.global ? !isOutput : isOwn)
      arrays.insert(launch.pointers[i].array);
  }
  return arrays;
}

/// Checks whether one piece may write an array that the other touches.
bool mayMeet(const Program &program, const FissionCandidate &separation,
             const Launch &launch, const PartSet &lhs, const PartSet &rhs) {
  for (const auto &[writer, other] : {std::tie(lhs, rhs), std::tie(rhs, lhs)})
    for (const ArrayId written :
         touched(program, separation, launch, writer, /*isOutput=*/true))
      for (const ArrayId used :
           touched(program, separation, launch, other, /*isOutput=*/false))
        if (alias(program, written, used) != Alias::Never)
          return true;
  return false;
}

/// Checks whether the kernel must stay whole, since how its sums are contracted
/// may depend on what else is in the kernel.
bool needsWhole(const Problem &problem, const FissionCandidate &separation) {
  const Kernel &kernel = problem.program[separation.kernel];
  return problem.options.exactRounding &&
         (kernel.ambiguousSums || kernel.sharedProducts);
}

class Splitting {
public:
  Splitting(const Problem &problem, const FusionPlan &plan,
            const FissionCandidate &separation, LaunchId launch)
      : TheProblem(problem), Code(problem.program), Known(separation),
        Id(launch), TheLaunch(Code[launch]), Kernels(kernelsOf(plan)) {}

  std::vector<PartSet> pieces() const {
    std::vector<PartSet> found;
    for (std::uint32_t part = 0; part < Known.parts.size(); ++part)
      found.push_back({part});
    joinPairs(found, [this](const PartSet &lhs, const PartSet &rhs) {
      return mayMeet(Code, Known, TheLaunch, lhs, rhs);
    });
    joinPairs(found, [&](const PartSet &lhs, const PartSet &rhs) {
      const std::set<LaunchId> others = wantedBy(lhs, found);
      return others == wantedBy(rhs, found) && areOpen(others);
    });
    return found;
  }

private:
  Arrays touched(const PartSet &piece) const {
    return kfuse::touched(Code, Known, TheLaunch, piece, /*isOutput=*/false);
  }

  /// Returns the launches, in the region but not in the kernel of this one,
  /// that touch an array which no other of the pieces touches.
  std::set<LaunchId> wantedBy(const PartSet &piece,
                              const std::vector<PartSet> &pieces) const {
    Arrays own = touched(piece);
    for (const PartSet &other : pieces)
      if (other != piece)
        for (const ArrayId array : touched(other))
          own.erase(array);
    std::set<LaunchId> found;
    for (std::uint32_t i = 0; i < Code.launches.size(); ++i) {
      const Launch &other = Code.launches[i];
      if (other.region == TheLaunch.region &&
          Kernels.at(LaunchId{i}) != Kernels.at(Id) &&
          std::any_of(other.pointers.begin(), other.pointers.end(),
                      [&](const PointerValue &pointer) {
                        return own.count(pointer.array) != 0;
                      }))
        found.insert(LaunchId{i});
    }
    return found;
  }

  /// Checks whether the whole launch may be fused with each of the others too.
  bool areOpen(const std::set<LaunchId> &others) const {
    return std::all_of(others.begin(), others.end(), [this](LaunchId other) {
      const auto plan =
          planGroup(TheProblem, closure(TheProblem, std::min(other, Id),
                                        std::max(other, Id)));
      return std::holds_alternative<FusedKernel>(plan);
    });
  }

  const Problem &TheProblem;
  const Program &Code;
  const FissionCandidate &Known;
  LaunchId Id;
  const Launch &TheLaunch;
  std::map<LaunchId, std::size_t> Kernels;
};

} // namespace

std::vector<Fission> fissions(const Problem &problem, const FusionPlan &plan,
                              const std::vector<FissionCandidate> &known) {
  std::vector<Fission> found;
  for (std::uint32_t i = 0; i < known.size(); ++i) {
    if (needsWhole(problem, known[i]))
      continue;
    for (const LaunchId launch : known[i].launches) {
      auto pieces = Splitting(problem, plan, known[i], launch).pieces();
      if (pieces.size() > 1)
        found.push_back({launch, i, std::move(pieces)});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Fission &lhs, const Fission &rhs) {
              return lhs.launch < rhs.launch;
            });
  return found;
}

std::string whyWhole(const Problem &problem,
                     const std::vector<FissionCandidate> &known,
                     const Fission &fission) {
  const FissionCandidate &separation = known[fission.separation];
  const Launch &launch = problem.program[fission.launch];
  if (needsWhole(problem, separation))
    return "its sums may be contracted in more than one way, which may depend "
           "on what else is in a kernel (--relaxed-rounding allows it)";
  for (auto lhs = fission.pieces.begin(); lhs != fission.pieces.end(); ++lhs)
    for (auto rhs = lhs + 1; rhs != fission.pieces.end(); ++rhs)
      if (mayMeet(problem.program, separation, launch, *lhs, *rhs))
        return "one part may write an array that another one touches";
  return {};
}

bool joinIdle(std::vector<Fission> &fissions, const Program &program,
              const FusionPlan &plan) {
  const std::map<LaunchId, std::size_t> kernels = kernelsOf(plan);
  bool isChanged = false;
  std::uint32_t before = 0; // launches that fissions have added
  for (Fission &fission : fissions) {
    const std::uint32_t first = indexOf(fission.launch) + before;
    const auto count = static_cast<std::uint32_t>(fission.pieces.size());
    before += count - 1;
    // The pieces by kernel; the idle ones as one.
    std::map<std::size_t, PartSet> joined;
    for (std::uint32_t i = 0; i < count; ++i) {
      const LaunchId piece{first + i};
      const std::size_t kernel = kernels.at(piece);
      const auto &launches = plan.kernels[kernel].launches;
      const bool isIdle =
          std::none_of(launches.begin(), launches.end(), [&](LaunchId other) {
            const bool isOwn =
                indexOf(other) >= first && indexOf(other) < first + count;
            return !isOwn && areKin(program[piece], program[other]);
          });
      join(joined[isIdle ? plan.kernels.size() : kernel], fission.pieces[i]);
    }
    isChanged |= joined.size() != count;
    fission.pieces.clear();
    for (auto &[kernel, piece] : joined)
      fission.pieces.push_back(std::move(piece));
    std::sort(fission.pieces.begin(), fission.pieces.end());
  }
  std::erase_if(fissions, [](const Fission &fission) {
    return fission.pieces.size() < 2;
  });
  return isChanged;
}

Groups regrouped(const std::vector<Fission> &before,
                 const std::vector<Fission> &after, const Program &program,
                 const FusionPlan &plan) {
  const std::map<LaunchId, std::size_t> kernels = kernelsOf(plan);
  Groups groups(plan.kernels.size());
  // A launch, in its pieces of before, or whole.
  auto old = before.begin(), made = after.begin();
  std::uint32_t launch = 0, next = 0;
  for (std::uint32_t first = 0; first < program.launches.size(); ++launch) {
    const std::vector<PartSet> whole(1);
    const bool wasSplit =
        old != before.end() && old->launch == LaunchId{launch};
    const bool isSplit =
        made != after.end() && made->launch == LaunchId{launch};
    const auto &pieces = wasSplit ? old->pieces : whole;
    for (const PartSet &piece : isSplit ? made->pieces : whole) {
      std::set<std::size_t> homes;
      for (std::uint32_t i = 0; i < pieces.size(); ++i)
        if (!isSplit || std::includes(piece.begin(), piece.end(),
                                      pieces[i].begin(), pieces[i].end()))
          homes.insert(kernels.at(LaunchId{first + i}));
      if (homes.size() != 1)
        groups.emplace_back();
      auto &home = homes.size() == 1 ? groups[*homes.begin()] : groups.back();
      home.push_back(LaunchId{next++});
    }
    first += static_cast<std::uint32_t>(pieces.size());
    old += wasSplit ? 1 : 0;
    made += isSplit ? 1 : 0;
  }
  std::erase_if(groups, [](const auto &group) { return group.empty(); });
  std::sort(groups.begin(), groups.end());
  return groups;
}

} // namespace kfuse
