//===- StructuralFingerprint.cpp - What the statements of a function do ---===//

#include "frontend/syntax/StructuralFingerprint.h"

#include "frontend/syntax/NameLookupEquivalence.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <map>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

class Describer {
public:
  explicit Describer(const FunctionDecl &function)
      : Ast(function.getASTContext()), Policy(Ast.getLangOpts()) {
    Policy.FullyQualifiedName = true;
    if (const FunctionTemplateDecl *whole = function.getPrimaryTemplate())
      for (const auto *each : whole->redecls())
        for (const NamedDecl *parameter : *each->getTemplateParameters())
          if (parameter->getIdentifier())
            Parameters.insert(parameter->getName());
    Words.push_back(typeWord(function.getType()));
    for (const ParmVarDecl *parameter : function.parameters())
      Locals.emplace(parameter, static_cast<unsigned>(Locals.size()));
    Words.push_back("{");
    bool isHead = true;
    for (const Stmt *statement : function.getBody()->children()) {
      isHead = isHead && isStandIn(*statement);
      if (!isHead)
        visit(statement);
    }
  }

  std::optional<std::vector<std::string>> take() {
    return IsKnown ? std::optional(std::move(Words)) : std::nullopt;
  }

private:
  std::string typeWord(QualType type) const {
    return type.getCanonicalType().getAsString(Policy);
  }

  //===--------------------------------------------------------------------===//
  // What stands for the parameters of a template
  //===--------------------------------------------------------------------===//

  bool isStandIn(const Stmt &statement) {
    const auto *declared = dyn_cast<DeclStmt>(&statement);
    if (!declared || !declared->isSingleDecl())
      return false;
    const auto *one = dyn_cast<NamedDecl>(declared->getSingleDecl());
    if (!one || !one->getIdentifier() || Parameters.count(one->getName()) == 0)
      return false;
    if (const auto *variable = dyn_cast<VarDecl>(one))
      Numbers.insert(variable);
    return true;
  }

  /// Returns the constant that `statement` is, if that is a template
  /// parameter's value; otherwise nullptr.
  const Expr *numberOf(const Stmt &statement) const {
    if (const auto *number = dyn_cast<SubstNonTypeTemplateParmExpr>(&statement))
      return number;
    const auto *load = dyn_cast<ImplicitCastExpr>(&statement);
    if (!load || load->getCastKind() != CK_LValueToRValue)
      return nullptr;
    const auto *use = dyn_cast<DeclRefExpr>(load->getSubExpr());
    return use && Numbers.count(use->getDecl()) != 0 ? load : nullptr;
  }

  /// Checks for `__func__` of assert() and the like, as a pointer.
  bool isNameInMessage(const Stmt &statement) const {
    const auto *decay = dyn_cast<ImplicitCastExpr>(&statement);
    if (!decay || decay->getCastKind() != CK_ArrayToPointerDecay)
      return false;
    const Expr *array = decay->getSubExpr()->IgnoreParens();
    if (const auto *extension = dyn_cast<UnaryOperator>(array);
        extension && extension->getOpcode() == UO_Extension)
      array = extension->getSubExpr()->IgnoreParens();
    const auto *name = dyn_cast<PredefinedExpr>(array);
    return name && isOfSystemMacro(*name, Ast.getSourceManager());
  }

  //===--------------------------------------------------------------------===//
  // Nodes
  //===--------------------------------------------------------------------===//

  void visit(const Stmt *node) {
    if (!node || !IsKnown) {
      Words.push_back("-");
      return;
    }
    if (const Expr *number = numberOf(*node)) {
      Expr::EvalResult value;
      IsKnown &= number->EvaluateAsInt(value, Ast);
      if (IsKnown)
        Words.push_back(typeWord(number->getType().getUnqualifiedType()) + " " +
                        value.Val.getAsString(Ast, number->getType()));
      return;
    }
    if (isNameInMessage(*node)) {
      Words.push_back("the function's name");
      return;
    }
    std::string word = node->getStmtClassName();
    if (const auto *expression = dyn_cast<Expr>(node))
      word += " " + typeWord(expression->getType()) + " " +
              std::to_string(expression->getValueKind()) + " " +
              std::to_string(expression->getObjectKind());
    Words.push_back(word + " " + details(*node));
    Words.push_back("(");
    if (const auto *declared = dyn_cast<DeclStmt>(node))
      for (const Decl *each : declared->decls())
        declare(*each);
    for (const Stmt *child : node->children())
      visit(child);
    Words.push_back(")");
  }

  void declare(const Decl &declaration) {
    if (const auto *variable = dyn_cast<VarDecl>(&declaration)) {
      Locals.emplace(variable, static_cast<unsigned>(Locals.size()));
      Words.push_back(typeWord(variable->getType()) + " " +
                      std::to_string(variable->getStorageClass()) + " " +
                      std::to_string(variable->getTLSKind()) + " " +
                      std::to_string(variable->getInitStyle()));
    } else if (!isa<TypedefNameDecl>(declaration) &&
               !isa<StaticAssertDecl>(declaration)) {
      IsKnown = false;
    }
  }

  std::string nameOf(const ValueDecl &declaration) const {
    const auto local = Locals.find(&declaration);
    if (local != Locals.end())
      return "#" + std::to_string(local->second);
    std::string name;
    llvm::raw_string_ostream stream(name);
    declaration.getNameForDiagnostic(stream, Policy, /*Qualified=*/true);
    return name + " " + typeWord(declaration.getType());
  }

  static std::string toString(const llvm::APInt &value) {
    llvm::SmallString<32> digits;
    value.toString(digits, 16, /*Signed=*/false);
    return digits.str().str();
  }

  bool isLine(SourceLocation location) const {
    while (location.isMacroID()) {
      if (Lexer::getImmediateMacroName(location, Ast.getSourceManager(),
                                       Ast.getLangOpts()) == "__LINE__")
        return true;
      location = Ast.getSourceManager().getImmediateMacroCallerLoc(location);
    }
    return false;
  }

  /// Returns what `node` says beside its class, its type and its children. A
  /// class that isn't here may say more.
  std::string details(const Stmt &node) {
    switch (node.getStmtClass()) {
    case Stmt::CompoundStmtClass:
    case Stmt::DeclStmtClass:
    case Stmt::IfStmtClass:
    case Stmt::ForStmtClass:
    case Stmt::WhileStmtClass:
    case Stmt::DoStmtClass:
    case Stmt::ReturnStmtClass:
    case Stmt::BreakStmtClass:
    case Stmt::ContinueStmtClass:
    case Stmt::NullStmtClass:
    case Stmt::SwitchStmtClass:
    case Stmt::CaseStmtClass:
    case Stmt::DefaultStmtClass:
    case Stmt::CXXForRangeStmtClass:
    case Stmt::CXXTryStmtClass:
    case Stmt::ExprWithCleanupsClass:
    case Stmt::ParenExprClass:
    case Stmt::ConditionalOperatorClass:
    case Stmt::ArraySubscriptExprClass:
    case Stmt::CallExprClass:
    case Stmt::CUDAKernelCallExprClass:
    case Stmt::CXXMemberCallExprClass:
    case Stmt::CXXOperatorCallExprClass:
    case Stmt::CXXBindTemporaryExprClass:
    case Stmt::MaterializeTemporaryExprClass:
    case Stmt::CXXStdInitializerListExprClass:
    case Stmt::ConstantExprClass:
    case Stmt::InitListExprClass:
    case Stmt::ImplicitValueInitExprClass:
    case Stmt::CXXScalarValueInitExprClass:
    case Stmt::CXXNullPtrLiteralExprClass:
    case Stmt::GNUNullExprClass:
    case Stmt::CXXThrowExprClass:
    case Stmt::CXXThisExprClass:
    case Stmt::CXXDefaultArgExprClass: // a part of the function called
      return {};
    case Stmt::AttributedStmtClass: {
      std::string kinds;
      for (const Attr *attribute : cast<AttributedStmt>(node).getAttrs())
        kinds += std::to_string(attribute->getKind()) + " ";
      return kinds;
    }
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass:
    case Stmt::CXXStaticCastExprClass:
    case Stmt::CXXReinterpretCastExprClass:
    case Stmt::CXXConstCastExprClass:
    case Stmt::CXXFunctionalCastExprClass:
      return cast<CastExpr>(node).getCastKindName();
    case Stmt::UnaryOperatorClass:
      return std::to_string(cast<UnaryOperator>(node).getOpcode());
    case Stmt::BinaryOperatorClass:
    case Stmt::CompoundAssignOperatorClass:
      return std::to_string(cast<BinaryOperator>(node).getOpcode());
    case Stmt::DeclRefExprClass:
      return nameOf(*cast<DeclRefExpr>(node).getDecl());
    case Stmt::MemberExprClass:
      return nameOf(*cast<MemberExpr>(node).getMemberDecl());
    case Stmt::CXXConstructExprClass:
    case Stmt::CXXTemporaryObjectExprClass:
      return nameOf(*cast<CXXConstructExpr>(node).getConstructor());
    case Stmt::UnaryExprOrTypeTraitExprClass: {
      const auto &trait = cast<UnaryExprOrTypeTraitExpr>(node);
      return std::to_string(trait.getKind()) + " " +
             typeWord(trait.getTypeOfArgument());
    }
    case Stmt::CXXNewExprClass:
      return typeWord(cast<CXXNewExpr>(node).getAllocatedType()) +
             nameOf(*cast<CXXNewExpr>(node).getOperatorNew());
    case Stmt::CXXDeleteExprClass:
      return typeWord(cast<CXXDeleteExpr>(node).getDestroyedType()) +
             nameOf(*cast<CXXDeleteExpr>(node).getOperatorDelete());
    case Stmt::IntegerLiteralClass:
      return isLine(node.getBeginLoc())
                 ? "a line"
                 : toString(cast<IntegerLiteral>(node).getValue());
    case Stmt::CharacterLiteralClass:
      return std::to_string(cast<CharacterLiteral>(node).getValue());
    case Stmt::CXXBoolLiteralExprClass:
      return cast<CXXBoolLiteralExpr>(node).getValue() ? "true" : "false";
    case Stmt::FloatingLiteralClass:
      return toString(cast<FloatingLiteral>(node).getValue().bitcastToAPInt());
    case Stmt::PredefinedExprClass: // with a string below it
      return {};
    case Stmt::StringLiteralClass:
      return cast<StringLiteral>(node).getBytes().str();
    default:
      IsKnown = false;
      return {};
    }
  }

  const ASTContext &Ast;
  PrintingPolicy Policy;
  std::set<llvm::StringRef> Parameters; ///< names of the template's
  std::set<const ValueDecl *> Numbers;  ///< that stand for them
  std::map<const ValueDecl *, unsigned> Locals;
  std::vector<std::string> Words;
  bool IsKnown = true;
};

} // namespace

std::optional<std::vector<std::string>>
structuralFingerprint(const FunctionDecl &function) {
  if (!isa<CompoundStmt>(function.getBody()))
    return std::nullopt;
  return Describer(function).take();
}

} // namespace kfuse
