//===- DeviceArithmetic.cpp - What device compilers make of math ----------===//

#include "frontend/contraction/DeviceArithmetic.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <climits>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

bool isViewOfBits(llvm::StringRef name) { return name.contains("_as_"); }

/// Checks whether the function `name` converts a number from one type to
/// another, as `half2float` and `int2half_rn` do.
bool isConversion(llvm::StringRef name) {
  static const std::set<llvm::StringRef> types = {
      "half", "bfloat16", "float", "double", "int",  "uint",
      "ll",   "ull",      "short", "ushort", "char", "uchar"};
  const auto [from, rest] = name.split('2');
  return types.count(from) != 0 && types.count(rest.split('_').first) != 0;
}

} // namespace

bool isFloating(QualType type) {
  return type.getNonReferenceType().getCanonicalType()->isRealFloatingType();
}

bool approximates(const ASTContext &ast, QualType type) {
  return ast.getLangOpts().AllowRecip &&
         !type->isSpecificBuiltinType(BuiltinType::Double);
}

std::optional<bool> hasExactInverse(const ASTContext &ast,
                                    const Expr &divisor) {
  llvm::APFloat value(0.0);
  if (!divisor.EvaluateAsFloat(value, ast))
    return std::nullopt;
  return value.getExactLog2Abs() != INT_MIN;
}

LibraryFunction libraryFunction(llvm::StringRef name) {
  // One instruction, or a few.
  static const std::set<llvm::StringRef> shortOnes = {
      "fabs",  "abs",      "fmin", "fmax", "min",  "max",       "floor",
      "ceil",  "trunc",    "rint", "fma",  "ldg",  "nearbyint", "copysign",
      "isnan", "isinf",    "fadd", "fmul", "fsub", "dadd",      "dmul",
      "dsub",  "saturate", "ldca", "ldcg", "ldcs", "ldcv",      "ldlu"};
  // More, but the last isn't a multiplication.
  static const std::set<llvm::StringRef> longOnes = {
      "sqrt",   "rsqrt", "fdiv",  "fsqrt", "ddiv", "frcp",
      "frsqrt", "clamp", "round", "dsqrt", "drcp"};
  name.consume_front("__");
  // Measured with nvcc 13: barriers and shuffles end no basic block.
  if (name.starts_with("make_") || name.starts_with("shfl") ||
      name.starts_with("get_") || name == "barrier" || name == "mem_fence" ||
      name == "syncthreads" || name == "syncwarp" ||
      name.starts_with("threadfence"))
    return {false, false};
  if (isConversion(name))
    return {false, false};
  if (isViewOfBits(name))
    return {true, false};
  if (name.starts_with("atomic"))
    return {false, true};
  for (const char *suffix : {"_rn", "_rz", "_ru", "_rd", "f"})
    if (shortOnes.count(name) == 0 && longOnes.count(name) == 0)
      name.consume_back(suffix);
  const bool isShort = shortOnes.count(name) != 0;
  return {!isShort && longOnes.count(name) == 0, !isShort};
}

bool isLibraryFunction(const FunctionDecl *function) {
  return function && !function->hasBody() &&
         function->getDeclName().isIdentifier();
}

bool wrapsLibraryFunction(const FunctionDecl *function) {
  const FunctionDecl *definition =
      function && function->hasBody() ? function->getDefinition() : nullptr;
  const auto *body = definition
                         ? dyn_cast_or_null<CompoundStmt>(definition->getBody())
                         : nullptr;
  const auto *returned = body && body->size() == 1
                             ? dyn_cast<ReturnStmt>(body->body_front())
                             : nullptr;
  const auto *call =
      returned && returned->getRetValue()
          ? dyn_cast<CallExpr>(returned->getRetValue()->IgnoreParens())
          : nullptr;
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!isLibraryFunction(callee) || viewsBits(callee))
    return false;
  const LibraryFunction meaning = libraryFunction(callee->getName());
  return !meaning.mayEndInProduct && !meaning.mayBranch &&
         isFloating(callee->getReturnType()) &&
         std::all_of(call->arg_begin(), call->arg_end(), [](const Expr *given) {
           given = given->IgnoreParenImpCasts();
           if (const auto *sign = dyn_cast<UnaryOperator>(given))
             given = sign->getSubExpr()->IgnoreParenImpCasts();
           const auto *name = dyn_cast<DeclRefExpr>(given);
           return name && isa<ParmVarDecl>(name->getDecl()) &&
                  !name->getDecl()->getType()->isReferenceType();
         });
}

bool viewsBits(const FunctionDecl *function) {
  return isLibraryFunction(function) && isViewOfBits(function->getName()) &&
         function->getNumParams() == 1;
}

} // namespace kfuse
