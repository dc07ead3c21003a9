//===- KnownFunctions.cpp - Functions that a toolkit defines --------------===//

#include "frontend/syntax/KnownFunctions.h"

#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>

namespace kfuse {
namespace {

using namespace clang;

constexpr const char *ClockMark = "kfuse: looks only at a clock";

/// Checks for a header whose functions kfuse's own headers declare.
bool holdsKnownFunctions(llvm::StringRef path, llvm::StringRef own) {
  const llvm::StringRef name = llvm::sys::path::filename(path);
  return name.starts_with("curand_") ||
         (!path.starts_with(own) &&
          (name.starts_with("__clang_cuda_") ||
           name.starts_with("cuda_fp16.") || name.starts_with("cuda_bf16.")));
}

class BodyDropper {
public:
  BodyDropper(const SourceManager &sources, llvm::StringRef own)
      : Sources(sources), Own(own) {}

  void visit(const DeclContext &context) {
    for (Decl *each : context.decls()) {
      if (auto *function = dyn_cast<FunctionDecl>(each)) {
        if (function->doesThisDeclarationHaveABody() && isKnown(*function))
          function->setBody(nullptr);
      } else if (const auto *inner = dyn_cast<DeclContext>(each);
                 inner &&
                 isa<NamespaceDecl, LinkageSpecDecl, RecordDecl>(each)) {
        visit(*inner);
      }
    }
  }

private:
  bool isKnown(const FunctionDecl &function) {
    const FileID file =
        Sources.getFileID(Sources.getExpansionLoc(function.getLocation()));
    const auto [found, isNew] = Known.try_emplace(file);
    if (isNew)
      found->second = holdsKnownFunctions(
          Sources.getFilename(Sources.getLocForStartOfFile(file)), Own);
    return found->second;
  }

  const SourceManager &Sources;
  llvm::StringRef Own;
  std::map<FileID, bool> Known;
};

} // namespace

bool isInNamespace(const Decl &declared, llvm::StringRef name) {
  for (const DeclContext *context = declared.getDeclContext(); context;
       context = context->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(context);
        space && space->getName() == name)
      return true;
  return false;
}

bool isCollective(const FunctionDecl &function) {
  return isInNamespace(function, "cub") ||
         isInNamespace(function, "cooperative_groups");
}

bool isRandom(const FunctionDecl &function) {
  const IdentifierInfo *name = function.getIdentifier();
  return name && !function.getDeclContext()->isRecord() &&
         function.getASTContext().getSourceManager().isInSystemHeader(
             function.getLocation()) &&
         (name->getName().starts_with("curand") ||
          name->getName().starts_with("skipahead"));
}

std::string markClocks(ASTContext &ast, const std::vector<std::string> &names) {
  class Marker : public SourceVisitor {
  public:
    explicit Marker(const std::vector<std::string> &names)
        : missing(names.begin(), names.end()), Names(missing) {}

    std::set<std::string> missing;

    bool VisitFunctionDecl(FunctionDecl *function) override {
      for (const std::string &name :
           {function->getNameAsString(), function->getQualifiedNameAsString()})
        if (Names.count(name) != 0) {
          missing.erase(name);
          if (!isMarkedClock(*function))
            function->addAttr(AnnotateAttr::CreateImplicit(
                function->getASTContext(), ClockMark, nullptr, 0));
        }
      return true;
    }

  private:
    std::set<std::string> Names;
  } marker(names);
  if (!names.empty())
    marker.TraverseAST(ast);
  return marker.missing.empty() ? std::string() : *marker.missing.begin();
}

bool isMarkedClock(const FunctionDecl &function) {
  return llvm::any_of(function.specific_attrs<AnnotateAttr>(),
                      [](const AnnotateAttr *each) {
                        return each->getAnnotation() == ClockMark;
                      });
}

void dropKnownBodies(ASTUnit &unit, llvm::StringRef own) {
  BodyDropper(unit.getSourceManager(), own)
      .visit(*unit.getASTContext().getTranslationUnitDecl());
}

} // namespace kfuse
