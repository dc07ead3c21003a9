//===- RemovableVariables.cpp - Variables that may go with their uses -----===//

#include "frontend/host/variables/RemovableVariables.h"

#include "frontend/host/Expressions.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

namespace kfuse {

using namespace clang;

namespace {

class Finder : public SourceVisitor {
public:
  Finder(FileTable &files, const Origins &origins)
      : Files(files), From(origins) {}

  bool VisitCompoundStmt(CompoundStmt *block) override {
    for (const Stmt *child : block->body())
      if (const auto *statement = dyn_cast<DeclStmt>(child);
          statement && statement->getBeginLoc().isFileID())
        Found.push_back({statement, block});
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    note(use->getDecl(), use->getLocation());
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    for (const LambdaCapture &capture : lambda->explicit_captures())
      if (capture.capturesVariable())
        note(capture.getCapturedVar(), capture.getLocation());
    return true;
  }

  std::vector<VariableDeclaration> declarations() {
    std::vector<VariableDeclaration> result;
    for (const auto &[statement, block] : Found)
      if (auto found = describe(*statement, *block))
        result.push_back(std::move(*found));
    return result;
  }

private:
  /// Notes a use. Only where the declaration's file spells the name does the
  /// text show it.
  void note(const ValueDecl *declared, SourceLocation location) {
    const SourceManager &sources = Files.sources();
    const auto *variable = dyn_cast<VarDecl>(declared);
    if (!variable || !variable->hasLocalStorage())
      return;
    const SourceLocation spelled = sources.getSpellingLoc(location);
    Uses &uses = All[variable->getCanonicalDecl()];
    uses.areSpelled &=
        sources.isWrittenInSameFile(spelled, variable->getLocation()) &&
        Files.text(Files.range(spelled)) == variable->getName();
    uses.places.push_back(sources.getFileOffset(spelled));
  }

  std::optional<VariableDeclaration> describe(const DeclStmt &statement,
                                              const CompoundStmt &block) {
    VariableDeclaration result;
    result.statement = Files.statement(statement);
    result.scope = Files.range(block.getSourceRange());
    if (!isText(result.statement) || !isText(result.scope) ||
        result.statement.file != result.scope.file)
      return std::nullopt;
    for (const Decl *each : statement.decls()) {
      const auto *variable = dyn_cast<VarDecl>(each);
      if (!variable)
        return std::nullopt;
      VariableDeclaration::Declarator &declarator =
          result.declarators.emplace_back();
      const SourceLocation begin = beginOf(*variable);
      declarator.range =
          Files.range({begin, variable->getSourceRange().getEnd()});
      if (begin.isInvalid() || !isText(declarator.range))
        return std::nullopt;
      const bool isMade = result.statement.file == 0 &&
                          !From.isOriginal(result.statement.begin);
      const auto uses = All.find(variable->getCanonicalDecl());
      if (isRemovable(*variable) &&
          (uses == All.end() ? isMade : uses->second.areIn(result.scope)))
        declarator.name = variable->getNameAsString();
    }
    const bool isAny =
        std::any_of(result.declarators.begin(), result.declarators.end(),
                    [](const auto &each) { return !each.name.empty(); });
    return isAny ? std::optional(std::move(result)) : std::nullopt;
  }

  static bool isText(const SourceRange &range) {
    return range.line != 0 && !range.inMacro;
  }

  /// Checks whether the meaning of operators in `value` depends on a template.
  static bool dependsOnTypes(const Stmt &value) {
    const auto *expression = dyn_cast<Expr>(&value);
    return (expression && expression->isTypeDependent()) ||
           llvm::any_of(value.children(), [](const Stmt *part) {
             return part && dependsOnTypes(*part);
           });
  }

  /// Returns where the declarator begins: at its first `*` or `&`, or at the
  /// name. Declarators with parentheses have no place.
  static SourceLocation beginOf(const VarDecl &variable) {
    SourceLocation begin = variable.getLocation();
    const TypeSourceInfo *written = variable.getTypeSourceInfo();
    for (TypeLoc type = written ? written->getTypeLoc() : TypeLoc();
         !type.isNull(); type = type.getNextTypeLoc()) {
      if (type.getAs<ParenTypeLoc>() || type.getAs<MemberPointerTypeLoc>())
        return {};
      if (const auto pointer = type.getAs<PointerTypeLoc>())
        begin = pointer.getStarLoc();
      else if (const auto reference = type.getAs<ReferenceTypeLoc>())
        begin = reference.getBeginLoc();
    }
    return begin;
  }

  /// Checks whether making the variable does nothing else.
  bool isRemovable(const VarDecl &variable) const {
    const QualType type = variable.getType();
    if (isa<DecompositionDecl>(variable) || variable.isInvalidDecl() ||
        !variable.hasLocalStorage() || variable.hasAttrs() ||
        type->isDependentType() || type->isReferenceType() ||
        type->isArrayType() || type->isFunctionPointerType() ||
        type.isVolatileQualified())
      return false;
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (record && (!record->hasDefinition() || !record->hasTrivialDestructor()))
      return false;
    const Expr *value = variable.getInit();
    return value ? !dependsOnTypes(*value) && isPure(*value, Files)
                 : type->isScalarType();
  }

  struct Uses {
    bool areSpelled = true; ///< in the declaration's file, by the name
    std::vector<std::uint32_t> places;

    bool areIn(const SourceRange &scope) const {
      return areSpelled && llvm::all_of(places, [&](std::uint32_t place) {
               return scope.begin <= place && place < scope.end;
             });
    }
  };

  FileTable &Files;
  const Origins &From;
  std::map<const VarDecl *, Uses> All;
  std::vector<std::pair<const DeclStmt *, const CompoundStmt *>> Found;
};

} // namespace

std::vector<VariableDeclaration>
removableVariables(ASTContext &ast, FileTable &files, const Origins &origins) {
  Finder finder(files, origins);
  for (Decl *declared : ast.getTranslationUnitDecl()->decls())
    if (!files.isInSystemHeader(declared->getLocation()))
      finder.TraverseDecl(declared);
  return finder.declarations();
}

} // namespace kfuse
