//===- SpecialiseTemplates.cpp - Instances with a text of their own -------===//

#include "frontend/rewrite/SpecialiseTemplates.h"

#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/rewrite/InstanceText.h"
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
#include <map>

namespace kfuse {

using namespace clang;

namespace {

/// Returns the instance's name, `app::run<float>`, the same in each parse. That
/// of a class's member is `app::Op::operator()<float>`.
std::string instanceName(const FunctionDecl &function) {
  const ASTContext &ast = function.getASTContext();
  PrintingPolicy policy(ast.getLangOpts());
  policy.FullyQualifiedName = true;
  std::string name = function.getQualifiedNameAsString();
  llvm::raw_string_ostream stream(name);
  stream << "<";
  for (const TemplateArgumentList *arguments :
       {argumentsOfClass(function), function.getTemplateSpecializationArgs()})
    for (const TemplateArgument &argument :
         arguments ? arguments->asArray()
                   : llvm::ArrayRef<TemplateArgument>()) {
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
      : Text(unit), Kept(kept), Unit(Text.unit()) {}

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
    // Texts behind one header stand in this order. An instance must not be used
    // before it has its text, and what others call is mostly above them.
    const auto isBefore = [&](SourceLocation one, SourceLocation other) {
      return Unit.model.files.sources().isBeforeInTranslationUnit(one, other);
    };
    std::multimap<SourceLocation, const FunctionDecl *, decltype(isBefore)>
        ordered(isBefore);
    for (const FunctionDecl *function : wanted)
      ordered.emplace(function->getLocation(), function);
    std::set<std::string> copied;
    Refusals refused;
    for (const auto &[location, function] : ordered) {
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

  /// Writes the instance; returns why it can't.
  std::string copy(const FunctionDecl &instance, const std::string &name) {
    InstanceText text = textOfInstance(instance, Text, IsDevice);
    for (InstanceText::Part &part : text.parts)
      Text.insert(part.offset, std::move(part.text), name, IsDevice);
    return text.obstacle;
  }

  Rewriting Text;
  const std::set<std::string> &Kept;
  HostUnit &Unit;
  std::set<const FunctionDecl *> Launching;
  bool IsDevice = false;
};

/// The instances and specialisations of function templates, and of members of
/// class templates, by name.
class InstanceFinder : public SourceVisitor {
public:
  std::map<std::string, const FunctionDecl *> found;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool enterStmt(Stmt *) override { return false; }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    if ((function->isFunctionTemplateSpecialization() ||
         argumentsOfClass(*function)) &&
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

RewrittenText specialise(const SourceUnit &unit,
                         const std::vector<const FunctionDecl *> &instances,
                         const std::set<std::string> &kept) {
  return InstanceCopier(unit, kept).copyDevice(instances);
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
