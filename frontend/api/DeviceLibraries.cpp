//===- DeviceLibraries.cpp - Calls that borrow device arrays --------------===//

#include "frontend/api/DeviceLibraries.h"

#include "frontend/api/Callees.h"
#include "frontend/syntax/KnownFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace kfuse {

using namespace clang;

namespace {

/// Thrust's algorithms that write nothing where their first iterators lead.
constexpr auto ReadingAlgorithms = std::to_array<std::string_view>(
    {"all_of", "any_of", "count", "count_if", "equal", "inner_product",
     "is_sorted", "max_element", "min_element", "minmax_element", "none_of",
     "reduce", "transform_reduce"});
constexpr auto WritingAlgorithms =
    std::to_array<std::string_view>({"adjacent_difference",
                                     "copy",
                                     "copy_n",
                                     "exclusive_scan",
                                     "fill",
                                     "fill_n",
                                     "for_each",
                                     "for_each_n",
                                     "gather",
                                     "generate",
                                     "inclusive_scan",
                                     "replace",
                                     "replace_if",
                                     "reverse",
                                     "scatter",
                                     "sequence",
                                     "sort",
                                     "sort_by_key",
                                     "stable_sort",
                                     "stable_sort_by_key",
                                     "swap_ranges",
                                     "tabulate",
                                     "transform",
                                     "transform_exclusive_scan",
                                     "transform_inclusive_scan",
                                     "uninitialized_fill"});

/// The operations of cuBLAS, behind the letter of the type.
constexpr auto BlasOperations = std::to_array<std::string_view>(
    {"asum", "axpy", "copy", "dot",  "dotc", "dotu", "gbmv", "geam",
     "gemm", "gemv", "ger",  "nrm2", "rot",  "sbmv", "scal", "spmv",
     "swap", "symm", "symv", "syrk", "trmm", "trmv", "trsm", "trsv"});

template <std::size_t Count>
bool isOneOf(std::string_view name,
             const std::array<std::string_view, Count> &names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Checks whether an object of the type holds numbers alone.
bool holdsNumbers(QualType type) {
  if (type->isArithmeticType() || type->isEnumeralType())
    return true;
  const auto *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isUnion() ||
      record->isPolymorphic() || !record->isTriviallyCopyable())
    return false;
  return llvm::all_of(record->bases(),
                      [](const CXXBaseSpecifier &base) {
                        return holdsNumbers(base.getType());
                      }) &&
         llvm::all_of(record->fields(), [](const FieldDecl *field) {
           return holdsNumbers(field->getType());
         });
}

/// Checks whether the code is arithmetic on its own variables: it names no
/// global, and calls only functions of the system.
bool isPlainCode(const Stmt &code, const SourceManager &sources) {
  if (isa<GCCAsmStmt>(code) || isa<LambdaExpr>(code))
    return false;
  if (const auto *name = dyn_cast<DeclRefExpr>(&code)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    const auto *function = dyn_cast<FunctionDecl>(name->getDecl());
    if ((variable && variable->hasGlobalStorage()) ||
        (function && !isSystem(*function, sources)))
      return false;
  }
  if (const auto *member = dyn_cast<MemberExpr>(&code);
      member && !isa<FieldDecl>(member->getMemberDecl()))
    return false;
  if (const auto *value = dyn_cast<Expr>(&code);
      value && value->isPRValue() && value->getType()->isRecordType() &&
      !holdsNumbers(value->getType()))
    return false;
  if (const auto *made = dyn_cast<CXXConstructExpr>(&code);
      made && !made->getConstructor()->isTrivial())
    return false;
  return llvm::all_of(code.children(), [&](const Stmt *part) {
    return !part || isPlainCode(*part, sources);
  });
}

/// Checks whether the object that an algorithm is given reaches nothing on the
/// device: an execution policy of the default stream, an operation on numbers.
bool isPlainOperation(QualType type, const SourceManager &sources) {
  const auto *record = type->getAsCXXRecordDecl();
  if (!record || !holdsNumbers(type))
    return false;
  if (sources.isInSystemHeader(
          sources.getExpansionLoc(record->getLocation()))) {
    // Code of the user's may be in what the class is a template for.
    const auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(record);
    return record->fields().empty() &&
           (!instance ||
            llvm::all_of(instance->getTemplateArgs().asArray(),
                         [](const TemplateArgument &argument) {
                           return argument.getKind() ==
                                      TemplateArgument::Type &&
                                  !argument.getAsType()->isRecordType();
                         }));
  }
  return record->getNumBases() == 0 &&
         llvm::all_of(record->decls(), [&](const Decl *each) {
           const auto *method = dyn_cast<CXXMethodDecl>(each);
           const FunctionDecl *definition =
               method ? method->getDefinition() : nullptr;
           return !isa<FunctionTemplateDecl>(each) &&
                  (!method || method->isImplicit() || method->isDefaulted() ||
                   (definition && definition->getBody() &&
                    isPlainCode(*definition->getBody(), sources)));
         });
}

bool isThrustClass(QualType type,
                   std::initializer_list<llvm::StringRef> names) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getIdentifier() &&
         isInNamespace(*record, "thrust") &&
         llvm::is_contained(names, record->getName());
}

bool isVector(QualType type) {
  return isThrustClass(type, {"device_vector", "host_vector"});
}

class BorrowFinder {
public:
  BorrowFinder(const std::set<std::string> &runtimeNames, ASTContext &ast)
      : Names(runtimeNames), Ast(ast), Sources(ast.getSourceManager()) {}

  Borrowing found;

  bool call(const CallExpr &call, bool isWhole) {
    const FunctionDecl *callee = call.getDirectCallee();
    if (!callee || isa<CXXOperatorCallExpr>(call) ||
        isa<CXXMemberCallExpr>(call) || !isSystem(*callee, Sources))
      return false;
    const QualType result = call.getType();
    const bool isPlain =
        isWhole || result->isVoidType() || holdsNumbers(result);
    if (isInNamespace(*callee, "thrust"))
      return isPlain && algorithm(*callee, call);
    if (isInNamespace(*callee, "cub"))
      return isPlain && ofCub(*callee, call);
    return ofLibrary(plainName(*callee), call);
  }

  /// A vector copies what it is made of.
  bool construct(const CXXConstructExpr &made) {
    if (!isVector(made.getType()))
      return false;
    const auto *record = cast<ClassTemplateSpecializationDecl>(
        made.getType()->getAsCXXRecordDecl());
    const TemplateArgument &element = record->getTemplateArgs()[0];
    return element.getKind() == TemplateArgument::Type &&
           element.getAsType()->isArithmeticType() &&
           all({made.getArgs(), made.getNumArgs()}, false);
  }

private:
  bool algorithm(const FunctionDecl &callee, const CallExpr &call) {
    if (!callee.getDeclName().isIdentifier() || isa<CXXMethodDecl>(callee))
      return false;
    const std::string name = callee.getNameAsString();
    const bool reads = isOneOf(name, ReadingAlgorithms);
    // The program's own operation may take elements by reference.
    const bool writes =
        !reads || llvm::any_of(call.arguments(), [&](const Expr *each) {
          const auto *record = each->getType()->getAsCXXRecordDecl();
          return record && !Sources.isInSystemHeader(
                               Sources.getExpansionLoc(record->getLocation()));
        });
    return (reads || isOneOf(name, WritingAlgorithms)) &&
           all({call.getArgs(), call.getNumArgs()}, writes);
  }

  /// Checks for algorithms that work on the whole device.
  bool ofCub(const FunctionDecl &callee, const CallExpr &call) {
    const auto *method = dyn_cast<CXXMethodDecl>(&callee);
    return method && method->isStatic() &&
           method->getParent()->getIdentifier() &&
           llvm::is_contained({"DeviceReduce", "DeviceScan", "DeviceRadixSort",
                               "DeviceSelect", "DeviceHistogram"},
                              method->getParent()->getName()) &&
           all({call.getArgs(), call.getNumArgs()}, true);
  }

  /// Checks for functions of cuBLAS, cuRAND and cuFFT. Their first argument is
  /// a handle, which the program made and left on the default stream.
  bool ofLibrary(llvm::StringRef name, const CallExpr &call) {
    name.consume_back("_v2");
    bool isKnown = false;
    llvm::StringRef library = "cufft";
    if (name.consume_front("cublas")) {
      library = "cublas";
      isKnown = isBlas(name) && isNamed("cublasCreate");
    } else if (name.consume_front("curandGenerate")) {
      library = "curand";
      isKnown = (name.empty() || name.starts_with("Uniform") ||
                 name.starts_with("Normal") || name.starts_with("LogNormal")) &&
                isNamed("curandCreateGenerator");
    } else {
      isKnown = name.starts_with("cufftExec") &&
                (isNamed("cufftPlan") || isNamed("cufftMakePlan"));
    }
    HasOperators = false;
    return isKnown && !isNamed(library.str() + "SetStream") &&
           call.getNumArgs() != 0 &&
           all({call.getArgs() + 1, call.getNumArgs() - 1}, true);
  }

  /// Checks whether the program calls a function whose name starts so.
  bool isNamed(const std::string &start) const {
    const auto found = Names.lower_bound(start);
    return found != Names.end() && found->starts_with(start);
  }

  static bool isBlas(llvm::StringRef name) {
    // Such as `Isamax`: where the largest element is.
    if (name.consume_front("I"))
      return name.size() == 5 &&
             (name.ends_with("amax") || name.ends_with("amin"));
    return name.size() > 1 && llvm::StringRef("SDCZ").contains(name.front()) &&
           isOneOf(name.drop_front(), BlasOperations);
  }

  bool all(llvm::ArrayRef<const Expr *> arguments, bool writes) {
    return llvm::all_of(
        arguments, [&](const Expr *each) { return argument(*each, writes); });
  }

  bool argument(const Expr &given, bool writes) {
    if (const auto *own = dyn_cast<CXXDefaultArgExpr>(&given))
      return argument(*own->getExpr(), writes);
    const QualType type = given.getType().getNonReferenceType();
    if (type->isArithmeticType() || type->isEnumeralType() ||
        given.isNullPointerConstant(Ast, Expr::NPC_ValueDependentIsNotNull) !=
            Expr::NPCK_NotNull)
      return true;
    if (type->isAnyPointerType())
      return pointer(given, writes);
    return isPlainOperation(type, Sources) || iterator(given, writes);
  }

  bool pointer(const Expr &given, bool writes) {
    const QualType pointee = given.getType()->getPointeeType();
    // The user may have written the operators of other elements.
    if (!pointee->isVoidType() && !pointee->isArithmeticType() &&
        (HasOperators || !holdsNumbers(pointee)))
      return false;
    found.pointers.push_back({&given, writes && !pointee.isConstQualified()});
    return true;
  }

  /// Follows an iterator that is made of a pointer or a vector here:
  /// `device_ptr<T>(p)`, `device_pointer_cast(p) + n`, `v.begin() + n`.
  bool iterator(const Expr &given, bool writes) {
    const Expr *inner = given.IgnoreParens();
    for (const Expr *outer = nullptr; inner != outer;) {
      outer = inner;
      if (const auto *full = dyn_cast<FullExpr>(inner))
        inner = full->getSubExpr();
      else if (const auto *made = dyn_cast<MaterializeTemporaryExpr>(inner))
        inner = made->getSubExpr();
      else if (const auto *cast = dyn_cast<CastExpr>(inner))
        inner = cast->getSubExpr();
      inner = inner->IgnoreParens();
    }
    if (const auto *method = dyn_cast<CXXMemberCallExpr>(inner)) {
      const CXXMethodDecl *callee = method->getMethodDecl();
      const Expr &vector =
          *method->getImplicitObjectArgument()->IgnoreParenImpCasts();
      if (!callee || !isVector(vector.getType()) ||
          !callee->getDeclName().isIdentifier() ||
          !llvm::is_contained({"begin", "end", "cbegin", "cend"},
                              callee->getName()))
        return false;
      found.vectors.push_back({&vector, writes});
      return true;
    }
    const auto *call = dyn_cast<CallExpr>(inner);
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    if (isa_and_nonnull<CXXOperatorCallExpr>(call)) {
      found.wrappers.insert(inner);
      return callee && isInNamespace(*callee, "thrust") &&
             (callee->getOverloadedOperator() == OO_Plus ||
              callee->getOverloadedOperator() == OO_Minus) &&
             call->getNumArgs() == 2 &&
             call->getArg(1)->getType()->isIntegerType() &&
             iterator(*call->getArg(0), writes);
    }
    if (!isThrustClass(inner->getType(), {"device_ptr"}))
      return false;
    const auto *made = dyn_cast<CXXConstructExpr>(inner);
    const Expr *from = nullptr;
    if (made && made->getNumArgs() == 1)
      from = made->getArg(0);
    else if (callee && isInNamespace(*callee, "thrust") &&
             callee->getDeclName().isIdentifier() &&
             callee->getName() == "device_pointer_cast" &&
             call->getNumArgs() == 1)
      from = call->getArg(0);
    if (!from)
      return false;
    found.wrappers.insert(inner);
    return from->getType()->isAnyPointerType() ? pointer(*from, writes)
                                               : iterator(*from, writes);
  }

  const std::set<std::string> &Names;
  ASTContext &Ast;
  const SourceManager &Sources;
  bool HasOperators = true; ///< operations on elements that the user may define
};

} // namespace

std::optional<Borrowing> borrowedBy(const Expr &use, bool isWhole,
                                    const std::set<std::string> &runtimeNames,
                                    ASTContext &ast) {
  BorrowFinder finder(runtimeNames, ast);
  const auto *called = dyn_cast<CallExpr>(&use);
  const auto *made = dyn_cast<CXXConstructExpr>(&use);
  if (!(called && finder.call(*called, isWhole)) &&
      !(made && finder.construct(*made)))
    return std::nullopt;
  return std::move(finder.found);
}

} // namespace kfuse
