//===- InstanceText.cpp - The text of an instance of a template -----------===//

#include "frontend/rewrite/InstanceText.h"

#include "frontend/rewrite/BlockCopies.h"
#include "frontend/syntax/NameLookupEquivalence.h"
#include "frontend/syntax/TemplateParameters.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace kfuse {

using namespace clang;

namespace {

/// The braces around a text that stands outside of its namespaces.
struct Braces {
  std::string before, after;
};

/// Returns the braces for what is declared in `scope`; nullopt if they aren't
/// those of namespaces.
std::optional<Braces> bracesOf(const DeclContext *scope) {
  Braces all;
  for (; !scope->isTranslationUnit(); scope = scope->getLexicalParent()) {
    if (isa<LinkageSpecDecl>(scope))
      continue;
    const auto *space = dyn_cast<NamespaceDecl>(scope);
    if (!space)
      return std::nullopt;
    all.before =
        (space->isInline() ? "inline namespace " : "namespace ") +
        (space->isAnonymousNamespace() ? "" : space->getNameAsString() + " ") +
        "{\n" + all.before;
    all.after += "}\n";
  }
  return all;
}

class InstanceWriter {
public:
  InstanceWriter(const FunctionDecl &instance, Rewriting &rewriting,
                 bool isDevice)
      : Instance(instance), Text(rewriting), Files(rewriting.files()),
        IsDevice(isDevice) {}

  InstanceText write() {
    InstanceText result;
    result.obstacle = obstacle();
    if (result.obstacle.empty())
      result.obstacle = write(result.parts);
    return result;
  }

private:
  /// Returns why the instance can't have a text; empty if it may. Finds out
  /// what it is an instance of, and where that stands.
  std::string obstacle() {
    Pattern = Instance.getTemplateInstantiationPattern();
    if (!Pattern || !isa_and_nonnull<CompoundStmt>(Pattern->getBody()))
      return "it has no body that is a block";
    if (Instance.getTemplateSpecializationKind() != TSK_ImplicitInstantiation)
      return "its instances are named";
    const std::string why =
        argumentsOfClass(Instance) ? memberObstacle() : functionObstacle();
    if (!why.empty())
      return why;
    if (!Whole->getLexicalDeclContext()->isFileContext())
      return "its template is in a class";
    // Outside of its namespace the template has another name.
    if (!Class && Whole->getDeclContext()->getRedeclContext() !=
                      Whole->getLexicalDeclContext()->getRedeclContext())
      return "it is defined outside of its namespace";
    const SourceRange name =
        Files.range(Pattern->getNameInfo().getSourceRange());
    const SourceRange body = Files.range(Pattern->getBody()->getSourceRange());
    File = name.file;
    if (!isPlain(name) || !isPlain(body) || Files.files()[File].text.empty() ||
        (File != 0 && !IsDevice) ||
        Files.isInSystemHeader(Pattern->getLocation()))
      return "its template isn't plain text of the input";
    if (File != 0)
      BehindHeader = inclusion(*Pattern, Text).end;
    Layout.emplace(Files.files()[File].text, File);
    Name = {name.begin, name.end};
    Body = {body.begin, body.end};
    return Parameters.obstacle;
  }

  std::string functionObstacle() {
    const FunctionTemplateDecl *whole = Pattern->getDescribedFunctionTemplate();
    if (!whole || !Pattern->getDeclName().isIdentifier())
      return "it has no body that is a block";
    if (whole->hasAssociatedConstraints())
      return "its template has constraints";
    Whole = whole;
    List = whole->getTemplateParameters();
    Parameters = templateParameters(Instance);
    return {};
  }

  std::string memberObstacle() {
    const auto *method = cast<CXXMethodDecl>(Pattern);
    if (isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(method) ||
        method->isVirtual() || method->isDefaulted())
      return "it is a special or virtual member";
    const ClassTemplateDecl *whole =
        method->getParent()->getDescribedClassTemplate();
    if (!whole || whole->hasAssociatedConstraints() ||
        method->getTrailingRequiresClause())
      return "it is a member of a partial specialisation, or has constraints";
    IsInClass = !method->isOutOfLine();
    if (!IsInClass && method->getNumTemplateParameterLists() != 1)
      return "it is a member of a template in another one";
    Whole = IsInClass ? static_cast<const Decl *>(whole) : method;
    if (!IsInClass) {
      List = method->getTemplateParameterList(0);
      Class = whole;
    }
    Prefix = whole->getNameAsString();
    Parameters = parametersOfClass(Instance);
    return {};
  }

  bool isPlain(const SourceRange &range) const {
    return range.line != 0 && !range.inMacro && range.file == File;
  }

  std::string_view word(const TextToken &token) const {
    return spelling(Layout->text, token);
  }

  /// Returns the place behind `declaration` and the semicolon that ends it, if
  /// that isn't the function's body.
  std::optional<std::uint32_t> endOf(const Decl &declaration,
                                     bool isDefinition) const {
    const SourceRange range = Files.range(declaration.getSourceRange());
    if (!isPlain(range))
      return std::nullopt;
    if (isDefinition)
      return range.end;
    const std::size_t next = tokenAt(*Layout, range.end);
    if (next >= Layout->tokens.size() || word(Layout->tokens[next]) != ";")
      return std::nullopt;
    return Layout->tokens[next].end;
  }

  /// Writes the parts; returns why it can't.
  std::string write(std::vector<InstanceText::Part> &parts) {
    NewNames names;
    std::string arguments;
    for (const TemplateParameter &parameter : Parameters.all) {
      names[parameter.declaration] = parameter.text;
      arguments += (arguments.empty() ? "" : ", ") + parameter.text;
    }
    const std::optional<std::uint32_t> end = endOf(*Whole, !IsInClass);
    if (!end)
      return "its template isn't plain text of the input";
    const std::optional<std::string> head = headOf(names, arguments);
    if (!head)
      return "its declaration isn't plain text";
    std::set<const NamedDecl *> replaced;
    if (IsDevice)
      for (const TemplateParameter &parameter : Parameters.all)
        if (!parameter.needsName &&
            llvm::all_of(parameter.text, isIdentifierCharacter))
          replaced.insert(parameter.declaration);
    const std::string title =
        "// kfuse: '" + Instance.getNameAsString() + "' of " + arguments +
        ", with " + (IsDevice ? "sums" : "kernels") + " of its own.\n";
    if (File != 0)
      return writeBehindHeader(title, *head, replaced, parts);
    const Decl *first = IsInClass ? Whole
                        : Class   ? Class
                                  : Whole->getCanonicalDecl();
    if (first != Whole &&
        FileTable::isInputText(Files.range(first->getSourceRange()))) {
      const std::optional<std::uint32_t> behind =
          endOf(*first, /*isDefinition=*/false);
      if (!behind || (Class && !first->getLexicalDeclContext()->Equals(
                                   Whole->getLexicalDeclContext())))
        return "its first declaration isn't plain text";
      MappedText declaration;
      declaration.write(lines("\n" + *head + ";"), *behind - 1);
      parts.push_back({*behind, std::move(declaration)});
    }
    MappedText text;
    text.write(lines("\n\n" + title + *head + " {" + standIns(replaced)),
               *end - 1);
    copyBody(replaced, text);
    parts.push_back({*end, std::move(text)});
    return {};
  }

  /// Writes the instance behind the directive that brings its header, where
  /// the text must mean the same.
  std::string writeBehindHeader(const std::string &title,
                                const std::string &head,
                                const std::set<const NamedDecl *> &replaced,
                                std::vector<InstanceText::Part> &parts) {
    const std::uint32_t end = BehindHeader;
    const auto braces = bracesOf(Whole->getLexicalDeclContext());
    const auto around = namespacesAt(Text.layout(), end);
    if (!braces || !around || !around->empty())
      return "its header is included in the middle of a declaration";
    const SourceManager &sources = Files.sources();
    const SourceLocation from =
        sources.getExpansionLoc(Pattern->getBody()->getEndLoc());
    const SourceLocation to =
        sources.getLocForStartOfFile(sources.getMainFileID())
            .getLocWithOffset(static_cast<int>(end));
    const std::string copy =
        Files.files()[File].text.substr(Start, Body.end - Start);
    if (hasDirective(copy))
      return "its template has directives";
    if (std::string why = macroObstacle(Text.macros(), copy,
                                        {from, to, "behind its header", true});
        !why.empty())
      return why;
    if (const auto change = declarationBetween(Instance.getASTContext(),
                                               usedNames(*Pattern), {from, to}))
      return change->what;
    MappedText text;
    text.write(
        lines("\n" + braces->before + title + head + " {" + standIns(replaced)),
        end);
    copyBody(replaced, text);
    text.write(lines("\n" + braces->after), end);
    parts.push_back({end, std::move(text)});
    return {};
  }

  /// Appends the text between two places of the template's file.
  void append(std::uint32_t begin, std::uint32_t end, MappedText &text) const {
    if (File == 0)
      text.copy(Text.input(), begin, end);
    else
      text.write(std::string(Layout->text.substr(begin, end - begin)),
                 BehindHeader);
  }

  /// Appends what follows the body's first brace, with texts for the parameters
  /// `replaced`.
  void copyBody(const std::set<const NamedDecl *> &replaced,
                MappedText &text) const {
    std::map<std::string_view, std::string_view> words;
    for (const TemplateParameter &parameter : Parameters.all)
      if (replaced.count(parameter.declaration) != 0)
        words.emplace(parameter.declaration->getName(), parameter.text);
    std::uint32_t copied = Body.begin + 1;
    std::string_view before;
    for (std::size_t i = tokenAt(*Layout, copied);
         i < Layout->tokens.size() && Layout->tokens[i].begin < Body.end; ++i) {
      const TextToken &token = Layout->tokens[i];
      const auto found = words.find(word(token));
      if (found != words.end() && before != "." && before != "->" &&
          before != "::") {
        append(copied, token.begin, text);
        text.write(std::string(found->second),
                   File == 0 ? token.begin : BehindHeader);
        copied = token.end;
      }
      before = word(token);
    }
    append(copied, Body.end, text);
  }

  std::string lines(const std::string &text) const {
    return withLineEnds(Text.layout(), text);
  }

  /// Returns where the declaration begins, behind the template's parameters.
  std::optional<std::uint32_t> startOfHead() {
    if (List) {
      const SourceRange angle = Files.range(List->getRAngleLoc());
      return isPlain(angle) && angle.end <= Name.begin
                 ? std::optional(angle.end)
                 : std::nullopt;
    }
    const auto isAccess = [&](std::size_t i) {
      return word(Layout->tokens[i]) == ":" && i > 0 &&
             llvm::is_contained({"public", "private", "protected"},
                                word(Layout->tokens[i - 1]));
    };
    std::size_t first = tokenAt(*Layout, Name.begin);
    while (
        first > 0 && Layout->tokens[first - 1].kind != TokenKind::Directive &&
        !llvm::is_contained({";", "{", "}"}, word(Layout->tokens[first - 1])) &&
        !isAccess(first - 1))
      --first;
    while (Layout->tokens[first].kind == TokenKind::Comment)
      ++first;
    return Layout->tokens[first].begin;
  }

  /// Returns the specialisation without its body; nullopt if a macro is in it.
  std::optional<std::string> headOf(const NewNames &names,
                                    const std::string &arguments) {
    const auto start = startOfHead();
    if (!start)
      return std::nullopt;
    Start = *start;
    std::string head = List ? "" : " ";
    std::uint32_t copied = Start;
    const auto take = [&](std::uint32_t end) {
      head += withNames(std::string(Layout->text.substr(copied, end - copied)),
                        names);
      copied = end;
    };
    // Several objects of a program may have one of a header.
    bool isInline = File == 0 || Instance.hasAttr<CUDAGlobalAttr>();
    for (std::size_t i = tokenAt(*Layout, Start);
         i < Layout->tokens.size() && Layout->tokens[i].begin < Body.begin;
         ++i) {
      const TextToken &token = Layout->tokens[i];
      const std::string_view own = word(token);
      if (token.begin > Name.begin) {
        if (own == "override" || own == "final" || own == "try")
          return std::nullopt;
        continue;
      }
      if (token.kind == TokenKind::Directive || own == "friend" ||
          own == "explicit" || own == "template" || own == "constexpr" ||
          own == "consteval")
        return std::nullopt;
      isInline |=
          own == "inline" || own == "__forceinline__" || own == "__inline__";
      // A specialisation has the linkage of its template.
      if (own != "static" && own != "extern")
        continue;
      take(token.begin);
      copied = Layout->tokens[i + 1].begin;
    }
    take(Name.begin);
    if (IsInClass)
      head += Prefix + "<" + arguments + ">::";
    take(Name.end);
    if (Prefix.empty())
      head += "<" + arguments + ">";
    // Nor has it default arguments.
    for (const ParmVarDecl *parameter : Pattern->parameters()) {
      if (!parameter->hasDefaultArg() || parameter->hasInheritedDefaultArg())
        continue;
      const SourceRange value = Files.range(parameter->getDefaultArgRange());
      std::size_t equals = tokenAt(*Layout, value.begin);
      if (!isPlain(value) || equals == 0 ||
          word(Layout->tokens[--equals]) != "=")
        return std::nullopt;
      take(Layout->tokens[equals - 1].end);
      copied = value.end;
    }
    take(Body.begin);
    return (isInline ? "template <>" : "template <> inline") +
           llvm::StringRef(head).rtrim().str();
  }

  /// Returns declarations with the names of the parameters that the body
  /// mentions, except those that are replaced.
  std::string standIns(const std::set<const NamedDecl *> &replaced) const {
    std::set<std::string> words;
    const std::size_t first = tokenAt(*Layout, Body.begin) + 1;
    for (std::size_t i = first;
         i < Layout->tokens.size() && Layout->tokens[i].begin < Body.end; ++i)
      words.emplace(word(Layout->tokens[i]));
    std::string line = "\n" + indentation(*Layout, Layout->tokens[first].begin);
    std::string text;
    for (const TemplateParameter &parameter : Parameters.all) {
      const std::string name = parameter.declaration->getNameAsString();
      if (words.count(name) == 0 || replaced.count(parameter.declaration) != 0)
        continue;
      text += line;
      text += isa<TemplateTypeParmDecl>(parameter.declaration)
                  ? "using " + name + " = "
                  : "constexpr auto " + name + " = ";
      text += parameter.text + ";";
    }
    return text;
  }

  const FunctionDecl &Instance;
  Rewriting &Text;
  FileTable &Files;
  bool IsDevice;
  const FunctionDecl *Pattern = nullptr;
  /// The template, or the definition of its member outside of it.
  const Decl *Whole = nullptr;
  const ClassTemplateDecl *Class = nullptr;    ///< of such a definition
  const TemplateParameterList *List = nullptr; ///< before the declaration
  TemplateParameters Parameters;
  bool IsInClass = false;
  std::string Prefix;             ///< the name of the class
  std::uint32_t File = 0;         ///< of the template
  std::uint32_t BehindHeader = 0; ///< the place in the input, if it is another
  std::optional<SourceText> Layout;
  std::uint32_t Start = 0; ///< where its declaration begins
  TextRange Name, Body;
};

} // namespace

InstanceText textOfInstance(const FunctionDecl &instance, Rewriting &rewriting,
                            bool isDevice) {
  return InstanceWriter(instance, rewriting, isDevice).write();
}

} // namespace kfuse
