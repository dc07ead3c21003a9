//===- Analysis.cpp - What a kernel does to global memory -----------------===//

#include "frontend/kernel/Analysis.h"

#include "frontend/contraction/LoadUses.h"
#include "frontend/contraction/Rounding.h"
#include "frontend/kernel/Executor.h"
#include "frontend/kernel/GuardedBodies.h"
#include "frontend/kernel/LocalMemory.h"
#include "frontend/kernel/Text.h"
#include "frontend/kernel/Uniformity.h"
#include "frontend/kernel/resources/RegisterPressure.h"
#include "frontend/syntax/Signature.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/StatementCount.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

#include <cmath>

namespace kfuse {

using namespace clang;

namespace {

/// Limits the steps of a kernel's analysis, loop rehearsals included.
constexpr std::size_t MostExecutionSteps = 4000000;

/// Returns the text after `first` up to the end of `last`, or `body` if there
/// is no such text, as in macros.
SourceRange between(FileTable &files, const Expr &first, const Expr &last,
                    const SourceRange &body) {
  const SourceRange from = files.range(first.getSourceRange());
  SourceRange found = files.range(last.getSourceRange());
  if (from.inMacro || found.inMacro || from.file != found.file ||
      found.end < from.end)
    return body;
  found.begin = from.end;
  return found;
}

/// Arithmetic on several numbers at once, whose sums aren't looked into.
class VectorFinder : public SourceVisitor {
public:
  bool isFound = false;
  bool VisitExpr(Expr *expression) override {
    const auto *vector = expression->getType()->getAs<VectorType>();
    isFound |= vector && vector->getElementType()->isFloatingType() &&
               (isa<BinaryOperator>(expression) || isa<CallExpr>(expression));
    return true;
  }
};

/// Registers that a thread needs beside its data: coordinates, the stack's
/// base, addresses in flight. About what ptxas gives an empty kernel plus one
/// address computation.
constexpr std::uint32_t BaseRegisters = 10;
constexpr std::uint32_t MaximumRegisters = 255;
/// The share of the counted words that ptxas needs: the median is 0.68 for 63
/// kernels of public programs and 0.63 for 284 generated ones.
constexpr double CompilerShare = 0.7;
/// Loads that the compiler is taken to keep in flight at once.
constexpr std::uint32_t LoadsInFlight = 16;

/// Estimates registers on machines without ptxas: two for each pointer that is
/// used, one for a scalar, the local variables, and the loads in flight.
std::uint32_t estimateRegisters(const Kernel &kernel, unsigned localWords) {
  std::set<std::uint32_t> used;
  std::uint32_t loaded = 0;
  for (const Access &access : kernel.accesses) {
    used.insert(access.pointer);
    if (access.kind == AccessKind::Read)
      loaded += std::max<std::uint32_t>(1, access.width / 4);
  }
  const std::uint32_t words =
      BaseRegisters + 2 * static_cast<std::uint32_t>(used.size()) +
      static_cast<std::uint32_t>(kernel.scalars.size()) + localWords +
      std::min(loaded, LoadsInFlight);
  return std::min(static_cast<std::uint32_t>(std::ceil(words * CompilerShare)),
                  MaximumRegisters);
}

/// Checks whether all that a parameter of the type holds gets entries of
/// Kernel::pointers and Kernel::scalars.
bool isFollowed(const ASTContext &ast, QualType type) {
  if (type->isPointerType())
    return !type->isFunctionPointerType() &&
           type->getPointeeType().getAddressSpace() != LangAS::opencl_local;
  if (type->isIntegralOrEnumerationType())
    return true;
  const RecordDecl *record = type->getAsRecordDecl();
  const auto *derived = dyn_cast_or_null<CXXRecordDecl>(record);
  return record && record->getDefinition() && !record->isUnion() &&
         type.isTriviallyCopyableType(ast) &&
         (!derived || derived->getNumBases() == 0) &&
         std::all_of(record->field_begin(), record->field_end(),
                     [&](const FieldDecl *field) {
                       return !field->getName().empty() &&
                              !field->isBitField() &&
                              isFollowed(ast, field->getType());
                     });
}

Parameter describeParameter(KernelContext &context,
                            const ParmVarDecl &parameter) {
  Parameter result;
  result.name = parameter.getNameAsString();
  result.type = spellType(context.ast, parameter.getType());
  result.canonical = spellType(
      context.ast, parameter.getType().getCanonicalType().getUnqualifiedType());
  result.range = context.files.wholeText(parameter.getSourceRange());
  result.isPointer = parameter.getType()->isPointerType();
  result.isFollowed = isFollowed(context.ast, parameter.getType());
  result.isLocal = result.isPointer &&
                   parameter.getType()->getPointeeType().getAddressSpace() ==
                       LangAS::opencl_local;
  return result;
}

} // namespace

KernelExecutor::KernelExecutor(KernelContext &context, Kernel &kernel)
    : Context(context), Result(kernel),
      Arithmetic(context.terms,
                 [this](Symbol symbol) { return rangeOfSymbol(symbol); }) {}

NumberRange KernelExecutor::rangeOfSymbol(Symbol symbol) const {
  if (symbol.kind == SymbolKind::Parameter &&
      symbol.index < Result.scalars.size())
    return rangeOf(Result.scalars[symbol.index].type);
  return rangeOfCoordinate(symbol, ast().getLangOpts().OpenCL)
      .value_or(anyNumber());
}

std::uint32_t KernelExecutor::sizeOf(QualType type) const {
  type = type.getNonReferenceType();
  // Arithmetic on `void *` counts bytes, as an extension.
  if (type->isVoidType() || type->isFunctionType())
    return 1;
  if (type->isIncompleteType() || type->isDependentType())
    return 0;
  return static_cast<std::uint32_t>(
      ast().getTypeSizeInChars(type).getQuantity());
}

void KernelExecutor::note(KernelFeature feature, clang::SourceRange range,
                          std::string detail) {
  using enum KernelFeature;
  if (feature != CoordinatesInCallee && feature != CoordinatesInMacro &&
      feature != GridShape && feature != GridFactor && feature != BlockPlace)
    ++Effects;
  if (!isRecording())
    return;
  FeatureUse use{feature, Context.files.range(range), std::move(detail)};
  if (std::find(Result.features.begin(), Result.features.end(), use) ==
      Result.features.end())
    Result.features.push_back(std::move(use));
}

void KernelExecutor::giveUp(clang::SourceRange range, std::string why) {
  ++Effects;
  if (isRecording() && Result.analysed)
    note(KernelFeature::NotFollowed, range, std::move(why));
  Result.analysed = false;
}

void KernelExecutor::giveUpSize(clang::SourceRange range, std::size_t most,
                                const char *what) {
  ++Effects;
  if (!has(Result, KernelFeature::Size))
    note(KernelFeature::Size, range, std::to_string(most) + " " + what);
  Result.analysed = false;
}

bool KernelExecutor::isOver(clang::SourceRange range) {
  if (Steps < MostExecutionSteps) {
    ++Steps;
    return false;
  }
  giveUpSize(range, MostExecutionSteps, "statements and expressions");
  return true;
}

void KernelExecutor::count(const Operations &operations) {
  if (!isRecording())
    return;
  double times = 1;
  for (const double trips : Trips)
    times *= trips;
  Result.operations += operations * times;
}

Value KernelExecutor::bindParameter(std::uint32_t parameter,
                                    const std::string &path, QualType type) {
  if (type->isIntegralOrEnumerationType()) {
    Result.scalars.push_back(
        {parameter, path, integerType(type),
         spellType(ast(), type.getCanonicalType().getUnqualifiedType())});
    return integerValue(Polynomial(
        Symbol{SymbolKind::Parameter,
               static_cast<std::uint32_t>(Result.scalars.size() - 1)}));
  }
  if (type->isPointerType() && !type->isFunctionPointerType()) {
    QualType element = type->getPointeeType();
    PointerParameter pointer;
    pointer.parameter = parameter;
    pointer.path = path;
    pointer.pointsToConst = element.isConstQualified();
    pointer.isRestrict = type.isRestrictQualified();
    for (; const ArrayType *array = ast().getAsArrayType(element);
         ++pointer.dimensions)
      element = array->getElementType();
    pointer.element = describeElement(ast(), element);
    PointerState state;
    // OpenCL passes shared memory by pointers too.
    if (element.getAddressSpace() == LangAS::opencl_local) {
      Result.usesDynamicShared = true;
      state.base = PointerBase::Private;
      return pointerValue(state);
    }
    Result.pointers.push_back(std::move(pointer));
    state.base = PointerBase::Global;
    state.pointer = static_cast<std::uint32_t>(Result.pointers.size() - 1);
    return pointerValue(state);
  }
  Value result;
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record)
    return result;
  result.kind = Value::Kind::Aggregate;
  if (record->isUnion() || !record->getDefinition())
    return result;
  for (const FieldDecl *field : record->fields()) {
    if (field->getName().empty() || field->isBitField() ||
        field->getType()->isArrayType())
      continue;
    const std::string name = "." + field->getNameAsString();
    Value member = bindParameter(parameter, path + name, field->getType());
    if (member.kind == Value::Kind::Aggregate)
      for (auto &[inner, value] : member.members)
        result.members[name + inner] = std::move(value);
    else
      result.members[name] = std::move(member);
  }
  return result;
}

void KernelExecutor::bindParameters(const FunctionDecl &function) {
  for (unsigned i = 0; i < function.getNumParams(); ++i) {
    const ParmVarDecl *parameter = function.getParamDecl(i);
    Result.parameters.push_back(describeParameter(Context, *parameter));
    if (parameter->getType()->isReferenceType())
      continue;
    Current.variables[parameter] = bindParameter(i, "", parameter->getType());
  }
}

void KernelExecutor::run(const FunctionDecl &function) {
  bindParameters(function);
  const auto *body = dyn_cast_or_null<CompoundStmt>(function.getBody());
  if (!body)
    return;
  Result.analysed = true;
  if (Context.dependence.isIn(Result.text.declaration) ||
      std::any_of(Result.calls.begin(), Result.calls.end(),
                  [&](const SourceRange &called) {
                    return Context.dependence.isIn(called);
                  })) {
    note(KernelFeature::OtherCompiler, function.getLocation(), "");
    Result.analysed = false;
  }
  for (const VarDecl *variable : pinnedVariables(body))
    Pinned.insert(variable);
  Frames.push_back({&function,
                    std::nullopt,
                    0,
                    0,
                    0,
                    {},
                    Reach::Block,
                    reachesIn(function)});
  if (!executeGridStride(*body)) {
    execute(body);
    findGridShape(*body);
  }
  Frames.pop_back();
  Result.registers = estimateRegisters(Result, liveWords(ast(), function));
}

namespace {

/// Returns the factors of a product that is the whole value, as plain text.
std::optional<std::array<SourceRange, 2>> factorsOf(const Expr &value,
                                                    FileTable &files) {
  const auto *product = dyn_cast<BinaryOperator>(value.IgnoreParens());
  const auto *update = dyn_cast_or_null<CompoundAssignOperator>(product);
  const bool isProduct =
      product &&
      (update ? update->getOpcode() == BO_MulAssign &&
                    update->getComputationResultType() == update->getType()
              : product->getOpcode() == BO_Mul);
  if (!isProduct)
    return std::nullopt;
  const std::array<SourceRange, 2> factors = {
      files.wholeText(product->getLHS()->getSourceRange()),
      files.wholeText(product->getRHS()->getSourceRange())};
  if (factors[0].inMacro || factors[1].inMacro ||
      files.range(product->getOperatorLoc()).inMacro)
    return std::nullopt;
  return factors;
}

MultiplyAdds multiplyAddsOf(const RoundingTraits &rounding, FileTable &files) {
  MultiplyAdds result;
  result.products = rounding.products;
  for (const auto &[value, store] : rounding.stores) {
    StoredValue &known =
        result.stored[files.wholeText(value->getSourceRange()).begin];
    known = store;
    known.factors = factorsOf(*value, files);
    for (std::size_t p = 0; p < result.products.size(); ++p)
      if (rounding.expressions[p] == value->IgnoreParens())
        result.products[p].storedAs =
            files.wholeText(value->getSourceRange()).begin;
  }
  result.adds = rounding.adds;
  result.contractsLate = rounding.contractsLate;
  result.hasBranches = rounding.hasBranches;
  return result;
}

} // namespace

Kernel analyseKernel(KernelContext &context, const FunctionDecl &kernel) {
  Kernel result;
  result.name = kernel.getNameAsString();
  result.qualifiedName = kernel.getQualifiedNameAsString();
  result.signature = signatureOf(kernel);
  const FunctionDecl *definition = nullptr;
  const FunctionDecl &function =
      kernel.hasBody(definition) ? *definition : kernel;
  result.text = kernelText(context, function);
  for (const auto *bounds : function.specific_attrs<CUDALaunchBoundsAttr>()) {
    Expr::EvalResult threads;
    const Expr *expression = bounds->getMaxThreads();
    if (expression && !expression->isValueDependent() &&
        expression->EvaluateAsInt(threads, context.ast))
      result.maxThreads = static_cast<std::uint32_t>(
          threads.Val.getInt().getLimitedValue(UINT32_MAX));
  }
  if (const auto *size = function.getAttr<ReqdWorkGroupSizeAttr>())
    result.requiredBlock = {size->getXDim(), size->getYDim(), size->getZDim()};
  LocalMemory local = localMemory(context, function);
  result.locals = std::move(local.variables);
  result.hasBarrierInBranch = local.hasBarrierInBranch;
  if (result.text.copyable && !local.obstacle.empty()) {
    result.text.copyable = false;
    result.text.obstacle = std::move(local.obstacle);
  }
  const RoundingTraits rounding = roundingTraits(context.ast, function);
  result.ambiguousSums = rounding.ambiguousSums;
  if (rounding.firstAmbiguous)
    result.ambiguousSum =
        context.files.range(rounding.firstAmbiguous->getSourceRange());
  result.sharedProducts = rounding.sharedProducts;
  if (rounding.contractsAnywhere)
    result.contractions.push_back(result.text.body);
  for (const auto &[product, taker] : rounding.contractions)
    result.contractions.push_back(
        between(context.files, *product, *taker, result.text.body));
  result.integersToFloating = rounding.integersToFloating;
  VectorFinder vectors;
  for (const auto &[called, sums] : rounding.sums)
    vectors.TraverseStmt(called->getBody());
  vectors.TraverseStmt(function.getBody());
  result.ambiguousSums |= vectors.isFound;
  for (const auto &[called, sums] : rounding.sums)
    if (called != &function)
      result.calls.push_back(
          context.files.range(called->getBody()->getSourceRange()));
  if (rounding.isFollowed)
    result.multiplyAdds = multiplyAddsOf(rounding, context.files);
  if (result.multiplyAdds)
    result.multiplyAdds->loads = loadUses(function, rounding, context.files);
  result.statements =
      statementsIn(*function.getBody(), context.ast.getSourceManager());
  if (result.text.copyable)
    result.guarded = guardedBody(context.ast, context.files, function);
  result.declaredIntegers =
      declaredIntegers(context.ast, context.files, function);
  KernelExecutor(context, result).run(function);
  return result;
}

} // namespace kfuse
