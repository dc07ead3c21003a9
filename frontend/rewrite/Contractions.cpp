//===- Contractions.cpp - Sums that contract in one way -------------------===//
//
// Fused kernels run copies of kernels, so that these are written in place, in
// headers too: the unit is parsed with other texts for these. Of functions that
// kernels call those in the input are written in place, and the user's kernels
// run them too; of those in headers the input gets copies.
//
//===----------------------------------------------------------------------===//

#include "frontend/rewrite/Contractions.h"

#include "frontend/contraction/Rounding.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/EqualProducts.h"
#include "frontend/rewrite/FmaForms.h"
#include "frontend/rewrite/FormWriter.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/rewrite/SummingFunctions.h"
#include "frontend/syntax/TemplateParameters.h"
#include "text/Layout.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace kfuse {
namespace {

using namespace clang;

/// Names of functions that contract a product with what they add it to, which
/// they take first.
class Helpers {
public:
  explicit Helpers(Rewriting &rewriting) : Text(rewriting) {}

  std::string name(const char *suffix) {
    std::string &known = Known[suffix];
    if (known.empty())
      known = Text.fresh(std::string("kfuseAddProduct") + suffix);
    return known;
  }

  void define(std::uint32_t offset) {
    for (const auto &[suffix, name] : Known) {
      const std::string type = suffix.empty() ? "double" : "float";
      Text.define({name},
                  "// kfuse: `sum + a * b`, rounded once.\n"
                  "static __device__ __forceinline__ " +
                      type + " " + name + "(" + type + " sum, " + type +
                      " a, " + type + " b) {\n  return __fma" + suffix +
                      "_rn(a, b, sum);\n}\n\n",
                  offset);
    }
  }

private:
  Rewriting &Text;
  std::map<std::string, std::string> Known; ///< by suffix
};

/// Writes the functions that were chosen.
class ContractionWriter {
public:
  ContractionWriter(const SourceUnit &unit, const SummingFunctions &functions)
      : Ast(unit.ast().getASTContext()), Text(unit), Files(Text.files()),
        All(functions), Used(Text) {}

  /// Writes the sums as `chosen`; functions `copied` change in copies only.
  RewrittenText contract(const ChosenContractions &chosen,
                         const std::set<FunctionPlace> &copied) {
    for (const auto &[place, sums] : chosen)
      if (const SummingFunction &function = All.functions.at(place);
          function.needsCopy || copied.count(place) != 0)
        Copies[place] =
            Text.fresh(function.declaration->getNameAsString() + "_contracted");
    for (const auto &[place, wanted] : chosen) {
      const FmaForms sums = sumsOf(place);
      if (const auto forms = sums.forms(
              wanted,
              {[&](const char *type) { return Used.name(type); },
               [&](const std::string &name) { return Text.fresh(name); }}))
        write(place, sums, *forms);
    }
    return finish();
  }

  LabelledText label(const AmbiguousFunctions &functions) {
    LabelledText labelled;
    std::uint32_t next = LabelledText::First;
    std::map<FunctionPlace, Labels> labels;
    EqualProducts equal(All.products);
    for (const auto &[place, function] : functions) {
      const FmaForms sums = sumsOf(place);
      Labels &own = labels[place] = sums.labels(
          All.functions.at(place).free, All.functions.at(place).exact, next);
      write(place, sums, own.forms);
      equal.add(own.lines);
    }
    for (auto &[place, own] : labels) {
      equal.find(own);
      labelled.lines[place] = std::move(own.sums);
    }
    labelled.text = finish();
    return labelled;
  }

private:
  /// A text that replaces a part of a header.
  struct Change {
    std::uint32_t begin, end;
    std::string text;
  };

  FmaForms sumsOf(const FunctionPlace &place) {
    const SummingFunction &function = All.functions.at(place);
    return {*function.declaration, function.sums, Ast, Files};
  }

  RewrittenText finish() {
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

  static std::string changed(const std::string &text,
                             std::vector<Change> changes) {
    std::sort(changes.begin(), changes.end(),
              [](const Change &lhs, const Change &rhs) {
                return std::pair(lhs.begin, lhs.end) <
                       std::pair(rhs.begin, rhs.end);
              });
    std::string header;
    std::uint32_t copied = 0;
    for (const Change &each : changes) {
      header += text.substr(copied, each.begin - copied) + each.text;
      copied = each.end;
    }
    return header + text.substr(copied);
  }

  void write(const FunctionPlace &place, const FmaForms &sums,
             const Forms &forms) {
    const SummingFunction &function = All.functions.at(place);
    auto pieces = piecesOf(sums, forms, Ast, Files);
    const SourceRange body =
        Files.range(function.declaration->getBody()->getSourceRange());
    if (!pieces || !isTextOf(place.first, body))
      return;
    for (const auto &[name, callee] : function.calls)
      if (const auto copy = Copies.find(callee); copy != Copies.end())
        pieces->push_back({Files.range(name->getNameInfo().getSourceRange()),
                           UINT32_MAX,
                           {copy->second}});
    const bool isCopied = Copies.count(place) != 0;
    if (pieces->empty() && !isCopied)
      return;
    const MappedText written =
        writePieces(Files.files()[place.first].text, *std::move(pieces), body);
    if (place.first == 0) {
      if (!Text.isFree(body))
        return;
      const std::uint32_t top = placeAtTop(Text.layout(), body.begin + 1);
      Top = std::min(Top, beforeTemplate(*function.declaration, top));
      if (isCopied)
        define(place, "\n\n",
               copyHead(place, Text.layout(), top, body) + written.text,
               body.end);
      else
        Text.replace(body, written, /*isContractionRewrite=*/true);
      return;
    }
    const TextRange line = inclusion(*function.declaration, Text);
    Top = std::min(Top, placeAtTop(Text.layout(), line.begin));
    if (!isCopied) {
      Headers[place.first].push_back({body.begin, body.end, written.text});
      return;
    }
    // Functions of the header may call it.
    const SourceText layout(Files.files()[place.first].text);
    const std::uint32_t top = placeAtTop(layout, body.begin + 1);
    const std::string head = copyHead(place, layout, top, body);
    Headers[place.first].push_back({top, top, head + ";\n"});
    define(place, "\n", head + written.text + "\n", line.end);
  }

  /// Returns `top`, or the place before the template of `function`, or before
  /// its header, if it is earlier. An instance's own text is dropped if nothing
  /// is fused in it.
  std::uint32_t beforeTemplate(const FunctionDecl &function,
                               std::uint32_t top) const {
    const FunctionTemplateDecl *whole = function.getPrimaryTemplate();
    const FunctionDecl *pattern =
        whole ? whole->getTemplatedDecl()
              : function.getInstantiatedFromMemberFunction();
    if (!pattern)
      return top;
    const SourceRange place =
        Files.point(whole ? whole->getBeginLoc() : pattern->getLocation());
    if (place.line == 0 || place.inMacro)
      return top;
    const std::uint32_t begin =
        place.file == 0 ? place.begin : inclusion(*pattern, Text).begin;
    return std::min(top, placeAtTop(Text.layout(), begin));
  }

  void define(const FunctionPlace &place, const std::string &gap,
              const std::string &copy, std::uint32_t offset) {
    Text.define({Copies.at(place)},
                gap + "// kfuse: a copy with sums that contract in one way.\n" +
                    copy,
                offset);
  }

  /// Returns what precedes `body` in the copy of a function that begins, with
  /// its comments, at `top`.
  std::string copyHead(const FunctionPlace &place, const SourceText &layout,
                       std::uint32_t top, const SourceRange &body) const {
    const std::string &text = Files.files()[place.first].text;
    std::size_t token = tokenAt(layout, top);
    while (layout.tokens[token].kind == TokenKind::Comment)
      ++token;
    std::string before;
    bool isStatic = false;
    std::uint32_t copied = layout.tokens[token].begin;
    for (; layout.tokens[token].begin < place.second; ++token) {
      const std::string_view word = spelling(text, layout.tokens[token]);
      isStatic |= word == "static";
      if (word != HostWord)
        continue;
      before += text.substr(copied, layout.tokens[token].begin - copied);
      copied = layout.tokens[token + 1].begin;
    }
    before += text.substr(copied, place.second - copied);
    return (isStatic ? "" : "static ") + before + Copies.at(place) +
           text.substr(layout.tokens[token].end,
                       body.begin - layout.tokens[token].end);
  }

  const ASTContext &Ast;
  Rewriting Text;
  FileTable &Files;
  const SummingFunctions &All;
  Helpers Used;
  std::map<FunctionPlace, std::string> Copies; ///< their names
  std::map<std::uint32_t, std::vector<Change>> Headers;
  std::uint32_t Top = UINT32_MAX; ///< before all that is written
};

/// Checks whether the text of `function` is that of other instances too: in
/// the unit, or in another one that includes the header. Kernels of headers are
/// written in copies.
bool hasOthersText(const FunctionDecl &function) {
  if (function.getTemplateSpecializationKind() != TSK_ImplicitInstantiation)
    return false;
  if (argumentsOfClass(function))
    return true;
  const SourceManager &sources = function.getASTContext().getSourceManager();
  return function.getPrimaryTemplate() &&
         (!isOnlyInstance(function) ||
          (!function.hasAttr<CUDAGlobalAttr>() &&
           !sources.isInMainFile(
               sources.getExpansionLoc(function.getLocation()))));
}

} // namespace

std::vector<const FunctionDecl *>
summingInstances(const SourceUnit &unit, const std::set<std::string> &asked) {
  ASTContext &ast = unit.ast().getASTContext();
  std::vector<const FunctionDecl *> found;
  for (const FunctionDecl *kernel : kernelsOf(ast)) {
    const RoundingTraits traits = roundingTraits(ast, *kernel);
    if (!traits.ambiguousSums && asked.count(kernel->getNameAsString()) == 0)
      continue;
    for (const auto &[function, sums] : traits.sums)
      if (!sums.empty() && !function->isConstexpr() &&
          hasOthersText(*function) && !llvm::is_contained(found, function))
        found.push_back(function);
  }
  return found;
}

struct ContractionSites::Functions {
  SummingFunctions all;
};

ContractionSites::ContractionSites(const SourceUnit &unit,
                                   const std::set<std::string> &asked)
    : Unit(unit), All(std::make_unique<Functions>()) {
  ASTContext &ast = unit.ast().getASTContext();
  FileTable files(ast);
  All->all = summingFunctions(ast, files, asked);
  const Namer unnamed{[](const char *) { return std::string(); },
                      [](const std::string &name) { return name; }};
  for (const auto &[place, function] : All->all.functions) {
    const FmaForms sums(*function.declaration, function.sums, ast, files);
    const SourceRange body =
        files.range(function.declaration->getBody()->getSourceRange());
    const auto forms = sums.forms(sums.uncontracted(), unnamed);
    if (forms && piecesOf(sums, *forms, ast, files))
      Ambiguous.emplace(place,
                        AmbiguousFunction{function.kernels, function.copies,
                                          hasDirective(files.text(body)),
                                          function.canBeCopied});
  }
}

ContractionSites::~ContractionSites() = default;

RewrittenText
ContractionSites::write(const ChosenContractions &chosen,
                        const std::set<FunctionPlace> &copied) const {
  return ContractionWriter(Unit, All->all).contract(chosen, copied);
}

LabelledText
ContractionSites::label(const AmbiguousFunctions &functions) const {
  return ContractionWriter(Unit, All->all).label(functions);
}

} // namespace kfuse
