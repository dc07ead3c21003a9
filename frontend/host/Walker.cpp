//===- Walker.cpp - The regions and steps of one function -----------------===//

#include "frontend/host/Walker.h"

#include "frontend/api/Callees.h"
#include "frontend/api/ErrorConditions.h"
#include "frontend/api/ErrorReports.h"
#include "frontend/host/AbstractState.h"
#include "frontend/syntax/ControlFlow.h"
#include "frontend/syntax/Lvalues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;

namespace {

/// Returns the declaration at namespace scope that holds the function's text,
/// with template header and linkage specification.
const Decl &topLevel(const FunctionDecl &function) {
  const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  const Decl *result = pattern ? pattern : &function;
  if (const auto *described =
          cast<FunctionDecl>(result)->getDescribedFunctionTemplate())
    result = described;
  while (true) {
    const auto *context = dyn_cast<Decl>(result->getLexicalDeclContext());
    if (const auto *record = dyn_cast<CXXRecordDecl>(context)) {
      result =
          record->getDescribedClassTemplate()
              ? static_cast<const Decl *>(record->getDescribedClassTemplate())
              : record;
      continue;
    }
    if (!isa<LinkageSpecDecl>(context) && !isa<FunctionDecl>(context))
      return *result;
    result = context;
  }
}

/// Returns the names to which a declaration gives another meaning, with AnyName
/// if it doesn't list them.
std::vector<std::string> declaredNames(const Stmt &statement) {
  std::vector<std::string> names;
  const auto *declarations = dyn_cast<DeclStmt>(&statement);
  if (!declarations)
    return names;
  for (const Decl *each : declarations->decls()) {
    const auto *named = dyn_cast<NamedDecl>(each);
    if (!named || isa<UsingDirectiveDecl>(each) || isa<UsingEnumDecl>(each)) {
      names.emplace_back(AnyName);
      continue;
    }
    names.push_back(named->getNameAsString());
    if (const auto *bound = dyn_cast<DecompositionDecl>(each))
      for (const BindingDecl *binding : bound->bindings())
        names.push_back(binding->getNameAsString());
    if (const auto *constants = dyn_cast<EnumDecl>(each))
      for (const EnumConstantDecl *constant : constants->enumerators())
        names.push_back(constant->getNameAsString());
  }
  return names;
}

/// Checks whether an object in `code` ends with code of its own before all of
/// it ends: that may wait for the device, and is no statement.
bool endsObjects(const Stmt &code, bool isOuter) {
  if (const auto *declarations = dyn_cast<DeclStmt>(&code);
      declarations && !isOuter &&
      llvm::any_of(declarations->decls(), [](const Decl *each) {
        const auto *variable = dyn_cast<VarDecl>(each);
        return variable &&
               variable->getType().isDestructedType() != QualType::DK_none;
      }))
    return true;
  const bool isBlock = isa<CompoundStmt>(code);
  return llvm::any_of(code.children(), [&](const Stmt *part) {
    return part &&
           endsObjects(*part, isOuter && isBlock && isa<DeclStmt>(part));
  });
}

} // namespace

HostWalker::HostWalker(HostUnit &unit, HostFunction &function)
    : Unit(unit), Model(unit.model), Function(function), Env(unit.model),
      Reader(unit, unit.model, Env), IsShared(function.isShared) {
  const FunctionDecl &declaration = *function.declaration;
  const Decl &outer = topLevel(declaration);
  SourceLocation begin = outer.getBeginLoc();
  const SourceManager &sources = Model.files.sources();
  for (const Attr *attribute : declaration.attrs()) {
    SourceLocation location = attribute->getLocation();
    if (location.isInvalid() || attribute->isImplicit() ||
        !sources.isBeforeInTranslationUnit(sources.getExpansionLoc(location),
                                           sources.getExpansionLoc(begin)))
      continue;
    // Written out, an attribute starts somewhere before its name.
    if (location.isMacroID())
      begin = sources.getExpansionLoc(location);
    else
      IsShared = true;
  }
  FunctionRange = Model.files.range({begin, outer.getEndLoc()});
  if (begin.isMacroID())
    FunctionRange =
        Model.files.range({sources.getExpansionLoc(begin), outer.getEndLoc()});
  HasLaunches = function.scan.hasLaunch;
  for (const ValueDecl *variable : function.scan.addressTaken)
    Model.markShared(*variable);
  Model.parameters.clear();
  Model.lostParameters.clear();
  Model.entryEpoch = Env.entryEpoch();
  Model.inMain = declaration.isMain();
  for (unsigned index = 0; index < declaration.getNumParams(); ++index)
    if (declaration.getParamDecl(index)->getType()->isAnyPointerType())
      Model.parameters.emplace(Model.variable(*declaration.getParamDecl(index)),
                               index);
}

bool HostWalker::holdsLaunch(const Stmt &statement) const {
  return HasLaunches && scanHost(statement, Model.files.sources()).hasLaunch;
}

RegionId HostWalker::addRegion(RegionKind kind, std::optional<StepId> parent,
                               const Stmt &text) {
  Program &program = Model.program;
  Region region;
  region.kind = kind;
  if (parent)
    region.parent = program[*parent].region;
  region.function = Function.declaration->getQualifiedNameAsString();
  region.range = Model.files.wholeText(text.getSourceRange());
  region.functionRange = FunctionRange;
  region.isShared = IsShared;
  region.isReplaced = !parent && Unit.copied.contains(region.function) &&
                      !Function.declaration->isReferenced();
  auto id = static_cast<RegionId>(program.regions.size());
  program.regions.push_back(std::move(region));
  if (parent)
    program.steps[indexOf(*parent)].nested.push_back(id);
  return id;
}

void HostWalker::sequence(const Stmt &body, RegionId region, StepFacts &outer) {
  if (const auto *compound = dyn_cast<CompoundStmt>(&body)) {
    for (const Stmt *child : compound->body())
      step(*child, region, outer, true);
  } else {
    step(body, region, outer, false);
  }
}

/// Returns the kind of a statement of several parts; Plain if it counts as what
/// it does (`do { check(f()); } while (0)`, `if (f() != 0) report();`).
StepKind HostWalker::compoundKind(const Stmt &statement) {
  if (const auto *each = dyn_cast<DoStmt>(&statement))
    return runsOnce(*each, Model.ast) ? StepKind::Plain : StepKind::Loop;
  if (isa<ForStmt>(statement) || isa<WhileStmt>(statement) ||
      isa<CXXForRangeStmt>(statement))
    return StepKind::Loop;
  if (const auto *choice = dyn_cast<IfStmt>(&statement))
    return isErrorCheck(*choice) ? StepKind::Plain : StepKind::Branch;
  return isa<SwitchStmt>(statement) || isa<CXXTryStmt>(statement)
             ? StepKind::Branch
             : StepKind::Plain;
}

void HostWalker::step(const Stmt &statement, RegionId region, StepFacts &outer,
                      bool isDirect) {
  Program &program = Model.program;
  auto id = static_cast<StepId>(program.steps.size());
  HostStep draft;
  draft.region = region;
  draft.range = Model.files.statement(statement);
  draft.text = Model.files.text(draft.range);
  std::size_t line = draft.text.find('\n');
  if (line != std::string::npos)
    draft.text = draft.text.substr(0, line) + " ...";
  draft.declares = declaredNames(statement);
  draft.editable = isDirect && FileTable::isInputText(draft.range);
  program.steps.push_back(draft);
  program.regions[indexOf(region)].steps.push_back(id);
  Unit.steps.resize(program.steps.size());

  const auto *expression = dyn_cast<Expr>(&statement);
  WholeCall =
      expression ? dyn_cast<CallExpr>(&withoutCleanups(*expression)) : nullptr;
  WholeLaunch =
      program.language == Language::OpenCL ? launchIn(statement) : WholeCall;
  Whole = &statement;
  CurrentStep = id;
  CurrentRegion = region;
  StepFacts facts;
  // A macro that expands to a launch is one step.
  const bool isOne = WholeLaunch != WholeCall &&
                     program.language == Language::OpenCL &&
                     statement.getBeginLoc().isMacroID();
  execute(statement, {facts, isOne ? std::nullopt : std::optional(id)});
  keepOnlyLaunch(statement, facts);
  CurrentRegion = region;
  WholeCall = WholeLaunch = nullptr;

  bool isNested = !program.steps[indexOf(id)].nested.empty();
  StepKind compound = isNested ? StepKind::Branch : compoundKind(statement);
  if (isNested && compoundKind(statement) == StepKind::Loop)
    compound = StepKind::Loop;
  HostStep &made = program.steps[indexOf(id)];
  made.kind = isNested ? compound : facts.kind(compound);
  // A launch that is no member has been turned into something unknown.
  if (made.kind == StepKind::Launch && made.launch == noneOf<LaunchId>())
    made.kind = compound == StepKind::Plain ? StepKind::Opaque : compound;
  const HostScan scan = scanHost(statement, Model.files.sources());
  if (!isa<DeclStmt>(statement))
    for (const ValueDecl *local : scan.declared)
      facts.assigns.erase(Model.variable(*local));
  made.onlyReports = made.kind == StepKind::ErrorCheck &&
                     facts.assigns.empty() &&
                     onlyReportsErrors(statement, Model.ast);
  made.takesError =
      made.kind == StepKind::ErrorCheck && takesLastError(statement);
  noteLifetimeStatement(statement, id, facts);
  facts.uses = usesOf(statement, Model);
  facts.usesShared = scan.callsUnknown || !scan.callees.empty() ||
                     !scan.lambdas.empty() ||
                     facts.uses.count(Model.memory()) != 0;
  made.onlyComputes = !EndsObjects && isCalculation(statement, Model.files);
  made.isCalculation =
      made.kind == StepKind::Plain && isCalculation(statement, Model.files);
  Unit.steps[indexOf(id)] = facts;
  outer.merge(facts);
}

void HostWalker::arm(const Stmt &statement, RegionKind kind, Context context) {
  const std::size_t given = Given.size();
  if (context.step && holdsLaunch(statement))
    sequence(statement, addRegion(kind, context.step, statement),
             context.facts);
  else
    execute(statement, {context.facts, std::nullopt});
  const HostScan scan = scanHost(statement, Model.files.sources());
  if (!scan.hasLabel)
    for (const ValueDecl *local : scan.declared)
      Env.endLifetime(Model.variable(*local));
  Given.resize(given);
}

void HostWalker::execute(const Stmt &statement, Context context) {
  StepFacts &facts = context.facts;
  if (const auto *compound = dyn_cast<CompoundStmt>(&statement)) {
    if (context.step && holdsLaunch(statement))
      return sequence(statement,
                      addRegion(RegionKind::Block, context.step, statement),
                      facts);
    for (const Stmt *child : compound->body())
      execute(*child, {facts, std::nullopt});
    return;
  }
  if (const auto *value = dyn_cast<Expr>(&statement)) {
    expression(*value, facts);
    return supposeAsserted(*value);
  }
  if (const auto *declaration = dyn_cast<DeclStmt>(&statement))
    return declare(*declaration, context);
  if (const auto *choice = dyn_cast<IfStmt>(&statement))
    return branch(*choice, context);
  if (const auto *each = dyn_cast<ForStmt>(&statement)) {
    if (each->getInit())
      execute(*each->getInit(), {facts, std::nullopt});
    return loop(statement,
                {{each->getConditionVariableDeclStmt(), each->getCond()},
                 each->getBody(),
                 each->getInc()},
                context);
  }
  if (const auto *each = dyn_cast<WhileStmt>(&statement))
    return loop(statement,
                {{each->getConditionVariableDeclStmt(), each->getCond()},
                 each->getBody()},
                context);
  if (const auto *each = dyn_cast<DoStmt>(&statement)) {
    if (runsOnce(*each, Model.ast))
      return arm(*each->getBody(), RegionKind::LoopBody, context);
    return loop(statement, {{}, each->getBody(), each->getCond()}, context);
  }
  if (const auto *each = dyn_cast<CXXForRangeStmt>(&statement)) {
    for (const Stmt *part :
         {each->getInit(), static_cast<const Stmt *>(each->getRangeStmt()),
          static_cast<const Stmt *>(each->getBeginStmt()),
          static_cast<const Stmt *>(each->getEndStmt())})
      if (part)
        execute(*part, {facts, std::nullopt});
    return loop(statement,
                {{each->getCond(), each->getLoopVarStmt()},
                 each->getBody(),
                 each->getInc()},
                context);
  }
  if (const auto *choice = dyn_cast<SwitchStmt>(&statement))
    return choose(*choice, context);
  if (const auto *attempted = dyn_cast<CXXTryStmt>(&statement))
    return attempt(*attempted, context);
  if (const auto *result = dyn_cast<ReturnStmt>(&statement)) {
    facts.returns = true;
    if (const Expr *value = result->getRetValue()) {
      expression(*value, facts);
      returnAllocation(*value);
    }
    ++Results.count;
    return;
  }
  if (isa<BreakStmt>(statement) || isa<ContinueStmt>(statement)) {
    (isa<BreakStmt>(statement) ? facts.breaks : facts.continues) = true;
    return;
  }
  if (const auto *attributed = dyn_cast<AttributedStmt>(&statement))
    return execute(*attributed->getSubStmt(), context);
  if (isa<NullStmt>(statement))
    return;
  if (isa<GotoStmt>(statement)) {
    facts.returns = true;
    return;
  }
  // A label, assembly, or what a later C++ brings: it may be reached from
  // anywhere and do anything.
  facts.touchesEverything = facts.assignsShared = facts.returns = true;
  facts.assigns.insert(Model.ownVariables().begin(),
                       Model.ownVariables().end());
  Env.forgetEverything();
  for (const Stmt *child : statement.children())
    if (child)
      execute(*child, {facts, std::nullopt});
  Env.forgetEverything();
}

void HostWalker::loop(const Stmt &statement, const LoopParts &parts,
                      Context context) {
  HostScan scan = scanHost(statement, Model.files.sources());
  forgetRepeated(scan, context.facts);
  AbstractState before = Env;
  const bool breaksBefore = context.facts.breaks,
             continuesBefore = context.facts.continues;
  for (const Stmt *part : parts.header)
    if (part)
      execute(*part, {context.facts, std::nullopt});
  const std::size_t given = Given.size();
  suppose(conditionOf(statement), true);
  if (parts.body)
    arm(*parts.body, RegionKind::LoopBody, context);
  Given.resize(given);
  if (parts.end)
    execute(*parts.end, {context.facts, std::nullopt});
  context.facts.breaks = breaksBefore;
  context.facts.continues = continuesBefore;
  Env = AbstractState::join(before, Env);
  forgetRepeated(scan, context.facts);
}

/// Checks whether the statement only reports a failed call of the runtime. (A
/// stream that isn't done is no failure, but it is told in the same way.)
bool HostWalker::isErrorCheck(const IfStmt &statement) {
  return !statement.getElse() && !Unit.asksStreams &&
         holdsOnlyAfterError(*statement.getCond(),
                             [this](const VarDecl &variable) {
                               return holdsError(variable);
                             }) &&
         isReport(*statement.getThen());
}

/// Checks whether the arm only prints, and perhaps ends the program.
bool HostWalker::isReport(const Stmt &arm) const {
  HostScan scan = scanHost(arm, Model.files.sources());
  if (scan.hasLaunch || scan.callsUnknown || scan.hasLabel ||
      !scan.lambdas.empty())
    return false;
  for (const std::string &name : scan.runtimeNames) {
    std::optional<RuntimeCall> role = runtimeCall(name);
    bool endsDevice = name == "cudaDeviceReset" ||
                      (role && role->role == RuntimeCall::Role::Free);
    if (!role ||
        (role->kind != StepKind::ErrorCheck && !(endsDevice && leaves(arm))))
      return false;
  }
  for (const FunctionDecl *callee : scan.callees) {
    const HostFunction *function = Unit.find(*callee);
    if (!function ||
        (function->usesDevice &&
         (function->state != HostFunction::State::Done ||
          function->facts.everything() || !function->facts.effects.empty())))
      return false;
  }
  return true;
}

void HostWalker::walk() {
  const Stmt &body = *Function.declaration->getBody();
  EndsObjects = endsObjects(body, /*isOuter=*/true);
  FirstObject = Model.rootCount();
  StepFacts facts;
  if (const auto *constructor =
          dyn_cast<CXXConstructorDecl>(Function.declaration))
    for (const CXXCtorInitializer *init : constructor->inits())
      if (const Expr *value = init->getInit()) {
        expression(*value, facts);
        escape(*value);
      }
  // A function-try-block is a statement of its own.
  if (HasLaunches)
    sequence(body, addRegion(RegionKind::Function, std::nullopt, body), facts);
  else
    execute(body, {facts, std::nullopt});
  for (std::size_t index = FirstObject; index < Model.rootCount(); ++index) {
    const MemoryObject &object = Model[static_cast<ObjectId>(index)];
    if (object.parameter && object.array.escapes)
      Function.keeps.insert(*object.parameter);
    if (object.parameter && object.array.isMeasured)
      Function.measured.insert(*object.parameter);
  }
  Function.keeps.insert(Model.lostParameters.begin(),
                        Model.lostParameters.end());
  for (unsigned index = 0; index < Function.declaration->getNumParams();
       ++index)
    if (llvm::is_contained(Function.scan.addressTaken,
                           Function.declaration->getParamDecl(index)))
      Function.keeps.insert(index);
  resolveReturnedAllocation();
  facts.returns = facts.breaks = facts.continues = false;
  facts.assignsShared |= Function.assignsShared;
  Function.facts = std::move(facts);
}

void walkFunction(HostUnit &unit, HostFunction &function) {
  if (function.state != HostFunction::State::New)
    return;
  function.state = HostFunction::State::Walking;
  for (const FunctionDecl *callee : function.scan.callees) {
    const FunctionDecl *definition = callee->getDefinition();
    auto known = unit.functions.find(definition);
    // If the device isn't used, only what becomes of pointers matters.
    if (known != unit.functions.end() &&
        (known->second.usesDevice ||
         llvm::any_of(definition->parameters(), [](const ParmVarDecl *each) {
           return pointsToNumbers(*each);
         })))
      walkFunction(unit, known->second);
  }
  HostWalker(unit, function).walk();
  function.state = HostFunction::State::Done;
}

} // namespace kfuse
