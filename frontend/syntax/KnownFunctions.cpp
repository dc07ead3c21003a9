//===- KnownFunctions.cpp - Functions that a toolkit defines --------------===//

#include "frontend/syntax/KnownFunctions.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/Support/Path.h"

#include <map>

namespace kfuse {
namespace {

using namespace clang;

/// Checks for a header whose functions kfuse's own headers declare.
bool holdsKnownFunctions(llvm::StringRef path) {
  const llvm::StringRef name = llvm::sys::path::filename(path);
  return name.starts_with("__clang_cuda_") || name.starts_with("cuda_fp16.") ||
         name.starts_with("cuda_bf16.");
}

class BodyDropper {
public:
  explicit BodyDropper(const SourceManager &sources) : Sources(sources) {}

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
          Sources.getFilename(Sources.getLocForStartOfFile(file)));
    return found->second;
  }

  const SourceManager &Sources;
  std::map<FileID, bool> Known;
};

} // namespace

void dropKnownBodies(ASTUnit &unit) {
  BodyDropper(unit.getSourceManager())
      .visit(*unit.getASTContext().getTranslationUnitDecl());
}

} // namespace kfuse
