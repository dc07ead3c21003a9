//===- RecomputationCost.cpp - What computing at each read takes ----------===//

#include "fusion/cost/RecomputationCost.h"

#include "fusion/cost/CoordinateExtents.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace kfuse {
namespace {

/// Instructions for each element that is computed where it is read: for the
/// call, and for a wait if the load is in a loop or conditional. The others are
/// for each of the element's operations, roots and quotients among them, and
/// for computing each of the thread's indices except one. The reader has work
/// of its own meanwhile, so that they don't overlap with memory. Measured on an
/// H200: a multiple read at 8 to 64 places in a loop takes 0.47 ps each, under
/// conditions too, in one statement 0.1 ps. A root over a sum with an
/// exponential takes 1.6 ps, a multiple by rows of threads 1 ps.
constexpr double CallInstructions = 4;
constexpr double WaitInstructions = 8;
constexpr double OperationInstructions = 4;
constexpr double RowInstructions = 20;
/// Instructions for a load whose neighbours are loaded elsewhere, for each
/// input except one: the L1 looks for each alone. Measured on an H200, for an
/// array read across its diagonal: 16.7M elements made of one, two and three
/// others take 0.09, 0.15 and 0.21 ms.
constexpr double ApartInstructions = 80;

/// How many elements of an array a thread loads.
struct Loads {
  double all = 0;
  double waiting = 0;  ///< those in loops and under conditions, in turn
  double apart = 0;    ///< those whose neighbours other threads don't load
  double anywhere = 0; ///< those of them at data-dependent places
};

class LoadCounter {
public:
  LoadCounter(const Problem &problem, LaunchId launch)
      : TheProblem(problem), Id(launch), Member(problem.program[launch]),
        TheKernel(problem.program.kernelOf(launch)),
        TheExtents(extentsOf(problem, launch)) {}

  /// Returns how many elements of `array`, which has `elements`, a thread
  /// loads.
  Loads of(ArrayId array, double elements) const {
    Loads loads;
    for (const Access &access : Member.accesses) {
      if (access.kind != AccessKind::Read ||
          access.pointer >= Member.pointers.size() ||
          Member.pointers[access.pointer].array != array)
        continue;
      double each = 1;
      for (const std::uint32_t loop : access.loops)
        each *= runsOverAll(loop, array, access)
                    ? elements
                    : tripsOf(TheProblem, Id, loop);
      loads.all += each;
      if (!access.loops.empty() || isConditional(access))
        loads.waiting += each;
      if (differsByThread(access))
        loads.apart += each;
      if (isAnywhere(access))
        loads.anywhere += each;
    }
    return loads;
  }

private:
  bool runsOverAll(std::uint32_t loop, ArrayId array,
                   const Access &access) const {
    const auto &bytes = TheProblem.program[array].bytes;
    const auto *own =
        loop < TheKernel.loops.size()
            ? std::get_if<Polynomial>(&TheKernel.loops[loop].tripCount)
            : nullptr;
    const auto trips =
        own ? substitute(*own,
                         [&](Symbol symbol) -> std::optional<Polynomial> {
                           if (symbol.kind != SymbolKind::Parameter)
                             return std::nullopt;
                           return Member.scalars[symbol.index];
                         })
            : std::nullopt;
    return bytes && trips &&
           multiply(*trips, Polynomial(access.elementBytes)) == bytes;
  }

  /// Checks whether some threads may store without doing this load, since each
  /// store lacks one of the load's conditions.
  bool isConditional(const Access &load) const {
    return std::none_of(
        Member.accesses.begin(), Member.accesses.end(),
        [&](const Access &store) {
          return store.kind != AccessKind::Read &&
                 std::all_of(load.guard.begin(), load.guard.end(),
                             [&](const Constraint &each) {
                               return std::find(store.guard.begin(),
                                                store.guard.end(),
                                                each) != store.guard.end();
                             });
        });
  }

  static bool isAnywhere(const Access &load) {
    return !std::holds_alternative<Polynomial>(load.index);
  }

  bool differsByThread(const Access &load) const {
    if (isAnywhere(load))
      return true;
    const TermTable &terms = TheProblem.program.terms;
    const Symbol thread{SymbolKind::ThreadIdx, 0};
    const Polynomial index =
        unwrapped(std::get<Polynomial>(load.index), TheExtents, terms);
    const std::vector<Symbol> symbols = index.symbols();
    return std::any_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
      const bool isTurned = symbol.kind == SymbolKind::Opaque &&
                            terms[symbol].kind == TermKind::Remainder &&
                            terms.dependsOn(symbol, thread.kind);
      if (symbol != thread && !isTurned)
        return false;
      const auto split = index.splitLinear(symbol);
      const auto step = split ? split->coefficient.asConstant() : std::nullopt;
      return !step ||
             static_cast<double>(std::llabs(*step)) * load.elementBytes >=
                 TheProblem.device.transactionBytes;
    });
  }

  const Problem &TheProblem;
  LaunchId Id;
  const Launch &Member;
  const Kernel &TheKernel;
  Extents TheExtents;
};

bool isComputedArray(const FusedKernel &kernel, ArrayId array) {
  return std::any_of(kernel.placements.begin(), kernel.placements.end(),
                     [&](const Placement &placement) {
                       return placement.array == array && placement.computed;
                     });
}

/// Returns the number of arrays in memory from which the member's threads take
/// elements of their own. Neither computed arrays nor reads at a constant index
/// count.
double inputsOf(const Problem &problem, const FusedKernel &kernel,
                LaunchId launch) {
  const Launch &member = problem.program[launch];
  std::set<ArrayId> arrays;
  for (const Access &access : member.accesses) {
    const auto *index = std::get_if<Polynomial>(&access.index);
    const ArrayId array = member.pointers[access.pointer].array;
    if (access.kind == AccessKind::Read && !isComputedArray(kernel, array) &&
        !(index && index->asConstant()))
      arrays.insert(array);
  }
  return static_cast<double>(arrays.size());
}

} // namespace

RecomputationWork
recomputationsOf(const Problem &problem, const FusedKernel &kernel,
                 const std::vector<const LaunchTraffic *> &stages) {
  RecomputationWork work;
  work.times.assign(stages.size(), 1);
  // How often each member runs for another element than its neighbours do.
  std::vector<double> apart(stages.size(), 0), anywhere(stages.size(), 0);
  double loadsApart = 0, loadsAnywhere = 0;
  // Callers come after the members that they call.
  for (std::size_t member = stages.size(); member-- > 0;)
    for (const Placement &placement : kernel.placements) {
      if (!placement.computed || placement.producers.front() != member)
        continue;
      const LaunchId launch = kernel.launches[member];
      const double instructions =
          CallInstructions +
          OperationInstructions *
              problem.program.kernelOf(launch).operations.total() +
          RowInstructions *
              static_cast<double>(placement.computed->rows.size());
      double calls = 0;
      for (const std::uint32_t consumer : placement.consumers) {
        const Loads loads = LoadCounter(problem, kernel.launches[consumer])
                                .of(placement.array, stages[member]->elements);
        const double own = stages[consumer]->elements;
        const double runs = work.times[consumer] * own;
        calls += runs * loads.all;
        work.instructions += runs * (loads.all * instructions +
                                     loads.waiting * WaitInstructions);
        apart[member] +=
            runs * loads.apart + apart[consumer] * (loads.all - loads.apart);
        anywhere[member] += runs * loads.anywhere +
                            anywhere[consumer] * (loads.all - loads.anywhere);
        loadsApart -= own * loads.apart;
        loadsAnywhere -= own * loads.anywhere;
      }
      work.times[member] = calls / std::max(1.0, stages[member]->elements);
      const double inputs = inputsOf(problem, kernel, launch);
      loadsApart += apart[member] * inputs;
      loadsAnywhere += anywhere[member] * inputs;
    }
  work.instructions += ApartInstructions * std::max(0.0, loadsApart);
  work.gatheredBytes =
      problem.device.transactionBytes * std::max(0.0, loadsAnywhere);
  return work;
}

} // namespace kfuse
