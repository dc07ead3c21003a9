//===- Leaves.h - What values are computed of -----------------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_LEAVES_H
#define KFUSE_FRONTEND_CONTRACTION_LEAVES_H

#include "frontend/contraction/KernelValues.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace kfuse {

/// The inputs that a value is computed from, except constants.
struct Leaves {
  /// Parameters, memory, and the coordinates of the thread.
  std::set<Root> names;
  /// The indices at which memory is read, with the fields of the elements.
  std::map<Root, std::set<std::string>> indices;
  /// Not all could be followed, or named: it may be any value.
  bool isOpaque = false;
};

class LeafFinder {
public:
  explicit LeafFinder(const KernelValues &values) : Values(values) {}

  /// Returns the leaves of `value`, valid as long as this is.
  const Leaves &leavesOf(const clang::Expr &value, const CallFrame &in) const;

  /// Checks whether compilers know nothing of some input of `value`.
  bool isGiven(const clang::Expr &value, const CallFrame &in) const;

  /// Checks whether compilers might find that `one` and `other` are the same
  /// value.
  bool mayBeSame(const Source &one, const Source &other) const {
    unsigned budget = MostComparisons;
    return areSame(one, other, budget);
  }

private:
  /// Beyond this two values are taken for the same.
  static constexpr unsigned MostComparisons = 64;
  using Polynomial = std::map<std::string, std::int64_t>;

  bool areSame(const Source &one, const Source &other, unsigned &budget) const;
  void gather(const clang::Expr *value, const CallFrame &in, Leaves &leaves,
              unsigned &budget) const;
  void gatherAny(const clang::VarDecl &variable, const CallFrame &in,
                 Leaves &leaves, unsigned &budget) const;
  void gatherLoad(const clang::Expr &place, const std::string &part,
                  const CallFrame &in, Leaves &leaves, unsigned &budget) const;
  std::optional<Polynomial> indexOf(const clang::Expr *index,
                                    const CallFrame &in, unsigned depth) const;

  const KernelValues &Values;
  /// Each pair of products may ask for the leaves of both.
  mutable std::map<std::pair<const clang::Expr *, const CallFrame *>, Leaves>
      Known;
};

} // namespace kfuse

#endif
