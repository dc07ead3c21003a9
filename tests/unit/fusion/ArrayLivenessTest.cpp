//===- ArrayLivenessTest.cpp - Later readers of an array's content --------===//
//
// Runs random host code in random ways. Whoever reads an element that still
// holds what the launch or the step left there must be among the readers that
// are found without running the code.
//
//===----------------------------------------------------------------------===//

#include "Enumeration.h"
#include "PlanBuilder.h"

#include "fusion/dependence/ArrayLiveness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

namespace kfuse {
namespace {

using namespace test;

constexpr std::int64_t Elements = 8;

/// Describes what a step does to the array when it is executed.
struct Act {
  bool reads = false, writes = false;
  /// The number of elements at the end that a transfer omits.
  std::int64_t missing = 0;
  bool isFree = false;
};

enum class Way { On, Continue, Break, Throw, Return };

class HostProgram {
public:
  explicit HostProgram(std::uint32_t seed) : Engine(seed) {
    Size = Builder.value("n");
    Steady = Builder.value("m");
    Changing[RegionId{0}] = Builder.value("k");
    Sought = Builder.array("S");
    Array &array = code().arrays[indexOf(Sought)];
    array.bytes = (once(2) ? Size : num(Elements)) * num(4);
    array.holder = {"S", "float *"};
    fill(RegionId{0}, seed % 3);
    Builder.problem();
  }

  std::uint32_t roll(std::uint32_t sides) {
    return static_cast<std::uint32_t>(Engine()) % sides;
  }
  bool once(std::uint32_t in) { return roll(in) == 0; }
  Program &code() { return Builder.program(); }
  ArrayId sought() const { return Sought; }

  /// Runs the function once. Marked elements hold what `from` left there: all
  /// elements after a step, or those that a launch stored.
  LaterReaders run(StepId from, bool onlyStores) {
    From = from;
    OnlyStores = onlyStores;
    IsMarked.assign(Elements, false);
    Seen.clear();
    Others = false;
    renumber();
    through(RegionId{0});
    return {{Seen.begin(), Seen.end()}, Others};
  }

  std::string text(RegionId region = RegionId{0}, std::string indent = "") {
    std::string lines;
    for (StepId id : code()[region].steps) {
      const HostStep &step = code()[id];
      lines += indent + std::to_string(indexOf(id)) + " " + Texts[id] + "\n";
      for (RegionId nested : step.nested)
        lines += indent + "{\n" + text(nested, indent + "  ") + indent + "}\n";
    }
    return lines;
  }

private:
  StepId moved(StepId step, RegionId region) {
    code().regions[0].steps.pop_back();
    code().steps[indexOf(step)].region = region;
    code().regions[indexOf(region)].steps.push_back(step);
    return step;
  }

  void fill(RegionId region, unsigned depth) {
    for (std::uint32_t count = 1 + roll(4); count > 0; --count)
      if (depth > 0 && once(3))
        addNested(region, depth - 1);
      else
        addStep(region);
  }

  void addNested(RegionId region, unsigned depth) {
    const bool isLoop = once(2);
    const std::uint32_t arms = isLoop ? 1 : 1 + roll(3);
    const StepId owner = moved(
        Builder.step(isLoop ? StepKind::Loop : StepKind::Branch, {}), region);
    Texts[owner] = isLoop ? "loop" : "branch";
    for (std::uint32_t arm = 0; arm < arms; ++arm) {
      const RegionId nested{static_cast<std::uint32_t>(code().regions.size())};
      Region made;
      made.kind = isLoop ? RegionKind::LoopBody : RegionKind::BranchArm;
      made.parent = region;
      code().regions.push_back(std::move(made));
      if (isLoop)
        Changing[nested] = Builder.value("k");
      code().steps[indexOf(owner)].nested.push_back(nested);
      fill(nested, depth);
      // The front end derives the same flags for an enclosing step.
      HostStep &around = code().steps[indexOf(owner)];
      for (StepId step : code()[nested].steps) {
        const HostStep &inner = code()[step];
        around.mayLeaveLoop |= inner.mayLeaveLoop;
        around.mayLeave |= isLoop ? inner.mayLeaveLoop : inner.mayLeave;
      }
    }
    if (isLoop && once(6)) {
      HostStep &loop = code().steps[indexOf(owner)];
      loop.mayLeave = loop.mayLeaveLoop = true;
      ThrowingHeaders.insert(owner);
      Texts[owner] = "loop whose header may throw";
    }
    if (!isLoop && once(3)) {
      Tries.insert(owner);
      Texts[owner] = "try";
    }
  }

  void addStep(RegionId region) {
    switch (roll(8)) {
    case 0:
      return addTransfer(region);
    case 1: {
      const StepId step = moved(Builder.step(StepKind::Plain, {}), region);
      HostStep &leaving = code().steps[indexOf(step)];
      leaving.mayLeave = true;
      leaving.mayLeaveLoop = once(2);
      Texts[step] = leaving.mayLeaveLoop ? "leave" : "leave the loop";
      return;
    }
    case 2: {
      const StepId step = moved(
          Builder.step(StepKind::CopyToHost, {{Sought, true, false}}), region);
      Acts[step].reads = true;
      Texts[step] = "read by the host";
      return;
    }
    case 3:
      if (once(2)) {
        const StepId step = moved(
            Builder.step(StepKind::Free, {{Sought, false, true}}), region);
        Acts[step].isFree = true;
        code().steps[indexOf(step)].frees = Sought;
        Texts[step] = "free";
        return;
      }
      [[fallthrough]];
    default:
      addLaunch(region);
    }
  }

  void addTransfer(RegionId region) {
    const StepId step =
        moved(Builder.step(StepKind::Set, {{Sought, false, true}}), region);
    Act &act = Acts[step];
    act.writes = true;
    act.missing = roll(2);
    const Polynomial bytes = Size * num(4) - num(4 * act.missing);
    code().steps[indexOf(step)].transfer =
        Transfer{{Sought, Polynomial{}}, std::nullopt, bytes};
    Texts[step] = "set all but " + std::to_string(act.missing);
  }

  /// Returns a value that changes in each iteration of some enclosing loop.
  Polynomial changing(RegionId region) {
    while (!Changing.contains(region) || (region != RegionId{0} && once(3)))
      region = *code()[region].parent;
    return Changing[region];
  }

  void addLaunch(RegionId region) {
    const Polynomial own = changing(region);
    const Polynomial bounds[] = {param(0), param(0), param(1), param(2),
                                 param(0) - num(1)};
    Guard guard;
    if (!once(5))
      guard.push_back(less(global(), bounds[roll(5)]));
    if (once(4))
      guard.push_back(atLeast(global(), num(roll(2))));
    if (once(6))
      guard.push_back(atLeast(param(1 + roll(2)), num(3)));
    Polynomial index = global();
    if (once(5))
      index = once(2) ? index + num(1) : index * num(2);
    else if (once(8))
      index = index + param(2);
    std::vector<Access> accesses;
    const std::uint32_t kind = roll(5);
    if (kind == 1 || kind == 2)
      accesses.push_back(read(0, index, guard));
    if (kind != 1)
      accesses.push_back(write(0, index, guard));
    if (kind == 4) {
      Guard other = guard;
      other.push_back(less(global(), num(roll(6))));
      accesses.push_back(write(0, index + num(roll(2)), other));
    }
    const Polynomial grids[] = {num(2), num(2), Steady, own};
    const Polynomial grid = grids[roll(4)];
    const KernelId kernel = Builder.kernel("k", 1, 3, std::move(accesses));
    const Polynomial rows = once(8) ? (once(2) ? Steady : own) : num(1);
    const Polynomial threads = once(8) ? own : num(once(4) ? 2 : 4);
    const LaunchId launch =
        Builder.launch(kernel, {{Sought, Polynomial{}}}, {Size, Steady, own},
                       {grid, rows, num(1)}, {threads, num(1), num(1)});
    const StepId step = moved(code()[launch].step, region);
    code().launches[indexOf(launch)].region = region;
    std::string &text = Texts[step];
    text = "launch " + std::to_string(indexOf(launch)) + " on " + print(grid) +
           " x " + print(rows) + " of " + print(threads);
    for (const Access &access : code().kernelOf(launch).accesses) {
      text += access.kind == AccessKind::Read ? ", reads " : ", writes ";
      text += print(std::get<Polynomial>(access.index));
      for (const Constraint &one : access.guard)
        text += " if " + print(one.expression);
    }
  }

  //===--------------------------------------------------------------------===//
  // Execution
  //===--------------------------------------------------------------------===//

  void renumber() {
    Now = {Elements};
    while (Now.size() < code().values.size())
      Now.push_back(roll(5));
  }

  Way through(RegionId region, std::size_t begin = 0) {
    const std::vector<StepId> steps = code()[region].steps;
    for (std::size_t i = begin; i < steps.size(); ++i)
      if (const Way way = runStep(steps[i]); way != Way::On)
        return way;
    return Way::On;
  }

  Way runStep(StepId id) {
    const HostStep &step = code()[id];
    if (step.kind == StepKind::Loop)
      return runLoop(step, ThrowingHeaders.contains(id));
    if (step.kind == StepKind::Branch)
      return Tries.contains(id) ? runTry(step) : runBranch(step);
    if (step.mayLeave)
      return once(2) ? Way::On
                     : static_cast<Way>(1 + roll(step.mayLeaveLoop ? 4 : 2));
    if (const LaunchId launch = step.launch; launch != noneOf<LaunchId>()) {
      if (!runLaunch(launch, id))
        return Way::On;
    } else {
      runAct(Acts[id]);
    }
    if (id == From && !OnlyStores)
      IsMarked.assign(Elements, true);
    return Way::On;
  }

  Way runLoop(const HostStep &step, bool mayThrow) {
    for (std::uint32_t rounds = roll(4); rounds > 0; --rounds) {
      const Symbol own = *Changing[step.nested.front()].asSymbol();
      Now[own.index] = roll(5);
      const Way way = through(step.nested.front());
      if (way == Way::Return || way == Way::Throw)
        return way;
      if (way == Way::Break)
        break;
      if (mayThrow && once(3))
        return Way::Throw;
    }
    return Way::On;
  }

  /// Runs one arm or none; in a `switch`, also the arms that follow.
  Way runBranch(const HostStep &step) {
    bool isSwitch = once(2) && step.nested.size() > 1;
    for (std::uint32_t arm =
             roll(static_cast<std::uint32_t>(step.nested.size() + 1));
         arm < step.nested.size(); ++arm) {
      const Way way = through(step.nested[arm]);
      if (isSwitch && way == Way::Break)
        return Way::On;
      if (way != Way::On || !isSwitch)
        return way;
    }
    return Way::On;
  }

  /// Runs the first arm, and one of the others if it throws.
  Way runTry(const HostStep &step) {
    Way way = through(step.nested.front());
    if (way == Way::Throw && step.nested.size() > 1)
      way = through(step.nested[1 + roll(static_cast<std::uint32_t>(
                                        step.nested.size() - 1))]);
    else if (way == Way::Throw)
      way = Way::On;
    return way;
  }

  void runAct(const Act &act) {
    for (std::int64_t i = 0; i < Elements; ++i) {
      Others |= act.reads && IsMarked[static_cast<std::size_t>(i)];
      if (act.isFree || (act.writes && i < Elements - act.missing))
        IsMarked[static_cast<std::size_t>(i)] = false;
    }
  }

  /// Returns false if the launch has no blocks; it then fails and does nothing.
  bool runLaunch(LaunchId launch, StepId id) {
    const auto visit = [&](const Access &access, auto each) {
      const auto touches = touchesOf(code(), launch, access, Now, 1);
      if (!touches)
        return false;
      for (const Touch &touch : *touches)
        if (touch.element >= 0 && touch.element < Elements)
          each(static_cast<std::size_t>(touch.element));
      return true;
    };
    bool isRun = false;
    const Kernel &kernel = code().kernelOf(launch);
    for (const Access &access : kernel.accesses)
      if (access.kind == AccessKind::Read)
        isRun |= visit(access, [&](std::size_t element) {
          if (IsMarked[element])
            Seen.insert(launch);
        });
    for (const Access &access : kernel.accesses)
      if (access.kind == AccessKind::Write)
        isRun |= visit(access, [&](std::size_t element) {
          IsMarked[element] = OnlyStores && id == From;
        });
    return isRun;
  }

  std::mt19937 Engine;
  PlanBuilder Builder;
  ArrayId Sought{};
  Polynomial Size, Steady;
  std::map<RegionId, Polynomial> Changing; ///< keyed by the loop's body
  std::map<StepId, Act> Acts;
  std::map<StepId, std::string> Texts;
  std::set<StepId> Tries, ThrowingHeaders;

  StepId From{};
  bool OnlyStores = false;
  std::vector<bool> IsMarked; ///< for each element
  std::set<LaunchId> Seen;
  bool Others = false;
  Numbers Now;
};

/// Runs the program in many ways and checks that `found` contains every reader
/// that was seen.
void expectAmong(HostProgram &program, const LaterReaders &found, StepId step,
                 bool onlyStores) {
  for (int way = 0; way < 40; ++way) {
    const LaterReaders seen = program.run(step, onlyStores);
    EXPECT_TRUE(found.others || !seen.others)
        << "the host reads what step " << indexOf(step) << " left in\n"
        << program.text();
    for (LaunchId reader : seen.launches)
      EXPECT_TRUE(
          std::count(found.launches.begin(), found.launches.end(), reader) != 0)
          << "launch " << indexOf(reader) << " reads what step "
          << indexOf(step) << " left in\n"
          << program.text();
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(ArrayLiveness, WhoeverReadsIsFound) {
  int nobody = 0, few = 0, bounded = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    HostProgram program(seed);
    Program &code = program.code();
    for (std::uint32_t i = 0; i < code.launches.size(); ++i) {
      const LaunchId launch{i};
      const StepId step = code[launch].step;
      const LaterReaders stores =
                             readersOfStores(code, launch, program.sought()),
                         all = readersAfter(code, step, program.sought());
      nobody += stores.isNobody();
      few += !stores.isNobody() && !stores.others;
      bounded += !all.others;
      expectAmong(program, stores, step, true);
      expectAmong(program, all, step, false);
      if (HasFailure()) {
        ADD_FAILURE() << "seed " << seed;
        return;
      }
    }
  }
  EXPECT_GT(nobody, 300);
  EXPECT_GT(few, 300);
  EXPECT_GT(bounded, 300);
}

// A launch that exceeds the device's limits fails, and the program may
// continue.
TEST(ArrayLiveness, OnlyWhatRunsOverwrites) {
  const auto isRead = [](auto change) {
    PlanBuilder builder;
    const ArrayId array = builder.array("S");
    Array &made = builder.program().arrays[indexOf(array)];
    made.bytes = num(4 * 256);
    made.holder = {"S", "float *"};
    const auto launch = [&](Access access, std::int64_t blocks,
                            std::int64_t threads) {
      const KernelId kernel = builder.kernel("k", 1, 0, {std::move(access)});
      return builder.launch(kernel, {{array, Polynomial{}}}, {},
                            {num(blocks), num(1), num(1)},
                            {num(threads), num(1), num(1)});
    };
    const LaunchId first = launch(write(0, global()), 2, 128);
    const LaunchId again = launch(write(0, global()), 1, 256);
    launch(read(0, global()), 1, 256);
    change(builder, builder.program().launches[indexOf(again)]);
    builder.problem();
    return !readersOfStores(builder.program(), first, array).isNobody();
  };
  const auto with = [&](auto change) {
    return isRead([&](PlanBuilder &builder, Launch &launch) {
      change(builder, launch, builder[launch.kernel]);
    });
  };
  using B = PlanBuilder;
  EXPECT_FALSE(with([](B &, Launch &, Kernel &) {}));
  EXPECT_TRUE(with(
      [](B &b, Launch &l, Kernel &) { l.grid.extent[0] = b.value("blocks"); }));
  EXPECT_TRUE(with(
      [](B &b, Launch &l, Kernel &) { l.grid.extent[1] = b.value("rows"); }));
  EXPECT_TRUE(with([](B &b, Launch &l, Kernel &k) {
    l.grid.extent[0] = b.value("blocks");
    k.accesses[0].index = sym(SymbolKind::StrideIdx, 0);
    k.accesses[0].guard = {less(sym(SymbolKind::StrideIdx, 0), num(256))};
    k.gridStride.emplace();
  }));
  EXPECT_TRUE(with([](B &, Launch &l, Kernel &) {
    l.block.extent[1] = num(8); // 2048 threads
  }));
  EXPECT_TRUE(with([](B &b, Launch &l, Kernel &) {
    l.block.extent[1] = b.value("threads");
  }));
  EXPECT_TRUE(with([](B &, Launch &, Kernel &k) { k.maxThreads = 128; }));
  EXPECT_FALSE(with([](B &, Launch &, Kernel &k) { k.maxThreads = 256; }));
  EXPECT_TRUE(with([](B &b, Launch &l, Kernel &) {
    l.sharedBytes.value = b.value("bytes");
  }));
  EXPECT_FALSE(with(
      [](B &, Launch &l, Kernel &) { l.sharedBytes.value = num(40 << 10); }));
  EXPECT_TRUE(with([](B &, Launch &l, Kernel &k) {
    l.sharedBytes.value = num(40 << 10);
    k.staticSharedBytes = 9 << 10;
  }));
}

} // namespace
} // namespace kfuse
