//===- LocalMemory.cpp - What an OpenCL kernel declares for its group -----===//
//
// A pointer to an array's first element stands for the array wherever the text
// indexes the array or passes it on. Its size and its address would be others.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/LocalMemory.h"

#include "frontend/kernel/Types.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kfuse {

using namespace clang;

namespace {

bool isLocal(const ValueDecl &declared) {
  return isa<VarDecl>(declared) && !isa<ParmVarDecl>(declared) &&
         declared.getType().getAddressSpace() == LangAS::opencl_local;
}

class LocalMemoryFinder : public SourceVisitor {
public:
  std::vector<const DeclStmt *> declarations;
  std::map<const ValueDecl *, std::vector<const DeclRefExpr *>> mentions;
  std::set<const Expr *> decayed; ///< arrays that become pointers

  bool VisitDeclStmt(DeclStmt *statement) override {
    if (std::any_of(statement->decl_begin(), statement->decl_end(),
                    [](const Decl *declared) {
                      const auto *value = dyn_cast<ValueDecl>(declared);
                      return value && isLocal(*value);
                    }))
      declarations.push_back(statement);
    return true;
  }
  bool VisitCastExpr(CastExpr *cast) override {
    if (cast->getCastKind() == CK_ArrayToPointerDecay)
      decayed.insert(cast->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    if (isLocal(*name->getDecl()))
      mentions[name->getDecl()].push_back(name);
    return true;
  }
};

/// Finds barriers under a condition, in functions that are called too.
class BranchedBarrierFinder : public SourceVisitor {
public:
  bool isFound = false;

  bool enterStmt(Stmt *statement) override {
    Branches += isBranch(*statement) ? 1 : 0;
    return true;
  }
  bool leaveStmt(Stmt *statement) override {
    Branches -= isBranch(*statement) ? 1 : 0;
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    const IdentifierInfo *name = callee ? callee->getIdentifier() : nullptr;
    isFound |= name && Branches != 0 &&
               (name->getName() == "barrier" ||
                name->getName() == "work_group_barrier");
    const FunctionDecl *definition = nullptr;
    if (callee && callee->hasBody(definition) &&
        Seen.emplace(definition, Branches != 0).second)
      TraverseStmt(definition->getBody());
    return true;
  }

private:
  static bool isBranch(const Stmt &statement) {
    return isa<IfStmt, SwitchStmt, AbstractConditionalOperator>(statement);
  }

  unsigned Branches = 0; ///< around what is visited
  std::set<std::pair<const FunctionDecl *, bool>> Seen;
};

/// Checks whether file scope has what the type names.
bool isOfFileScope(QualType type) {
  const auto *alias = type->getAs<TypedefType>();
  const TagDecl *tag = type->getAsTagDecl();
  if (alias ? alias->getDecl()->getParentFunctionOrMethod() != nullptr
            : tag && !tag->getIdentifier())
    return false;
  return !tag || !tag->getParentFunctionOrMethod();
}

class LocalMemoryReader {
public:
  LocalMemoryReader(KernelContext &context, const FunctionDecl &kernel)
      : Context(context), Kernel(kernel) {}

  LocalMemory run() {
    Found.TraverseStmt(Kernel.getBody());
    for (const DeclStmt *statement : Found.declarations)
      for (const Decl *declared : statement->decls())
        read(*statement, *declared);
    BranchedBarrierFinder barriers;
    barriers.TraverseStmt(Kernel.getBody());
    Result.hasBarrierInBranch = barriers.isFound;
    return std::move(Result);
  }

private:
  void refuse(const NamedDecl &declared, const std::string &why) {
    if (Result.obstacle.empty())
      Result.obstacle = "its local '" + declared.getNameAsString() + "' " + why;
  }

  void read(const DeclStmt &statement, const Decl &declared) {
    const auto *variable = dyn_cast<VarDecl>(&declared);
    if (!variable || !isLocal(*variable)) {
      if (const auto *other = dyn_cast<NamedDecl>(&declared))
        refuse(*other, "is declared together with local memory");
      return;
    }
    LocalVariable local;
    local.name = variable->getNameAsString();
    local.declaration = Context.files.wholeText(statement.getSourceRange());
    QualType element = variable->getType();
    const bool isArray = element->isArrayType();
    while (const ConstantArrayType *array =
               Context.ast.getAsConstantArrayType(element)) {
      local.dimensions.push_back(array->getSize().getZExtValue());
      element = array->getElementType();
    }
    local.element = (element.isVolatileQualified() ? "volatile " : "") +
                    spellType(Context.ast, element.getUnqualifiedType());
    if (local.declaration.inMacro)
      refuse(*variable, "comes from a macro");
    if (!isOfFileScope(element))
      refuse(*variable, "has a type that the kernel declares");
    if (std::any_of(
            variable->attr_begin(), variable->attr_end(),
            [](const Attr *attribute) { return !attribute->isImplicit(); }))
      refuse(*variable, "has an attribute");
    for (const DeclRefExpr *name : Found.mentions[variable]) {
      const SourceRange mention = Context.files.range(name->getSourceRange());
      if (isArray && !Found.decayed.contains(name))
        refuse(*variable, "is used as a whole");
      if (!isArray && mention.inMacro)
        refuse(*variable, "is named by a macro");
      if (!isArray)
        local.mentions.push_back(mention);
    }
    std::sort(local.mentions.begin(), local.mentions.end());
    local.mentions.erase(
        std::unique(local.mentions.begin(), local.mentions.end()),
        local.mentions.end());
    Result.variables.push_back(std::move(local));
  }

  KernelContext &Context;
  const FunctionDecl &Kernel;
  LocalMemoryFinder Found;
  LocalMemory Result;
};

} // namespace

LocalMemory localMemory(KernelContext &context, const FunctionDecl &kernel) {
  if (!context.ast.getLangOpts().OpenCL || !kernel.getBody())
    return {};
  return LocalMemoryReader(context, kernel).run();
}

} // namespace kfuse
