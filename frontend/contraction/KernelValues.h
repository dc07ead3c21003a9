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

/// The variables, calls and operations through which a value is followed;
/// beyond them it may be anything.
constexpr unsigned MostSteps = 32;

/// A place in memory by what it belongs to: a variable or parameter, and the
/// member of it that points there.
using Root = std::pair<const clang::Decl *, const clang::Decl *>;

/// A value, and the frame in which it is computed.
using Source = std::pair<const clang::Expr *, const CallFrame *>;

/// The values in a plain call tree, which outlives this object.
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

  /// Returns what the call passes to the parameter `variable`; nullptr for
  /// other variables, and for the kernel's own.
  static const clang::Expr *argument(const clang::VarDecl &variable,
                                     const CallFrame &in);
  /// Returns the only value that `variable` has, or nullopt.
  static std::optional<Source> onlyValue(const clang::VarDecl &variable,
                                         const CallFrame &in);
  /// Follows `source` through variables of one value, parameters and calls.
  Source sourceOf(Source source) const;
  /// Returns where the value of a structure's member comes from: what the
  /// structure was made of, or a member of the one that it is a copy of. The
  /// object of a method is that of its call. Returns nullopt if `part` is no
  /// such member.
  std::optional<Source> component(const clang::Expr &part,
                                  const CallFrame &in) const;
  /// Checks whether `part` is a member of a structure that the kernel is given.
  static bool isGivenMember(const clang::Expr &part, const CallFrame &in);
  /// Returns the only value of the variable that `part` belongs to.
  static const clang::Expr *wholeOf(const clang::Expr &part,
                                    const CallFrame &in);
  /// Returns the variables and parameters that own the memory at `place`, or
  /// the memory that `place` points to; nullopt if it may be any.
  std::optional<std::set<Root>> rootsOf(const clang::Expr &place,
                                        const CallFrame &in,
                                        unsigned depth = 0) const;
  /// Checks whether the kernel may store to memory of `root`.
  bool isStored(const Root &root) const;
  /// Checks whether `load` comes before `store`, or after a barrier that
  /// follows it.
  static bool isParted(const clang::Expr &load, const Store &store,
                       const CallFrame &in);

private:
  const clang::ASTContext &Ast;
  const CallTree &Tree;
  std::vector<Store> Stores;
  std::set<Root> Stored; ///< roots of stores
  bool StoresAnywhere = false;
};

/// Checks whether `value` is zero as written. Computed values aren't looked up.
bool isWrittenZero(const clang::Expr &value, const clang::ASTContext &ast);

/// Checks whether `place` is read from memory, and is no variable of the
/// function.
bool isLoad(const clang::Expr &place);

/// Checks whether `place` is a coordinate: `threadIdx.x` and similar ones, or
/// `get_global_id(0)`. rootOfCoordinate() returns which coordinate it is, for
/// OpenCL whatever the axis.
bool isCoordinate(const clang::Expr &place);
Root rootOfCoordinate(const clang::Expr &place);

} // namespace kfuse

#endif
