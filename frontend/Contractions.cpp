//===- frontend/Contractions.cpp - Sums that contract in one way ----------===//
//
// Fused kernels run copies of kernels, so that these are written in place, in
// headers too: the unit is parsed with other texts for these. Of functions that
// kernels call those in the input are written in place, and the user's kernels
// run them too; of those in headers the input gets copies.
//
//===----------------------------------------------------------------------===//

#include "frontend/Contractions.h"

#include "frontend/FormWriter.h"
#include "frontend/Rewriting.h"
#include "frontend/Rounding.h"
#include "frontend/SourceUnit.h"
#include "frontend/SumForms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"

#include <algorithm>

namespace kfuse {
namespace {

using namespace clang;

/// The definitions of kernels, instantiations of templates too.
class KernelFinder : public RecursiveASTVisitor<KernelFinder> {
public:
  std::vector<const FunctionDecl *> kernels;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->hasAttr<CUDAGlobalAttr>() &&
        function->isThisDeclarationADefinition() &&
        !function->isDependentContext())
      kernels.push_back(function);
    return true;
  }
};

/// The functions that a function names.
class NameFinder : public RecursiveASTVisitor<NameFinder> {
public:
  std::vector<std::pair<const DeclRefExpr *, const FunctionDecl *>> names;

  bool VisitDeclRefExpr(DeclRefExpr *name) {
    if (const auto *function = dyn_cast<FunctionDecl>(name->getDecl()))
      if (const FunctionDecl *definition = function->getDefinition())
        names.emplace_back(name, definition);
    return true;
  }
};

/// Whether the text of the function can be written otherwise: it is of no
/// template, and runs on the device only.
bool isOfDevice(const FunctionDecl &function) {
  const bool isDevice =
      function.hasAttr<CUDAGlobalAttr>() ||
      (function.hasAttr<CUDADeviceAttr>() && !function.hasAttr<CUDAHostAttr>());
  return isDevice && !function.isTemplateInstantiation() &&
         !function.isConstexpr();
}

/// Whether the function may have a copy under another name in the input.
bool canBeCopied(const FunctionDecl &function) {
  return function.getDeclContext()->isTranslationUnit() &&
         function.getDeclName().isIdentifier() &&
         std::none_of(
             function.param_begin(), function.param_end(),
             [](const ParmVarDecl *each) { return each->hasDefaultArg(); });
}

/// A function that kernels run, with its sums that take products.
struct Summing {
  const FunctionDecl *declaration = nullptr;
  std::set<const BinaryOperator *> sums;
  std::set<std::string> kernels; ///< that run it
  bool isUnclear = false;        ///< in one of them
  bool isRepeated = false;       ///< in a file that is included more than once
  bool isCopied = false;         ///< it gets a copy
  /// Names in it of functions that may get one.
  std::map<const DeclRefExpr *, FunctionPlace> calls;
};
using SummingFunctions = std::map<FunctionPlace, Summing>;

FunctionPlace placeOf(const FunctionDecl &function, FileTable &files) {
  const SourceRange place = files.point(function.getLocation());
  return {place.file, place.begin};
}

/// Finds which functions get copies, and keeps those that are to be written:
/// for their sums, or for what they call.
void findCopies(SummingFunctions &all, FileTable &files) {
  for (auto &[place, function] : all) {
    function.isCopied =
        place.first != 0 && !function.declaration->hasAttr<CUDAGlobalAttr>();
    NameFinder finder;
    finder.TraverseStmt(function.declaration->getBody());
    for (const auto &[name, callee] : finder.names)
      if (const FunctionPlace called = placeOf(*callee, files);
          called.first != 0 && all.count(called) != 0)
        function.calls[name] = called;
  }
  for (std::size_t before = 0; before != all.size();) {
    before = all.size();
    std::set<FunctionPlace> idle;
    for (auto &[place, function] : all) {
      std::erase_if(function.calls, [&](const auto &call) {
        const auto callee = all.find(call.second);
        return callee == all.end() || !callee->second.isCopied;
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

std::optional<std::uint32_t> placeOf(const BinaryOperator &sum,
                                     const SourceUnit &unit, FileTable &files) {
  const SourceRange place = files.point(sum.getOperatorLoc());
  return isTextOf(0, place) ? std::optional(unit.origins().of(place.begin))
                            : std::nullopt;
}

std::vector<const FunctionDecl *> kernelsOf(ASTContext &ast) {
  KernelFinder finder;
  finder.TraverseDecl(ast.getTranslationUnitDecl());
  return std::move(finder.kernels);
}

SummingFunctions summingFunctions(ASTContext &ast, FileTable &files) {
  SummingFunctions all;
  for (const FunctionDecl *kernel : kernelsOf(ast)) {
    const RoundingTraits traits = roundingTraits(ast, *kernel);
    for (const auto &[function, sums] : traits.sums) {
      const SourceRange place = files.point(function->getLocation());
      if (!isTextOf(place.file, place) || !isOfDevice(*function) ||
          files.files()[place.file].text.empty() ||
          (place.file != 0 && function != kernel && !canBeCopied(*function)))
        continue;
      Summing &known = all[{place.file, place.begin}];
      known.isRepeated |= known.declaration && known.declaration != function;
      known.declaration = function;
      known.kernels.insert(kernel->getNameAsString());
      known.isUnclear |= traits.ambiguousSums;
      known.sums.insert(sums.begin(), sums.end());
    }
  }
  std::erase_if(all, [](const auto &each) {
    return !each.second.isUnclear || each.second.isRepeated;
  });
  findCopies(all, files);
  return all;
}

/// Names of functions that contract a product with what they add it to or
/// subtract it from, which they take first.
class Helpers {
public:
  explicit Helpers(Rewriting &rewriting) : Text(rewriting) {}

  std::string name(bool subtracts, const char *suffix) {
    std::string &known = Known[{subtracts, suffix}];
    if (known.empty())
      known = Text.fresh(
          std::string(subtracts ? "kfuseSubtractProduct" : "kfuseAddProduct") +
          suffix);
    return known;
  }

  void define(std::uint32_t offset) {
    for (const auto &[key, name] : Known) {
      const auto &[subtracts, suffix] = key;
      const std::string type = suffix.empty() ? "double" : "float";
      Text.define({name},
                  "// kfuse: `sum " + std::string(subtracts ? "-" : "+") +
                      " a * b`, rounded once.\n"
                      "static __device__ __forceinline__ " +
                      type + " " + name + "(" + type + " sum, " + type +
                      " a, " + type + " b) {\n  return __fma" + suffix +
                      "_rn(" + (subtracts ? "-a" : "a") + ", b, sum);\n}\n\n",
                  offset);
    }
  }

private:
  Rewriting &Text;
  std::map<std::pair<bool, std::string>, std::string> Known;
};

/// The line of the input that includes the file that the function is in.
Extent inclusion(const FunctionDecl &function, const Rewriting &rewriting) {
  const SourceManager &sources = function.getASTContext().getSourceManager();
  SourceLocation place = sources.getExpansionLoc(function.getLocation());
  while (!sources.isInMainFile(place))
    place = sources.getIncludeLoc(sources.getFileID(place));
  const std::string &input = rewriting.input();
  const std::uint32_t offset = sources.getFileOffset(place);
  const std::size_t begin = input.rfind('\n', offset);
  const std::size_t end = input.find('\n', offset);
  return {begin == std::string::npos ? 0
                                     : static_cast<std::uint32_t>(begin + 1),
          static_cast<std::uint32_t>(end == std::string::npos ? input.size()
                                                              : end + 1)};
}

/// Writes the functions that were chosen.
class ContractionWriter {
public:
  ContractionWriter(const SourceUnit &unit, const SummingFunctions &functions,
                    const ChosenContractions &chosen)
      : Ast(unit.ast().getASTContext()), Text(unit), Files(Text.files()),
        All(functions), Chosen(chosen), Used(Text) {}

  RewrittenText run() {
    for (const auto &[place, function] : All)
      if (function.isCopied && Chosen.count(place) != 0)
        Copies[place] =
            Text.fresh(function.declaration->getNameAsString() + "_contracted");
    for (const auto &[place, function] : All)
      if (const auto found = Chosen.find(place); found != Chosen.end())
        write(place, function, found->second);
    if (Top != UINT32_MAX)
      Used.define(Top);
    RewrittenText result = Text.finish();
    for (auto &[file, changes] : Headers)
      result.headers[Files.files()[file].path] =
          changed(Files.files()[file].text, std::move(changes));
    const std::string &input = Text.input();
    if (result.text.text.empty() && !result.headers.empty())
      result.text.copy(input, 0, static_cast<std::uint32_t>(input.size()));
    return result;
  }

private:
  /// What stands for a part of a header.
  struct Change {
    std::uint32_t begin, end;
    std::string text;
    bool isBody;
  };

  static ChangedHeader changed(const std::string &text,
                               std::vector<Change> changes) {
    std::sort(changes.begin(), changes.end(),
              [](const Change &lhs, const Change &rhs) {
                return std::pair(lhs.begin, lhs.end) <
                       std::pair(rhs.begin, rhs.end);
              });
    ChangedHeader header;
    std::uint32_t copied = 0;
    for (const Change &each : changes) {
      header.text += text.substr(copied, each.begin - copied);
      const std::size_t read = each.isBody ? 1 : each.text.size();
      header.places.push_back(
          static_cast<std::uint32_t>(header.text.size() + read));
      header.text += each.text;
      copied = each.end;
    }
    header.text += text.substr(copied);
    return header;
  }

  void write(const FunctionPlace &place, const Summing &function,
             const FunctionContractions &wanted) {
    const SumForms sums(*function.declaration, function.sums, Ast, Files);
    const auto forms =
        sums.forms(wanted, [&](bool subtracts, const char *type) {
          return Used.name(subtracts, type);
        });
    auto pieces = forms ? piecesOf(sums, *forms, Ast, Files) : std::nullopt;
    const SourceRange body =
        Files.range(function.declaration->getBody()->getSourceRange());
    if (!pieces || !isTextOf(place.first, body))
      return;
    for (const auto &[name, callee] : function.calls)
      if (const auto copy = Copies.find(callee); copy != Copies.end())
        pieces->push_back({Files.range(name->getNameInfo().getSourceRange()),
                           UINT32_MAX,
                           {copy->second}});
    if (pieces->empty() && !function.isCopied)
      return;
    const DerivedText written =
        writePieces(Files.files()[place.first].text, *std::move(pieces), body);
    if (place.first == 0) {
      if (Text.isFree(body)) {
        Text.replace(body, written, /*clearsSums=*/true);
        Top = std::min(Top, placeAtTop(Text.layout(), body.begin + 1));
      }
      return;
    }
    const Extent line = inclusion(*function.declaration, Text);
    Top = std::min(Top, placeAtTop(Text.layout(), line.begin));
    if (function.isCopied)
      copy(place, body, written.text, line.end);
    else
      Headers[place.first].push_back(
          {body.begin, body.end, written.text, true});
  }

  /// Declares a copy in front of the function, and defines it behind the line
  /// that includes it.
  void copy(const FunctionPlace &place, const SourceRange &body,
            const std::string &written, std::uint32_t offset) {
    const std::string &header = Files.files()[place.first].text;
    const SourceText layout(header);
    const std::uint32_t top = placeAtTop(layout, body.begin + 1);
    std::size_t first = tokenAt(layout, top);
    while (layout.tokens[first].kind == TokenKind::Comment)
      ++first;
    const std::uint32_t begin = layout.tokens[first].begin;
    const std::string &name = Copies.at(place);
    const std::string before = header.substr(begin, place.second - begin);
    bool isStatic = false;
    for (std::size_t i = first; layout.tokens[i].begin < place.second; ++i)
      isStatic |= spelling(header, layout.tokens[i]) == "static";
    const std::size_t nameEnd =
        layout.tokens[tokenAt(layout, place.second)].end;
    const std::string declared = (isStatic ? "" : "static ") + before + name +
                                 header.substr(nameEnd, body.begin - nameEnd);
    Headers[place.first].push_back({top, top, declared + ";\n", false});
    Text.define({name},
                "\n// kfuse: a copy with sums that contract in one way.\n" +
                    declared + written + "\n",
                offset);
  }

  const ASTContext &Ast;
  Rewriting Text;
  FileTable &Files;
  const SummingFunctions &All;
  const ChosenContractions &Chosen;
  Helpers Used;
  std::map<FunctionPlace, std::string> Copies; ///< their names
  std::map<std::uint32_t, std::vector<Change>> Headers;
  std::uint32_t Top = UINT32_MAX; ///< in front of all that is written
};

} // namespace

struct ContractionSites::Functions {
  SummingFunctions all;
};

ContractionSites::ContractionSites(const SourceUnit &unit)
    : Unit(unit), All(std::make_unique<Functions>()) {
  ASTContext &ast = unit.ast().getASTContext();
  FileTable files(ast);
  All->all = summingFunctions(ast, files);
  const auto unnamed = [](bool, const char *) { return std::string(); };
  for (const auto &[place, function] : All->all) {
    const SumForms sums(*function.declaration, function.sums, ast, files);
    const SourceRange body =
        files.range(function.declaration->getBody()->getSourceRange());
    OpenFunction open{function.kernels, {}, hasDirective(files.text(body))};
    FunctionContractions first;
    for (auto &[sum, ways] : sums.ways()) {
      first.push_back({ways.front(), /*inFull=*/true});
      open.sums.push_back({std::move(ways), placeOf(*sum, unit, files)});
    }
    if (const auto forms = sums.forms(first, unnamed);
        forms && piecesOf(sums, *forms, ast, files))
      Open.emplace(place, std::move(open));
  }
}

ContractionSites::~ContractionSites() = default;

RewrittenText ContractionSites::write(const ChosenContractions &chosen) const {
  return ContractionWriter(Unit, All->all, chosen).run();
}

std::map<std::string, SumPlaces> unclearKernels(const SourceUnit &unit) {
  ASTContext &ast = unit.ast().getASTContext();
  FileTable files(ast);
  std::map<std::string, SumPlaces> unclear;
  for (const FunctionDecl *kernel : kernelsOf(ast)) {
    const RoundingTraits traits = roundingTraits(ast, *kernel);
    if (!traits.ambiguousSums)
      continue;
    SumPlaces &places = unclear[kernel->getNameAsString()];
    for (const BinaryOperator *sum : traits.unclear)
      if (const auto place = placeOf(*sum, unit, files))
        places.insert(*place);
  }
  return unclear;
}

} // namespace kfuse
