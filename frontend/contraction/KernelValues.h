//===- KernelValues.h - Where values of a kernel come from ----------------===//
//
// Values are followed through variables, and through calls as if these were
// inlined.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_KERNELVALUES_H
#define KFUSE_FRONTEND_CONTRACTION_KERNELVALUES_H

#include "frontend/contraction/CallTree.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace clang {
class Decl;
} // namespace clang

namespace kfuse {

/// A place in memory by what it belongs to: a variable or parameter, and the
/// member of it that points there.
using Root = std::pair<const clang::Decl *, const clang::Decl *>;

/// A value, and the frame in which it is computed.
using Source = std::pair<const clang::Expr *, const CallFrame *>;

/// Of a plain call tree, which outlives it.
class KernelValues {
public:
  struct Store {
    const CallFrame *in;
    const clang::Expr *place, *value;
    std::optional<std::set<Root>> roots; ///< nullopt for any
  };

  KernelValues(const clang::ASTContext &ast, const CallTree &tree);

  const clang::ASTContext &ast() const { return Ast; }
  const CallTree &tree() const { return Tree; }
  const std::vector<Store> &stores() const { return Stores; }

  /// What the call gives to a parameter; nullptr for other variables, and for
  /// the kernel's own.
  static const clang::Expr *argument(const clang::VarDecl &variable,
                                     const CallFrame &in);
  /// The only value that a variable has.
  static std::optional<Source> onlyValue(const clang::VarDecl &variable,
                                         const CallFrame &in);
  /// Through variables of one value, parameters and calls.
  Source sourceOf(Source source) const;
  /// Of a structure that the kernel is given.
  static bool isGivenMember(const clang::Expr &part, const CallFrame &in);
  /// Of a part of a variable, the only value that the variable is given.
  static const clang::Expr *wholeOf(const clang::Expr &part,
                                    const CallFrame &in);
  /// What a place in memory, or what a pointer leads to, may belong to; nullopt
  /// for anything.
  std::optional<std::set<Root>> rootsOf(const clang::Expr &place,
                                        const CallFrame &in,
                                        unsigned depth = 0) const;
  /// Whether the kernel stores to it.
  bool isStored(const Root &root) const;
  /// Whether the load comes before the store or behind a barrier, wherever both
  /// run once.
  static bool isParted(const clang::Expr &load, const Store &store,
                       const CallFrame &in);

private:
  const clang::ASTContext &Ast;
  const CallTree &Tree;
  std::vector<Store> Stores;
};

/// Whether a zero is written there: of what is computed it isn't looked up.
bool isWrittenZero(const clang::Expr &value, const clang::ASTContext &ast);

/// Whether the value is read from memory.
bool isLoad(const clang::Expr &place);

/// `threadIdx.x` and its like, which kfuse's headers declare as members of
/// variables, and `get_global_id(0)`; and which of them, whatever the axis.
bool isCoordinate(const clang::Expr &place);
Root coordinateOf(const clang::Expr &place);

} // namespace kfuse

#endif
