//===- Signature.cpp - What tells functions of one name apart -------------===//

#include "frontend/syntax/Signature.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace kfuse {
namespace {

using namespace clang;
using Demangler = llvm::ItaniumPartialDemangler;
using Part = char *(Demangler::*)(char *, std::size_t *) const;

std::string partOf(const Demangler &name, Part part) {
  std::size_t size = 0;
  char *const text = (name.*part)(nullptr, &size);
  const std::string result = text ? text : "";
  std::free(text);
  return result;
}

} // namespace

std::string signatureOf(const FunctionDecl &function) {
  const std::unique_ptr<MangleContext> mangler(
      function.getASTContext().createMangleContext());
  if (!mangler->shouldMangleDeclName(&function))
    return function.getNameAsString();
  std::string mangled;
  llvm::raw_string_ostream stream(mangled);
  // The stub on the host has another name.
  const GlobalDecl kernel =
      function.hasAttr<CUDAGlobalAttr>()
          ? GlobalDecl(&function, KernelReferenceKind::Kernel)
          : GlobalDecl(&function);
  mangler->mangleName(kernel, stream);
  return signatureOf(mangled);
}

std::string signatureOf(const std::string &mangled) {
  Demangler name;
  if (name.partialDemangle(mangled.c_str()) || !name.isFunction())
    return mangled;
  const std::string scope =
      partOf(name, &Demangler::getFunctionDeclContextName);
  const std::string whole = partOf(name, &Demangler::getFunctionName);
  const std::size_t begin = scope.empty() ? 0 : scope.size() + 2; // with `::`
  return whole.substr(std::min(begin, whole.size())) +
         partOf(name, &Demangler::getFunctionParameters);
}

} // namespace kfuse
