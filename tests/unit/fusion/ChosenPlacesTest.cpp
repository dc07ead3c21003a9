//===- ChosenPlacesTest.cpp - Places near the thread's own ----------------===//

#include "fusion/dependence/ChosenPlaces.h"
#include "PlanBuilder.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

Polynomial place() { return sym(SymbolKind::GlobalIdx, 0); }

TEST(ChosenPlaces, AreNearWhereTheGuardKeepsThemSo) {
  PlanBuilder builder;
  TermTable &terms = builder.program().terms;
  const Polynomial n = builder.value("n");
  Stage stage;
  stage.kernel = &builder[builder.pointwise("k", 1)];
  stage.grid = {num(4), num(1), num(1)};
  stage.block = {num(32), num(1), num(1)};
  // In terms the thread's index is that of the text.
  const Polynomial x =
      sym(SymbolKind::ThreadIdx, 0) + num(32) * sym(SymbolKind::BlockIdx, 0);
  const auto term = [&](TermKind kind, std::vector<Polynomial> operands,
                        std::int64_t detail = 0) {
    return makeTerm(terms, {kind, detail, std::move(operands)});
  };
  const auto choose = [&](std::int64_t way, const Polynomial &a,
                          const Polynomial &b, const Polynomial &one,
                          const Polynomial &other) {
    return term(TermKind::Select,
                {term(TermKind::Compare, {a, b}, way), one, other});
  };
  const Polynomial last = n - num(1), left = x - num(1), right = x + num(2);
  const struct {
    std::string name;
    Polynomial place;
    std::optional<std::pair<std::int32_t, std::int32_t>> distance;
  } cases[] = {
      {"clamped", term(TermKind::Minimum, {right, last}), {{0, 2}}},
      {"the other side", term(TermKind::Maximum, {left, num(0)}), {{-1, 0}}},
      {"both",
       term(TermKind::Minimum, {term(TermKind::Maximum, {left, num(0)}), last}),
       {{-1, 0}}},
      {"mirrored", choose(2, left, num(0), num(0) - left, left), {{-1, 1}}},
      {"twice",
       term(TermKind::Minimum,
            {term(TermKind::Maximum, {left, num(0)}) + num(1), last}),
       {{0, 1}}},
      {"by a comparison", x + term(TermKind::Compare, {x, last}, 2), {{0, 1}}},
      {"own", choose(2, x, last, x + num(1), x), {{0, 1}}},
      {"periodic", term(TermKind::Remainder, {x + num(1), n}), std::nullopt},
      {"mirrored far", n - num(1) - x, std::nullopt},
      {"halved", term(TermKind::Divide, {x, num(2)}), std::nullopt},
  };
  Access access;
  StageAccess read;
  read.access = &access;
  read.guard = {{Relation::NonNegative, n - num(1) - place()}};
  KnownFacts facts;
  facts.terms = &terms;
  facts.values = &builder.program().values;
  for (const auto &each : cases) {
    SCOPED_TRACE(each.name);
    const auto choice = choiceOf(0, each.place - place(), read, stage, facts);
    ASSERT_EQ(choice.has_value(), each.distance.has_value());
    if (choice)
      EXPECT_EQ(std::pair(choice->least, choice->most), *each.distance);
  }
}

TEST(ChosenPlaces, AreWrittenInNumbersOfTheText) {
  PlanBuilder builder;
  TermTable &terms = builder.program().terms;
  const Polynomial n = builder.value("n");
  Stage stage;
  stage.kernel = &builder[builder.pointwise("k", 1)];
  stage.grid = {num(4), num(1), num(1)};
  stage.block = {num(32), num(1), num(1)};
  const Polynomial x =
      sym(SymbolKind::ThreadIdx, 0) + num(32) * sym(SymbolKind::BlockIdx, 0);
  const Polynomial right =
      makeTerm(terms, {TermKind::Minimum, 0, {x + num(1), n - num(1)}});
  KnownFacts facts;
  facts.terms = &terms;
  const auto text = [&](const std::vector<NamedValue> &names) {
    Access access;
    access.names = names;
    StageAccess read;
    read.access = &access;
    return distanceText(right - place(), read, stage, facts);
  };
  EXPECT_EQ(text({{"i", x}, {"r", right}}), "r - i");
  EXPECT_EQ(text({{"i", x}, {"at", right + n}, {"own", x + n}}), "at - own");
  EXPECT_EQ(text({{"i", x}, {"r", right, true}}), "(int)(r - i)");
  EXPECT_EQ(text({{"i", x}, {"n", n}}), "min(i + 1, n - 1) - i");
  EXPECT_EQ(text({{"i", x, true}, {"n", n}}), std::nullopt);
  EXPECT_EQ(text({{"r", right}}), std::nullopt);
}

} // namespace
} // namespace kfuse
