//===- Enqueue.cpp - Launches of OpenCL -----------------------------------===//

#include "frontend/host/Changes.h"
#include "frontend/host/Walker.h"
#include "frontend/syntax/Lvalues.h"

#include "frontend/api/OpenClCalls.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Finds strings that a macro made of what it was given.
class TextFinder : public SourceVisitor {
public:
  explicit TextFinder(const SourceManager &sources) : Sources(sources) {}
  bool isFound = false;
  bool VisitStringLiteral(clang::StringLiteral *literal) override {
    isFound |= Sources.isWrittenInScratchSpace(
        Sources.getSpellingLoc(literal->getBeginLoc()));
    return true;
  }

private:
  const SourceManager &Sources;
};

/// Counts the declarations of each name in a function.
class NameCounter : public SourceVisitor {
public:
  std::map<const IdentifierInfo *, unsigned> counts;
  bool VisitNamedDecl(NamedDecl *declared) override {
    ++counts[declared->getIdentifier()];
    return true;
  }
};

} // namespace

/// Checks whether the type is a number's whose name means the same wherever it
/// is declared.
bool HostWalker::isNamedHere(QualType type) {
  if (isa<BuiltinType>(type.getTypePtr()))
    return true;
  const auto *alias = type->getAs<TypedefType>();
  if (!alias || !type->isArithmeticType() ||
      isa<CXXMethodDecl>(Function.declaration) ||
      !alias->getDecl()
           ->getDeclContext()
           ->getRedeclContext()
           ->isTranslationUnit())
    return false;
  NameCounter names;
  names.TraverseDecl(const_cast<FunctionDecl *>(Function.declaration));
  return names.counts[alias->getDecl()->getIdentifier()] == 0;
}

bool HostWalker::isNamedIn(const Stmt &expression, const Expr &statement) {
  const auto *name = dyn_cast<DeclRefExpr>(&expression);
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  // The meaning of a type, or of a constant's name, isn't looked up.
  const auto *cast = dyn_cast<ExplicitCastExpr>(&expression);
  const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(&expression);
  if (size && size->isArgumentType())
    return isNamedHere(size->getArgumentType());
  if ((name && !variable) || size ||
      (cast && !isa<BuiltinType>(cast->getTypeAsWritten().getTypePtr())))
    return false;
  if (variable) {
    NameCounter names;
    names.TraverseDecl(const_cast<FunctionDecl *>(Function.declaration));
    const bool isLocal = variable->getParentFunctionOrMethod() != nullptr;
    if (names.counts[variable->getIdentifier()] > (isLocal ? 1U : 0U))
      return false;
    // The block, or the loop, that declares it.
    const Stmt *scope = nullptr;
    if (isLocal && !isa<ParmVarDecl>(variable))
      for (DynTypedNode node = DynTypedNode::create(*variable);;) {
        const auto parents = Model.ast.getParents(node);
        if (parents.empty())
          return false;
        node = parents[0];
        scope = node.get<Stmt>();
        if (scope && !isa<DeclStmt>(scope))
          break;
      }
    const SourceManager &sources = Model.files.sources();
    const auto isIn = [&](const Stmt &inner, const Stmt &outer) {
      return !sources.isBeforeInTranslationUnit(
                 sources.getExpansionLoc(inner.getBeginLoc()),
                 sources.getExpansionLoc(outer.getBeginLoc())) &&
             !sources.isBeforeInTranslationUnit(
                 sources.getExpansionLoc(outer.getEndLoc()),
                 sources.getExpansionLoc(inner.getEndLoc()));
    };
    if (scope && !isIn(statement, *scope))
      return false;
  }
  return std::all_of(expression.child_begin(), expression.child_end(),
                     [&](const Stmt *child) {
                       return !child || isNamedIn(*child, statement);
                     });
}

/// Returns the sizes in `&size` or an array, and sets `described` to what they
/// are read from.
std::optional<std::array<Polynomial, 3>>
HostWalker::sizesAt(const Expr &pointer, std::uint32_t dimensions,
                    HostExpr &described) {
  const Expr *variable = addressee(pointer);
  const bool isOne = variable != nullptr;
  if (!variable)
    variable = pointer.IgnoreParenImpCasts();
  const auto *name = dyn_cast<DeclRefExpr>(variable->IgnoreParens());
  const auto *declared = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  const ArrayType *array =
      declared ? Model.ast.getAsArrayType(declared->getType()) : nullptr;
  if (!declared || (isOne ? array || dimensions != 1 : !array))
    return std::nullopt;
  const QualType element =
      array ? array->getElementType() : declared->getType();
  if (!Model.ast.hasSameUnqualifiedType(element, Model.ast.getSizeType()))
    return std::nullopt;
  described = Reader.describe(pointer);
  described.uses.push_back(Model.variable(*declared));
  std::array<Polynomial, 3> sizes = {Polynomial(1), Polynomial(1),
                                     Polynomial(1)};
  if (isOne) {
    sizes[0] = Reader.integer(*variable);
    return sizes;
  }
  const std::optional<HostPlace> place = Reader.place(*variable);
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    const std::string index = "[" + std::to_string(axis) + "]";
    if (!place)
      return std::nullopt;
    sizes[axis] = Env.readInteger({place->base, place->path + index},
                                  Reader.text(*variable) + index, element);
  }
  return sizes;
}

/// Returns the sizes in `range`, as sizesAt does, for either interface.
std::optional<std::array<Polynomial, 3>>
HostWalker::sizesIn(const EnqueueCall &call, const Expr &range,
                    std::uint32_t dimensions, HostExpr &described) {
  if (!call.byClasses)
    return sizesAt(range, dimensions, described);
  const Expr &object = copiedObject(range);
  const bool isNumber = object.getType()->isIntegerType();
  described = Reader.describe(isNumber ? object : range);
  std::array<Polynomial, 3> sizes;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    sizes[axis] = Polynomial(1);
    if (axis >= dimensions)
      continue;
    const HostData size =
        Reader.member(range, rangePath(axis), Model.ast.getSizeType());
    if (const auto *number = std::get_if<Polynomial>(&size))
      sizes[axis] = *number;
    else
      return std::nullopt;
  }
  return sizes;
}

/// Returns the number of dimensions of `range`, which in C is that of the
/// launch.
std::optional<std::uint32_t> HostWalker::dimensionsOf(const EnqueueCall &call,
                                                      const Expr &range) {
  HostData value;
  if (call.byClasses)
    value = Reader.member(range, RangeDimensions, Model.ast.UnsignedIntTy);
  else
    value = Reader.integer(*call.dimensions);
  const auto *number = std::get_if<Polynomial>(&value);
  const auto known = number ? number->asConstant() : std::nullopt;
  if (!known || *known < 0 || *known > 3)
    return std::nullopt;
  return static_cast<std::uint32_t>(*known);
}

std::string HostWalker::bindShape(const EnqueueCall &call, Launch &made) {
  const auto rank = dimensionsOf(call, *call.global);
  if (!rank || *rank == 0)
    return "its number of dimensions isn't known";
  made.enqueue->dimensions = *rank;
  const auto global = sizesIn(call, *call.global, *rank, made.grid.expression);
  if (!global)
    return "its global sizes can't be followed";
  std::optional<std::array<Polynomial, 3>> block;
  const auto localRank =
      call.choosesGroups ? 0 : dimensionsOf(call, *call.local);
  if (localRank == 0) {
    made.enqueue->choosesBlocks = true;
    if (call.local)
      made.block.expression = Reader.describe(*call.local);
    else
      made.block.expression.text = "cl::NullRange";
    const Kernel &kernel = Model.program[made.kernel];
    if (has(kernel, KernelFeature::BlockPlace) ||
        has(kernel, KernelFeature::GridShape) || kernel.barriers != 0 ||
        kernel.staticSharedBytes != 0 || kernel.usesDynamicShared)
      return "the runtime chooses its work-groups, and they matter to it";
  } else {
    block = sizesIn(call, *call.local, *rank, made.block.expression);
    if (!block || localRank != rank)
      return "its local sizes can't be followed";
  }
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    made.grid.extent[axis] = made.block.extent[axis] = Polynomial(1);
    if (axis >= *rank)
      continue;
    if (!block) {
      made.grid.extent[axis] = (*global)[axis];
      continue;
    }
    made.block.extent[axis] = (*block)[axis];
    const auto whole = (*global)[axis].asConstant();
    const auto part = (*block)[axis].asConstant();
    if (whole && part && (*part <= 0 || *whole % *part != 0))
      return "its local sizes don't divide the global ones";
    made.grid.extent[axis] =
        whole && part
            ? Polynomial(*whole / *part)
            : Model.interned("work-groups of " + print((*global)[axis]) +
                             " / " + print((*block)[axis]));
  }
  return {};
}

std::string HostWalker::bindProgram(const EnqueueCall &call, ObjectId object,
                                    Launch &made) {
  made.enqueue->byClasses = call.byClasses;
  // One launcher for all.
  for (const Launch &other : Model.program.launches)
    if (other.enqueue->byClasses != call.byClasses)
      return "other launches are made by functions of C";
  if (!call.byClasses) {
    made.enqueue->program = Reader.describe(*call.kernel);
    return {};
  }
  IdentifierInfo &cl = Model.ast.Idents.get("cl");
  for (const DeclContext *context = Function.declaration->getDeclContext();
       !context->isTranslationUnit(); context = context->getParent())
    if (!context->getRedeclContext()->lookup(&cl).empty())
      return "'cl' means something else around it";
  const auto known = KernelPrograms.find(object);
  if (known == KernelPrograms.end() ||
      !isNamedIn(*known->second.program, *WholeLaunch) ||
      Reader.handle(*known->second.program) != known->second.held)
    return "its program has no name here";
  made.enqueue->program = Reader.describe(*known->second.program);
  return {};
}

/// Fills `made`; returns why the launch is no member of K, or an empty string.
std::string HostWalker::bindEnqueued(const CallExpr &call, Launch &made) {
  if (const std::string why = textObstacle(call, call.containsErrors());
      !why.empty())
    return why;
  if (!Unit.openClObstacle.empty())
    return Unit.openClObstacle;
  if (dependOnOrder({call.arg_begin(), call.arg_end()}, Unit))
    return OpenOrder;
  const EnqueueCall parts = enqueueCall(call, Model.ast);
  if (!parts.obstacle.empty())
    return parts.obstacle;
  for (const Expr *part : {parts.queue, parts.global, parts.local})
    if (part && changesOf(*part, Unit).any())
      return "its queue or its sizes do more than to name values";
  const ObjectId object = kernelObject(*parts.kernel);
  const auto kernel = Unit.kernelObjects.find(object);
  const FunctionDecl *definition =
      kernel != Unit.kernelObjects.end() && kernel->second
          ? kernel->second->getDefinition()
          : nullptr;
  if (!definition || !definition->hasBody())
    return "which kernel it is isn't known";
  made.kernel = Unit.kernel(*definition);
  made.step = CurrentStep;
  made.region = CurrentRegion;
  made.range = Model.files.wholeText(Whole->getSourceRange());
  made.enqueue.emplace();
  const SourceRange own = Model.files.wholeText(call.getSourceRange());
  if (own.inMacro || own.begin < made.range.begin || own.end > made.range.end)
    return "the launch comes from a macro";
  SourceRange before = made.range, after = made.range;
  before.end = own.begin;
  after.begin = own.end;
  made.enqueue->before = Model.files.text(before);
  made.enqueue->after = Model.files.text(after);
  made.enqueue->isPlainCheck = isPlainCheck(*Whole);
  if (!call.getType()->isIntegerType() && !made.enqueue->before.empty())
    return "an event tells of it";
  const auto *choice = dyn_cast<IfStmt>(Whole);
  if (choice && !isErrorCheck(*choice))
    return "the launch is part of a larger statement";
  made.stream = Reader.describe(*parts.queue);
  made.stream.value = Model.interned(
      "queue " + std::to_string(indexOf(Reader.handle(*parts.queue).object)));
  if (std::string why = bindProgram(parts, object, made); !why.empty())
    return why;
  if (std::string why = bindShape(parts, made); !why.empty())
    return why;
  if (std::string why = bindArguments(parts, object, *definition, made);
      !why.empty())
    return why;
  std::vector<const HostExpr *> all = {&made.stream, &made.enqueue->program,
                                       &made.grid.expression,
                                       &made.block.expression};
  for (const LaunchArgument &argument : made.arguments)
    all.push_back(&argument.expression);
  const bool isPlain =
      std::all_of(all.begin(), all.end(),
                  [](const HostExpr *each) { return !each->range.inMacro; });
  return isPlain ? "" : "a part of it comes from a macro";
}

void HostWalker::keepOnlyLaunch(const Stmt &statement, StepFacts &facts) {
  Program &program = Model.program;
  LaunchId &launch = program.steps[indexOf(CurrentStep)].launch;
  if (launch == noneOf<LaunchId>() || !program[launch].enqueue)
    return;
  const Enqueue &enqueue = *program[launch].enqueue;
  const bool doesMore =
      facts.everything() || facts.mayLeave() ||
      std::any_of(facts.kinds.begin(), facts.kinds.end(), [](StepKind kind) {
        return kind != StepKind::Launch && kind != StepKind::ErrorCheck;
      });
  TextFinder text(Model.files.sources());
  text.TraverseStmt(const_cast<Stmt *>(&statement));
  const bool tellsText = text.isFound && !enqueue.isPlainCheck;
  if (!doesMore && !tellsText)
    return;
  program.ignored.push_back({program[launch].range,
                             doesMore
                                 ? "its statement does more than to launch"
                                 : "its statement makes a string of its text"});
  program.launches.pop_back();
  launch = noneOf<LaunchId>();
  facts.touchesEverything = true;
  facts.kinds.insert(StepKind::Opaque);
}

void HostWalker::enqueue(const CallExpr &call, StepFacts &facts) {
  facts.kinds.insert(StepKind::Launch);
  Launch made;
  if (const std::string why = bindEnqueued(call, made); !why.empty())
    return ignoreLaunch(call, why, facts);
  addLaunch(std::move(made), facts);
}

} // namespace kfuse
