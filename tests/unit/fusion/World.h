//===- World.h - A stage for tests of the provers -------------------------===//
#ifndef KFUSE_TESTS_UNIT_FUSION_WORLD_H
#define KFUSE_TESTS_UNIT_FUSION_WORLD_H

#include "PlanBuilder.h"

#include "fusion/dependence/Disjoint.h"
#include "fusion/dependence/Injective.h"
#include "fusion/dependence/Intervals.h"

#include <string>
#include <vector>

namespace kfuse::test {

inline Polynomial value(std::uint32_t index) {
  return sym(SymbolKind::HostValue, index);
}
/// The first two sizes have unknown signs; the third one is at least 1.
inline const Polynomial N = value(0), M = value(1), Size = value(2);
inline const Polynomial G = sym(SymbolKind::GlobalIdx, 0);
inline const Polynomial Row = sym(SymbolKind::GlobalIdx, 1);
inline const Polynomial Plane = sym(SymbolKind::GlobalIdx, 2);
/// The global index as kernels write it; within terms it stays this way.
inline const Polynomial Text = block() * num(256) + thread();

/// Builds a launch of 64 x rows x planes blocks of 256 threads.
struct World {
  TermTable terms;
  std::vector<HostValue> values = {{}, {}, {noneOf<VariableId>(), "", true}};
  Kernel kernel;
  Stage stage;
  Access access;

  explicit World(std::int64_t rows = 1, std::int64_t planes = 1) {
    stage.kernel = &kernel;
    stage.grid = {num(64), num(rows), num(planes)};
    stage.block = {num(256), num(1), num(1)};
    access.elementBytes = access.width = 4;
    access.loops = {0};
  }
  KnownFacts facts() const {
    KnownFacts known;
    known.terms = &terms;
    known.values = &values;
    return known;
  }
  Polynomial term(TermKind kind, std::vector<Polynomial> operands,
                  std::int64_t detail = 0) {
    return Polynomial(terms.intern({kind, detail, std::move(operands)}));
  }
  Polynomial quotient(const Polynomial &a, const Polynomial &b) {
    return term(TermKind::Divide, {a, b});
  }
  Polynomial rest(const Polynomial &a, const Polynomial &b) {
    return term(TermKind::Remainder, {a, b});
  }
  bool isInjective(const Polynomial &index, const Guard &guard = {}) const {
    const Domain domain{stage, guard};
    return tellsThreadsApart(index, domain, domain, facts());
  }
  StageAccess at(const Polynomial &index, const Guard &guard = {}) const {
    StageAccess result;
    result.access = &access;
    result.index = index;
    result.guard = result.cover = guard;
    return result;
  }
  /// Returns `low..high` with the first of the alternatives, or `unknown`.
  std::string ends(const Polynomial &index, const Guard &guard = {}) const {
    const auto interval = intervalOf(at(index, guard), stage, facts());
    return interval ? print(interval->low.front()) + ".." +
                          print(interval->high.front())
                    : "unknown";
  }
  bool areApart(const StageAccess &first, const StageAccess &second) const {
    return areDisjoint(first, stage, second, stage, facts());
  }
};

} // namespace kfuse::test

#endif
