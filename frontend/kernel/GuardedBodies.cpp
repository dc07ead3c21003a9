//===- GuardedBodies.cpp - Coordinates, guards, statements ----------------===//

#include "frontend/kernel/GuardedBodies.h"

#include "frontend/contraction/Addressing.h"
#include "frontend/contraction/KernelValues.h"
#include "frontend/kernel/Types.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {
namespace {

using namespace clang;

using Variables = std::set<const VarDecl *>;

std::string canonicalType(const ASTContext &ast, const VarDecl &variable) {
  return spellType(ast,
                   variable.getType().getCanonicalType().getUnqualifiedType());
}

bool isPlainCopy(const CXXConstructExpr &made) {
  return made.getConstructor()->isCopyOrMoveConstructor() &&
         made.getConstructor()->isTrivial() && made.getNumArgs() == 1;
}

/// Checks whether a call only computes an integer from its arguments and its
/// object, which it doesn't change, and can do that anywhere.
bool isReadBy(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  const auto found = callee ? addressing(*callee) : std::nullopt;
  return found && !found->readsMemory && !found->mayFail;
}

/// Checks whether an integer is computed from coordinates, parameters and
/// `known` variables alone, without side effects.
bool isCoordinateExpression(const Expr &expression, const Variables &known) {
  const Expr *plain = expression.IgnoreParens();
  const auto isKnown = [&](const Expr *operand) {
    return isCoordinateExpression(*operand, known);
  };
  if (isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr,
          SubstNonTypeTemplateParmExpr, UnaryExprOrTypeTraitExpr>(plain) ||
      isCoordinate(*plain))
    return true;
  if (const auto *cast = dyn_cast<CastExpr>(plain))
    return ((cast->getType()->isIntegralOrEnumerationType() &&
             cast->getSubExpr()->getType()->isIntegralOrEnumerationType()) ||
            (cast->getType()->isRecordType() &&
             cast->getCastKind() == CK_NoOp)) &&
           isKnown(cast->getSubExpr());
  if (const auto *call = dyn_cast<CallExpr>(plain)) {
    const auto *member = dyn_cast<CXXMemberCallExpr>(call);
    return isReadBy(*call) && !call->isGLValue() &&
           (!member || isKnown(member->getImplicitObjectArgument())) &&
           std::all_of(call->arg_begin(), call->arg_end(), isKnown);
  }
  if (const auto *copy = dyn_cast<CXXConstructExpr>(plain))
    return isPlainCopy(*copy) && isKnown(copy->getArg(0));
  if (const auto *unary = dyn_cast<UnaryOperator>(plain))
    return !unary->isIncrementDecrementOp() && unary->getOpcode() != UO_Deref &&
           unary->getOpcode() != UO_AddrOf && isKnown(unary->getSubExpr());
  if (const auto *binary = dyn_cast<BinaryOperator>(plain))
    return !binary->isAssignmentOp() && !binary->isPtrMemOp() &&
           isKnown(binary->getLHS()) && isKnown(binary->getRHS());
  if (const auto *choice = dyn_cast<ConditionalOperator>(plain))
    return isKnown(choice->getCond()) && isKnown(choice->getTrueExpr()) &&
           isKnown(choice->getFalseExpr());
  const auto *member = dyn_cast<MemberExpr>(plain);
  while (member && !member->isArrow()) {
    plain = member->getBase()->IgnoreParens();
    member = dyn_cast<MemberExpr>(plain);
  }
  const auto *name = dyn_cast<DeclRefExpr>(plain);
  if (name && isa<EnumConstantDecl>(name->getDecl()))
    return true;
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return variable && !variable->getType()->isReferenceType() &&
         (isa<ParmVarDecl>(variable) || known.count(variable) != 0 ||
          (variable->hasGlobalStorage() &&
           variable->getType().isConstQualified()));
}

/// Returns the length of the text's first line if it has only comments,
/// otherwise 0.
std::uint32_t commentLength(const std::string &text) {
  std::size_t at = 0;
  while (true) {
    at = std::min(text.find_first_not_of(" \t\r", at), text.size());
    if (at == text.size() || text[at] == '\n')
      return static_cast<std::uint32_t>(at);
    const std::string sign = text.substr(at, 2);
    if (sign == "//")
      return static_cast<std::uint32_t>(
          std::min(text.find('\n', at), text.size()));
    const std::size_t end = sign == "/*" ? text.find("*/", at) : text.npos;
    if (end == text.npos || end > text.find('\n', at))
      return 0;
    at = end + 2;
  }
}

/// Looks for what keeps statements from standing beside those of another
/// kernel.
class StatementCheck : public SourceVisitor {
public:
  explicit StatementCheck(ASTContext &ast) : Ast(ast) {}

  bool isPlain = true;
  std::set<std::string> declared;
  std::set<const VarDecl *> changed; ///< or lent
  std::set<std::string> outer; ///< names that the function doesn't declare
  std::set<std::string> typed; ///< see GuardedBody

  bool VisitStmt(Stmt *statement) override {
    if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, AsmStmt,
            LambdaExpr, CXXThisExpr, StmtExpr, CXXTryStmt>(statement))
      isPlain = false;
    return isPlain;
  }
  bool VisitDecl(Decl *declaration) override {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable || isa<DecompositionDecl>(variable) ||
        variable->isStaticLocal() || !isPlainlyDeclared(*variable) ||
        variable->hasExternalStorage() ||
        variable->getType().getAddressSpace() != LangAS::Default)
      // OpenCL's variables have an address space of their own.
      isPlain &=
          variable && Ast.getLangOpts().OpenCL &&
          variable->getType().getAddressSpace() == LangAS::opencl_private &&
          !variable->isStaticLocal() && isPlainlyDeclared(*variable);
    if (variable)
      declared.insert(variable->getNameAsString());
    return isPlain;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl());
        variable && !isOnlyRead(*name))
      changed.insert(variable);
    const ValueDecl *named = name->getDecl();
    const auto *own = dyn_cast<VarDecl>(named);
    if (!own || !own->isLocalVarDeclOrParm())
      outer.insert(named->getNameAsString());
    if (own && isa<ParmVarDecl>(own) && !isUsedAsValue(*name))
      typed.insert(own->getNameAsString());
    return true;
  }

private:
  static bool isPlainlyDeclared(const VarDecl &variable) {
    return llvm::all_of(variable.attrs(), [](const Attr *attribute) {
      return isa<UnusedAttr>(attribute);
    });
  }

  /// Returns the statement that `inner` is a part of, if it is of one only.
  const Stmt *around(const Stmt &inner) const {
    const auto parents = Ast.getParents(inner);
    return parents.size() == 1 ? parents[0].get<Stmt>() : nullptr;
  }

  /// Checks whether the name stands for its value, or for an element whose
  /// value is read or set, and that in no call of a function of the program's.
  bool isUsedAsValue(const DeclRefExpr &name) {
    const Stmt *inner = &name;
    while (true) {
      const Stmt *outer = around(*inner);
      if (!outer)
        return false;
      const auto *operation = dyn_cast<BinaryOperator>(outer);
      const auto *step = dyn_cast<UnaryOperator>(outer);
      const auto *cast = dyn_cast<ImplicitCastExpr>(outer);
      const auto *member = dyn_cast<MemberExpr>(outer);
      const auto *copy = dyn_cast<CXXConstructExpr>(outer);
      if (cast && cast->getCastKind() == CK_LValueToRValue &&
          !cast->getType()->isPointerType())
        return true;
      if ((operation && operation->isAssignmentOp() &&
           operation->getLHS() == inner) ||
          (step && step->isIncrementDecrementOp()) ||
          (copy && isPlainCopy(*copy)))
        return true;
      if (const auto *call = dyn_cast<CallExpr>(outer))
        return call->getDirectCallee() && !call->getDirectCallee()->hasBody();
      if (!isa<ParenExpr, ConditionalOperator, ArraySubscriptExpr>(outer) &&
          !(cast && (cast->getCastKind() == CK_LValueToRValue ||
                     cast->getCastKind() == CK_NoOp)) &&
          !(operation && operation->isAdditiveOp()) &&
          !(step && step->getOpcode() == UO_Deref) &&
          !(member && isa<FieldDecl>(member->getMemberDecl())))
        return false;
      inner = outer;
    }
  }

  bool isOnlyRead(const DeclRefExpr &name) {
    const Stmt *inner = &name;
    while (true) {
      const Stmt *outer = around(*inner);
      if (!outer)
        return false;
      const auto *cast = dyn_cast<ImplicitCastExpr>(outer);
      if (cast && cast->getCastKind() == CK_LValueToRValue)
        return true;
      const auto *copy = dyn_cast<CXXConstructExpr>(outer);
      const auto *call = dyn_cast<CallExpr>(outer);
      const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
      if (copy || call)
        return (copy && isPlainCopy(*copy)) || (callee && addressing(*callee));
      const auto *member = dyn_cast<MemberExpr>(outer);
      // `a[i] < s ? a[i] : s` chooses between variables, not values.
      if (!isa<ParenExpr, ConditionalOperator>(outer) &&
          !(cast && cast->getCastKind() == CK_NoOp) &&
          !(member && !member->isArrow()))
        return false;
      inner = outer;
    }
  }

  ASTContext &Ast;
};

class Splitter {
public:
  Splitter(ASTContext &ast, FileTable &files) : Ast(ast), Files(files) {}

  std::optional<GuardedBody> split(const FunctionDecl &kernel) {
    const auto *body = dyn_cast_or_null<CompoundStmt>(kernel.getBody());
    if (!body || !splitBlock(*body))
      return std::nullopt;
    StatementCheck check(Ast);
    for (const Stmt *statement : Rest)
      check.TraverseStmt(const_cast<Stmt *>(statement));
    if (!check.isPlain || Rest.empty())
      return std::nullopt;
    check.outer.insert(Outer.begin(), Outer.end());
    Result.typed = std::move(check.typed);
    Result.typed.merge(Typed);
    for (const ParmVarDecl *parameter : kernel.parameters())
      Fixed.insert(parameter);
    for (const VarDecl *each : check.changed)
      if (Fixed.count(each) != 0)
        return std::nullopt;
    // One name must mean one thing in all of the body.
    for (const ParmVarDecl *parameter : kernel.parameters())
      if (!isNew(parameter->getNameAsString(), check))
        return std::nullopt;
    for (const BodyCoordinate &coordinate : Result.coordinates)
      if (!isNew(coordinate.name, check))
        return std::nullopt;
    for (const std::string &name : check.declared)
      if (check.outer.count(name) != 0)
        return std::nullopt;
    Result.declared = std::move(check.declared);
    return std::move(Result);
  }

private:
  /// Checks whether nothing else in the body that was named before has the
  /// name, and notes the name.
  bool isNew(const std::string &name, const StatementCheck &check) {
    return Named.insert(name).second && check.declared.count(name) == 0 &&
           check.outer.count(name) == 0;
  }

  bool splitBlock(const CompoundStmt &block) {
    // Text before the next statement, such as a comment, belongs to it.
    std::uint32_t end = Files.range(block.getSourceRange()).begin + 1;
    for (auto each = block.body_begin(); each != block.body_end(); ++each) {
      const Stmt *statement = *each;
      if (addCoordinates(*statement) || addExit(*statement)) {
        const SourceRange range = Files.statement(*statement);
        if (range.inMacro)
          return false;
        end = range.end;
        continue;
      }
      const auto *guard = dyn_cast<IfStmt>(statement);
      if (guard && each + 1 == block.body_end() && isGuard(*guard))
        return splitGuarded(*guard);
      if (guard && each + 1 == block.body_end())
        splitCondition(*guard);
      Rest.assign(each, block.body_end());
      Result.statements = Files.range(block.getSourceRange());
      // Not `<%`.
      if (const std::string text = Files.text(Result.statements);
          !text.starts_with("{") || !text.ends_with("}"))
        return false;
      Result.statements.begin = end;
      --Result.statements.end;
      Result.statements.begin += commentLength(Files.text(Result.statements));
      return !Result.statements.inMacro;
    }
    return false;
  }

  bool splitGuarded(const IfStmt &guard) {
    if (!addGuard(guard, /*isExit=*/false))
      return false;
    if (const auto *block = dyn_cast<CompoundStmt>(guard.getThen()))
      return splitBlock(*block);
    Rest = {guard.getThen()};
    Result.statements = Files.statement(*guard.getThen());
    return !Result.statements.inMacro;
  }

  /// Adds what the condition of a body's last statement says of coordinates
  /// alone, before it looks at anything else.
  void splitCondition(const IfStmt &last) {
    if (last.getElse() || last.getInit() || last.getConditionVariable() ||
        last.isConstexpr())
      return;
    std::vector<const Expr *> parts = {last.getCond()};
    std::vector<const Expr *> wholes = {last.getCond()};
    while (const auto *both = dyn_cast<BinaryOperator>(parts.back())) {
      if (both->getOpcode() != BO_LAnd)
        break;
      parts.back() = both->getRHS();
      parts.push_back(both->getLHS());
      wholes.push_back(both->getLHS());
    }
    // From the last to the first: parts[k] follows wholes[k + 1].
    for (std::size_t k = 1; k < parts.size(); ++k) {
      if (!isCoordinateExpression(*wholes[k], Known))
        continue;
      const SourceRange said = Files.wholeText(wholes[k]->getSourceRange());
      const SourceRange rest = Files.wholeText(parts[k - 1]->getSourceRange());
      if (said.inMacro || rest.inMacro || said.end > rest.begin)
        return;
      SourceRange between = said;
      between.begin = said.end;
      between.end = rest.begin;
      if (llvm::StringRef(Files.text(between)).trim() != "&&")
        return;
      Result.guards.push_back({said, /*isExit=*/false});
      noteOuter(*wholes[k]);
      Result.repeated = said;
      Result.repeated.end = rest.begin;
      return;
    }
  }

  bool addCoordinates(const Stmt &statement) {
    const auto *declaration = dyn_cast<DeclStmt>(&statement);
    if (!declaration)
      return false;
    std::vector<BodyCoordinate> found;
    Variables own = Known;
    for (const Decl *each : declaration->decls()) {
      const auto *variable = dyn_cast<VarDecl>(each);
      if (!variable || !variable->getInit() || variable->hasAttrs() ||
          variable->isStaticLocal() || variable->isConstexpr() ||
          !variable->getType()->isIntegralOrEnumerationType() ||
          variable->getType().isVolatileQualified() ||
          variable->getInitStyle() != VarDecl::CInit ||
          !isCoordinateExpression(*variable->getInit(), own))
        return false;
      BodyCoordinate coordinate;
      coordinate.name = variable->getNameAsString();
      const SourceRange type = Files.wholeText(variable->getTypeSourceInfo()
                                                   ->getTypeLoc()
                                                   .getUnqualifiedLoc()
                                                   .getSourceRange());
      coordinate.type = Files.text(type);
      coordinate.canonical = canonicalType(Ast, *variable);
      coordinate.value = Files.wholeText(variable->getInit()->getSourceRange());
      coordinate.guardsBefore =
          static_cast<std::uint32_t>(Result.guards.size());
      if (type.inMacro || coordinate.value.inMacro)
        return false;
      own.insert(variable);
      noteOuter(*variable->getInit());
      found.push_back(std::move(coordinate));
    }
    Known = std::move(own);
    Fixed.insert(Known.begin(), Known.end());
    Result.coordinates.insert(Result.coordinates.end(), found.begin(),
                              found.end());
    return true;
  }

  void noteOuter(const Expr &expression) {
    StatementCheck check(Ast);
    check.TraverseStmt(const_cast<Expr *>(&expression));
    Outer.merge(check.outer);
    Typed.merge(check.typed);
  }

  bool isGuard(const IfStmt &guard) const {
    return !guard.getElse() && !guard.getInit() &&
           !guard.getConditionVariable() && !guard.isConstexpr() &&
           isCoordinateExpression(*guard.getCond(), Known);
  }

  bool addGuard(const IfStmt &guard, bool isExit) {
    const SourceRange condition =
        Files.wholeText(guard.getCond()->getSourceRange());
    Result.guards.push_back({condition, isExit});
    noteOuter(*guard.getCond());
    return !condition.inMacro;
  }

  /// Adds the guard of a statement `if (condition) return;`. Returns false if
  /// `statement` has another form.
  bool addExit(const Stmt &statement) {
    const auto *guard = dyn_cast<IfStmt>(&statement);
    if (!guard || !isGuard(*guard))
      return false;
    const Stmt *then = guard->getThen();
    if (const auto *block = dyn_cast<CompoundStmt>(then))
      then = block->size() == 1 ? block->body_front() : nullptr;
    return then && isa<ReturnStmt>(then) && addGuard(*guard, /*isExit=*/true);
  }

  ASTContext &Ast;
  FileTable &Files;
  GuardedBody Result;
  std::set<std::string> Named; ///< parameters and coordinates
  std::set<std::string> Outer; ///< what coordinates and guards name beside them
  std::set<std::string> Typed; ///< by these
  Variables Known;             ///< coordinates so far
  Variables Fixed;             ///< what statements must not change
  std::vector<const Stmt *> Rest;
};

} // namespace

std::optional<GuardedBody> guardedBody(ASTContext &ast, FileTable &files,
                                       const FunctionDecl &kernel) {
  return Splitter(ast, files).split(kernel);
}

std::map<std::uint32_t, std::string>
declaredIntegers(ASTContext &ast, FileTable &files,
                 const FunctionDecl &kernel) {
  std::map<std::uint32_t, std::string> types;
  const auto *body = dyn_cast_or_null<CompoundStmt>(kernel.getBody());
  if (!body)
    return types;
  for (const Stmt *statement : body->body())
    if (const auto *declaration = dyn_cast<DeclStmt>(statement))
      for (const Decl *each : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(each);
            variable && variable->getType()->isIntegerType()) {
          const SourceRange name = files.point(variable->getLocation());
          if (!name.inMacro)
            types.emplace(name.begin, canonicalType(ast, *variable));
        }
  return types;
}

} // namespace kfuse
