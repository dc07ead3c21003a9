//===- KernelDefinitions.cpp - The input's kernels, by place --------------===//

#include "frontend/rewrite/KernelDefinitions.h"

#include "frontend/parse/SourceUnit.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/ASTUnit.h"

namespace kfuse {

using namespace clang;

namespace {

class DefinitionFinder : public SourceVisitor {
public:
  explicit DefinitionFinder(FileTable &files) : Files(files) {}

  std::map<std::uint32_t, const FunctionDecl *> found;

  bool TraverseFunctionDecl(FunctionDecl *function) override {
    if (function->hasAttr<CUDAGlobalAttr>() &&
        function->isThisDeclarationADefinition())
      if (const SourceRange name = Files.point(function->getLocation());
          FileTable::isInputText(name))
        found[name.begin] = function;
    return true;
  }

private:
  FileTable &Files;
};

} // namespace

std::map<std::uint32_t, const FunctionDecl *>
kernelDefinitions(const SourceUnit &unit, FileTable &files) {
  DefinitionFinder finder(files);
  finder.TraverseDecl(unit.ast().getASTContext().getTranslationUnitDecl());
  return std::move(finder.found);
}

} // namespace kfuse
