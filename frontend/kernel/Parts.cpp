//===- Parts.cpp - What of a kernel writes which arrays -------------------===//

#include "frontend/kernel/Parts.h"

#include "frontend/kernel/Executor.h"
#include "frontend/kernel/LocalNames.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// A statement; of an `if` or a loop what stands in its parentheses.
struct Node {
  enum class Kind : std::uint8_t { Plain, Branch, Loop, Return, Jump };
  Kind kind = Kind::Plain;
  SourceRange range;
  std::vector<std::size_t> heads; ///< that it stands under, outermost first
  VariableSet mentions, defines;
  bool stores = false; ///< to memory
  VariableSet outputs; ///< that it has to do with
};

/// Adds the parameters that are named in the types and defaults of these.
void addNamedBy(VariableSet &parameters) {
  for (std::size_t before = 0; before != parameters.size();) {
    before = parameters.size();
    VariableSet named;
    LocalNameFinder names(named);
    for (const VarDecl *parameter : parameters)
      names.TraverseDecl(const_cast<VarDecl *>(parameter));
    parameters.insert(named.begin(), named.end());
  }
}

/// Reads the statements of a body. Its functions return false for a statement
/// that can't be separated from others or isn't understood.
class BodyReader {
public:
  explicit BodyReader(FileTable &files) : Files(files) {}

  std::vector<Node> nodes;

  bool read(const Stmt &statement) {
    if (const auto *block = dyn_cast<CompoundStmt>(&statement))
      return std::all_of(block->body_begin(), block->body_end(),
                         [this](const Stmt *child) { return read(*child); });
    if (isa<NullStmt>(statement))
      return true;
    // No statement can go from a macro that makes several.
    Node node;
    node.range = Files.statement(statement);
    node.heads = Heads;
    if (statement.getBeginLoc().isMacroID() ||
        !FileTable::isInputText(node.range))
      return false;
    if (const auto *branch = dyn_cast<IfStmt>(&statement))
      return !branch->getInit() && !branch->getConditionVariable() &&
             readHead(std::move(node), Node::Kind::Branch,
                      {branch->getCond()}) &&
             readBody({branch->getThen(), branch->getElse()});
    if (const auto *loop = dyn_cast<ForStmt>(&statement))
      return !loop->getConditionVariable() &&
             readHead(std::move(node), Node::Kind::Loop,
                      {loop->getInit(), loop->getCond(), loop->getInc()}) &&
             readBody({loop->getBody()});
    if (const auto *loop = dyn_cast<WhileStmt>(&statement))
      return !loop->getConditionVariable() &&
             readHead(std::move(node), Node::Kind::Loop, {loop->getCond()}) &&
             readBody({loop->getBody()});
    if (const auto *loop = dyn_cast<DoStmt>(&statement))
      return readHead(std::move(node), Node::Kind::Loop, {loop->getCond()}) &&
             readBody({loop->getBody()});
    if (const auto *leave = dyn_cast<ReturnStmt>(&statement)) {
      node.kind = Node::Kind::Return;
      nodes.push_back(std::move(node));
      return !leave->getRetValue();
    }
    if (isa<BreakStmt, ContinueStmt>(statement)) {
      // Whatever decides on it decides on the passes of the loop.
      node.kind = Node::Kind::Jump;
      for (auto head = Heads.rbegin(); head != Heads.rend(); ++head) {
        if (nodes[*head].kind == Node::Kind::Loop) {
          nodes[*head].mentions.insert(node.mentions.begin(),
                                       node.mentions.end());
          break;
        }
        const VariableSet &decides = nodes[*head].mentions;
        node.mentions.insert(decides.begin(), decides.end());
      }
      nodes.push_back(std::move(node));
      return true;
    }
    nodes.push_back(std::move(node));
    return wholePart(statement);
  }

private:
  bool readHead(Node node, Node::Kind kind,
                std::initializer_list<const Stmt *> head) {
    node.kind = kind;
    nodes.push_back(std::move(node));
    Heads.push_back(nodes.size() - 1);
    return std::all_of(head.begin(), head.end(), [this](const Stmt *each) {
      return !each || wholePart(*each);
    });
  }

  bool readBody(std::initializer_list<const Stmt *> bodies) {
    for (const Stmt *body : bodies)
      if (body && !read(*body))
        return false;
    Heads.pop_back();
    return true;
  }

  bool wholePart(const Stmt &statement) {
    LocalNameFinder names(nodes.back().mentions);
    names.TraverseStmt(const_cast<Stmt *>(&statement));
    return part(statement);
  }

  /// Reads a declaration or an expression of the last node.
  bool part(const Stmt &part) {
    if (const auto *statement = dyn_cast<DeclStmt>(&part))
      return std::all_of(statement->decl_begin(), statement->decl_end(),
                         [this](const Decl *each) {
                           const auto *variable = dyn_cast<VarDecl>(each);
                           return variable && declaration(*variable);
                         });
    const auto *expression = dyn_cast<Expr>(&part);
    return expression && value(*expression);
  }

  bool declaration(const VarDecl &variable) {
    const QualType type = variable.getType();
    if (!variable.hasLocalStorage() || type->isReferenceType() ||
        variable.hasAttr<CUDASharedAttr>() ||
        type.isDestructedType() != QualType::DK_none ||
        isa<DecompositionDecl>(variable))
      return false;
    nodes.back().defines.insert(&variable);
    return !variable.getInit() || value(*variable.getInit());
  }

  /// Reads an expression, and returns whether its kind does nothing except what
  /// is noted of it.
  bool value(const Expr &expression) {
    if (coordinateOf(&expression))
      return true;
    if (const auto *name = dyn_cast<DeclRefExpr>(&expression))
      return isa<VarDecl, FunctionDecl, EnumConstantDecl>(name->getDecl());
    // A reference in an object would be another name for a variable.
    if (const auto *list = dyn_cast<InitListExpr>(&expression);
        list && std::any_of(list->begin(), list->end(), [](const Stmt *each) {
          return cast<Expr>(each)->isGLValue();
        }))
      return false;
    if (const auto *binary = dyn_cast<BinaryOperator>(&expression))
      return (!binary->isAssignmentOp() || assigned(*binary->getLHS())) &&
             !binary->isPtrMemOp() && operands(expression);
    if (const auto *unary = dyn_cast<UnaryOperator>(&expression)) {
      if (unary->isIncrementDecrementOp() && !assigned(*unary->getSubExpr()))
        return false;
      if (unary->getOpcode() == UO_AddrOf && !isMemory(*unary->getSubExpr()))
        return false;
      return operands(expression);
    }
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(&expression)) {
      const Expr &base = *element->getBase()->IgnoreParenImpCasts();
      return value(base.getType()->isArrayType() ? base
                                                 : *element->getBase()) &&
             value(*element->getIdx());
    }
    if (const auto *cast = dyn_cast<CastExpr>(&expression))
      return (cast->getCastKind() != CK_ArrayToPointerDecay ||
              isMemory(*cast->getSubExpr()) ||
              isa<StringLiteral>(cast->getSubExpr())) &&
             operands(expression);
    if (const auto *made = dyn_cast<CXXConstructExpr>(&expression)) {
      const CXXConstructorDecl &constructor = *made->getConstructor();
      return (constructor.isTrivial() || constructor.isDefaulted()) &&
             operands(expression);
    }
    if (const auto *call = dyn_cast<CallExpr>(&expression))
      return isUnderstood(*call) && operands(expression);
    return isa<ParenExpr, IntegerLiteral, FloatingLiteral, CharacterLiteral,
               CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, GNUNullExpr,
               ConditionalOperator, MemberExpr, ExtVectorElementExpr,
               InitListExpr, ImplicitValueInitExpr, CXXScalarValueInitExpr,
               MaterializeTemporaryExpr, ExprWithCleanups, ConstantExpr,
               UnaryExprOrTypeTraitExpr, SubstNonTypeTemplateParmExpr,
               StringLiteral>(expression) &&
           operands(expression);
  }

  bool operands(const Expr &expression) {
    return std::all_of(expression.child_begin(), expression.child_end(),
                       [this](const Stmt *child) {
                         const auto *operand = dyn_cast_or_null<Expr>(child);
                         return !child || (operand && value(*operand));
                       });
  }

  /// Checks whether the call changes only variables that are noted as changed.
  /// These are the object that it assigns to, and variables that it is given by
  /// reference, constant or not. The analysis of the kernel tells what the call
  /// does to memory.
  bool isUnderstood(const CallExpr &call) {
    const FunctionDecl *callee = call.getDirectCallee();
    if (!callee || callee->isVariadic() || isa<CXXMemberCallExpr>(call))
      return false;
    if (const auto *method = dyn_cast<CXXMethodDecl>(callee)) {
      const auto *named = dyn_cast<CXXOperatorCallExpr>(&call);
      if (named && named->getOperator() == OO_Equal && method->isTrivial())
        return assigned(*call.getArg(0));
      return false;
    }
    bool takesVariables = false;
    for (unsigned i = 0; i < callee->getNumParams(); ++i) {
      const QualType type = callee->getParamDecl(i)->getType();
      if (!type->isReferenceType())
        continue;
      if (!type.getNonReferenceType().isConstQualified() ||
          i >= call.getNumArgs())
        return false;
      const Expr &argument = *call.getArg(i);
      if (isMemory(argument))
        continue;
      // It may cast away what is constant, or change what is mutable.
      VariableSet named;
      LocalNameFinder names(named);
      names.TraverseStmt(const_cast<Expr *>(&argument));
      nodes.back().defines.insert(named.begin(), named.end());
      takesVariables |= !named.empty();
    }
    // Nor does it hand out a way to them.
    const QualType result = callee->getReturnType().getNonReferenceType();
    return !takesVariables || result->isVoidType() ||
           result->isArithmeticType() || result->isEnumeralType();
  }

  /// Checks whether `lvalue` is reached through a pointer.
  static bool isMemory(const Expr &lvalue) {
    const Expr *place = lvalue.IgnoreParenImpCasts();
    while (true) {
      if (const auto *member = dyn_cast<MemberExpr>(place)) {
        if (member->isArrow())
          return true;
        place = member->getBase();
      } else if (const auto *vector = dyn_cast<ExtVectorElementExpr>(place)) {
        place = vector->getBase();
      } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(place)) {
        place = element->getBase()->IgnoreParenImpCasts();
        if (!place->getType()->isArrayType())
          return true;
      } else {
        const auto *load = dyn_cast<UnaryOperator>(place);
        return load && load->getOpcode() == UO_Deref;
      }
      place = place->IgnoreParenImpCasts();
    }
  }

  bool assigned(const Expr &lvalue) {
    if (isMemory(lvalue)) {
      nodes.back().stores = true;
      return true;
    }
    const Expr *place = lvalue.IgnoreParenImpCasts();
    while (!isa<DeclRefExpr>(place)) {
      if (const auto *member = dyn_cast<MemberExpr>(place))
        place = member->getBase();
      else if (const auto *vector = dyn_cast<ExtVectorElementExpr>(place))
        place = vector->getBase();
      else if (const auto *element = dyn_cast<ArraySubscriptExpr>(place))
        place = element->getBase();
      else
        return false;
      place = place->IgnoreParenImpCasts();
    }
    const auto *variable =
        dyn_cast<VarDecl>(cast<DeclRefExpr>(place)->getDecl());
    if (!variable || !variable->isLocalVarDeclOrParm())
      return false;
    nodes.back().defines.insert(variable);
    return true;
  }

  FileTable &Files;
  std::vector<std::size_t> Heads;
};

bool grow(VariableSet &set, const VariableSet &by) {
  const std::size_t before = set.size();
  set.insert(by.begin(), by.end());
  return set.size() != before;
}

/// Sets the outputs that each statement is connected with, by its variables and
/// the statements around it.
void spread(std::vector<Node> &nodes, const VariableSet &written) {
  std::map<const VarDecl *, VariableSet> behind; ///< variables
  for (const VarDecl *output : written)
    behind[output].insert(output);
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (Node &node : nodes) {
      bool isMore = false;
      for (const VarDecl *variable : node.mentions)
        isMore |= grow(node.outputs, behind[variable]);
      for (const std::size_t head : node.heads)
        isMore |= grow(node.outputs, nodes[head].outputs);
      for (const VarDecl *variable : node.defines) {
        isMore |= grow(behind[variable], node.outputs);
        isMore |= grow(node.outputs, behind[variable]);
      }
      isDone &= !isMore;
    }
  }
}

/// Returns the groups of connected outputs, in the order of the parameters.
std::vector<VariableSet> components(const std::vector<Node> &nodes,
                                    const FunctionDecl &function,
                                    const VariableSet &written) {
  std::vector<VariableSet> found;
  for (const ParmVarDecl *parameter : function.parameters()) {
    if (written.count(parameter) == 0 ||
        std::any_of(found.begin(), found.end(), [&](const VariableSet &known) {
          return known.count(parameter) != 0;
        }))
      continue;
    VariableSet together = {parameter};
    for (bool isDone = false; !isDone;) {
      isDone = true;
      for (const Node &node : nodes)
        if (std::any_of(node.outputs.begin(), node.outputs.end(),
                        [&](const VarDecl *output) {
                          return together.count(output) != 0;
                        }))
          isDone &= !grow(together, node.outputs);
    }
    found.push_back(std::move(together));
  }
  return found;
}

/// Returns the statements that compute the outputs, and those that decide
/// whether they run.
std::vector<bool> slice(const std::vector<Node> &nodes,
                        const VariableSet &outputs) {
  std::vector<bool> isNeeded(nodes.size());
  VariableSet used;
  std::vector<std::size_t> pending;
  const auto need = [&](std::size_t index) {
    if (!isNeeded[index])
      pending.push_back(index);
    isNeeded[index] = true;
  };
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].kind == Node::Kind::Return ||
        std::any_of(nodes[i].outputs.begin(), nodes[i].outputs.end(),
                    [&](const VarDecl *each) { return outputs.count(each); }))
      need(i);
  while (!pending.empty()) {
    const std::size_t index = pending.back();
    pending.pop_back();
    for (const std::size_t head : nodes[index].heads)
      need(head);
    used.insert(nodes[index].mentions.begin(), nodes[index].mentions.end());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool defines =
          std::any_of(nodes[i].defines.begin(), nodes[i].defines.end(),
                      [&](const VarDecl *each) { return used.count(each); });
      const auto &heads = nodes[i].heads;
      const auto loop =
          std::find_if(heads.rbegin(), heads.rend(), [&](std::size_t head) {
            return nodes[head].kind == Node::Kind::Loop;
          });
      const bool leaves = nodes[i].kind == Node::Kind::Jump &&
                          loop != heads.rend() && isNeeded[*loop];
      if (defines || leaves)
        need(i);
    }
  }
  return isNeeded;
}

/// Checks whether two copies of the kernel, each with a part of it, do together
/// what the kernel does itself.
bool isRepeatable(const Kernel &kernel) {
  return kernel.analysed && kernel.text.copyable &&
         kernel.text.include.line == 0 && kernel.text.declaration.file == 0 &&
         kernel.text.templateHeader.empty() && kernel.barriers == 0 &&
         kernel.staticSharedBytes == 0 && !kernel.usesDynamicShared &&
         std::all_of(kernel.features.begin(), kernel.features.end(),
                     [](const FeatureUse &use) {
                       using enum KernelFeature;
                       return use.feature == ReadOnlyLoad ||
                              use.feature == CoordinatesInCallee ||
                              use.feature == CoordinatesInMacro ||
                              use.feature == GridShape ||
                              use.feature == GridFactor ||
                              use.feature == BlockPlace;
                     });
}

/// Returns the parameters that the kernel writes through, or nullopt if it also
/// writes in other ways.
std::optional<VariableSet> outputsOf(const Kernel &kernel,
                                     const FunctionDecl &function) {
  VariableSet written;
  for (const Access &access : kernel.accesses) {
    const PointerParameter &pointer = kernel.pointers[access.pointer];
    if (access.kind == AccessKind::Read)
      continue;
    if (access.kind == AccessKind::Atomic || pointer.global)
      return std::nullopt;
    written.insert(function.getParamDecl(pointer.parameter));
  }
  return written;
}

} // namespace

std::optional<FissionCandidate>
separate(FileTable &files, const FunctionDecl &function, const Kernel &kernel) {
  const auto written = outputsOf(kernel, function);
  if (!written || written->size() < 2 || !isRepeatable(kernel) ||
      files.text(kernel.text.body).find('#') != std::string::npos)
    return std::nullopt;
  BodyReader reader(files);
  if (!reader.read(*function.getBody()))
    return std::nullopt;
  std::vector<Node> &nodes = reader.nodes;
  spread(nodes, *written);
  const bool isApart =
      std::all_of(nodes.begin(), nodes.end(), [](const Node &node) {
        return node.kind == Node::Kind::Return
                   ? node.outputs.empty()
                   : !node.stores || !node.outputs.empty();
      });
  const std::vector<VariableSet> outputs =
      components(nodes, function, *written);
  if (!isApart || outputs.size() < 2)
    return std::nullopt;

  FissionCandidate result;
  for (const Node &node : nodes)
    result.statements.push_back({node.range, {}});
  for (std::uint32_t part = 0; part < outputs.size(); ++part) {
    const std::vector<bool> isNeeded = slice(nodes, outputs[part]);
    FissionCandidate::Part &made = result.parts.emplace_back();
    VariableSet parameters;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!isNeeded[i])
        continue;
      result.statements[i].parts.insert(part);
      for (const auto *set : {&nodes[i].mentions, &nodes[i].defines})
        for (const VarDecl *variable : *set)
          if (isa<ParmVarDecl>(variable))
            parameters.insert(variable);
    }
    addNamedBy(parameters);
    for (const VarDecl *parameter : parameters)
      made.parameters.insert(
          cast<ParmVarDecl>(parameter)->getFunctionScopeIndex());
    for (const VarDecl *output : outputs[part])
      made.outputs.insert(cast<ParmVarDecl>(output)->getFunctionScopeIndex());
  }
  return result;
}

} // namespace kfuse
