//===- KernelTesting.cpp - Kernels as accesses ----------------------------===//

#include "KernelTesting.h"

#include "frontend/kernel/Analysis.h"
#include "frontend/parse/Parse.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/syntax/SourceRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

namespace kfuse {
namespace {

class KernelFinder : public clang::RecursiveASTVisitor<KernelFinder> {
public:
  std::vector<const clang::FunctionDecl *> kernels;
  std::set<const clang::FunctionDecl *> seen;
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if ((function->hasAttr<clang::CUDAGlobalAttr>() ||
         function->hasAttr<clang::OpenCLKernelAttr>()) &&
        function->isThisDeclarationADefinition() &&
        !function->isDependentContext() && seen.insert(function).second)
      kernels.push_back(function);
    return true;
  }
};

std::string symbolName(const AnalysedKernel &analysed, Symbol symbol);

std::string printTerms(const AnalysedKernel &analysed,
                       const Polynomial &value) {
  return print(value, [&](Symbol s) { return symbolName(analysed, s); });
}

std::string symbolName(const AnalysedKernel &analysed, Symbol symbol) {
  const auto axis = [&] {
    return std::string(1, static_cast<char>('x' + symbol.index));
  };
  switch (symbol.kind) {
  case SymbolKind::ThreadIdx:
    return "t" + axis();
  case SymbolKind::BlockIdx:
    return "b" + axis();
  case SymbolKind::BlockDim:
    return "B" + axis();
  case SymbolKind::GridDim:
    return "G" + axis();
  case SymbolKind::GlobalIdx:
    return std::string(1, static_cast<char>('i' + symbol.index));
  case SymbolKind::StrideIdx:
    return "stride" + axis();
  case SymbolKind::LoopCounter:
    return "L" + std::to_string(symbol.index);
  case SymbolKind::Parameter: {
    const ScalarParameter &scalar = analysed.kernel.scalars[symbol.index];
    return analysed.kernel.parameters[scalar.parameter].name + scalar.path;
  }
  case SymbolKind::HostValue:
    return "host" + std::to_string(symbol.index);
  case SymbolKind::Opaque:
    break;
  }
  static const char *const Names[] = {
      "div", "rem", "min",    "max",     "shr",    "shl",   "and",
      "or",  "xor", "narrow", "compare", "select", "unique"};
  const Term &term = analysed.terms[symbol];
  std::string text = Names[static_cast<std::size_t>(term.kind)];
  if (term.kind == TermKind::Narrow)
    text += std::to_string(term.detail);
  if (term.kind == TermKind::Compare)
    text = term.detail == 0 ? "eq" : "le";
  text += "(";
  for (std::size_t i = 0; i < term.operands.size(); ++i)
    text += (i ? ", " : "") + printTerms(analysed, term.operands[i]);
  return text + ")";
}

/// Returns the value with b*B + t replaced by a single symbol, which is easier
/// to read.
Polynomial withGlobalIndices(Polynomial value, TermTable &terms) {
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Polynomial start =
        *multiply(Polynomial(Symbol{SymbolKind::BlockIdx, axis}),
                  Polynomial(Symbol{SymbolKind::BlockDim, axis}));
    const std::optional<Polynomial> thread =
        subtract(Polynomial(Symbol{SymbolKind::GlobalIdx, axis}), start);
    std::optional<Polynomial> replaced =
        substituteDeep(value, terms, [&](Symbol symbol) {
          return symbol == Symbol{SymbolKind::ThreadIdx, axis}
                     ? thread
                     : std::optional<Polynomial>();
        });
    if (replaced && !dependsOn(*replaced, SymbolKind::BlockIdx, terms))
      value = *replaced;
  }
  return value;
}

} // namespace

std::vector<AnalysedKernel> analyseText(const std::string &text,
                                        const std::string &cudaPath) {
  // Tests of one build may run in parallel, so the name is unique to the
  // process.
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      ("kfuse-" + std::to_string(getpid()) + "-kernel.cu");
  std::ofstream(file) << text;
  ParseOptions options;
  options.input = file.string();
  options.cudaPath = cudaPath;
  std::string diagnostics;
  std::unique_ptr<SourceUnit> unit = parse(options, diagnostics);
  std::filesystem::remove(file);
  std::vector<AnalysedKernel> results;
  if (!unit) {
    ADD_FAILURE() << diagnostics;
    return results;
  }
  clang::ASTContext &ast = unit->ast().getASTContext();
  KernelFinder finder;
  for (auto it = unit->ast().top_level_begin();
       it != unit->ast().top_level_end(); ++it)
    finder.TraverseDecl(*it);
  for (const clang::FunctionDecl *kernel : finder.kernels) {
    AnalysedKernel result;
    FileTable files(ast);
    std::uint32_t arrays = 0;
    KernelContext context{
        ast, unit->ast().getPreprocessor(), result.terms, files,
        [&](const clang::VarDecl &) { return static_cast<ArrayId>(arrays++); }};
    result.kernel = analyseKernel(context, *kernel);
    result.source = text;
    results.push_back(std::move(result));
  }
  return results;
}

AnalysedKernel analyseOne(const std::string &text) {
  std::vector<AnalysedKernel> all = analyseText(text);
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? AnalysedKernel{} : std::move(all.front());
}

std::string printAccesses(const AnalysedKernel &analysed) {
  static const char *const Kinds[] = {"R", "W", "A"};
  static const char *const Reasons[] = {"indirect", "loop-variant",
                                        "call",     "floating",
                                        "overflow", "unsupported"};
  TermTable terms = analysed.terms;
  auto show = [&](const Polynomial &value) {
    AnalysedKernel shown;
    shown.kernel = analysed.kernel;
    const Polynomial pretty = withGlobalIndices(value, terms);
    shown.terms = terms;
    return printTerms(shown, pretty);
  };
  std::string text;
  for (const Access &access : analysed.kernel.accesses) {
    const PointerParameter &pointer = analysed.kernel.pointers[access.pointer];
    text += Kinds[static_cast<std::size_t>(access.kind)];
    text += " ";
    text +=
        pointer.global
            ? "global" + std::to_string(indexOf(*pointer.global))
            : analysed.kernel.parameters[pointer.parameter].name + pointer.path;
    text += "[";
    if (const auto *index = std::get_if<Polynomial>(&access.index))
      text += show(*index);
    else
      text += Reasons[static_cast<std::size_t>(
          std::get<NotPolynomial>(access.index))];
    text += "]";
    if (access.offset != 0 || access.width != access.elementBytes)
      text += "." + std::to_string(access.offset) + "+" +
              std::to_string(access.width);
    if (!access.guard.empty()) {
      text += " {";
      bool isFirst = true;
      for (const Constraint &constraint : access.guard) {
        text += isFirst ? "" : ", ";
        isFirst = false;
        switch (constraint.relation) {
        case Relation::NonNegative:
          text += show(constraint.expression) + " >= 0";
          break;
        case Relation::Zero:
          text += show(constraint.expression) + " == 0";
          break;
        case Relation::NonZero:
          text += show(constraint.expression) + " != 0";
          break;
        case Relation::Unknown:
          text += "?";
          break;
        }
      }
      text += "}";
    }
    text += "\n";
  }
  if (!analysed.kernel.analysed)
    text += "not analysed\n";
  return text;
}

} // namespace kfuse
