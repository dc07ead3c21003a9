//===- CollectFunctions.cpp - The host functions of a unit ----------------===//

#include "frontend/host/CollectFunctions.h"

#include "frontend/api/Callees.h"
#include "frontend/host/CollectOpenCl.h"
#include "frontend/host/Unit.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether `function` may run on the host: it is neither a kernel nor a
/// function of the device alone.
bool isForHost(const FunctionDecl &function) {
  return !function.hasAttr<CUDAGlobalAttr>() &&
         (!function.hasAttr<CUDADeviceAttr>() ||
          function.hasAttr<CUDAHostAttr>());
}

/// Visits declarations outside system headers, the concrete functions of
/// templates with them.
class Collector {
public:
  explicit Collector(HostUnit &unit) : Unit(unit) {}

  void visitAll(const DeclContext &context) {
    for (const Decl *declaration : context.decls())
      visit(*declaration);
  }

private:
  HostUnit &Unit;
  std::map<const FunctionDecl *, std::vector<const FunctionDecl *>> Instances;

  void visit(const Decl &declaration) {
    if (Unit.model.files.isInSystemHeader(
            Unit.model.files.sources().getExpansionLoc(
                declaration.getLocation())) &&
        !isa<LinkageSpecDecl>(declaration))
      return;
    if (const auto *function = dyn_cast<FunctionDecl>(&declaration))
      return add(*function);
    if (const auto *pattern = dyn_cast<FunctionTemplateDecl>(&declaration)) {
      if (pattern->isThisDeclarationADefinition() ||
          pattern == pattern->getCanonicalDecl())
        for (const FunctionDecl *instance : pattern->specializations())
          add(*instance);
      return;
    }
    if (const auto *pattern = dyn_cast<ClassTemplateDecl>(&declaration)) {
      if (pattern == pattern->getCanonicalDecl())
        for (const ClassTemplateSpecializationDecl *instance :
             pattern->specializations())
          if (!instance->isDependentContext())
            visitAll(*instance);
      return;
    }
    if (const auto *variable = dyn_cast<VarDecl>(&declaration)) {
      if (variable->hasAttr<HIPManagedAttr>())
        Unit.managed = true;
      return;
    }
    if (isa<NamespaceDecl>(declaration) || isa<LinkageSpecDecl>(declaration) ||
        (isa<CXXRecordDecl>(declaration) &&
         !cast<CXXRecordDecl>(declaration).isLambda() &&
         !cast<CXXRecordDecl>(declaration).isDependentContext()))
      visitAll(*cast<DeclContext>(&declaration));
  }

  void add(const FunctionDecl &function) {
    const FunctionDecl *definition = function.getDefinition();
    if (!definition || !definition->hasBody() ||
        definition->isDependentContext() || !isForHost(*definition) ||
        Unit.functions.count(definition))
      return;
    HostFunction entry;
    entry.declaration = definition;
    entry.scan = scanHost(*definition, Unit.model.files.sources());
    if (const FunctionDecl *pattern =
            definition->getTemplateInstantiationPattern()) {
      std::vector<const FunctionDecl *> &instances = Instances[pattern];
      instances.push_back(definition);
      if (instances.size() > 1) {
        entry.isShared = true;
        for (const FunctionDecl *instance : instances)
          if (instance != definition)
            Unit.functions[instance].isShared = true;
      }
    }
    Unit.order.push_back(definition);
    std::vector<const LambdaExpr *> lambdas = entry.scan.lambdas;
    // A function that makes a lambda may have it called.
    for (const LambdaExpr *lambda : lambdas)
      for (const FunctionDecl *body : lambdaBodies(*lambda))
        entry.scan.callees.push_back(body);
    Unit.functions.emplace(definition, std::move(entry));
    // The bodies of lambdas are functions that are only scanned.
    for (const LambdaExpr *lambda : lambdas)
      for (const FunctionDecl *body : lambdaBodies(*lambda))
        add(*body);
    // Classes that only the function knows have functions too.
    visitAll(*definition);
  }
};

bool takesError(const HostUnit &unit, const FunctionDecl &function) {
  return std::any_of(
      function.param_begin(), function.param_end(),
      [&](const ParmVarDecl *parameter) {
        const auto *type = parameter->getType()->getAs<EnumType>();
        return unit.errors.sometimes.count(parameter) != 0 ||
               (type &&
                type->getDecl()->getNameAsString().starts_with("cudaError"));
      });
}

bool assignsShared(const HostFunction &function) {
  if (function.scan.callsUnknown || function.scan.memoryStores > 0 ||
      function.scan.hasLabel)
    return true;
  for (const ValueDecl *declaration : function.scan.assigned) {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable || variable->hasGlobalStorage() ||
        !function.declaration->Encloses(variable->getDeclContext()))
      return true;
  }
  return false;
}

} // namespace

std::vector<const FunctionDecl *> lambdaBodies(const LambdaExpr &lambda) {
  CXXMethodDecl *body = lambda.getCallOperator();
  const FunctionTemplateDecl *pattern = body->getDescribedFunctionTemplate();
  if (!pattern)
    return {body};
  return {pattern->spec_begin(), pattern->spec_end()};
}

void collectFunctions(HostUnit &unit) {
  Collector(unit).visitAll(*unit.model.ast.getTranslationUnitDecl());
  if (unit.model.program.language == Language::OpenCL)
    collectOpenCl(unit);
  std::map<const FunctionDecl *, std::vector<HostFunction *>> callers;
  std::vector<HostFunction *> work;
  std::vector<const FunctionDecl *> operators;
  llvm::copy_if(
      unit.order, std::back_inserter(operators), [](const FunctionDecl *each) {
        return each->isOverloadedOperator() && !isa<CXXMethodDecl>(each);
      });
  for (const FunctionDecl *declaration : unit.order) {
    HostFunction &function = unit.functions[declaration];
    // A function that is given an error reports it.
    function.usesDevice =
        function.scan.usesDevice() || takesError(unit, *declaration);
    function.assignsShared = assignsShared(function);
    function.mayExit = function.scan.mayExit;
    function.subtractsPointers = function.scan.subtractsPointers;
    function.numbersPointers = function.scan.numbersPointers;
    function.setsKernelArguments =
        function.scan.callsUnknown || !function.scan.armed.empty();
    unit.catches |= function.scan.catches;
    unit.mapsHostMemory |= function.scan.launchesOnHostArray;
    for (const FunctionDecl *callee : function.scan.callees)
      if (const FunctionDecl *definition = callee->getDefinition()) {
        callers[definition].push_back(&function);
        if (isForHost(*definition) && !unit.functions.count(definition))
          function.usesDevice = function.assignsShared = true;
      }
    if (function.scan.callsTemplate)
      for (const FunctionDecl *each : operators)
        callers[each].push_back(&function);
    for (const std::string &name : function.scan.runtimeNames) {
      unit.runtimeNames.insert(name);
      std::optional<RuntimeCall> role = runtimeCall(name);
      unit.managed |=
          role && (role->role == RuntimeCall::Role::AllocateManaged ||
                   role->role == RuntimeCall::Role::MappedAddress);
      unit.managed |= name == "cudaHostRegister";
      unit.mapsHostMemory |=
          name == "cudaHostRegister" ||
          (role && role->role == RuntimeCall::Role::MappedAddress);
      unit.waitsForEvents |= name == "cudaStreamWaitEvent";
      unit.asksStreams |= name == "cudaStreamQuery" || name == "cudaEventQuery";
      unit.copiesLater |= name.ends_with("Async") || !role ||
                          role->role == RuntimeCall::Role::ReadBuffer ||
                          role->role == RuntimeCall::Role::Unknown;
    }
    work.push_back(&function);
  }
  // Callers have what their callees have.
  while (!work.empty()) {
    HostFunction *callee = work.back();
    work.pop_back();
    for (HostFunction *caller : callers[callee->declaration]) {
      bool changes = false;
      for (bool HostFunction::*property :
           {&HostFunction::usesDevice, &HostFunction::assignsShared,
            &HostFunction::mayExit, &HostFunction::setsKernelArguments,
            &HostFunction::subtractsPointers, &HostFunction::numbersPointers}) {
        changes |= callee->*property && !(caller->*property);
        caller->*property |= callee->*property;
      }
      const std::size_t measured = caller->scan.measured.size();
      caller->scan.measured.insert(callee->scan.measured.begin(),
                                   callee->scan.measured.end());
      changes |= caller->scan.measured.size() != measured;
      if (changes)
        work.push_back(caller);
    }
  }
  for (const auto &[declaration, function] : unit.functions)
    unit.operatorsUseDevice |=
        declaration->isOverloadedOperator() && function.usesDevice;
}

} // namespace kfuse
