//===- SourceUnit.cpp - A parsed input ------------------------------------===//

#include "frontend/parse/SourceUnit.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kfuse {

SourceUnit::SourceUnit(std::unique_ptr<clang::ASTUnit> ast, std::string path,
                       unsigned errors)
    : Ast(std::move(ast)), Path(std::move(path)), Errors(errors) {
  const clang::SourceManager &sources = Ast->getSourceManager();
  Text = sources.getBufferData(sources.getMainFileID()).str();
  From = Origins(Text);
}

void SourceUnit::setOrigins(const SourceUnit &before, const MappedText &text) {
  From = before.From;
  From.add(text);
}

void SourceUnit::setKernels(KernelUnit kernels) {
  Kernels = std::make_unique<KernelUnit>(std::move(kernels));
}

SourceUnit::~SourceUnit() = default;
SourceUnit::SourceUnit(SourceUnit &&) noexcept = default;
SourceUnit &SourceUnit::operator=(SourceUnit &&) noexcept = default;

} // namespace kfuse
