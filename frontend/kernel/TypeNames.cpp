//===- TypeNames.cpp - Names of the types that a fused kernel mentions ----===//

#include "frontend/kernel/TypeNames.h"

#include "frontend/kernel/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/CharInfo.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// A structure in a structure in a structure is passed apart at most.
constexpr unsigned MostLevels = 4;

class Collector {
public:
  explicit Collector(const ASTContext &ast) : Ast(ast) {}

  TypeNames names;

  void add(QualType type, unsigned level) {
    type = type.getNonReferenceType();
    addText(spellType(Ast, type));
    addPlace(type);
    if (level == MostLevels)
      return;
    if (const auto *instance =
            dyn_cast_or_null<ClassTemplateSpecializationDecl>(
                type->getAsRecordDecl()))
      add(instance->getTemplateArgs(), level + 1);
    if (type->isAnyPointerType())
      add(type->getPointeeType(), level + 1);
    if (const RecordDecl *record = type->getAsRecordDecl();
        record && record->getDefinition())
      for (const FieldDecl *field : record->getDefinition()->fields())
        if (field->getType()->isAnyPointerType())
          add(field->getType(), level + 1);
  }

  void add(const TemplateArgumentList &arguments, unsigned level) {
    for (const TemplateArgument &each : arguments.asArray())
      if (each.getKind() == TemplateArgument::Type)
        add(each.getAsType(), level);
  }

  void addText(llvm::StringRef text) {
    bool isQualified = false;
    while (!text.empty()) {
      const llvm::StringRef word = text.take_while(
          [](char c) { return clang::isAsciiIdentifierContinue(c); });
      const bool isName = !word.empty() && !clang::isDigit(word.front()) &&
                          !Ast.Idents.get(word).isKeyword(Ast.getLangOpts());
      if (isName)
        names.all.insert(word.str());
      if (isName && !isQualified)
        names.outermost.insert(word.str());
      isQualified = word.empty() && text.starts_with("::");
      text = text.drop_front(
          isQualified ? 2 : std::max<std::size_t>(word.size(), 1));
    }
  }

private:
  void addPlace(QualType type) {
    if (const auto *alias = type->getAs<TypedefType>())
      names.declared.push_back(
          alias->getDecl()->getCanonicalDecl()->getEndLoc());
    if (const TagDecl *tag = type->getAsTagDecl())
      names.declared.push_back(
          (tag->getDefinition() ? tag->getDefinition() : tag)->getEndLoc());
  }

  const ASTContext &Ast;
};

} // namespace

TypeNames typeNames(const ASTContext &ast, const FunctionDecl &kernel,
                    const std::string &templateArguments) {
  Collector collector(ast);
  for (const ParmVarDecl *parameter : kernel.parameters())
    collector.add(parameter->getType(), 0);
  collector.addText(templateArguments);
  if (const TemplateArgumentList *arguments =
          kernel.getTemplateSpecializationArgs())
    collector.add(*arguments, 0);
  return std::move(collector.names);
}

std::string hiddenName(const ASTContext &ast, const FunctionDecl &kernel,
                       const std::set<std::string> &outermost) {
  for (const DeclContext *scope = kernel.getDeclContext(); scope;
       scope = scope->getParent()) {
    // Names of these aren't written with them.
    const auto *space = dyn_cast<NamespaceDecl>(scope);
    if (!space || space->isAnonymousNamespace() || space->isInline())
      continue;
    for (const std::string &name : outermost)
      if (!space->lookup(&ast.Idents.get(name)).empty())
        return name;
  }
  return {};
}

} // namespace kfuse
