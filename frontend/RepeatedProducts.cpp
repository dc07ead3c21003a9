//===- frontend/RepeatedProducts.cpp - Products that come more than once --===//

#include "frontend/RepeatedProducts.h"

#include "clang/AST/Expr.h"

#include <algorithm>
#include <utility>

namespace kfuse {
namespace {

using namespace clang;

/// Beyond these the calls of a kernel aren't followed.
constexpr unsigned MaximumCalls = 4096;
constexpr unsigned MaximumLevel = 16;
/// Each is compared with all.
constexpr std::size_t MaximumProducts = 8000;

class Counter {
public:
  explicit Counter(const MultipliedBy &multiplied) : All(multiplied) {}

  /// One call of the function. `isTaken` when a sum may take what it returns.
  void count(const FunctionDecl &function, ValueKeys &keys, bool isTaken) {
    const auto found = All.find(&function);
    if (found == All.end())
      return;
    const Multiplied &body = found->second;
    for (const Expr *product : body.products) {
      Product found{&function, product, keys.ofMagnitude(product), {}, isTaken};
      found.isTaken |= body.taken.count(product) != 0;
      if (const auto *operation = dyn_cast<BinaryOperator>(product))
        for (const Expr *factor : {operation->getLHS(), operation->getRHS()})
          found.factors.push_back(
              {keys.ofMagnitude(factor), keys.alternativesOf(factor)});
      Products.push_back(std::move(found));
    }
    for (const VisibleCall &call : body.calls) {
      if (++Calls > MaximumCalls || keys.level() == MaximumLevel) {
        IsComplete = false;
        return;
      }
      ValueKeys inside(call, keys);
      count(*call.callee, inside, isTaken || body.taken.count(call.whole) != 0);
    }
  }

  RepeatedProducts result() const {
    RepeatedProducts found;
    found.isComplete = IsComplete && Products.size() <= MaximumProducts;
    found.count = static_cast<unsigned>(Products.size());
    if (!found.isComplete)
      return found;
    for (const Product &each : Products)
      if (each.isTaken && isRepeated(each))
        found.taken[each.function].push_back(each.whole);
    return found;
  }

private:
  struct Factor {
    ValueKeys::Key key;
    ValueKeys::Alternatives others;
    bool hasOther(ValueKeys::Key value) const {
      return std::find(others.stored.begin(), others.stored.end(), value) !=
             others.stored.end();
    }
  };
  struct Product {
    const FunctionDecl *function;
    const Expr *whole;
    ValueKeys::Key key;
    llvm::SmallVector<Factor, 2> factors;
    bool isTaken;
  };

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
             one.factors[1 - i].others.isOpen ||
             other.factors[1 - j].others.isOpen))
          return true;
    return false;
  }

  /// But for those that may be anything.
  static bool mayEqual(const Factor &one, const Factor &other) {
    return one.key == other.key || one.hasOther(other.key) ||
           other.hasOther(one.key) ||
           (one.others.array != 0 && one.others.array == other.others.array &&
            (one.others.isAnyElement || other.others.isAnyElement));
  }

  const MultipliedBy &All;
  std::vector<Product> Products;
  unsigned Calls = 0;
  bool IsComplete = true;
};

} // namespace

RepeatedProducts repeatedProducts(const ASTContext &ast, KnownNumbers &numbers,
                                  const FunctionDecl &function,
                                  const MultipliedBy &multiplied) {
  ValueKeys keys(ast, numbers, function);
  Counter counter(multiplied);
  counter.count(function, keys, false);
  return counter.result();
}

} // namespace kfuse
