//===- NameMentions.cpp - Where a text names what stands in namespaces ----===//

#include "frontend/rewrite/NameMentions.h"

#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;

namespace {

class MentionCollector : public SourceVisitor {
public:
  MentionCollector(const SourceManager &sources, NameMentions &found)
      : Sources(sources), Found(found) {}

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    return use->hasQualifier() || add(use->getDecl(), use->getLocation());
  }
  bool VisitElaboratedTypeLoc(ElaboratedTypeLoc use) override {
    if (use.getQualifierLoc())
      Qualified.insert(use.getNamedTypeLoc().getBeginLoc());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc use) override {
    return add(use.getTypedefNameDecl(), use.getNameLoc());
  }
  bool VisitTagTypeLoc(TagTypeLoc use) override {
    return add(use.getDecl(), use.getNameLoc());
  }
  bool VisitUsingTypeLoc(UsingTypeLoc use) override {
    return add(use.getFoundDecl()->getTargetDecl(), use.getNameLoc());
  }
  bool VisitTemplateSpecializationTypeLoc(
      TemplateSpecializationTypeLoc use) override {
    return add(use.getTypePtr()->getTemplateName().getAsTemplateDecl(),
               use.getTemplateNameLoc());
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc use) override {
    const NestedNameSpecifier *name = use.getNestedNameSpecifier();
    if (name && use.getPrefix()) {
      Qualified.insert(use.getLocalBeginLoc());
    } else if (name) {
      add(name->getAsNamespace(), use.getLocalBeginLoc());
      add(name->getAsNamespaceAlias(), use.getLocalBeginLoc());
    }
    return SourceVisitor::TraverseNestedNameSpecifierLoc(use);
  }

private:
  bool add(const NamedDecl *declaration, SourceLocation place) {
    if (!declaration || Qualified.count(place) != 0 ||
        !declaration->getDeclName().isIdentifier() ||
        !declaration->getDeclContext()->getRedeclContext()->isFileContext())
      return true;
    if (place.isMacroID())
      Found.inMacros.insert(declaration->getDeclName());
    else
      Found.at[Sources.getFileOffset(place)] = declaration;
    return true;
  }

  const SourceManager &Sources;
  NameMentions &Found;
  std::set<SourceLocation> Qualified;
};

} // namespace

NameMentions nameMentions(const SourceManager &sources, const Stmt &body,
                          llvm::ArrayRef<const VarDecl *> parameters) {
  NameMentions found;
  MentionCollector collector(sources, found);
  for (const VarDecl *each : parameters)
    collector.TraverseDecl(const_cast<VarDecl *>(each));
  collector.TraverseStmt(const_cast<Stmt *>(&body));
  return found;
}

} // namespace kfuse
