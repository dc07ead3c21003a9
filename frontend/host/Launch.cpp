//===- Launch.cpp - Launches become members of K --------------------------===//

#include "frontend/host/Walker.h"
#include "graphs/program/Wrapping.h"
#include "text/Layout.h"

#include "frontend/host/Changes.h"
#include "frontend/syntax/MacroScopes.h"

#include "graphs/program/Effects.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

/// Returns the configuration argument if it was written, else nullptr.
const Expr *written(const Expr &argument) {
  return isa<CXXDefaultArgExpr>(argument.IgnoreImplicit()) ? nullptr
                                                           : &argument;
}

/// Returns the argument as the user wrote it, before its conversion to dim3.
const Expr &asWritten(const Expr &argument) {
  const Expr *result = argument.IgnoreImplicit();
  if (const auto *construct = dyn_cast<CXXConstructExpr>(result))
    if (construct->getNumArgs() > 0 && !construct->isListInitialization() &&
        !isa<CXXTemporaryObjectExpr>(construct))
      return *construct->getArg(0)->IgnoreImplicit();
  return *result;
}

void countMentions(const Stmt &statement,
                   std::map<const ValueDecl *, unsigned> &mentions) {
  if (const auto *name = dyn_cast<DeclRefExpr>(&statement))
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      ++mentions[variable->getCanonicalDecl()];
  for (const Stmt *child : statement.children())
    if (child)
      countMentions(*child, mentions);
}

/// Returns the type of the member at `path` in `whole`, or int if it isn't
/// found.
QualType memberType(QualType whole, std::string_view path,
                    const ASTContext &ast) {
  if (path.empty())
    return whole;
  const std::size_t end = std::min(path.find('.', 1), path.size());
  if (const auto *record = whole.getNonReferenceType()->getAsRecordDecl())
    for (const FieldDecl *field : record->fields())
      if (field->getNameAsString() == path.substr(1, end - 1))
        return memberType(field->getType(), path.substr(end), ast);
  return ast.IntTy;
}

/// Checks whether a launch's arguments have effects, before the launch itself
/// is added.
bool doMoreThanLaunch(const StepFacts &facts) {
  return facts.everything() || facts.mayLeave() || facts.kinds.size() > 1 ||
         std::any_of(facts.effects.begin(), facts.effects.end(),
                     [](const auto &effect) { return effect.second.writes; });
}

} // namespace

void HostWalker::ignoreLaunch(const CallExpr &call, const std::string &reason,
                              StepFacts &facts) {
  SourceRange range = Model.files.wholeText(call.getSourceRange());
  Model.program.ignored.push_back({range, reason});
  std::vector<const Expr *> arguments(call.arg_begin(), call.arg_end());
  facts.touchesEverything = true;
  facts.kinds.insert(StepKind::Opaque);
  // The device may hold the pointers for later launches.
  for (const Expr *argument : arguments)
    escape(*argument);
}

PointerValue HostWalker::bindPointer(const HostPointer &pointer,
                                     const PointerParameter &parameter) {
  HostPointer bound = pointer;
  if (Model[pointer.object].isHost && !Model[pointer.object].parameter) {
    // Storage without a name of its own, as malloc returns it.
    if (pointer.object == Model.hostObject()) {
      MemoryObject object;
      object.array.name = "host memory";
      object.array.element = parameter.element;
      object.array.escapes = true;
      bound.object = Model.addObject(std::move(object));
    }
    Unit.passesHostMemory = true;
  }
  MemoryObject &object = Model[bound.object];
  // For `void *`, the kernel knows better what is stored.
  if (object.id == noneOf<ArrayId>() && parameter.element.bytes != 0 &&
      object.array.element.spelling == "unsigned char")
    object.array.element = parameter.element;
  return {Unit.array(bound.object), bound.offset};
}

std::string HostWalker::textObstacle(const CallExpr &call,
                                     bool hasErrors) const {
  if (hasErrors)
    return "the launch has errors";
  if (&call != WholeLaunch)
    return HasLaunches ? "the launch is part of a larger statement"
                       : "the launch is in code that isn't followed";
  const bool isWhole = Model.program.language == Language::OpenCL;
  const SourceRange text = isWhole
                               ? Model.files.wholeText(Whole->getSourceRange())
                               : Model.files.range(Whole->getSourceRange());
  if (text.inMacro)
    return "the launch comes from a macro";
  // It would be another launch with other macros.
  if (hasDirective(Model.files.text(text)))
    return "a preprocessing directive is in it";
  return macroScopeObstacle(*Function.declaration);
}

void HostWalker::launch(const CUDAKernelCallExpr &call, StepFacts &facts) {
  const CallExpr &config = *call.getConfig();
  for (const Expr *argument : config.arguments())
    effects(*argument, facts, true);
  for (const Expr *argument : call.arguments())
    effects(*argument, facts, true);
  facts.kinds.insert(StepKind::Launch);
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return ignoreLaunch(call, "launched through a function pointer", facts);
  const bool hasErrors = call.containsErrors() || config.containsErrors() ||
                         config.getNumArgs() < 2;
  if (const std::string why = textObstacle(call, hasErrors); !why.empty())
    return ignoreLaunch(call, why, facts);
  std::vector<const Expr *> evaluated(config.arg_begin(), config.arg_end());
  evaluated.insert(evaluated.end(), call.arg_begin(), call.arg_end());
  if (dependOnOrder(evaluated, Unit))
    return ignoreLaunch(call, OpenOrder, facts);
  const FunctionDecl *definition = callee->getDefinition();
  if (!definition || !definition->hasBody())
    return ignoreLaunch(call,
                        "the kernel '" + callee->getNameAsString() +
                            "' isn't defined in this file",
                        facts);

  Launch made;
  made.kernel = Unit.kernel(*definition);
  made.step = CurrentStep;
  made.region = CurrentRegion;
  made.range = Model.files.range(call.getSourceRange());
  made.argumentsAct = doMoreThanLaunch(facts);
  auto shape = [&](const Expr &argument) {
    const Expr &text = asWritten(argument);
    LaunchConfig result;
    result.expression = Reader.describe(text);
    result.isScalar = text.getType()->isIntegralOrEnumerationType();
    result.extent = Reader.extent(argument);
    return result;
  };
  made.grid = shape(*config.getArg(0));
  made.block = shape(*config.getArg(1));
  for (unsigned index : {2U, 3U}) {
    const Expr *argument =
        index < config.getNumArgs() ? written(*config.getArg(index)) : nullptr;
    if (!argument)
      continue;
    HostExpr &target = index == 2 ? made.sharedBytes : made.stream;
    target = Reader.describe(*argument->IgnoreImpCasts());
    if (index == 2) {
      target.value = Reader.integer(*argument);
      continue;
    }
    // A stream's value is that of its handle.
    HostPointer handle = Reader.pointer(*argument);
    bool isNull =
        argument->isNullPointerConstant(
            Model.ast, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
    target.value = isNull
                       ? Polynomial{}
                       : Model.interned("stream " +
                                        std::to_string(indexOf(handle.object)));
  }

  const Kernel &kernel = Model.program[made.kernel];
  for (unsigned index = 0; index < call.getNumArgs(); ++index) {
    const Expr &argument = *call.getArg(index);
    LaunchArgument bound;
    bound.expression = Reader.describe(argument);
    if (isa<CXXDefaultArgExpr>(argument.IgnoreImplicit()))
      bound.expression.text.clear();
    for (const PointerParameter &pointer : kernel.pointers)
      bound.isPointer |= !pointer.global && pointer.parameter == index;
    bound.hasParameterType =
        index < definition->getNumParams() &&
        Model.ast.hasSameUnqualifiedType(
            argument.IgnoreUnlessSpelledInSource()->getType(),
            definition->getParamDecl(index)->getType());
    made.arguments.push_back(std::move(bound));
  }
  for (const ScalarParameter &scalar : kernel.scalars) {
    HostData value = Model.unknown();
    if (scalar.parameter < call.getNumArgs()) {
      const Expr &argument = *call.getArg(scalar.parameter);
      const QualType type =
          memberType(argument.getType(), scalar.path, Model.ast);
      value = Reader.member(argument, scalar.path, type);
      if (const auto *given = std::get_if<Polynomial>(&value))
        value = Reader.exact(*given, type);
    }
    const auto *number = std::get_if<Polynomial>(&value);
    // Arithmetic of 32 bits may take a larger one for a negative number.
    const std::optional<std::int64_t> constant =
        number ? number->asConstant() : std::nullopt;
    const bool mayWrap = constant && *constant > INT32_MAX;
    made.scalars.push_back(number && !mayWrap ? *number : Model.unknown());
  }
  // A copy: binding adds arrays, analysing doesn't come in between.
  const std::vector<PointerParameter> pointers = kernel.pointers;
  for (const PointerParameter &pointer : pointers) {
    if (pointer.global) {
      made.pointers.push_back({*pointer.global, Polynomial{}});
      continue;
    }
    HostData value =
        HostPointer{Model.unknownObject(pointer.path, {}), Polynomial{}};
    if (pointer.parameter < call.getNumArgs())
      value = Reader.member(*call.getArg(pointer.parameter), pointer.path,
                            Model.ast.VoidPtrTy);
    const auto *bound = std::get_if<HostPointer>(&value);
    made.pointers.push_back(bindPointer(
        bound
            ? *bound
            : HostPointer{Model.unknownObject(pointer.path, {}), Polynomial{}},
        pointer));
  }
  // Pointers that the kernel is given but never lists (inside arrays, classes).
  for (const Expr *argument : call.arguments())
    if (argument->getType()->isRecordType())
      escape(*argument);

  addLaunch(std::move(made), facts);
  for (const Expr *argument : call.arguments())
    countMentions(*argument, Unit.accounted);
}

void HostWalker::addLaunch(Launch made, StepFacts &facts) {
  Program &program = Model.program;
  bindLaunch(program, made);
  made.given = Given;
  auto id = static_cast<LaunchId>(program.launches.size());
  program.launches.push_back(std::move(made));
  program.steps[indexOf(CurrentStep)].launch = id;
  StepEffects touched = effectsOf(program, id);
  facts.touchesEverything |= touched.everything;
  for (const Effect &effect : touched.effects) {
    auto object = Unit.objects.find(effect.array);
    if (object != Unit.objects.end())
      facts.use(object->second, effect.reads, effect.writes);
  }
}

/// Notes the current step as one that exists only for the storage of one array,
/// if it is.
void HostWalker::noteLifetimeStatement(const Stmt &statement, StepId step,
                                       const StepFacts &facts) {
  const HostStep &made = Model.program[step];
  if (!made.editable || facts.everything() || facts.assignsShared ||
      facts.mayLeave() || facts.effects.size() != 1 || IsShared ||
      isa<DeclStmt>(statement))
    return;
  for (StepKind kind : facts.kinds)
    if (kind != StepKind::Allocate && kind != StepKind::Set &&
        kind != StepKind::Free && kind != StepKind::ErrorCheck)
      return;
  ObjectId object = facts.effects.begin()->first;
  if (Model[object].array.origin != ArrayOrigin::Allocation)
    return;
  std::map<const ValueDecl *, unsigned> mentions;
  countMentions(statement, mentions);
  const ValueDecl *owner = nullptr;
  for (const auto &[variable, objects] : Unit.allocations)
    if (objects.size() == 1 && objects.front() == object)
      owner = variable;
  if (!owner)
    return;
  for (VariableId assigned : facts.assigns)
    if (assigned != Model.variable(*owner) && assigned != Model.memory())
      return;
  Unit.accounted[owner] += mentions[owner];
  Unit.lifetimeStatements[object].push_back(step);
}

} // namespace kfuse
