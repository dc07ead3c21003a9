//===- DelineariseTest.cpp - Members on fewer axes ------------------------===//

#include "PlanBuilder.h"

#include "fusion/dependence/Names.h"
#include "fusion/shapes/Delinearise.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// Builds a kernel over x, y and z that computes B from A, and one on fewer
/// axes that computes C from B.
struct Beside {
  PlanBuilder builder;
  Polynomial nx = builder.value("nx"), ny = builder.value("ny"),
             nz = builder.value("nz");
  ArrayId a = builder.array("A"), b = builder.array("B"),
          c = builder.array("C");
  bool isGuarded = true, isLoop = false;
  /// The block of the volume's kernel.
  std::array<std::int64_t, 3> block = {16, 4, 2};
  std::optional<std::int64_t> blocks; ///< if set, replaces the needed number
  std::function<void(Kernel &, Kernel &)> change = [](Kernel &, Kernel &) {};

  LaunchId launch(KernelId id, ArrayId from, ArrayId to,
                  std::vector<Polynomial> scalars,
                  const std::vector<Polynomial> &extents,
                  const std::array<std::int64_t, 3> &threads) {
    std::array<Polynomial, 3> grid, extent;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t width = axis < extents.size() ? threads[axis] : 1;
      extent[axis] = num(width);
      grid[axis] =
          axis < extents.size()
              ? makeTerm(builder.program().terms,
                         {TermKind::Divide,
                          0,
                          {extents[axis] + num(width - 1), num(width)}})
              : num(1);
    }
    return builder.launch(
        id, std::vector<PointerValue>{{from, Polynomial{}}, {to, Polynomial{}}},
        std::move(scalars), grid, extent);
  }
  static Guard inside(std::size_t axes) {
    Guard guard;
    for (std::uint32_t axis = 0; axis < axes; ++axis)
      guard.push_back(less(global(axis), param(axis)));
    return guard;
  }

  /// Returns the volume's axes along which each of the member's axes runs, and
  /// the number of conditions that the host tests; or the obstacle. The
  /// member's kernel has its extents as the first parameters, followed by nx
  /// and ny.
  std::string plan(const std::vector<Polynomial> &extents, Polynomial index) {
    const Polynomial cell =
        (global(2) * param(1) + global(1)) * param(0) + global(0);
    const KernelId volume = builder.kernel(
        "volume", 2, 3, {read(0, cell, inside(3)), write(1, cell, inside(3))});
    const std::size_t axes = extents.size();
    if (isLoop) {
      index = substitute(index, [](Symbol symbol) -> std::optional<Polynomial> {
                if (symbol.kind == SymbolKind::ThreadIdx)
                  return sym(SymbolKind::StrideIdx, 0);
                return symbol.kind == SymbolKind::BlockIdx
                           ? std::optional(Polynomial{})
                           : std::nullopt;
              }).value();
    }
    const Guard guard =
        isLoop      ? Guard{less(sym(SymbolKind::StrideIdx, 0), param(0))}
        : isGuarded ? inside(axes)
                    : Guard{};
    const KernelId member =
        builder.kernel("member", 2, static_cast<unsigned>(axes) + 2,
                       {read(0, index, guard), write(1, index, guard)});
    if (isLoop) {
      GridStrideLoop loop;
      loop.variable = "i";
      loop.bound = param(0);
      builder[member].gridStride = loop;
    }
    change(builder[volume], builder[member]);
    std::vector<Polynomial> scalars = extents;
    scalars.push_back(nx);
    scalars.push_back(ny);
    const LaunchId one =
        launch(volume, a, b, {nx, ny, nz}, {nx, ny, nz}, block);
    if (blocks)
      for (Polynomial &extent : builder.program().launches[0].grid.extent)
        extent = num(*blocks);
    const LaunchId two =
        launch(member, b, c, scalars, extents, {axes > 1 ? 32 : 128, 4, 1});
    const std::string verdict = builder.verdict({one, two});
    if (verdict != "fused")
      return verdict;
    const FusedKernel kernel = builder.plan({one, two});
    const ConfigMapping &fit = kernel.fits[1];
    std::string text;
    for (const std::vector<std::uint32_t> &along : fit.axes) {
      text += along.empty() || text.empty() ? "" : " ";
      for (const std::uint32_t on : along)
        text += "xyz"[on];
    }
    return text + (kernel.placements[1].isPartial() ? " partial" : "") +
           (fit.isBounded() ? " bounded" : "") + " if " +
           std::to_string(kernel.conditions.size());
  }
};

std::string planOf(const std::function<std::string(Beside &)> &plan) {
  Beside beside;
  return plan(beside);
}

const Polynomial X = global(0), Y = global(1), Z = global(2);

// The host tests only that the index fits into 32 bits if all else is known.
TEST(Delinearise, ALineRunsThroughAVolume) {
  EXPECT_EQ(planOf([](Beside &v) { return v.plan({v.nx * v.ny * v.nz}, X); }),
            "xyz if 1");
  // This is a plane of the volume.
  EXPECT_EQ(planOf([](Beside &v) { return v.plan({v.nx * v.ny}, X); }),
            "xyz partial if 1");
  EXPECT_EQ(planOf([](Beside &v) {
              v.isLoop = true;
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz if 0");
}

TEST(Delinearise, APlaneHasTwoAxesInOne) {
  EXPECT_EQ(planOf([](Beside &v) {
              return v.plan({v.nx, v.ny * v.nz}, Y * param(2) + X);
            }),
            "x yz if 1");
  EXPECT_EQ(planOf([](Beside &v) {
              return v.plan({v.nx * v.ny, v.nz}, Y * param(2) * param(3) + X);
            }),
            "xy z if 1");
}

TEST(Delinearise, BlocksOfOneRowAreNoLines) {
  // Both have blocks of 128 threads. The grids could be equal if ny and nz were
  // 1, but nobody means that.
  EXPECT_EQ(planOf([](Beside &v) {
              v.block = {128, 1, 1};
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz if 1");
}

TEST(Delinearise, WhatIsNotKnownIsAsked) {
  // The host tests the length of rows and the threads for it, the same for
  // columns, and that there are enough planes.
  EXPECT_EQ(planOf([](Beside &v) {
              v.blocks = 64;
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz if 6");
  // Without a guard, the line must be bounded to its own threads.
  EXPECT_EQ(planOf([](Beside &v) {
              v.isGuarded = false;
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz partial bounded if 2");
  EXPECT_EQ(planOf([](Beside &v) {
              v.builder.options().conditions = false;
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "RequiresRuntimeCheck");
}

TEST(Delinearise, OtherIndicesAreOtherThreads) {
  const auto verdict = [](const std::function<std::string(Beside &)> &plan) {
    const std::string text = planOf(plan);
    return text.find(" if ") == std::string::npos ? text : "fused: " + text;
  };
  // These swap rows and columns, have planes of another size, or access
  // neighbours.
  EXPECT_EQ(verdict([](Beside &v) {
              return v.plan({v.nx, v.ny * v.nz}, X * param(1) + Y);
            }),
            "CrossThreadFlow");
  EXPECT_EQ(verdict([](Beside &v) {
              return v.plan({v.nx * v.ny, v.nz}, Y * param(2) * param(2) + X);
            }),
            "CrossThreadFlow");
  EXPECT_EQ(verdict([](Beside &v) {
              return v.plan({v.nx * v.ny * v.nz}, X + num(1));
            }),
            "CrossThreadFlow");
  EXPECT_EQ(verdict([](Beside &v) {
              return v.plan({v.nx * v.ny * v.nz}, num(2) * X);
            }),
            "CrossThreadFlow");
}

TEST(Delinearise, TermsOfALineAreNotThoseOfARow) {
  // An odd x doesn't mean an odd i: the same text has different meanings.
  EXPECT_EQ(planOf([](Beside &v) {
              v.block = {128, 1, 1};
              v.change = [&v](Kernel &volume, Kernel &line) {
                const Polynomial odd =
                    makeTerm(v.builder.program().terms,
                             {TermKind::Remainder, 0, {global(0), num(2)}});
                for (Kernel *kernel : {&volume, &line})
                  for (Access &access : kernel->accesses)
                    access.guard.push_back({Relation::NonZero, odd});
              };
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz partial if 1");
}

TEST(Delinearise, WhoKnowsItsBlockStays) {
  for (const KernelFeature feature :
       {KernelFeature::BlockPlace, KernelFeature::GridShape,
        KernelFeature::CoordinatesInCallee, KernelFeature::WarpOperation})
    EXPECT_EQ(planOf([&](Beside &v) {
                v.change = [&](Kernel &, Kernel &line) {
                  line.features.push_back({feature, {}, ""});
                  if (feature == KernelFeature::GridShape)
                    line.features.push_back(
                        {KernelFeature::GridFactor, {}, ""});
                };
                return v.plan({v.nx * v.ny * v.nz}, X);
              }),
              "DifferentShape")
        << featureText(feature);
}

/// The index of a cell in a kernel whose first parameters are the lengths of a
/// row and of a plane.
const Polynomial Cell = (Z * param(1) + Y) * param(0) + X;

struct Member {
  std::vector<Access> accesses;
  std::vector<Polynomial> scalars;
  PerAxis grid, block;
};

/// Builds a volume of nx * ny * nz cells and a line along all of it.
struct Folded {
  PlanBuilder builder;
  Polynomial other = builder.value("other");
  Polynomial nx = builder.value("nx"), ny = builder.value("ny"),
             nz = builder.value("nz");
  Member volume, line;
  std::optional<std::uint32_t> maxThreads;

  Folded() {
    volume = {{read(0, Cell)},
              {nx, ny, nz},
              {blocks(nx, 16), blocks(ny, 4), blocks(nz, 2)},
              {num(16), num(4), num(2)}};
    line = {{read(0, X, {less(X, param(0))})},
            {nx * ny * nz, nx, ny},
            {blocks(nx * ny * nz, 128), num(1), num(1)},
            {num(128), num(1), num(1)}};
  }
  Polynomial term(TermKind kind, const Polynomial &a, const Polynomial &b) {
    return makeTerm(builder.program().terms, {kind, 0, {a, b}});
  }
  Polynomial blocks(const Polynomial &cells, std::int64_t width) {
    return term(TermKind::Divide, cells + num(width - 1), num(width));
  }
  /// Turns the line into a plane of nx * ny by nz cells.
  void makePlane(const Polynomial &index) {
    line.accesses = {read(0, index, {less(X, param(0)), less(Y, param(3))})};
    line.scalars = {nx * ny, nx, ny, nz};
    line.grid = {blocks(nx * ny, 32), blocks(nz, 4), num(1)};
    line.block = {num(32), num(4), num(1)};
  }
  /// Returns the volume's axes along which the line's axes run and the host's
  /// conditions; or `none`.
  std::string fit() {
    std::vector<LaunchId> launches;
    for (const Member *member : {&volume, &line}) {
      const KernelId id = builder.kernel(
          "kernel", 1, static_cast<unsigned>(member->scalars.size()),
          member->accesses);
      if (member == &line)
        builder[id].maxThreads = maxThreads;
      launches.push_back(builder.launch(
          id, std::vector<PointerValue>{{builder.array("A"), Polynomial{}}},
          member->scalars, member->grid, member->block));
    }
    Group group;
    group.problem = &builder.problem();
    for (const LaunchId launch : launches)
      group.stages.add(
          makeStage(builder.program(), launch, SymbolSpace::Launch));
    const auto fitted = delinearise(group, group.stages[1], group.stages[0]);
    if (!fitted)
      return "none";
    std::string text;
    for (const std::vector<std::uint32_t> &along : fitted->fit.axes) {
      text += along.empty() || text.empty() ? "" : " ";
      for (const std::uint32_t axis : along)
        text += "xyz"[axis];
    }
    text += fitted->fit.isBounded() ? " bounded" : "";
    for (const Condition &condition : fitted->conditions)
      text +=
          "; " + print(condition.polynomial) + " >= " + print(condition.other);
    return text;
  }
};

std::string fitOf(const std::function<void(Folded &)> &change) {
  Folded folded;
  change(folded);
  return folded.fit();
}

TEST(Delinearise, RowsAndPlanesAreThoseOfTheVolume) {
  EXPECT_EQ(fitOf([](Folded &) {}),
            "xyz; 1073741824 >= blockDim.z*gridDim.z*param0*param1");
  // Either axis of a plane may be the folded one, although all extents of a
  // cube are equal.
  const Polynomial n = sym(SymbolKind::HostValue, 1);
  const auto fitOfCube = [&](const Polynomial &x, const Polynomial &y) {
    return fitOf([&](Folded &v) {
      ASSERT_EQ(v.nx, n);
      v.volume.accesses = {read(0, (Z * param(0) + Y) * param(0) + X)};
      v.volume.grid = {v.blocks(n, 16), v.blocks(n, 4), v.blocks(n, 2)};
      v.line = {
          {read(0, Y * param(0) + X, {less(X, param(0)), less(Y, param(1))})},
          {x, y},
          {v.blocks(x, 32), v.blocks(y, 4), num(1)},
          {num(32), num(4), num(1)}};
    });
  };
  EXPECT_EQ(fitOfCube(n * n, n).substr(0, 5), "xy z;");
  EXPECT_EQ(fitOfCube(n, n * n).substr(0, 5), "x yz;");
  // The arrays have rows of the same length but planes of different sizes.
  EXPECT_EQ(fitOf([](Folded &v) {
              v.volume.accesses = {read(0, (Z * param(2) + Y) * param(0) + X),
                                   read(0, Cell)};
              v.makePlane(Y * param(1) * param(2) + X);
            }),
            "xy z; 1073741824 >= blockDim.y*gridDim.y*param0");
}

TEST(Delinearise, WhatTellsNoRowsFoldsNothing) {
  const auto plane = [](Folded &v, const Polynomial &index) {
    v.volume.accesses = {read(0, index)};
    v.volume.grid[2] = v.volume.block[2] = num(1);
  };
  EXPECT_NE(fitOf([&](Folded &v) { plane(v, Y * param(0) + X); }), "none");
  // The rows have another length in each iteration, or run backwards.
  EXPECT_EQ(fitOf([&](Folded &v) { plane(v, Y * counter(0) + X); }), "none");
  EXPECT_EQ(fitOf([&](Folded &v) { plane(v, X - num(16) * Y); }), "none");
  // The rows have other * nx / other elements, for which the kernel has no
  // name.
  EXPECT_EQ(fitOf([&](Folded &v) {
              plane(v, Y * param(1) + X * param(0));
              v.volume.scalars = {v.other, v.other * v.nx};
              v.line.accesses = {read(0, X * param(1), {less(X, param(0))})};
              v.line.scalars = {v.nx * v.ny, v.other};
            }),
            "none");
  // Each z has the same plane, so a line of planes doesn't exist.
  EXPECT_EQ(fitOf([](Folded &v) {
              v.makePlane(X);
              v.volume.accesses = {read(0, Y * param(0) + X)};
            }),
            "none");
}

TEST(Delinearise, WhoHasBlocksForRowsHasRows) {
  const auto asks = [](const std::function<void(Folded &)> &change,
                       const std::string &what) {
    const std::string fit = fitOf(change);
    EXPECT_EQ(fit.substr(0, 3), "xyz");
    return fit.find("; " + what + " >= 1;") != std::string::npos;
  };
  // There are (nx + 15) / 16 blocks, so nx is positive.
  EXPECT_FALSE(asks([](Folded &) {}, "param0"));
  // The grid is a value that has the same number as that term.
  EXPECT_TRUE(asks(
      [](Folded &v) {
        ASSERT_EQ(v.other.asSymbol()->index,
                  v.blocks(v.nx, 16).asSymbol()->index);
        v.volume.grid[0] = v.other;
      },
      "param0"));
  EXPECT_TRUE(asks(
      [](Folded &v) {
        v.volume.grid[0] = v.term(TermKind::Maximum, v.nx, num(16));
      },
      "param0"));
  // Both operands of nx / other may be negative.
  EXPECT_TRUE(asks(
      [](Folded &v) {
        const Polynomial row = param(0) - param(3) + num(1);
        v.volume.accesses = {read(0, (Z * param(1) + Y) * row + X)};
        v.volume.scalars = {v.nx, v.ny, v.nz, v.other};
        v.volume.grid[0] = v.term(TermKind::Divide, v.nx, v.other);
      },
      "param0 - param3 + 1"));
}

TEST(Delinearise, ThreadsThatCannotBeCountedStay) {
  const Polynomial most = num(std::int64_t{1} << 62);
  EXPECT_EQ(fitOf([&](Folded &v) {
              v.line.accesses = {read(0, X)};
              v.line.grid[0] = most * v.nx;
            }),
            "none");
  EXPECT_EQ(fitOf([&](Folded &v) { v.volume.grid[0] = most * v.nx; }), "none");
  // There are 2^32 threads, each of which has an index, or a quarter of them.
  const auto fit = [](std::int64_t planes) {
    return fitOf([&](Folded &v) {
      v.volume.scalars = {num(4096), num(4096)};
      v.volume.grid = {num(256), num(1024), num(planes / 2)};
    });
  };
  EXPECT_EQ(fit(256), "none");
  EXPECT_NE(fit(64), "none");
}

TEST(Delinearise, LaunchBoundsAreThoseOfTheVolumesBlocks) {
  EXPECT_EQ(fitOf([](Folded &v) { v.maxThreads = 64; }), "none");
  EXPECT_NE(fitOf([](Folded &v) { v.maxThreads = 128; }), "none");
}

// A multiple of an index that the kernel never had may not fit into an `int`.
TEST(Delinearise, OfMoreIndicesOnlyTheBareOneIsKnown) {
  const auto isBounded = [](std::int64_t factor) {
    PlanBuilder builder;
    std::vector<PointerValue> p(3);
    for (const char *name : {"A", "B", "C"})
      p[name[0] - 'A'].array = builder.array(name);
    const Polynomial flat = global(0) + num(32768) * global(1);
    const Guard below = {less(global(0), num(32768)),
                         less(global(1), num(32768))},
                few = {less(num(factor) * global(0), num(1000))};
    const KernelId all = builder.kernel(
        "all", 2, 1, {read(0, flat, below), write(1, flat, below)});
    const KernelId line = builder.kernel(
        "line", 2, 1, {read(0, global(), few), write(1, global(), few)});
    const LaunchId x = builder.launch(all, {p[0], p[1]}, {num(0)},
                                      {num(1024), num(4096), num(1)},
                                      {num(32), num(8), num(1)});
    const LaunchId y =
        builder.launch(line, {p[1], p[2]}, {num(0)}, {num(4), num(1), num(1)},
                       {num(256), num(1), num(1)});
    const auto plan = builder.plan({x, y});
    EXPECT_TRUE(plan.fits[1].hasRows());
    return plan.fits[1].isBounded();
  };
  EXPECT_FALSE(isBounded(1));
  EXPECT_TRUE(isBounded(4));
}

} // namespace
} // namespace kfuse
