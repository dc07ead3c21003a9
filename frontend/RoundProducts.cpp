//===- frontend/RoundProducts.cpp - Sums that contract in one way ---------===//

#include "frontend/RoundProducts.h"

#include "frontend/Rewriting.h"
#include "frontend/Rounding.h"
#include "frontend/SourceUnit.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"

#include <algorithm>
#include <optional>

namespace kfuse {
namespace {

using namespace clang;

/// The definitions of kernels, instantiations of templates too.
class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
  std::vector<const FunctionDecl *> kernels;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->hasAttr<CUDAGlobalAttr>() &&
        function->isThisDeclarationADefinition() &&
        !function->isDependentContext())
      kernels.push_back(function);
    return true;
  }
};

/// Functions that run on the device only, and whose text is of no template.
bool isOfDevice(const FunctionDecl &function) {
  const bool isDevice =
      function.hasAttr<CUDAGlobalAttr>() ||
      (function.hasAttr<CUDADeviceAttr>() && !function.hasAttr<CUDAHostAttr>());
  return isDevice && !function.isTemplateInstantiation() &&
         !function.isConstexpr();
}

struct UnclearFunction {
  const FunctionDecl *declaration = nullptr;
  UncertainProducts products;
  std::set<std::string> kernels; ///< that run it
};

/// By the offset of its name.
std::map<std::uint32_t, UnclearFunction> unclearFunctions(ASTContext &ast,
                                                          FileTable &files) {
  KernelFinder finder;
  finder.TraverseDecl(ast.getTranslationUnitDecl());
  std::map<std::uint32_t, UnclearFunction> all;
  for (const FunctionDecl *kernel : finder.kernels)
    for (const auto &[function, found] : uncertainProducts(ast, *kernel)) {
      const SourceRange place = files.point(function->getLocation());
      if (!FileTable::isInputText(place) || !isOfDevice(*function))
        continue;
      UnclearFunction &known = all[place.begin];
      known.declaration = function;
      known.kernels.insert(kernel->getNameAsString());
      known.products.left.insert(found.left.begin(), found.left.end());
      known.products.right.insert(found.right.begin(), found.right.end());
      known.products.shared.insert(found.shared.begin(), found.shared.end());
    }
  std::erase_if(all, [](const auto &each) {
    const UncertainProducts &found = each.second.products;
    return found.left.empty() && found.right.empty() && found.shared.empty();
  });
  return all;
}

/// The function that multiplies numbers of the type, rounding to nearest.
const char *multiplication(QualType type) {
  const auto *number = type->getAs<BuiltinType>();
  if (number && number->getKind() == BuiltinType::Float)
    return "__fmul_rn";
  if (number && number->getKind() == BuiltinType::Double)
    return "__dmul_rn";
  return nullptr;
}

struct Product {
  SourceRange whole, left, right;
  std::string call;    ///< up to the first factor
  std::string inverse; ///< for a second one that divides
  std::string text;    ///< of it all, where the factors are a macro's
};

/// Writes the products of one function, those in factors of others too.
class Writer {
public:
  Writer(std::string_view input, std::vector<Product> products)
      : Input(input), Products(std::move(products)) {
    std::sort(Products.begin(), Products.end(),
              [](const Product &lhs, const Product &rhs) {
                return std::pair(lhs.whole.begin, rhs.whole.end) <
                       std::pair(rhs.whole.begin, lhs.whole.end);
              });
  }

  DerivedText write(const SourceRange &range) {
    DerivedText text;
    std::uint32_t place = range.begin;
    while (Next < Products.size() && Products[Next].whole.begin < range.end) {
      const Product product = Products[Next++];
      text.copy(Input, place, product.whole.begin);
      place = product.whole.end;
      if (!product.text.empty()) {
        text.write(product.text, product.whole.begin);
        continue;
      }
      text.write(product.call, product.whole.begin);
      text.append(write(product.left));
      text.write(", " + product.inverse, product.left.end);
      if (product.inverse.empty())
        text.append(write(product.right));
      text.write(")", product.whole.end);
    }
    text.copy(Input, place, range.end);
    return text;
  }

private:
  std::string_view Input;
  std::vector<Product> Products;
  std::size_t Next = 0;
};

/// The expression without macros.
std::string expanded(const Expr &expression, const ASTContext &ast) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  expression.printPretty(stream, nullptr, PrintingPolicy(ast.getLangOpts()));
  return text;
}

/// The inverse of a power of two; empty for other divisors.
std::string inverseOf(const Expr &divisor, const ASTContext &ast) {
  llvm::APFloat value(0.0), inverse(0.0);
  if (!divisor.EvaluateAsFloat(value, ast) || !value.getExactInverse(&inverse))
    return {};
  llvm::SmallString<32> text;
  inverse.toString(text);
  const bool isSingle =
      divisor.getType()->isSpecificBuiltinType(BuiltinType::Float);
  if (llvm::StringRef(text).find_first_of(".E") == llvm::StringRef::npos)
    text += ".0";
  return text.str().str() + (isSingle ? "f" : "");
}

using Operations = std::set<const BinaryOperator *>;

/// The parentheses right around operations, which macros have.
class ParenFinder : public RecursiveASTVisitor<ParenFinder> {
public:
  std::map<const Expr *, const ParenExpr *> outermost;

  bool VisitParenExpr(ParenExpr *parens) {
    outermost.try_emplace(parens->IgnoreParens(), parens);
    return true;
  }
};

bool holdsOneOf(const Stmt *statement, const Operations &operations) {
  return std::any_of(
      statement->child_begin(), statement->child_end(), [&](const Stmt *part) {
        const auto *operation = dyn_cast_or_null<BinaryOperator>(part);
        return part && (operations.count(operation) != 0 ||
                        holdsOneOf(part, operations));
      });
}

/// What is to stand for one of the multiplications; nullopt where that can't be
/// written.
std::optional<Product> productOf(const BinaryOperator &operation,
                                 const Operations &all,
                                 const ParenFinder &parens,
                                 const ASTContext &ast, FileTable &files) {
  const Expr &left = *operation.getLHS(), &right = *operation.getRHS();
  Product product;
  product.whole = files.wholeText(operation.getSourceRange());
  if (const auto around = parens.outermost.find(&operation);
      product.whole.inMacro && around != parens.outermost.end())
    product.whole = files.wholeText(around->second->getSourceRange());
  product.left = files.wholeText(left.getSourceRange());
  product.right = files.wholeText(right.getSourceRange());
  const char *function = multiplication(operation.getType());
  if (!function || !FileTable::isInputText(product.whole))
    return std::nullopt;
  if (operation.isAssignmentOp()) {
    const auto *variable = dyn_cast<DeclRefExpr>(left.IgnoreParens());
    const auto &assignment = cast<CompoundAssignOperator>(operation);
    if (!variable || assignment.getComputationResultType().getCanonicalType() !=
                         operation.getType().getCanonicalType())
      return std::nullopt;
    product.call = variable->getDecl()->getNameAsString() + " = ";
  }
  const bool divides =
      operation.getOpcode() == BO_Div || operation.getOpcode() == BO_DivAssign;
  if (divides)
    product.inverse = inverseOf(right, ast);
  if (divides && product.inverse.empty())
    return std::nullopt;
  product.call += std::string(function) + "(";
  const bool isPlain = FileTable::isInputText(product.left) &&
                       FileTable::isInputText(product.right) &&
                       product.whole.begin <= product.left.begin &&
                       product.left.end <= product.right.begin &&
                       product.right.end <= product.whole.end;
  if (!isPlain && holdsOneOf(&operation, all))
    return std::nullopt;
  if (!isPlain)
    product.text =
        product.call + expanded(left, ast) + ", " + expanded(right, ast) + ")";
  return product;
}

} // namespace

std::map<std::uint32_t, std::set<std::string>>
functionsWithUnclearSums(const SourceUnit &unit) {
  ASTContext &ast = unit.ast().getASTContext();
  FileTable files(ast);
  std::map<std::uint32_t, std::set<std::string>> all;
  for (auto &[place, function] : unclearFunctions(ast, files))
    all[place] = std::move(function.kernels);
  return all;
}

RewrittenText roundProducts(const SourceUnit &unit,
                            const RoundedFunctions &functions) {
  ASTContext &ast = unit.ast().getASTContext();
  Rewriting rewriting(unit);
  FileTable &files = rewriting.files();
  for (const auto &[place, function] : unclearFunctions(ast, files)) {
    const auto wanted = functions.find(place);
    if (wanted == functions.end())
      continue;
    const SourceRange body =
        files.range(function.declaration->getBody()->getSourceRange());
    Operations rounded = function.products.shared;
    const Operations &ofSums = wanted->second == RoundedProduct::Left
                                   ? function.products.left
                                   : function.products.right;
    rounded.insert(ofSums.begin(), ofSums.end());
    ParenFinder parens;
    parens.TraverseStmt(function.declaration->getBody());
    std::vector<Product> products;
    for (const BinaryOperator *operation : rounded)
      if (auto product = productOf(*operation, rounded, parens, ast, files))
        products.push_back(*std::move(product));
    if (!products.empty() && products.size() == rounded.size() &&
        rewriting.isFree(body))
      rewriting.replace(
          body, Writer(rewriting.input(), std::move(products)).write(body),
          /*clearsSums=*/true);
  }
  return rewriting.finish();
}

} // namespace kfuse
