//===- Questions.cpp - Questions of legality with kfuse's answers ---------===//
//
//   access-questions PROGRAM [FLAG...] > questions.jsonl
//
// Prints every question about accesses that legality could ask about the
// program's launches, as lines of JSON for tests/isl/compare.py. Each line has
// the accesses in canonical coordinates, kfuse's answer and the time that it
// took. Identical questions are asked once.
//
//===----------------------------------------------------------------------===//

#include "frontend/Extract.h"
#include "frontend/ParseRewritten.h"
#include "frontend/parse/SourceUnit.h"
#include "fusion/dependence/AccessDependences.h"
#include "fusion/dependence/Disjoint.h"
#include "fusion/dependence/Injective.h"
#include "fusion/dependence/Intervals.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>
#include <set>

using namespace kfuse;
using Json = nlohmann::ordered_json;

namespace {

Json toJson(const Polynomial &polynomial) {
  Json terms = Json::array();
  for (const auto &[monomial, coefficient] : polynomial.terms()) {
    Json symbols = Json::array();
    for (Symbol symbol : monomial)
      symbols.push_back({static_cast<int>(symbol.kind), symbol.index});
    terms.push_back({coefficient, std::move(symbols)});
  }
  return terms;
}

Json toJson(const std::vector<Polynomial> &polynomials) {
  Json list = Json::array();
  for (const Polynomial &polynomial : polynomials)
    list.push_back(toJson(polynomial));
  return list;
}

Json toJson(const StageAccess &access) {
  Json guard = Json::array();
  for (const Constraint &constraint : access.guard)
    guard.push_back(
        {static_cast<int>(constraint.relation), toJson(constraint.expression)});
  Json json{{"writes", writes(access)}, {"guard", std::move(guard)}};
  if (const auto *index = std::get_if<Polynomial>(&access.index))
    json["index"] = toJson(*index);
  else
    json["reason"] = static_cast<int>(std::get<NotPolynomial>(access.index));
  return json;
}

/// Checks whether the accesses touch different members of a struct, which never
/// overlap, whatever the indices.
bool partsAreApart(const Access &first, const Access &second) {
  return first.offset + first.width <= second.offset ||
         second.offset + second.width <= first.offset;
}

class Interview {
public:
  explicit Interview(const Program &program) : TheProgram(program) {
    for (std::uint32_t i = 0; i < program.launches.size(); ++i)
      Stages.push_back(makeStage(program, LaunchId{i}, Frame::Bound));
  }

  void run() {
    for (const Stage &stage : Stages)
      for (const StageAccess &access : stage.accesses)
        askAlone(stage, access);
    for (std::size_t j = 1; j < Stages.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        if (regionOf(Stages[i]) == regionOf(Stages[j]))
          askPairs(Stages[i], Stages[j]);
    print(Json{{"terms", terms()}, {"values", values()}});
  }

private:
  RegionId regionOf(const Stage &stage) const {
    return TheProgram[stage.launch].region;
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

  static Json describe(const Stage &stage) {
    Json shape{{"grid", Json::array()}, {"block", Json::array()}};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      shape["grid"].push_back(toJson(stage.grid[axis]));
      shape["block"].push_back(toJson(stage.block[axis]));
    }
    shape["stride"] =
        stage.strideAxis ? static_cast<int>(*stage.strideAxis) : -1;
    return shape;
  }

  /// Prints the question with the answer of `answer`, unless it was asked
  /// before.
  template <typename Answer> void ask(Json question, const Answer &answer) {
    if (!Asked.insert(question.dump()).second)
      return;
    const auto begin = std::chrono::steady_clock::now();
    const auto said = answer();
    const auto end = std::chrono::steady_clock::now();
    if constexpr (std::is_same_v<decltype(said), const Json>)
      question["answer"] = said;
    else
      question["answer"] = Json(said);
    question["ns"] =
        std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin)
            .count();
    print(question);
  }

  void askAlone(const Stage &stage, const StageAccess &access) {
    Json question{{"ask", "span"},
                  {"kernel", stage.kernel->name},
                  {"line", access.access->range.line},
                  {"shape", describe(stage)},
                  {"first", toJson(access)}};
    const Facts facts = factsOf(stage);
    std::optional<Interval> interval;
    ask(question, [&] {
      interval = intervalOf(access, stage, facts);
      return interval ? Json{{"low", toJson(interval->low)},
                             {"high", toJson(interval->high)}}
                      : Json();
    });
    const auto *index = std::get_if<Polynomial>(&access.index);
    if (!writes(access) || access.access->kind == AccessKind::Atomic)
      return;
    question["ask"] = "injective";
    ask(std::move(question), [&] {
      const Domain domain{stage, access.guard};
      return index && tellsThreadsApart(*index, domain, domain, facts);
    });
  }

  void askPairs(const Stage &one, const Stage &two) {
    const bool sameShape = one.grid == two.grid && one.block == two.block &&
                           one.strideAxis == two.strideAxis;
    const Facts facts = factsOf(one);
    for (const StageAccess &first : one.accesses)
      for (const StageAccess &second : two.accesses) {
        if (!writes(first) && !writes(second))
          continue;
        if (first.array == noneOf<ArrayId>() || first.array != second.array)
          continue;
        if (first.access->kind == AccessKind::Atomic ||
            second.access->kind == AccessKind::Atomic ||
            first.access->elementBytes != second.access->elementBytes ||
            partsAreApart(*first.access, *second.access))
          continue;
        if (!sameShape) {
          ++OtherShapes;
          continue;
        }
        Json question{{"ask", "meet"},
                      {"kernel", one.kernel->name + " / " + two.kernel->name},
                      {"line", first.access->range.line},
                      {"line2", second.access->range.line},
                      {"shape", describe(one)},
                      {"first", toJson(first)},
                      {"second", toJson(second)}};
        ask(question, [&] {
          const AccessDependence meeting =
              meet({one, first}, {two, second}, facts);
          return Json{{"kind", static_cast<int>(meeting.kind)},
                      {"offset", meeting.offset}};
        });
        question["ask"] = "apart";
        const bool areKnown = std::holds_alternative<Polynomial>(first.index) &&
                              std::holds_alternative<Polynomial>(second.index);
        ask(std::move(question), [&] {
          return areKnown && areDisjoint(first, one, second, two, facts);
        });
      }
  }

  Json terms() const {
    Json list = Json::array();
    for (std::uint32_t i = 0; i < TheProgram.terms.size(); ++i) {
      const Term &term = TheProgram.terms[{SymbolKind::Opaque, i}];
      list.push_back({{"kind", static_cast<int>(term.kind)},
                      {"detail", term.detail},
                      {"operands", toJson(term.operands)}});
    }
    return list;
  }

  Json values() const {
    Json list = Json::array();
    for (const HostValue &value : TheProgram.values)
      list.push_back({{"text", value.text}, {"positive", value.isPositive}});
    Json result{{"list", std::move(list)},
                {"launches", TheProgram.launches.size()},
                {"otherShapes", OtherShapes}};
    return result;
  }

  static void print(const Json &json) {
    std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace)
              << "\n";
  }

  const Program &TheProgram;
  std::vector<Stage> Stages;
  std::set<std::string> Asked;
  std::size_t OtherShapes = 0;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: access-questions PROGRAM [FLAG...]\n";
    return 2;
  }
  ParseOptions options;
  options.input = argv[1];
  options.flags.assign(argv + 2, argv + argc);
  std::string diagnostics;
  const auto unit = parseRewritten(options, diagnostics);
  if (!unit) {
    std::cerr << diagnostics;
    return 1;
  }
  const Program program = extract(*unit);
  Interview(program).run();
}
