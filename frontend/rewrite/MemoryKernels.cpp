//===- MemoryKernels.cpp - Memory calls as kernels ------------------------===//

#include "frontend/rewrite/MemoryKernels.h"

#include "frontend/api/Callees.h"
#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/syntax/ControlFlow.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/VariableUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <optional>

namespace kfuse {

using namespace clang;

namespace {

/// cudaMemset(pointer, value, bytes[, stream]), or
/// cudaMemcpy(pointer, source, bytes, cudaMemcpyDeviceToDevice[, stream]).
struct MemoryCall {
  const CallExpr *call = nullptr;
  const Expr *pointer = nullptr; ///< without conversions
  const Expr *source = nullptr;  ///< of a copy, without conversions
  QualType element;
  std::uint64_t size = 0; ///< of an element
  SourceRange range;      ///< the call's own text
};

class MemoryCallFinder : public SourceVisitor {
public:
  explicit MemoryCallFinder(const SourceManager &sources) : Sources(sources) {}
  std::vector<const CallExpr *> calls;
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    const auto role = callee ? runtimeRole(*callee, Sources) : std::nullopt;
    if (role && (role->role == RuntimeCall::Role::Set ||
                 role->role == RuntimeCall::Role::Copy))
      calls.push_back(call);
    return true;
  }

private:
  const SourceManager &Sources;
};

class Converter {
public:
  Converter(Rewriting &rewriting, const std::vector<SourceRange> &kept)
      : Text(rewriting), Kept(kept), Files(rewriting.files()),
        Sources(Files.sources()), Ast(rewriting.unit().model.ast),
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
      if (const auto found = callIn(*statements[i]))
        if (isBesideLaunch(statements, i))
          convert(*statements[i], *found);
  }

  /// Checks whether a launch comes before or after the statement, with only
  /// statements between that a launch can be moved past.
  bool isBesideLaunch(const std::vector<const Stmt *> &statements,
                      std::size_t place) const {
    for (const int direction : {1, -1})
      for (std::size_t i = place + direction; i < statements.size();
           i += direction) {
        const Stmt &other = *statements[i];
        const HostScan scan = scanHost(other, Sources);
        // Statements inside others don't run together with it.
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

  /// Returns the call that is `statement`, or the one in a check around it.
  std::optional<MemoryCall> callIn(const Stmt &statement) const {
    if (!isa<Expr>(statement) && !statement.getBeginLoc().isMacroID())
      return std::nullopt;
    MemoryCallFinder finder(Sources);
    finder.TraverseStmt(const_cast<Stmt *>(&statement));
    if (finder.calls.size() != 1 ||
        !comesFirst(*finder.calls.front(), statement, Ast))
      return std::nullopt;
    MemoryCall found;
    found.call = finder.calls.front();
    const std::string name = plainName(*found.call->getDirectCallee());
    const bool isCopy = name == "cudaMemcpy" || name == "cudaMemcpyAsync";
    const bool isSet = name == "cudaMemset" || name == "cudaMemsetAsync";
    if ((!isCopy && !isSet) || found.call->getNumArgs() < 3)
      return std::nullopt;
    const auto element = elementOf(*found.call->getArg(0));
    if (!element || element->hasQualifiers())
      return std::nullopt;
    found.pointer = found.call->getArg(0)->IgnoreParenCasts();
    found.element = *element;
    found.size = Ast.getTypeSizeInChars(found.element).getQuantity();
    for (const Expr *argument : found.call->arguments())
      if (argument->HasSideEffects(Ast))
        return std::nullopt;
    if ((isCopy && !isOnDevice(found)) || (isSet && !isFillable(found)) ||
        (found.size & (found.size - 1)) != 0 ||
        !isMultiple(*found.call->getArg(2), found.size))
      return std::nullopt;
    if (isCopy)
      found.source = found.call->getArg(1)->IgnoreParenCasts();
    found.range = spelled(*found.call);
    return FileTable::isInputText(found.range) ? std::optional(found)
                                               : std::nullopt;
  }

  /// Returns the number type that `argument` points to before conversions.
  static std::optional<QualType> elementOf(const Expr &argument) {
    const QualType type = argument.IgnoreParenCasts()->getType();
    if (!type->isPointerType() || !type->getPointeeType()->isBuiltinType() ||
        !type->getPointeeType()->isArithmeticType())
      return std::nullopt;
    return type->getPointeeType();
  }

  /// Checks whether `copy` is from elements of the same type on the device.
  bool isOnDevice(const MemoryCall &copy) const {
    constexpr unsigned DirectionArgument = 3;
    const auto element = elementOf(*copy.call->getArg(1));
    if (!element || element->isVolatileQualified() ||
        !Ast.hasSameUnqualifiedType(*element, copy.element) ||
        copy.call->getNumArgs() <= DirectionArgument)
      return false;
    const auto direction =
        copy.call->getArg(DirectionArgument)->getIntegerConstantExpr(Ast);
    return direction &&
           *direction == static_cast<int>(CopyDirection::DeviceToDevice);
  }

  /// Checks whether `memory` is set to zero, or byte by byte.
  bool isFillable(const MemoryCall &memory) const {
    const auto value = memory.call->getArg(1)->getIntegerConstantExpr(Ast);
    return (value && *value == 0) || isBytes(memory);
  }

  /// Checks whether the elements can have any byte for a value.
  static bool isBytes(const MemoryCall &memory) {
    return memory.size == 1 && !memory.element->isBooleanType();
  }

  /// Returns the range of `expression` as written, even as a macro's argument.
  SourceRange spelled(const Expr &expression) const {
    return Files.range({Sources.getFileLoc(expression.getBeginLoc()),
                        Sources.getFileLoc(expression.getEndLoc())});
  }

  /// Checks whether `given` is a multiple of `of`, a power of two, whatever its
  /// variables are. It still is if it overflows.
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

  /// Checks whether `variable` keeps the value that it is declared with.
  bool isFixed(const VarDecl &variable) const {
    if (variable.getType().isConstQualified())
      return true;
    const auto use = Uses.find(&variable);
    return variable.hasLocalStorage() && use != Uses.end() &&
           use->second.mentions == use->second.loads;
  }

  /// Returns the text of `expression` as an operand of a product or quotient.
  std::string factor(const Expr &expression) const {
    const std::string text = Files.text(spelled(expression));
    const auto *binary = dyn_cast<BinaryOperator>(&expression);
    const bool isInvalidatedAtJoins =
        (binary && !binary->isMultiplicativeOp()) ||
        isa<ConditionalOperator>(expression) || hasMacro(expression);
    return isInvalidatedAtJoins ? "(" + text + ")" : text;
  }

  /// Checks whether `part`, or a part of it, begins or ends in a macro.
  static bool hasMacro(const Stmt &part) {
    return part.getBeginLoc().isMacroID() || part.getEndLoc().isMacroID() ||
           std::any_of(
               part.child_begin(), part.child_end(),
               [](const Stmt *inner) { return inner && hasMacro(*inner); });
  }

  /// Returns the text for the number of elements in `memory`.
  std::string countOf(const MemoryCall &memory) const {
    const Expr &bytes = *memory.call->getArg(2)->IgnoreImplicit();
    const auto isSize = [&](const Expr &part) {
      const auto value = part.getIntegerConstantExpr(Ast);
      return value && *value == static_cast<std::int64_t>(memory.size);
    };
    if (const auto *product = dyn_cast<BinaryOperator>(bytes.IgnoreParens());
        product && product->getOpcode() == BO_Mul && !hasMacro(bytes)) {
      if (isSize(*product->getRHS()))
        return factor(*product->getLHS()->IgnoreImplicit());
      if (isSize(*product->getLHS()))
        return factor(*product->getRHS()->IgnoreImplicit());
    }
    return memory.size == 1
               ? factor(bytes)
               : factor(bytes) + " / sizeof(" +
                     memory.element.getAsString(Ast.getPrintingPolicy()) + ")";
  }

  bool isKept(const SourceRange &statement) const {
    return std::any_of(Kept.begin(), Kept.end(), [&](const SourceRange &kept) {
      return kept.file == statement.file && kept.begin == statement.begin;
    });
  }

  void convert(const Stmt &statement, const MemoryCall &memory) {
    SourceRange whole = Files.statement(statement);
    std::vector<std::string> arguments; // as written
    for (const Expr *argument : memory.call->arguments()) {
      if (isa<CXXDefaultArgExpr>(argument))
        continue;
      const SourceRange range = spelled(*argument);
      if (!FileTable::isInputText(range))
        return;
      arguments.push_back(Files.text(range));
    }
    const SourceRange pointer = spelled(*memory.pointer);
    const std::string text = Files.text(whole);
    if (!FileTable::isInputText(whole) || !FileTable::isInputText(pointer) ||
        (memory.source && !FileTable::isInputText(spelled(*memory.source))) ||
        !text.ends_with(';') || !Text.isFree(whole) || isKept(whole) ||
        memory.range.begin < whole.begin || memory.range.end > whole.end)
      return;
    const std::string count = countOf(memory);
    std::string launch = kernelFor(memory) + "<<<" + count + " / 256 + 1, 256";
    const std::size_t stream = memory.source ? 4 : 3;
    if (arguments.size() > stream)
      launch += ", 0, " + arguments[stream];
    launch += ">>>(" + Files.text(pointer);
    if (memory.source)
      launch += ", " + Files.text(spelled(*memory.source));
    launch += ", " + count;
    if (!memory.source && isBytes(memory))
      launch += ", " + arguments[1];
    launch += ");";
    MappedText written;
    written.write(launch, memory.range.begin);
    // A check of the call is one of the launch.
    if (memory.range.begin != whole.begin) {
      written.write(Text.lineAt(whole.begin), memory.range.begin);
      written.copy(Text.input(), whole.begin, memory.range.begin);
      written.write("cudaSuccess", memory.range.begin);
      written.copy(Text.input(), memory.range.end, whole.end);
    }
    Text.replace(whole, std::move(written));
  }

  /// Returns the name of the kernel for elements of the type.
  std::string kernelFor(const MemoryCall &memory) {
    const std::string type =
        memory.element.getAsString(Ast.getPrintingPolicy());
    const std::string call = memory.source ? "memcpy" : "memset";
    std::string &name = Kernels[call + "_" + type];
    if (!name.empty())
      return name;
    name = call + "_" + type;
    std::replace(name.begin(), name.end(), ' ', '_');
    name = Text.fresh(name);
    const bool isByte = !memory.source && isBytes(memory);
    std::string text =
        "// kfuse: cudaM" + call.substr(1) + " of " + type + " as a kernel.\n";
    text += "static __global__ void " + name + "(" + type + " *to, " +
            (memory.source ? "const " + type + " *from, " : "") +
            "long long count" + (isByte ? ", int value" : "") + ") {\n";
    text += "  const long long i = blockIdx.x * (long long)blockDim.x + "
            "threadIdx.x;\n";
    text += "  if (i < count)\n";
    text += "    to[i] = ";
    text += memory.source ? "from[i];\n"
            : isByte      ? "(unsigned char)value;\n"
                          : "0;\n";
    text += "}\n\n";
    const std::uint32_t begin = Files.range(Function->getSourceRange()).begin;
    Text.define({name, {}}, text, placeAtTop(Text.layout(), begin));
    return name;
  }

  Rewriting &Text;
  const std::vector<SourceRange> &Kept;
  FileTable &Files;
  const SourceManager &Sources;
  ASTContext &Ast;
  std::set<const FunctionDecl *> Launching;
  const FunctionDecl *Function = nullptr; ///< the one whose blocks are visited
  std::map<const VarDecl *, VariableUse> Uses; ///< in it
  std::map<std::string, std::string> Kernels;  ///< by call and element
};

} // namespace

RewrittenText launchMemoryCalls(const SourceUnit &unit,
                                const std::vector<SourceRange> &kept) {
  Rewriting rewriting(unit);
  return Converter(rewriting, kept).run();
}

} // namespace kfuse
