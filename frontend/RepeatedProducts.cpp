//===- frontend/RepeatedProducts.cpp - Products that come more than once --===//

#include "frontend/RepeatedProducts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace kfuse {
namespace {

using namespace clang;

/// Beyond these the calls of a kernel aren't followed.
constexpr unsigned MaximumCalls = 4096;
/// Each is compared with all, and with all stores.
constexpr std::size_t MaximumProducts = 8000;

/// What a function does in a call of it.
struct Event {
  enum Kind : std::uint8_t { Product, Call, Store, Load };
  SourceLocation at;
  Kind kind;
  std::size_t number; ///< in the lists of `Multiplied`
};

class Counter {
public:
  Counter(const SourceManager &files, const MultipliedBy &multiplied,
          const FunctionDecl &kernel)
      : Files(files), All(multiplied), Kernel(&kernel) {}

  /// One call of the function. `isTaken` when a sum may take what it returns.
  void count(const FunctionDecl &function, ValueKeys &keys, bool isTaken) {
    const auto found = All.find(&function);
    if (found == All.end())
      return;
    const Multiplied &body = found->second;
    for (const Event &event : eventsOf(function, body)) {
      if (!IsComplete)
        return;
      switch (event.kind) {
      case Event::Product:
        multiply(function, *body.products[event.number], body, keys, isTaken);
        break;
      case Event::Call:
        call(body.calls[event.number], body, keys, isTaken);
        break;
      case Event::Store:
        store(function, body.stores[event.number], keys);
        break;
      case Event::Load:
        load(body.loads[event.number], keys, isTaken);
        break;
      }
    }
  }

  RepeatedProducts result() {
    RepeatedProducts found;
    found.isComplete = IsComplete && Products.size() <= MaximumProducts &&
                       Stores.size() <= MaximumProducts;
    found.count = static_cast<unsigned>(Products.size());
    if (!found.isComplete)
      return found;
    for (Product &product : Products)
      for (Factor &factor : product.factors)
        takeStored(factor);
    for (const Product &each : Products)
      if (each.isTaken && isRepeated(each))
        found.taken[each.function].push_back(each.whole);
    passOn();
    for (const Stored &store : Stores)
      for (const Stored *origin : store.holds)
        if (isLoaded(store, origin->text->isRounded)) {
          found.loadsRounded |= origin->text->isRounded;
          auto &taken = found.taken[origin->function];
          taken.insert(taken.end(), origin->text->products.begin(),
                       origin->text->products.end());
        }
    return found;
  }

private:
  struct Factor {
    ValueKeys::Key key;
    bool isOpen;
    std::optional<ValueKeys::Place> place;
    std::vector<ValueKeys::Key> given; ///< it may be one of these
    bool mayBe(ValueKeys::Key value) const {
      return std::find(given.begin(), given.end(), value) != given.end();
    }
  };
  struct Product {
    const FunctionDecl *function;
    const Expr *whole;
    ValueKeys::Key key;
    llvm::SmallVector<Factor, 2> factors;
    bool isTaken;
  };
  struct Stored {
    const FunctionDecl *function;
    const Multiplied::Store *text;
    ValueKeys::Place place;
    ValueKeys::Key value;
    std::size_t before;                    ///< how many loads were
    std::vector<ValueKeys::Place> sources; ///< what it may be loaded from
    bool isInLoop;
    std::set<const Stored *> holds = {}; ///< the stores of whose products one
  };
  struct Loaded {
    const Multiplied::Load *text;
    ValueKeys::Place place;
    bool isInLoop;
  };

  /// In the order of the text.
  const std::vector<Event> &eventsOf(const FunctionDecl &function,
                                     const Multiplied &body) {
    const auto [known, isNew] = Events.try_emplace(&function);
    std::vector<Event> &events = known->second;
    if (!isNew)
      return events;
    const auto add = [&](Event::Kind kind, const auto &list, auto placeOf) {
      for (std::size_t i = 0; i < list.size(); ++i)
        events.push_back({placeOf(list[i]), kind, i});
    };
    add(Event::Product, body.products,
        [](const Expr *product) { return product->getEndLoc(); });
    // Without a text it may run wherever its objects end.
    add(Event::Call, body.calls, [&](const VisibleCall &call) {
      return call.whole ? call.whole->getEndLoc() : function.getEndLoc();
    });
    add(Event::Store, body.stores, [](const Multiplied::Store &store) {
      return store.value->getEndLoc();
    });
    add(Event::Load, body.loads,
        [](const Multiplied::Load &load) { return load.place->getBeginLoc(); });
    for (Event &event : events)
      if (event.at.isInvalid())
        event.at = function.getBeginLoc();
    std::sort(events.begin(), events.end(),
              [&](const Event &one, const Event &other) {
                return one.at != other.at
                           ? Files.isBeforeInTranslationUnit(one.at, other.at)
                           : std::tie(one.kind, one.number) <
                                 std::tie(other.kind, other.number);
              });
    return events;
  }

  void multiply(const FunctionDecl &function, const Expr &whole,
                const Multiplied &body, ValueKeys &keys, bool isTaken) {
    Product product{&function, &whole, keys.ofMagnitude(&whole), {}, isTaken};
    product.isTaken |= body.taken.count(&whole) != 0;
    if (const auto *operation = dyn_cast<BinaryOperator>(&whole))
      for (const Expr *factor : {operation->getLHS(), operation->getRHS()})
        product.factors.push_back({keys.ofMagnitude(factor),
                                   keys.isOpen(factor), keys.placeOf(factor),
                                   keys.givenTo(factor)});
    Products.push_back(std::move(product));
  }

  void call(const VisibleCall &call, const Multiplied &body, ValueKeys &keys,
            bool isTaken) {
    ValueKeys *inside = ++Calls > MaximumCalls ? nullptr : keys.inside(call);
    IsComplete &= inside != nullptr;
    if (inside)
      count(*call.callee, *inside,
            isTaken || body.taken.count(call.whole) != 0);
  }

  void store(const FunctionDecl &function, const Multiplied::Store &text,
             ValueKeys &keys) {
    if (const auto place = keys.placeOf(text.place))
      Stores.push_back({&function, &text, *place, keys.ofMagnitude(text.value),
                        Loads.size(), sourcesOf(function, text, keys),
                        keys.isInLoop()});
  }

  std::vector<ValueKeys::Place> sourcesOf(const FunctionDecl &function,
                                          const Multiplied::Store &text,
                                          ValueKeys &keys) const {
    // What a part of a variable holds may have been loaded elsewhere.
    if (const auto whole = keys.placeOf(text.value);
        whole && !localOf(sameValue(text.value)))
      return {*whole};
    std::vector<ValueKeys::Place> sources;
    for (const Expr *load : text.loads)
      if (const auto place = keys.placeOf(load))
        sources.push_back(*place);
      else if (&function != Kernel) // a parameter that has other values too
        sources.emplace_back();
    if (text.isLoadedInCalls)
      sources.emplace_back();
    return sources;
  }

  void load(const Multiplied::Load &text, ValueKeys &keys, bool isTaken) {
    if (!text.isTaken && !isTaken)
      return;
    if (const auto place = keys.placeOf(text.place))
      Loads.push_back({&text, *place, keys.isInLoop()});
  }

  /// Compilers know what was stored just before.
  void takeStored(Factor &factor) const {
    if (!factor.place)
      return;
    for (const Stored &store : Stores)
      if (store.place.mayBe(*factor.place))
        factor.given.push_back(store.value);
  }

  /// What is loaded and stored again has two uses as well.
  void passOn() {
    for (Stored &store : Stores)
      if (store.text->isProduct)
        store.holds.insert(&store);
    for (bool goesOn = true; goesOn;) {
      goesOn = false;
      for (Stored &store : Stores)
        if (!store.sources.empty())
          for (const Stored &other : Stores)
            if (!other.holds.empty() && &other != &store &&
                (&other < &store || store.isInLoop || other.isInLoop) &&
                isFrom(store, other)) {
              const std::size_t before = store.holds.size();
              store.holds.insert(other.holds.begin(), other.holds.end());
              goesOn |= store.holds.size() != before;
            }
    }
  }

  static bool isFrom(const Stored &store, const Stored &other) {
    return std::any_of(store.sources.begin(), store.sources.end(),
                       [&](const ValueKeys::Place &source) {
                         return other.place.mayBe(source);
                       });
  }

  /// In front of the store, a load isn't of it without a loop.
  bool isLoaded(const Stored &store, bool isRounded) const {
    for (std::size_t i = 0; i < Loads.size(); ++i) {
      const Loaded &load = Loads[i];
      if ((i >= store.before || load.isInLoop) &&
          (isRounded || load.text->isWithProduct) &&
          store.place.mayBe(load.place))
        return true;
    }
    return false;
  }

  bool isRepeated(const Product &product) const {
    return std::any_of(Products.begin(), Products.end(),
                       [&](const Product &other) {
                         return &other != &product && mayEqual(product, other);
                       });
  }

  /// Also where a factor of the one is a factor of the other, and the other
  /// factor of either may be anything.
  static bool mayEqual(const Product &one, const Product &other) {
    if (one.key == other.key)
      return true;
    if (one.factors.empty() || other.factors.empty())
      return false;
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned j = 0; j < 2; ++j)
        if (mayEqual(one.factors[i], other.factors[j]) &&
            (mayEqual(one.factors[1 - i], other.factors[1 - j]) ||
             one.factors[1 - i].isOpen || other.factors[1 - j].isOpen))
          return true;
    return false;
  }

  /// But for those that may be anything.
  static bool mayEqual(const Factor &one, const Factor &other) {
    return one.key == other.key || one.mayBe(other.key) ||
           other.mayBe(one.key) ||
           (one.place && other.place && one.place->mayBe(*other.place));
  }

  const SourceManager &Files;
  const MultipliedBy &All;
  const FunctionDecl *Kernel;
  std::map<const FunctionDecl *, std::vector<Event>> Events;
  std::vector<Product> Products;
  std::vector<Stored> Stores;
  std::vector<Loaded> Loads;
  unsigned Calls = 0;
  bool IsComplete = true;
};

} // namespace

RepeatedProducts repeatedProducts(const ASTContext &ast, KnownNumbers &numbers,
                                  const FunctionDecl &function,
                                  const MultipliedBy &multiplied) {
  ValueKeys keys(ast, numbers, function);
  Counter counter(ast.getSourceManager(), multiplied, function);
  counter.count(function, keys, false);
  return counter.result();
}

} // namespace kfuse
