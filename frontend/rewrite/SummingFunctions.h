//===- SummingFunctions.h - Functions whose sums take products ------------===//
//
// The functions that a unit's kernels run and whose sums can be written
// otherwise, in place or in a copy.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_SUMMINGFUNCTIONS_H
#define KFUSE_FRONTEND_REWRITE_SUMMINGFUNCTIONS_H

#include "frontend/contraction/Rounding.h"
#include "frontend/rewrite/SumLines.h"
#include "frontend/syntax/SourceRanges.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class ASTContext;
class BinaryOperator;
class DeclRefExpr;
class Expr;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// The word in a function's text that says that the host has it.
inline constexpr std::string_view HostWord = "__host__";

/// A function that kernels run, with its sums that take products.
struct SummingFunction {
  const clang::FunctionDecl *declaration = nullptr;
  std::set<const clang::BinaryOperator *> sums;
  /// Operands of these that are no products, and those that are products which
  /// are never rounded.
  std::set<const clang::Expr *> free, exact;
  std::set<std::string> kernels; ///< that run it, by signature
  std::map<std::string, unsigned> copies;
  bool isAsked = false;    ///< in one of them
  bool isRepeated = false; ///< in a file that is included more than once
  bool needsCopy = false;
  bool canBeCopied = false;
  /// Names in it of functions that may get one.
  std::map<const clang::DeclRefExpr *, FunctionPlace> calls;
};

struct SummingFunctions {
  std::map<FunctionPlace, SummingFunction> functions;
  AllProducts products; ///< of all that kernels run
};

/// Returns the definitions of kernels, instantiations of templates too.
std::vector<const clang::FunctionDecl *> kernelsOf(clang::ASTContext &ast);

/// Finds the functions with a sum that a kernel may contract in several ways,
/// or that a kernel named in `asked` runs, and those that have to change
/// with them.
SummingFunctions summingFunctions(clang::ASTContext &ast, FileTable &files,
                                  const std::set<std::string> &asked);

} // namespace kfuse

#endif
