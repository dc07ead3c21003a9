//===- Extract.cpp - From an AST to a Program -----------------------------===//
//
// Walks every host function that has to do with the device, callees first, and
// turns what the walks found into the arrays and steps of a Program.
//
//===----------------------------------------------------------------------===//

#include "frontend/Extract.h"

#include "frontend/host/CollectFunctions.h"
#include "frontend/host/Unit.h"
#include "frontend/host/Walker.h"
#include "frontend/host/variables/OwnVariables.h"
#include "frontend/host/variables/RemovableVariables.h"
#include "frontend/host/variables/UniqueOwners.h"
#include "frontend/host/variables/UsualValues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace kfuse {

namespace {

/// How often a statement mentions each variable.
using MentionCounts = std::map<const clang::Decl *, unsigned>;

MentionCounts mentionsIn(const clang::Stmt &statement) {
  MentionCounts mentions;
  std::vector<const clang::Stmt *> work = {&statement};
  while (!work.empty()) {
    const clang::Stmt &next = *work.back();
    work.pop_back();
    if (const auto *name = clang::dyn_cast<clang::DeclRefExpr>(&next))
      ++mentions[name->getDecl()->getCanonicalDecl()];
    for (const clang::Stmt *child : next.children())
      if (child)
        work.push_back(child);
  }
  return mentions;
}

void findLifetimeStatements(HostUnit &unit) {
  std::map<const clang::FunctionDecl *, MentionCounts> mentions; // in bodies
  for (const auto &[variable, objects] : unit.allocations) {
    if (objects.size() != 1 || !variable->isLocalVarDecl() ||
        variable->hasGlobalStorage() ||
        unit.model.isShared(unit.model.variable(*variable)))
      continue;
    const auto *function = clang::dyn_cast<clang::FunctionDecl>(
        variable->getParentFunctionOrMethod());
    auto statements = unit.lifetimeStatements.find(objects.front());
    if (!function || !function->getBody() ||
        statements == unit.lifetimeStatements.end())
      continue;
    auto [known, isNew] = mentions.try_emplace(function);
    if (isNew)
      known->second = mentionsIn(*function->getBody());
    if (known->second[variable] == unit.accounted[variable])
      unit.model[objects.front()].array.lifetimeStatements = statements->second;
  }
}

/// Checks whether a launch can touch the storage of `object`.
bool matters(const HostUnit &unit, const MemoryObject &object) {
  if (object.id != noneOf<ArrayId>())
    return true;
  if (object.isHost)
    return false;
  if (object.array.origin == ArrayOrigin::Allocation ||
      object.array.origin == ArrayOrigin::Managed)
    return true;
  // Parameters that the host reads from records are host memory, unless the
  // program shares memory between both.
  return unit.managed || !object.isRecord;
}

void resolveTransfer(HostUnit &unit, const StepFacts &facts, HostStep &step) {
  const bool reachesDevice = step.kind == StepKind::CopyOnDevice ||
                             step.kind == StepKind::CopyToDevice ||
                             step.kind == StepKind::Set;
  if (!facts.transfer || !reachesDevice)
    return;
  auto settled =
      [&](const HostPointer &pointer) -> std::optional<PointerValue> {
    if (!matters(unit, unit.model[pointer.object]))
      return std::nullopt;
    return PointerValue{unit.array(pointer.object), pointer.offset};
  };
  const auto target = settled(facts.transfer->target);
  if (!target)
    return;
  Transfer transfer{*target, std::nullopt, facts.transfer->bytes};
  const Array &all = unit.model[facts.transfer->target.object].array;
  if (facts.transfer->isRenaming && all.bytes)
    transfer.bytes = *all.bytes;
  transfer.isRenaming = facts.transfer->isRenaming;
  if (step.kind == StepKind::CopyOnDevice && facts.transfer->source)
    transfer.source = settled(*facts.transfer->source);
  step.transfer = std::move(transfer);
}

void resolveSteps(HostUnit &unit) {
  Program &program = unit.model.program;
  for (std::size_t index = 0; index < program.steps.size(); ++index) {
    StepFacts &facts = unit.steps[index];
    HostStep &step = program.steps[index];
    for (const auto &[object, use] : facts.effects) {
      const MemoryObject &storage = unit.model[object];
      if (!matters(unit, storage)) {
        if (storage.isHost && unit.passesHostMemory)
          step.touchesEverything = true;
        continue;
      }
      if (use.reads || use.writes)
        step.effects.push_back({unit.array(object), use.reads, use.writes});
    }
    for (const auto &[object, use] : facts.ownEffects)
      if (matters(unit, unit.model[object]) && use.reads)
        step.ownReads.push_back(unit.array(object));
    step.ownTouch = step.touchesEverything || facts.touchesEverything;
    step.touchesEverything |= facts.everything();
    step.mayLeave = facts.mayLeave();
    step.mayLeaveLoop = facts.mayLeaveLoop();
    if (facts.freed && matters(unit, unit.model[*facts.freed]))
      step.frees = unit.array(*facts.freed);
    if (facts.assignsShared)
      std::copy_if(unit.model.sharedVariables().begin(),
                   unit.model.sharedVariables().end(),
                   std::inserter(facts.assigns, facts.assigns.end()),
                   [&](VariableId id) { return !unit.model.isOwn(id); });
    // A wait may be for a copy into any variable.
    if (step.kind == StepKind::Synchronize && unit.copiesLater)
      for (std::uint32_t id = 0; id < program.variables.size(); ++id)
        facts.assigns.insert(static_cast<VariableId>(id));
    step.assigns.assign(facts.assigns.begin(), facts.assigns.end());
    if (facts.usesShared)
      facts.uses.insert(unit.model.sharedVariables().begin(),
                        unit.model.sharedVariables().end());
    step.uses.assign(facts.uses.begin(), facts.uses.end());
    resolveTransfer(unit, facts, step);
    if (step.kind == StepKind::Plain && step.touchesEverything)
      step.kind = StepKind::Opaque;
    // All it touches is the host's own memory.
    if (facts.kinds.empty() && step.effects.empty() && step.nested.empty() &&
        !step.touchesEverything)
      step.kind = StepKind::Plain;
  }
}

void resolveArrays(HostUnit &unit) {
  Program &program = unit.model.program;
  // Candidates of an array become arrays with it.
  for (std::size_t index = 0; index < unit.model.rootCount(); ++index) {
    const MemoryObject &object = unit.model[static_cast<ObjectId>(index)];
    if (object.id == noneOf<ArrayId>())
      continue;
    Array array = object.array;
    for (ObjectId candidate : object.candidates)
      array.candidates.push_back(unit.model[candidate].id);
    if (object.array.escapes)
      array.lifetimeStatements.clear();
    array.isMeasured |= unit.model.measuresAll && object.array.escapes;
    program.arrays[indexOf(object.id)] = std::move(array);
  }
}

std::vector<std::string> macroNames(const clang::Preprocessor &preprocessor) {
  std::vector<std::string> names;
  const clang::SourceManager &sources = preprocessor.getSourceManager();
  for (const auto &[name, state] : preprocessor.macros()) {
    if (!name->hasMacroDefinition() || name->getName().starts_with("_"))
      continue;
    names.push_back(name->getName().str());
    // A macro of the flags has no file in which its names could be seen.
    const clang::MacroInfo *macro = preprocessor.getMacroInfo(name);
    if (macro && sources.isWrittenInCommandLineFile(macro->getDefinitionLoc()))
      for (const clang::Token &token : macro->tokens())
        if (token.isAnyIdentifier())
          names.push_back(token.getIdentifierInfo()->getName().str());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Marks kernels whose attributes the host sets as not copyable, because a
/// fused kernel wouldn't have the attributes of its members.
void markTuned(HostUnit &unit) {
  for (const clang::FunctionDecl *function : unit.tuned) {
    auto known = unit.kernelIds.find(function);
    if (known == unit.kernelIds.end())
      continue;
    KernelText &text = unit.model.program.kernels[indexOf(known->second)].text;
    text.copyable = false;
    text.obstacle = "cudaFuncSetAttribute sets attributes of the kernel";
  }
}

} // namespace

Program extract(const SourceUnit &source) {
  clang::ASTContext &ast = source.ast().getASTContext();
  Program program;
  program.language = source.language();
  FileTable files(ast, &source.origins());
  std::optional<FileTable> ofKernels;
  std::optional<KernelUnitRef> side;
  if (const KernelUnit *kernels = source.kernels(); kernels && kernels->ast) {
    clang::ASTUnit &own = *kernels->ast;
    const clang::SourceManager &sources = own.getSourceManager();
    program.kernelString = kernels->string;
    program.kernelString->file = files.add(
        {kernels->path, sources.getBufferData(sources.getMainFileID()).str()});
    ofKernels.emplace(own.getASTContext(), program.kernelString->file);
    side.emplace(KernelUnitRef{own.getASTContext(), own.getPreprocessor(),
                               *ofKernels, true});
  } else {
    side.emplace(KernelUnitRef{ast, source.ast().getPreprocessor(), files});
  }
  {
    HostUnit unit(ast, files, program, *side);
    if (source.kernels())
      unit.openClObstacle = source.kernels()->obstacle;
    unit.copied = source.replacements().copied;
    collectFunctions(unit);
    findOwnVariables(unit);
    for (const clang::FunctionDecl *declaration : unit.order) {
      HostFunction &function = unit.functions[declaration];
      if (function.usesDevice)
        walkFunction(unit, function);
    }
    findLifetimeStatements(unit);
    findUniqueOwners(unit);
    resolveSteps(unit);
    resolveArrays(unit);
    addUsualValues(unit);
    markTuned(unit);
  }
  program.declarations = removableVariables(ast, files, source.origins());
  program.replaced = source.replacements().made;
  for (const Replacement &each : program.replaced)
    for (Kernel &kernel : program.kernels)
      if (!each.defines.empty() && kernel.name == each.defines) {
        kernel.part = each.part;
        if (!each.replacesKernel.empty())
          kernel.name = each.replacesKernel;
      }
  const Refusals &refused = source.replacements().refused;
  for (Region &region : program.regions) {
    if (auto why = refused.calls.find(region.function);
        !region.parent && why != refused.calls.end())
      region.notSpecialised = why->second;
    if (auto why = refused.instances.find(region.function);
        region.isShared && why != refused.instances.end())
      region.whyShared = why->second;
  }
  program.files = files.files();
  program.macros = macroNames(source.ast().getPreprocessor());
  if (ofKernels) {
    const std::vector<std::string> own =
        macroNames(source.kernels()->ast->getPreprocessor());
    program.kernelString->macros = own;
    program.macros.insert(program.macros.end(), own.begin(), own.end());
  }
  return program;
}

} // namespace kfuse
