//===- frontend/RepeatedProducts.cpp - Products that come more than once --===//

#include "frontend/RepeatedProducts.h"

namespace kfuse {
namespace {

using namespace clang;

/// Beyond these the calls of a kernel aren't followed.
constexpr unsigned MaximumCalls = 4096;
constexpr unsigned MaximumLevel = 16;

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
      Product &each = Products[keys.ofMagnitude(product)];
      ++each.count;
      if (isTaken || body.taken.count(product) != 0)
        each.takenIn[&function].insert(product);
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
    found.isComplete = IsComplete;
    for (const auto &[key, product] : Products) {
      found.count += product.count;
      if (product.count > 1)
        for (const auto &[function, taken] : product.takenIn)
          found.taken[function].insert(found.taken[function].end(),
                                       taken.begin(), taken.end());
    }
    return found;
  }

private:
  struct Product {
    unsigned count = 0;
    std::map<const FunctionDecl *, llvm::DenseSet<const Expr *>> takenIn;
  };

  const MultipliedBy &All;
  std::map<ValueKeys::Key, Product> Products;
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
