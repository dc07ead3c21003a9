//===- frontend/MemoryKernels.cpp - cudaMemset as a kernel ----------------===//

#include "frontend/MemoryKernels.h"

#include "frontend/Wrapper.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <optional>

namespace kfuse {

using namespace clang;

namespace {

/// cudaMemset(pointer, value, bytes[, stream]).
struct SetCall {
  const CallExpr *call = nullptr;
  const Expr *pointer = nullptr; ///< without conversions
  QualType element;
  std::uint64_t size = 0; ///< of an element
  SourceRange range;      ///< the call's own text
};

class SetFinder : public RecursiveASTVisitor<SetFinder> {
public:
  explicit SetFinder(const SourceManager &sources) : Sources(sources) {}
  std::vector<const CallExpr *> calls;
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    const auto role = callee ? runtimeRole(*callee, Sources) : std::nullopt;
    if (role && role->role == RuntimeCall::Role::Set)
      calls.push_back(call);
    return true;
  }

private:
  const SourceManager &Sources;
};

class Converter {
public:
  explicit Converter(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()), Sources(Files.sources()),
        Ast(rewriting.unit().model.ast),
        Launching(launchingFunctions(rewriting.unit())) {}

  RewrittenText run() {
    for (const FunctionDecl *function : Text.unit().order) {
      if (isa<CXXMethodDecl>(function) || !Text.obstacle(*function).empty())
        continue;
      Function = function;
      Uses = variableUses(*function->getBody());
      for (const CompoundStmt *block : blocksOf(*function))
        visit({block->body_begin(), block->body_end()});
    }
    return Text.finish();
  }

private:
  void visit(const std::vector<const Stmt *> &statements) {
    for (std::size_t i = 0; i < statements.size(); ++i)
      if (const auto set = setIn(*statements[i]))
        if (isBesideLaunch(statements, i))
          convert(*statements[i], *set);
  }

  /// Whether only what a launch can be moved past stands between the statement
  /// and a launch.
  bool isBesideLaunch(const std::vector<const Stmt *> &statements,
                      std::size_t place) const {
    for (const int direction : {1, -1})
      for (std::size_t i = place + direction; i < statements.size();
           i += direction) {
        const Stmt &other = *statements[i];
        const HostScan scan = scanHost(other, Sources);
        // What stands inside of others doesn't run together with it.
        const bool isSimple = isa<Expr>(other) || isa<DeclStmt>(other) ||
                              other.getBeginLoc().isMacroID();
        if (!isSimple && scan.usesDevice())
          break;
        if (scan.hasLaunch ||
            std::any_of(scan.callees.begin(), scan.callees.end(),
                        [this](const FunctionDecl *callee) {
                          return Launching.count(callee->getDefinition()) != 0;
                        }))
          return true;
        if (!std::all_of(scan.runtimeNames.begin(), scan.runtimeNames.end(),
                         [](const std::string &name) {
                           const auto call = runtimeCall(name);
                           return call &&
                                  (call->role == RuntimeCall::Role::Simple ||
                                   call->role == RuntimeCall::Role::Set);
                         }))
          break;
      }
    return false;
  }

  /// The call that is the statement, or the one in a check around it.
  std::optional<SetCall> setIn(const Stmt &statement) const {
    if (!isa<Expr>(statement) && !statement.getBeginLoc().isMacroID())
      return std::nullopt;
    SetFinder finder(Sources);
    finder.TraverseStmt(const_cast<Stmt *>(&statement));
    if (finder.calls.size() != 1)
      return std::nullopt;
    SetCall set;
    set.call = finder.calls.front();
    const std::string name = plainName(*set.call->getDirectCallee());
    if ((name != "cudaMemset" && name != "cudaMemsetAsync") ||
        set.call->getNumArgs() < 3)
      return std::nullopt;
    set.pointer = set.call->getArg(0)->IgnoreParenCasts();
    if (!set.pointer->getType()->isPointerType())
      return std::nullopt;
    set.element = set.pointer->getType()->getPointeeType();
    if (!set.element->isBuiltinType() || !set.element->isArithmeticType() ||
        set.element.hasQualifiers())
      return std::nullopt;
    set.size = Ast.getTypeSizeInChars(set.element).getQuantity();
    const auto value = set.call->getArg(1)->getIntegerConstantExpr(Ast);
    const bool isZero = value && *value == 0;
    for (const Expr *argument : set.call->arguments())
      if (argument->HasSideEffects(Ast))
        return std::nullopt;
    if ((!isZero && !isBytes(set)) || (set.size & (set.size - 1)) != 0 ||
        !isMultiple(*set.call->getArg(2), set.size))
      return std::nullopt;
    set.range = spelled(*set.call);
    return FileTable::isInputText(set.range) ? std::optional(set)
                                             : std::nullopt;
  }

  /// Elements that can have any byte for a value.
  static bool isBytes(const SetCall &set) {
    return set.size == 1 && !set.element->isBooleanType();
  }

  /// As it is written where a macro is given it.
  SourceRange spelled(const Expr &expression) const {
    return Files.range({Sources.getFileLoc(expression.getBeginLoc()),
                        Sources.getFileLoc(expression.getEndLoc())});
  }

  /// Whether a value is one of a power of two, whatever its variables are. What
  /// overflows still is.
  bool isMultiple(const Expr &given, std::uint64_t of) const {
    const Expr &expression = *given.IgnoreParenCasts();
    if (of == 1 || !expression.getType()->isIntegerType())
      return of == 1;
    if (const auto value = expression.getIntegerConstantExpr(Ast))
      return value->isNonNegative() && value->urem(of) == 0;
    if (const auto *binary = dyn_cast<BinaryOperator>(&expression)) {
      const bool left = isMultiple(*binary->getLHS(), of);
      const bool right = isMultiple(*binary->getRHS(), of);
      return binary->getOpcode() == BO_Mul ? left || right
             : binary->isAdditiveOp()      ? left && right
                                           : false;
    }
    const auto *use = dyn_cast<DeclRefExpr>(&expression);
    const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!variable || !variable->getAnyInitializer() ||
        isa<ParmVarDecl>(variable))
      return false;
    return isFixed(*variable) && isMultiple(*variable->getAnyInitializer(), of);
  }

  /// Whether the variable keeps the value that it is declared with.
  bool isFixed(const VarDecl &variable) const {
    if (variable.getType().isConstQualified())
      return true;
    const auto use = Uses.find(&variable);
    return variable.hasLocalStorage() && use != Uses.end() &&
           use->second.mentions == use->second.loads;
  }

  /// The expression's text where a product or a quotient can stand.
  std::string factor(const Expr &expression) const {
    const std::string text = Files.text(spelled(expression));
    const auto *binary = dyn_cast<BinaryOperator>(&expression);
    const bool isLoose = (binary && !binary->isMultiplicativeOp()) ||
                         isa<ConditionalOperator>(expression);
    return isLoose ? "(" + text + ")" : text;
  }

  /// Of the bytes as elements.
  std::string countOf(const SetCall &set) const {
    const Expr &bytes = *set.call->getArg(2)->IgnoreImplicit();
    const auto isSize = [&](const Expr &part) {
      const auto value = part.getIntegerConstantExpr(Ast);
      return value && *value == static_cast<std::int64_t>(set.size);
    };
    if (const auto *product = dyn_cast<BinaryOperator>(bytes.IgnoreParens());
        product && product->getOpcode() == BO_Mul) {
      if (isSize(*product->getRHS()))
        return factor(*product->getLHS()->IgnoreImplicit());
      if (isSize(*product->getLHS()))
        return factor(*product->getRHS()->IgnoreImplicit());
    }
    return set.size == 1
               ? factor(bytes)
               : factor(bytes) + " / sizeof(" +
                     set.element.getAsString(Ast.getPrintingPolicy()) + ")";
  }

  void convert(const Stmt &statement, const SetCall &set) {
    SourceRange whole = Files.statement(statement);
    std::vector<std::string> arguments; // as written
    for (const Expr *argument : set.call->arguments()) {
      if (isa<CXXDefaultArgExpr>(argument))
        continue;
      const SourceRange range = spelled(*argument);
      if (!FileTable::isInputText(range))
        return;
      arguments.push_back(Files.text(range));
    }
    const SourceRange pointer = spelled(*set.pointer);
    const std::string text = Files.text(whole);
    if (!FileTable::isInputText(whole) || !FileTable::isInputText(pointer) ||
        !text.ends_with(';') || !Text.isFree(whole) ||
        set.range.begin < whole.begin || set.range.end > whole.end)
      return;
    const std::string count = countOf(set);
    std::string launch = kernelFor(set) + "<<<" + count + " / 256 + 1, 256";
    if (arguments.size() > 3)
      launch += ", 0, " + arguments[3];
    launch += ">>>(" + Files.text(pointer) + ", " + count;
    if (isBytes(set))
      launch += ", " + arguments[1];
    launch += ");";
    DerivedText written;
    written.write(launch, set.range.begin);
    // A check of the call is one of the launch.
    if (set.range.begin != whole.begin) {
      written.write(Text.lineAt(whole.begin), set.range.begin);
      written.copy(Text.input(), whole.begin, set.range.begin);
      written.write("cudaSuccess", set.range.begin);
      written.copy(Text.input(), set.range.end, whole.end);
    }
    Text.replace(whole, std::move(written));
  }

  /// The name of the kernel for elements of the type.
  std::string kernelFor(const SetCall &set) {
    const std::string type = set.element.getAsString(Ast.getPrintingPolicy());
    std::string &name = Kernels[type];
    if (!name.empty())
      return name;
    name = "memset_" + type;
    std::replace(name.begin(), name.end(), ' ', '_');
    name = Text.fresh(name);
    const bool isByte = isBytes(set);
    std::string text = "// kfuse: cudaMemset of " + type + " as a kernel.\n";
    text += "static __global__ void " + name + "(" + type +
            " *to, long long count" + (isByte ? ", int value" : "") + ") {\n";
    text += "  const long long i = blockIdx.x * (long long)blockDim.x + "
            "threadIdx.x;\n";
    text += "  if (i < count)\n";
    text += isByte ? "    to[i] = (unsigned char)value;\n" : "    to[i] = 0;\n";
    text += "}\n\n";
    const std::uint32_t begin = Files.range(Function->getSourceRange()).begin;
    Text.define({name, {}}, text, placeAtTop(Text.layout(), begin));
    return name;
  }

  Rewriting &Text;
  FileTable &Files;
  const SourceManager &Sources;
  ASTContext &Ast;
  std::set<const FunctionDecl *> Launching;
  const FunctionDecl *Function = nullptr; ///< the one whose blocks are visited
  std::map<const VarDecl *, VariableUse> Uses; ///< in it
  std::map<std::string, std::string> Kernels;  ///< by element type
};

} // namespace

RewrittenText launchSets(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return Converter(rewriting).run();
}

} // namespace kfuse
