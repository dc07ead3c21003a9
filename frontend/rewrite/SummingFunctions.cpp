//===- SummingFunctions.cpp - Functions whose sums take products ----------===//

#include "frontend/rewrite/SummingFunctions.h"

#include "frontend/contraction/Copies.h"
#include "frontend/rewrite/FmaForms.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/syntax/Signature.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// The definitions of kernels, instantiations of templates too.
class KernelFinder : public SourceVisitor {
public:
  std::vector<const FunctionDecl *> kernels;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (function->hasAttr<CUDAGlobalAttr>() &&
        function->isThisDeclarationADefinition() &&
        !function->isDependentContext())
      kernels.push_back(function);
    return true;
  }
};

/// The functions that a function names.
class FunctionNameFinder : public SourceVisitor {
public:
  std::vector<std::pair<const DeclRefExpr *, const FunctionDecl *>> names;

  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    if (const auto *function = dyn_cast<FunctionDecl>(name->getDecl()))
      if (const FunctionDecl *definition = function->getDefinition())
        names.emplace_back(name, definition);
    return true;
  }
};

/// Checks whether the text of `function` can be written otherwise: it runs on
/// the device, and is of no other instance of a template.
bool isOfDevice(const FunctionDecl &function) {
  return (function.hasAttr<CUDAGlobalAttr>() ||
          function.hasAttr<CUDADeviceAttr>()) &&
         (!function.isTemplateInstantiation() || isOnlyInstance(function)) &&
         !function.isConstexpr();
}

/// Checks whether only a copy of `function` can be written: the host has it
/// too, or other programs.
bool needsCopy(const FunctionDecl &function, std::uint32_t file) {
  return !function.hasAttr<CUDAGlobalAttr>() &&
         (file != 0 || function.hasAttr<CUDAHostAttr>());
}

/// Checks whether the definition itself says, in these words, where it runs.
bool saysWhere(const FunctionDecl &function) {
  const auto *device = function.getAttr<CUDADeviceAttr>();
  const auto *host = function.getAttr<CUDAHostAttr>();
  if (!device || device->isInherited())
    return false;
  if (!host)
    return true;
  const SourceManager &sources = function.getASTContext().getSourceManager();
  const char *word =
      sources.getCharacterData(sources.getExpansionLoc(host->getLocation()));
  return !host->isInherited() && llvm::StringRef(word).starts_with(HostWord);
}

/// Checks whether `function` may have a renamed copy in the input.
bool canBeCopied(const FunctionDecl &function) {
  return !function.hasAttr<CUDAGlobalAttr>() &&
         function.getDeclContext()->isTranslationUnit() &&
         function.getDeclName().isIdentifier() &&
         function.getStorageClass() != SC_Extern &&
         !function.isFunctionTemplateSpecialization() && saysWhere(function) &&
         std::none_of(
             function.param_begin(), function.param_end(),
             [](const ParmVarDecl *each) { return each->hasDefaultArg(); });
}

FunctionPlace placeOf(const FunctionDecl &function, FileTable &files) {
  const SourceRange place = files.point(function.getLocation());
  return {place.file, place.begin};
}

/// Finds which functions may get copies, and keeps those that are to be
/// written: for their sums, or for what they call.
void findCopies(std::map<FunctionPlace, SummingFunction> &all,
                FileTable &files) {
  for (auto &[place, function] : all) {
    function.needsCopy = needsCopy(*function.declaration, place.first);
    function.canBeCopied = canBeCopied(*function.declaration);
  }
  for (auto &[place, function] : all) {
    FunctionNameFinder finder;
    finder.TraverseStmt(function.declaration->getBody());
    for (const auto &[name, callee] : finder.names)
      if (const auto called = all.find(placeOf(*callee, files));
          called != all.end() && called->second.canBeCopied)
        function.calls[name] = called->first;
  }
  for (std::size_t before = 0; before != all.size();) {
    before = all.size();
    std::set<FunctionPlace> idle;
    for (auto &[place, function] : all) {
      std::erase_if(function.calls, [&](const auto &call) {
        return all.count(call.second) == 0;
      });
      // A function that calls itself has nothing else to be written for.
      if (function.sums.empty() &&
          std::all_of(function.calls.begin(), function.calls.end(),
                      [&](const auto &call) { return call.second == place; }))
        idle.insert(place);
    }
    for (const FunctionPlace &each : idle)
      all.erase(each);
  }
}

/// Adds the traits of a kernel to the free and exact operands: those remain
/// that are free or exact in all kernels.
void addOperands(SummingFunction &function, const RoundingTraits &traits) {
  if (function.sums.empty()) {
    function.free = traits.free;
    function.exact = traits.exact;
    return;
  }
  std::erase_if(function.free, [&](const Expr *operand) {
    return traits.free.count(operand) == 0;
  });
  std::erase_if(function.exact, [&](const Expr *operand) {
    return traits.exact.count(operand) == 0;
  });
}

void addProducts(AllProducts &all, const AllProducts &more) {
  for (const auto &[product, traits] : more) {
    ProductTraits &known = all[product];
    known.factors.insert(traits.factors.begin(), traits.factors.end());
    known.mayBeTrivial |= traits.mayBeTrivial;
    known.hidesProduct |= traits.hidesProduct;
  }
}

} // namespace

std::vector<const FunctionDecl *> kernelsOf(ASTContext &ast) {
  KernelFinder finder;
  finder.TraverseDecl(ast.getTranslationUnitDecl());
  return std::move(finder.kernels);
}

SummingFunctions summingFunctions(ASTContext &ast, FileTable &files,
                                  const std::set<std::string> &asked) {
  SummingFunctions found;
  auto &all = found.functions;
  for (const FunctionDecl *kernel : kernelsOf(ast)) {
    const RoundingTraits traits = roundingTraits(ast, *kernel);
    addProducts(found.products, traits.factors);
    const auto copies = copiesIn(ast, *kernel);
    const std::string signature = signatureOf(*kernel);
    for (const auto &[function, sums] : traits.sums) {
      const SourceRange place = files.point(function->getLocation());
      if (!isTextOf(place.file, place) || !isOfDevice(*function) ||
          files.files()[place.file].text.empty() ||
          (needsCopy(*function, place.file) && !canBeCopied(*function)))
        continue;
      SummingFunction &known = all[{place.file, place.begin}];
      known.isRepeated |= known.declaration && known.declaration != function;
      known.declaration = function;
      known.kernels.insert(signature);
      const auto own = copies.find(function);
      known.copies[signature] = own == copies.end() ? 0 : own->second;
      known.isAsked |=
          traits.ambiguousSums || asked.count(kernel->getNameAsString()) != 0;
      addOperands(known, traits);
      known.sums.insert(sums.begin(), sums.end());
    }
  }
  std::erase_if(all, [](const auto &each) {
    return !each.second.isAsked || each.second.isRepeated;
  });
  findCopies(all, files);
  return found;
}

} // namespace kfuse
