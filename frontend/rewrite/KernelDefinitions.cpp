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

  std::map<NamePlace, const FunctionDecl *> found;

  bool TraverseFunctionDecl(FunctionDecl *function) override {
    if (function->hasAttr<CUDAGlobalAttr>() &&
        function->isThisDeclarationADefinition())
      if (const SourceRange name = Files.point(function->getLocation());
          name.line != 0 && !name.inMacro)
        found[{name.file, name.begin}] = function;
    return true;
  }

private:
  FileTable &Files;
};

} // namespace

std::map<NamePlace, const FunctionDecl *>
kernelDefinitions(const SourceUnit &unit, FileTable &files) {
  DefinitionFinder finder(files);
  finder.TraverseDecl(unit.ast().getASTContext().getTranslationUnitDecl());
  return std::move(finder.found);
}

const FunctionDecl *
definitionOf(const std::map<NamePlace, const FunctionDecl *> &definitions,
             const Kernel &kernel) {
  const auto found =
      definitions.find({kernel.text.name.file, kernel.text.name.begin});
  return found == definitions.end() ? nullptr : found->second;
}

} // namespace kfuse
