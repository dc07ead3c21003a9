//===- tests/unit/fusion/FoldingTest.cpp - Members on fewer axes
//-----------===//

#include "PlanBuilder.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// A kernel over x, y and z that makes B of A, and one on fewer axes that makes
/// C of B.
struct Beside {
  PlanBuilder builder;
  Polynomial nx = builder.value("nx"), ny = builder.value("ny"),
             nz = builder.value("nz");
  ArrayId a = builder.array("A"), b = builder.array("B"),
          c = builder.array("C");
  bool isGuarded = true, isLoop = false;
  /// Of the volume's kernel.
  std::array<std::int64_t, 3> block = {16, 4, 2};
  std::optional<std::int64_t> blocks; ///< instead of enough
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

  /// The volume's axes along which each of the member's runs, and how many
  /// questions the host asks; or the obstacle. The member's kernel has its
  /// extents as the first parameters, and then nx and ny.
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
    const ShapeFit &fit = kernel.fits[1];
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

const Polynomial X = global(0), Y = global(1);

// What is asked where all else is known: that the index has 32 bits.
TEST(Folding, ALineRunsThroughAVolume) {
  EXPECT_EQ(planOf([](Beside &v) { return v.plan({v.nx * v.ny * v.nz}, X); }),
            "xyz if 1");
  // A plane of it.
  EXPECT_EQ(planOf([](Beside &v) { return v.plan({v.nx * v.ny}, X); }),
            "xyz partial if 1");
  EXPECT_EQ(planOf([](Beside &v) {
              v.isLoop = true;
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz if 0");
}

TEST(Folding, APlaneHasTwoAxesInOne) {
  EXPECT_EQ(planOf([](Beside &v) {
              return v.plan({v.nx, v.ny * v.nz}, Y * param(2) + X);
            }),
            "x yz if 1");
  EXPECT_EQ(planOf([](Beside &v) {
              return v.plan({v.nx * v.ny, v.nz}, Y * param(2) * param(3) + X);
            }),
            "xy z if 1");
}

TEST(Folding, BlocksOfOneRowAreNoLines) {
  // Both have blocks of 128 threads: the grids could be equal if ny and nz were
  // 1, but that is not what anybody means.
  EXPECT_EQ(planOf([](Beside &v) {
              v.block = {128, 1, 1};
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz if 1");
}

TEST(Folding, WhatIsNotKnownIsAsked) {
  // A length of rows and threads for it, the same of columns; enough planes.
  EXPECT_EQ(planOf([](Beside &v) {
              v.blocks = 64;
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz if 6");
  // Without a guard the line has threads of its own alone.
  EXPECT_EQ(planOf([](Beside &v) {
              v.isGuarded = false;
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "xyz partial bounded if 2");
  EXPECT_EQ(planOf([](Beside &v) {
              v.builder.options().conditions = false;
              return v.plan({v.nx * v.ny * v.nz}, X);
            }),
            "NeedsCondition");
}

TEST(Folding, OtherIndicesAreOtherThreads) {
  const auto verdict = [](const std::function<std::string(Beside &)> &plan) {
    const std::string text = planOf(plan);
    return text.find(" if ") == std::string::npos ? text : "fused: " + text;
  };
  // Rows the other way round, planes of another size, neighbours.
  EXPECT_EQ(verdict([](Beside &v) {
              return v.plan({v.nx, v.ny * v.nz}, X * param(1) + Y);
            }),
            "NeighbourRead");
  EXPECT_EQ(verdict([](Beside &v) {
              return v.plan({v.nx * v.ny, v.nz}, Y * param(2) * param(2) + X);
            }),
            "NeighbourRead");
  EXPECT_EQ(verdict([](Beside &v) {
              return v.plan({v.nx * v.ny * v.nz}, X + num(1));
            }),
            "NeighbourRead");
  EXPECT_EQ(verdict([](Beside &v) {
              return v.plan({v.nx * v.ny * v.nz}, num(2) * X);
            }),
            "NeighbourRead");
}

TEST(Folding, TermsOfALineAreNotThoseOfARow) {
  // An odd x is no odd i: the same text says different things.
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

TEST(Folding, WhoKnowsItsBlockStays) {
  for (const KernelFeature feature :
       {KernelFeature::BlockPlace, KernelFeature::GridShape,
        KernelFeature::CoordinatesInCallee, KernelFeature::WarpOperation})
    EXPECT_EQ(planOf([&](Beside &v) {
                v.change = [&](Kernel &, Kernel &line) {
                  line.features.push_back({feature, {}, ""});
                };
                return v.plan({v.nx * v.ny * v.nz}, X);
              }),
              "DifferentShape");
}

} // namespace
} // namespace kfuse
