//===- Claims.cpp - Legality's claims about integers ----------------------===//
//
//   integer-claims PROGRAM... > claims.jsonl
//
// Prints claims for tests/smt/compare.py. Each kernel of the programs is
// launched once and has one access to its first array. Each line of JSON is
// something that legality claims about two of these accesses, about two guards,
// or about an index and the threads. It names the kernels.
//
//===----------------------------------------------------------------------===//

#include "frontend/Extract.h"
#include "frontend/ParseRewritten.h"
#include "frontend/parse/SourceUnit.h"
#include "fusion/dependence/AccessDependences.h"
#include "fusion/dependence/Disjoint.h"
#include "fusion/dependence/Guards.h"
#include "fusion/dependence/Injective.h"

#include <nlohmann/json.hpp>

#include <iostream>

using namespace kfuse;
using Json = nlohmann::ordered_json;

namespace {

class Claims {
public:
  Claims(std::string path, const Program &program)
      : Path(std::move(path)), TheProgram(program) {
    for (std::uint32_t i = 0; i < program.launches.size(); ++i)
      Stages.push_back(makeStage(program, LaunchId{i}, Frame::Bound));
  }

  void print() const {
    for (const Stage &stage : Stages)
      if (const StageAccess *access = accessOf(stage))
        alone(stage, *access);
    for (std::size_t j = 1; j < Stages.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        pair(Stages[i], Stages[j]);
  }

private:
  static const StageAccess *accessOf(const Stage &stage) {
    const StageAccess *found = nullptr;
    for (const StageAccess &access : stage.accesses)
      if (access.access->pointer == 0)
        found = &access;
    return found;
  }

  Facts factsOf(const Stage &stage) const {
    Facts facts;
    facts.terms = &TheProgram.terms;
    facts.values = &TheProgram.values;
    for (const auto *extents : {&stage.grid, &stage.block})
      for (const Polynomial &extent : *extents)
        if (auto symbol = extent.asSymbol())
          facts.positive.insert(*symbol);
    return facts;
  }

  /// Returns the products as JSON, like `[[3, "param1", "gridDim.x"], ...]`.
  static Json productsOf(const Polynomial &value) {
    Json products = Json::array();
    for (const auto &[monomial, coefficient] : value.terms()) {
      Json product = {coefficient};
      for (const Symbol symbol : monomial)
        product.push_back(kfuse::print(Polynomial(symbol)));
      products.push_back(std::move(product));
    }
    return products;
  }

  void say(const char *claim, const Stage &one, const Stage &two,
           bool isAffirmed, Json detail = {}) const {
    Json rooms = Json::array();
    for (const Stage *stage : {&one, &two})
      for (const Room &room : TheProgram[stage->launch].rooms)
        rooms.push_back({productsOf(room.more), productsOf(room.less)});
    const Json line{{"program", Path},           {"claim", claim},
                    {"first", one.kernel->name}, {"second", two.kernel->name},
                    {"affirmed", isAffirmed},    {"detail", std::move(detail)},
                    {"rooms", std::move(rooms)}};
    std::cout << line.dump() << "\n";
  }

  void alone(const Stage &stage, const StageAccess &access) const {
    const auto *index = std::get_if<Polynomial>(&access.index);
    const Domain domain{stage, access.guard};
    say("injective", stage, stage,
        index && tellsThreadsApart(*index, domain, domain, factsOf(stage)));
  }

  void pair(const Stage &one, const Stage &two) const {
    const StageAccess *first = accessOf(one), *second = accessOf(two);
    if (!first || !second || one.grid != two.grid || one.block != two.block)
      return;
    const Facts facts = factsOf(one);
    say("implies", one, two, implies(first->guard, second->guard, one, facts));
    say("implies", two, one, implies(second->guard, first->guard, one, facts));
    const auto *index = std::get_if<Polynomial>(&first->index);
    const bool isSame = index && first->index == second->index &&
                        !hasUnique(*index, TheProgram.terms);
    say("same", one, two, isSame);
    if (!writes(*first) && !writes(*second))
      return;
    const bool areKnown =
        index && std::holds_alternative<Polynomial>(second->index);
    say("apart", one, two,
        areKnown && areDisjoint(*first, one, *second, two, facts));
    const AccessDependence meeting = meet({one, *first}, {two, *second}, facts);
    say("meet", one, two, meeting.kind != AccessDependence::Kind::Conflict,
        {{"kind", static_cast<int>(meeting.kind)},
         {"offset", meeting.offset},
         {"covered", meeting.isCovered}});
  }

  std::string Path;
  const Program &TheProgram;
  std::vector<Stage> Stages;
};

} // namespace

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    ParseOptions options;
    options.input = argv[i];
    std::string diagnostics;
    const auto unit = parseRewritten(options, diagnostics);
    if (!unit) {
      std::cerr << diagnostics;
      return 1;
    }
    const Program program = extract(*unit);
    Claims(argv[i], program).print();
  }
}
