//===- SpecialiseTemplates.cpp - Instances with a text of their own -------===//

#include "frontend/rewrite/SpecialiseTemplates.h"

#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/Contractions.h"
#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/StructuralFingerprint.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Returns the instance's name, `app::run<float>`, the same in each parse.
std::string instanceName(const FunctionDecl &function) {
  const ASTContext &ast = function.getASTContext();
  PrintingPolicy policy(ast.getLangOpts());
  policy.FullyQualifiedName = true;
  std::string name = function.getQualifiedNameAsString();
  llvm::raw_string_ostream stream(name);
  stream << "<";
  for (const TemplateArgument &argument :
       function.getTemplateSpecializationArgs()->asArray()) {
    ast.getCanonicalTemplateArgument(argument).print(policy, stream,
                                                     /*IncludeType=*/true);
    stream << ",";
  }
  stream << ">" << function.getType().getCanonicalType().getAsString(policy);
  return name;
}

/// How many launches, and calls of functions that launch, a function has.
class LaunchCounter : public SourceVisitor {
public:
  explicit LaunchCounter(const std::set<const FunctionDecl *> &launching)
      : Launching(launching) {}

  unsigned count = 0;

  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    count += isa<CUDAKernelCallExpr>(call) ||
             (callee && Launching.count(callee->getDefinition()) != 0 &&
              !callee->hasAttr<CUDAGlobalAttr>());
    return true;
  }

private:
  const std::set<const FunctionDecl *> &Launching;
};

class InstanceCopier {
public:
  InstanceCopier(const SourceUnit &unit, const std::set<std::string> &kept)
      : Text(unit), Kept(kept), Unit(Text.unit()), Files(Text.files()) {}

  /// Writes instances of templates that launch.
  RewrittenText copyHost() {
    Launching = launchingFunctions(Unit);
    std::vector<const FunctionDecl *> wanted, outer;
    for (const FunctionDecl *function : Unit.order)
      if (isWanted(*function))
        wanted.push_back(function);
    for (const FunctionDecl *function : wanted)
      if (!isCalledBy(wanted, *function))
        outer.push_back(function);
    return copyAll(outer);
  }

  /// Writes the instances `wanted`, whose sums are to contract in one way each.
  RewrittenText copyDevice(const std::vector<const FunctionDecl *> &wanted) {
    IsDevice = true;
    return copyAll(wanted);
  }

private:
  RewrittenText copyAll(const std::vector<const FunctionDecl *> &wanted) {
    std::set<std::string> copied;
    Refusals refused;
    for (const FunctionDecl *function : wanted) {
      const std::string name = instanceName(*function);
      if (Kept.count(name) != 0)
        continue;
      const std::string why = copy(*function, name);
      if (why.empty())
        copied.insert(name);
      else
        refused.instances.emplace(function->getQualifiedNameAsString(), why);
    }
    RewrittenText text = Text.finish(std::move(refused));
    text.functions = std::move(copied);
    return text;
  }

  bool isWanted(const FunctionDecl &function) {
    if (!Unit.functions[&function].isShared || isa<CXXMethodDecl>(function) ||
        !function.getPrimaryTemplate() || Launching.count(&function) == 0)
      return false;
    LaunchCounter counter(Launching);
    counter.TraverseStmt(function.getBody());
    return counter.count > 1;
  }

  /// Checks whether one of the others calls it: once that has a text of its
  /// own, its statements may stand in place of the call.
  bool isCalledBy(const std::vector<const FunctionDecl *> &callers,
                  const FunctionDecl &function) {
    return std::any_of(
        callers.begin(), callers.end(), [&](const FunctionDecl *caller) {
          const auto &callees = Unit.functions[caller].scan.callees;
          return caller->getPrimaryTemplate() !=
                     function.getPrimaryTemplate() &&
                 std::any_of(callees.begin(), callees.end(),
                             [&](const FunctionDecl *callee) {
                               return callee->getDefinition() == &function;
                             });
        });
  }

  /// Returns the place for an instance's declaration. It is after
  /// `declaration`, its template, because each use of that comes later.
  std::optional<std::uint32_t> endOf(const FunctionTemplateDecl &declaration) {
    SourceRange range = Files.range(declaration.getSourceRange());
    if (!FileTable::isInputText(range) ||
        !declaration.getLexicalDeclContext()->isFileContext())
      return std::nullopt;
    if (declaration.isThisDeclarationADefinition())
      return range.end;
    const std::size_t next = tokenAt(Text.layout(), range.end);
    const auto &tokens = Text.layout().tokens;
    if (next >= tokens.size() ||
        spelling(Text.layout().text, tokens[next]) != ";")
      return std::nullopt;
    return tokens[next].end;
  }

  /// Writes the instance; returns why it can't.
  std::string copy(const FunctionDecl &instance, const std::string &name) {
    const FunctionDecl *pattern = instance.getTemplateInstantiationPattern();
    const FunctionTemplateDecl *whole =
        pattern ? pattern->getDescribedFunctionTemplate() : nullptr;
    if (!whole || !isa<CompoundStmt>(pattern->getBody()) ||
        !pattern->getDeclName().isIdentifier())
      return "it has no body that is a block";
    if (whole->hasAssociatedConstraints())
      return "its template has constraints";
    if (instance.getTemplateSpecializationKind() != TSK_ImplicitInstantiation)
      return "its instances are named";
    const std::optional<std::uint32_t> end = endOf(*whole);
    if (!end)
      return "its template isn't plain text of the input";
    const TemplateParameters parameters = templateParameters(instance);
    if (!parameters.obstacle.empty())
      return parameters.obstacle;
    // Outside of its namespace the template has another name.
    if (whole->getDeclContext() != whole->getLexicalDeclContext())
      return "it is defined outside of its namespace";
    NewNames names;
    std::string arguments;
    for (const TemplateParameter &parameter : parameters.all) {
      names[parameter.declaration] = parameter.text;
      arguments += (arguments.empty() ? "" : ", ") + parameter.text;
    }
    const std::optional<std::string> head = headOf(*pattern, names, arguments);
    if (!head)
      return "its declaration isn't plain text";
    const FunctionTemplateDecl *first = whole->getCanonicalDecl();
    const SourceRange place = Files.range(first->getSourceRange());
    if (first != whole && FileTable::isInputText(place)) {
      const std::optional<std::uint32_t> behind = endOf(*first);
      if (!behind)
        return "its first declaration isn't plain text";
      MappedText declaration;
      declaration.write(lines("\ntemplate <>" + *head + ";"), *behind - 1);
      Text.insert(*behind, std::move(declaration), name, IsDevice);
    }
    std::set<const NamedDecl *> replaced;
    if (IsDevice)
      for (const TemplateParameter &parameter : parameters.all)
        if (!parameter.needsName &&
            llvm::all_of(parameter.text, isIdentifierCharacter))
          replaced.insert(parameter.declaration);
    MappedText text;
    text.write(lines("\n\n// kfuse: '" + instance.getNameAsString() + "' of " +
                     arguments + ", with " + (IsDevice ? "sums" : "kernels") +
                     " of its own.\ntemplate <>" + *head + " {" +
                     standIns(*pattern, parameters, replaced)),
               *end - 1);
    copyBody(*pattern, parameters, replaced, text);
    Text.insert(*end, std::move(text), name, IsDevice);
    return {};
  }

  /// Appends the body of `pattern`, with texts for the parameters `replaced`.
  void copyBody(const FunctionDecl &pattern,
                const TemplateParameters &parameters,
                const std::set<const NamedDecl *> &replaced,
                MappedText &text) const {
    std::map<std::string_view, std::string_view> words;
    for (const TemplateParameter &parameter : parameters.all)
      if (replaced.count(parameter.declaration) != 0)
        words.emplace(parameter.declaration->getName(), parameter.text);
    const SourceRange body = Files.range(pattern.getBody()->getSourceRange());
    const SourceText &layout = Text.layout();
    std::uint32_t copied = body.begin + 1;
    std::string_view before;
    for (std::size_t i = tokenAt(layout, copied);
         layout.tokens[i].begin < body.end; ++i) {
      const TextToken &token = layout.tokens[i];
      const auto found = words.find(spelling(layout.text, token));
      if (found != words.end() && before != "." && before != "->" &&
          before != "::") {
        text.copy(Text.input(), copied, token.begin);
        text.write(std::string(found->second), token.begin);
        copied = token.end;
      }
      before = spelling(layout.text, token);
    }
    text.copy(Text.input(), copied, body.end);
  }

  std::string lines(const std::string &text) const {
    return withLineEnds(Text.layout(), text);
  }

  /// Returns what stands between the template's parameters and its body in the
  /// instance; nullopt if a macro is in it.
  std::optional<std::string> headOf(const FunctionDecl &pattern,
                                    const NewNames &names,
                                    const std::string &arguments) {
    const TemplateParameterList &list =
        *pattern.getDescribedFunctionTemplate()->getTemplateParameters();
    const SourceRange angle = Files.range(list.getRAngleLoc());
    const SourceRange name = Files.range(pattern.getLocation());
    const SourceRange body = Files.range(pattern.getBody()->getSourceRange());
    if (!FileTable::isInputText(angle) || !FileTable::isInputText(name) ||
        !FileTable::isInputText(body))
      return std::nullopt;
    std::string head;
    std::uint32_t copied = angle.end;
    const auto take = [&](std::uint32_t end) {
      head += withParameters(Text.input().substr(copied, end - copied), names);
      copied = end;
    };
    // A specialisation has the linkage of its template.
    for (std::size_t i = tokenAt(Text.layout(), angle.end);
         Text.layout().tokens[i].begin < name.begin; ++i) {
      const std::string_view word =
          spelling(Text.layout().text, Text.layout().tokens[i]);
      if (word != "static" && word != "extern")
        continue;
      take(Text.layout().tokens[i].begin);
      copied = Text.layout().tokens[i + 1].begin;
    }
    take(name.end);
    head += "<" + arguments + ">";
    // Nor has it default arguments.
    for (const ParmVarDecl *parameter : pattern.parameters()) {
      if (!parameter->hasDefaultArg() || parameter->hasInheritedDefaultArg())
        continue;
      const SourceRange value = Files.range(parameter->getDefaultArgRange());
      std::size_t equals = tokenAt(Text.layout(), value.begin);
      if (!FileTable::isInputText(value) || equals == 0 ||
          spelling(Text.layout().text, Text.layout().tokens[--equals]) != "=")
        return std::nullopt;
      take(Text.layout().tokens[equals - 1].end);
      copied = value.end;
    }
    take(body.begin);
    return llvm::StringRef(head).rtrim().str();
  }

  /// Returns declarations with the names of the parameters that the body
  /// mentions, except those that are replaced.
  std::string standIns(const FunctionDecl &pattern,
                       const TemplateParameters &parameters,
                       const std::set<const NamedDecl *> &replaced) {
    const SourceRange body = Files.range(pattern.getBody()->getSourceRange());
    const SourceText &layout = Text.layout();
    std::set<std::string> words;
    const std::size_t first = tokenAt(layout, body.begin) + 1;
    for (std::size_t i = first; layout.tokens[i].begin < body.end; ++i)
      words.emplace(spelling(layout.text, layout.tokens[i]));
    std::string line = "\n" + indentation(layout, layout.tokens[first].begin);
    std::string text;
    for (const TemplateParameter &parameter : parameters.all) {
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

  Rewriting Text;
  const std::set<std::string> &Kept;
  HostUnit &Unit;
  FileTable &Files;
  std::set<const FunctionDecl *> Launching;
  bool IsDevice = false;
};

/// The instances and specialisations of function templates by name.
class InstanceFinder : public SourceVisitor {
public:
  std::map<std::string, const FunctionDecl *> found;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool enterStmt(Stmt *) override { return false; }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (function->isFunctionTemplateSpecialization() &&
        !function->isDependentContext() &&
        function->doesThisDeclarationHaveABody())
      found.emplace(instanceName(*function), function);
    return true;
  }
};

std::map<std::string, const FunctionDecl *> instances(const SourceUnit &unit) {
  InstanceFinder finder;
  finder.TraverseAST(unit.ast().getASTContext());
  return std::move(finder.found);
}

} // namespace

RewrittenText specialiseTemplates(const SourceUnit &unit,
                                  const std::set<std::string> &kept) {
  return InstanceCopier(unit, kept).copyHost();
}

RewrittenText specialiseAmbiguous(const SourceUnit &unit,
                                  const std::set<std::string> &kept) {
  return InstanceCopier(unit, kept).copyDevice(ambiguousInstances(unit));
}

std::set<std::string> changedInstances(const SourceUnit &before,
                                       const SourceUnit &after,
                                       const std::set<std::string> &names) {
  std::set<std::string> changed;
  const auto old = instances(before);
  const auto now = instances(after);
  for (const std::string &name : names) {
    const auto one = old.find(name);
    const auto other = now.find(name);
    if (one == old.end() || other == now.end()) {
      changed.insert(name);
      continue;
    }
    const auto words = structuralFingerprint(*one->second);
    if (!words || words != structuralFingerprint(*other->second))
      changed.insert(name);
  }
  return changed;
}

} // namespace kfuse
