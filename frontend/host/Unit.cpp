//===- Unit.cpp - What is known of a host ---------------------------------===//

#include "frontend/host/Unit.h"

#include "frontend/api/Callees.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

void StepFacts::use(ObjectId object, bool reads, bool writes) {
  for (std::map<ObjectId, Use> *uses : {&effects, &ownEffects}) {
    Use &entry = (*uses)[object];
    entry.reads |= reads;
    entry.writes |= writes;
  }
}

void StepFacts::merge(const StepFacts &nested) {
  kinds.insert(nested.kinds.begin(), nested.kinds.end());
  for (const auto &[object, use] : nested.effects) {
    effects[object].reads |= use.reads;
    effects[object].writes |= use.writes;
  }
  assigns.insert(nested.assigns.begin(), nested.assigns.end());
  nestedTouch |= nested.everything();
  assignsShared |= nested.assignsShared;
  returns |= nested.returns;
  exits |= nested.exits;
  breaks |= nested.breaks;
  continues |= nested.continues;
}

bool HostFunction::onlyFrees() const {
  return state == State::Done && !facts.everything() && !scan.hasLaunch &&
         std::all_of(facts.kinds.begin(), facts.kinds.end(),
                     [](StepKind kind) {
                       return kind == StepKind::Free ||
                              kind == StepKind::ErrorCheck;
                     }) &&
         std::none_of(facts.effects.begin(), facts.effects.end(),
                      [](const auto &effect) { return effect.second.reads; });
}

StepKind StepFacts::kind(StepKind compound) const {
  if (everything() && compound == StepKind::Plain)
    return StepKind::Opaque;
  std::set<StepKind> others = kinds;
  // An error check among other kinds doesn't count.
  if (others.size() > 1)
    others.erase(StepKind::ErrorCheck);
  // A check that leaves for another reason than an error is none.
  if (compound != StepKind::Plain && (!effects.empty() || mayLeave()))
    return compound;
  if (others.empty())
    return effects.empty() && !everything() ? StepKind::Plain
           : compound == StepKind::Plain    ? StepKind::Call
                                            : compound;
  bool isCompoundOfOne = *others.begin() == StepKind::ErrorCheck ||
                         *others.begin() == StepKind::Synchronize ||
                         *others.begin() == StepKind::Timing;
  if (others.size() == 1 && ((compound == StepKind::Plain && !everything()) ||
                             (isCompoundOfOne && !everything())))
    return *others.begin();
  return compound == StepKind::Plain ? StepKind::Call : compound;
}

HostUnit::HostUnit(ASTContext &ast, FileTable &files, Program &program,
                   KernelUnitRef ofKernels)
    : model(program, ast, files),
      kernels{ofKernels.ast, ofKernels.preprocessor, program.terms,
              ofKernels.files,
              [this, isSeparateUnit =
                         ofKernels.isSeparateUnit](const VarDecl &variable) {
                return array(isSeparateUnit
                                 ? model.constantOf(variable, kernels.ast)
                                 : model.deviceVariable(variable));
              }} {}

const HostFunction *HostUnit::find(const FunctionDecl &function) const {
  const FunctionDecl *definition = function.getDefinition();
  auto known = functions.find(definition ? definition : &function);
  return known == functions.end() ? nullptr : &known->second;
}

ArrayId HostUnit::array(ObjectId object) {
  ArrayId id = model.array(object);
  objects.emplace(id, object);
  for (ObjectId candidate : model[object].candidates)
    objects.emplace(model.array(candidate), candidate);
  return id;
}

KernelId HostUnit::kernel(const FunctionDecl &function) {
  const FunctionDecl *definition = function.getDefinition();
  const FunctionDecl *key =
      definition ? definition : function.getCanonicalDecl();
  auto known = kernelIds.find(key);
  if (known != kernelIds.end())
    return known->second;
  Kernel kernel = analyseKernel(kernels, *key);
  auto id = static_cast<KernelId>(model.program.kernels.size());
  model.program.kernels.push_back(std::move(kernel));
  kernelIds.emplace(key, id);
  return id;
}

const FunctionDecl *HostUnit::kernelNamed(llvm::StringRef name) const {
  for (const Decl *each : kernels.ast.getTranslationUnitDecl()->decls())
    if (const auto *function = dyn_cast<FunctionDecl>(each);
        function && function->hasAttr<OpenCLKernelAttr>() &&
        function->getName() == name)
      return function;
  return nullptr;
}

} // namespace kfuse
