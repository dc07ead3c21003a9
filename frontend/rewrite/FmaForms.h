//===- FmaForms.h - What stands for the sums of a function ----------------===//
//
//   a * x + b * y ──Left──▶ __fma_rn(│a│, │x│, │__dmul_rn(│b│, │y│)│)
//
// Words, and between them operands, which are written in the same way. Of a
// product that a variable holds the factors become variables as well:
//
//   double t = a * x;   ──▶  double t_left = a, t_right = x,
//                                   t = t_left * t_right;
//   s += t;                  s = __fma_rn(t_left, t_right, s);
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_FMAFORMS_H
#define KFUSE_FRONTEND_REWRITE_FMAFORMS_H

#include "frontend/rewrite/NamedProducts.h"
#include "frontend/rewrite/SumLines.h"
#include "frontend/syntax/SourceRanges.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kfuse {

/// Checks whether `range` is plain text of `file`.
inline bool isTextOf(std::uint32_t file, const SourceRange &range) {
  return range.file == file && range.line != 0 && !range.inMacro;
}

using ExplicitForm =
    std::vector<std::variant<std::string, const clang::Expr *>>;
struct Forms {
  std::map<const clang::BinaryOperator *, ExplicitForm> operations;
  /// For the declarators of variables that hold a product.
  std::map<const clang::VarDecl *, ExplicitForm> declarators;
};

struct Labels {
  Forms forms;
  std::vector<SumLines> sums; ///< in the order of the text
  /// The products of each sum, left and right; nullptr for other operands.
  std::vector<const clang::BinaryOperator *> products;
  std::map<const clang::BinaryOperator *, std::uint32_t> lines; ///< of all
};

struct Namer {
  /// Returns the name of a function for numbers with the suffix. It takes a sum
  /// and the factors of a product, which it contracts with the sum.
  std::function<std::string(const char *suffix)> helper;
  /// Returns a name that nothing else has.
  std::function<std::string(const std::string &wanted)> fresh;
};

class FmaForms {
public:
  /// Reads `function`; `sums` are its sums that take products.
  FmaForms(const clang::FunctionDecl &function,
           const std::set<const clang::BinaryOperator *> &sums,
           const clang::ASTContext &ast, FileTable &files);

  /// Returns a choice with no product contracted in any sum.
  FunctionContractions uncontracted() const {
    return {All.size(), Contraction::None};
  }

  /// Returns the forms for `chosen`; nullopt if one can't be written.
  std::optional<Forms> forms(const FunctionContractions &chosen,
                             const Namer &namer) const;

  /// Returns forms that do the same, with a line of its own for each sum that
  /// takes products and for each product, from `next` on. Operands in `free`
  /// are no products, and those in `exact` are products without rounding.
  Labels labels(const std::set<const clang::Expr *> &free,
                const std::set<const clang::Expr *> &exact,
                std::uint32_t &next) const;

  std::uint32_t file() const { return File; }
  const clang::Stmt &body() const { return Body; }
  /// Returns the preorder number of `operation`: outer ones come first.
  unsigned order(const clang::BinaryOperator *operation) const {
    return Order.lookup(operation);
  }
  /// Returns the expression that `expression` is an operand of, or nullptr.
  const clang::Expr *around(const clang::Expr &expression) const {
    return Around.lookup(&expression);
  }

private:
  /// An operand of a sum that is a product.
  struct Product {
    const clang::BinaryOperator *operation = nullptr;
    bool isNegated = false;
    const NamedProduct *held = nullptr; ///< if a variable holds it
  };
  /// The texts for the factors of a product that a variable holds.
  struct Factors {
    std::string left, right;
    unsigned sums = 0; ///< that take these instead of the variable
  };
  using NamedFactors = std::map<const NamedProduct *, Factors>;
  /// Names of functions of one type of numbers.
  struct Arithmetic {
    const char *add, *subtract, *multiply, *contract, *suffix, *type;
  };
  using Factor = std::variant<std::string, const clang::Expr *>;

  static std::optional<Arithmetic> arithmetic(clang::QualType type);
  void visit(const clang::Stmt &statement, const clang::Expr *around,
             const std::set<const clang::BinaryOperator *> &sums);
  Product product(const clang::BinaryOperator &sum,
                  const clang::Expr *operand) const;
  std::optional<std::string>
  assignment(const clang::BinaryOperator &operation) const;
  bool isMultiplication(const clang::BinaryOperator &operation) const;
  bool isRounded(const Product &product) const;
  static void negate(ExplicitForm &form, const Factor &factor,
                     const Arithmetic &names, const Forms &all);
  std::pair<Factor, Factor> factors(const clang::BinaryOperator &product) const;
  Factors name(const NamedProduct &held, const Namer &namer) const;
  void declare(const NamedProduct &held, const Factors &names,
               Forms &all) const;
  std::optional<ExplicitForm> rounded(const clang::BinaryOperator &product,
                                      const Arithmetic &names) const;
  std::optional<ExplicitForm> formOf(const clang::BinaryOperator &sum,
                                     Contraction side, const Arithmetic &names,
                                     const Namer &namer, const Forms &all,
                                     NamedFactors &named) const;

  const clang::ASTContext &Ast;
  FileTable &Files;
  const clang::Stmt &Body;
  std::uint32_t File; ///< that the function is in
  /// In the order of the text.
  std::vector<const clang::BinaryOperator *> All, Products;
  llvm::DenseMap<const clang::Stmt *, unsigned> Order;
  llvm::DenseMap<const clang::Expr *, const clang::Expr *> Around;
  NamedProducts Held;
};

} // namespace kfuse

#endif
