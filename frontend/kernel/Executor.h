//===- Executor.h - Symbolic execution of a kernel ------------------------===//
//
// Walks the structured body of a kernel once, with an environment that maps
// local variables to polynomials and pointers, and a path condition. Device
// functions with visible bodies are executed in place. Loops run twice: once to
// see how their variables change, once to record what they access.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_EXECUTOR_H
#define KFUSE_FRONTEND_KERNEL_EXECUTOR_H

#include "frontend/kernel/Context.h"
#include "frontend/kernel/PersistentMap.h"
#include "frontend/kernel/PolynomialArithmetic.h"
#include "frontend/kernel/Scan.h"
#include "frontend/kernel/Types.h"
#include "frontend/kernel/Uniformity.h"

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// The kind of memory that a pointer points into.
enum class PointerBase : std::uint8_t {
  Global,   ///< memory of Kernel::pointers[pointer]
  Private,  ///< the thread's or the block's own: of no interest
  Variable, ///< a local variable that has a value in the environment
  Choice,   ///< one of `targets`, or Private memory
  Unknown,
};

/// Global memory that a pointer may point to.
struct PointerTarget {
  Guard guard; ///< holds if it does
  std::uint32_t pointer = 0;
  IndexExpr bytes = Polynomial{};
  bool operator==(const PointerTarget &) const = default;
};

struct PointerState {
  PointerBase base = PointerBase::Unknown;
  std::uint32_t pointer = 0;
  IndexExpr bytes = Polynomial{};           ///< from the pointer, for Global
  std::vector<PointerTarget> targets;       ///< for Choice
  const clang::VarDecl *variable = nullptr; ///< for Variable
  std::string path;                         ///< of its member
  bool operator==(const PointerState &) const = default;
};

/// The value of an expression.
struct Value {
  enum class Kind : std::uint8_t { Other, Integer, Pointer, Aggregate };
  Kind kind = Kind::Other;
  IndexExpr integer = NotPolynomial::Unsupported;
  PointerState pointer;
  std::map<std::string, Value> members; ///< by full path: `.size.x`
  /// The branch that a boolean decides, if known.
  std::shared_ptr<const Branch> condition;
  /// The load, in Kernel::accesses, of a whole scalar element that it is.
  std::optional<std::uint32_t> loaded;

  bool sameAs(const Value &other) const {
    return kind == other.kind && integer == other.integer &&
           pointer == other.pointer && loaded == other.loaded &&
           condition == other.condition &&
           std::equal(members.begin(), members.end(), other.members.begin(),
                      other.members.end(), [](const auto &l, const auto &r) {
                        return l.first == r.first && l.second.sameAs(r.second);
                      });
  }
};

Value integerValue(IndexExpr value);
Value pointerValue(PointerState pointer);
/// Returns a value of `type` about which nothing is known.
Value unknownValue(clang::QualType type, NotPolynomial why);
/// Checks whether `pointer` is known to point into global memory, or may do so.
bool isGlobal(const PointerState &pointer);

/// The location of a glvalue.
struct Place {
  enum class Kind : std::uint8_t {
    Variable,  ///< of the environment
    Memory,    ///< global memory: `pointer.base` is Global
    Private,   ///< local or shared memory that isn't followed
    Temporary, ///< a value without a name
    Unknown,
  };
  Kind kind = Kind::Unknown;
  PointerState pointer;
  std::uint32_t elementBytes = 0, offset = 0, width = 0;
  bool isWhole = true; ///< not a bit-field
  Value temporary;
};

class KernelExecutor {
public:
  KernelExecutor(KernelContext &context, Kernel &kernel);
  /// Fills everything that comes from the body.
  void run(const clang::FunctionDecl &function);

private:
  using Variables = PersistentMap<const clang::VarDecl *, Value>;
  using KnownValues = std::map<const clang::VarDecl *, Value>; ///< of some
  struct State {
    Variables variables;
    Guard guard;
    bool ended = false;
  };
  /// One function in execution.
  struct Frame {
    const clang::FunctionDecl *function = nullptr;
    std::optional<Place> object; ///< what `this` points to
    std::size_t guardSize = 0;   ///< of the guard at its start
    std::size_t loops = 0;       ///< in Kernel::loops at its start
    std::size_t loopDepth = 0;   ///< of the loops around it
    struct Exit {
      Guard guard; ///< beyond the guard at the start
      Value value;
      Place place;
      Variables variables;
    };
    std::vector<Exit> exits;
    Reach reach = Reach::Block; ///< of the threads that call it
    Reaches calls = {};         ///< in its body, as if all called it
  };
  Reach reachOf(const clang::CallExpr &call) const;

  // Analysis.cpp: parameters.
  void bindParameters(const clang::FunctionDecl &function);
  Value bindParameter(std::uint32_t parameter, const std::string &path,
                      clang::QualType type);

  // Statements.cpp.
  void execute(const clang::Stmt *statement);
  void executeDeclaration(const clang::VarDecl &variable);
  void executeIf(const clang::IfStmt &statement);
  /// Accesses of an arm of an `if`: [begin, end) in Kernel::accesses, whose
  /// condition added the conjuncts [guardBegin, guardEnd) to the guard.
  struct Arm {
    std::size_t begin = 0, end = 0;
    std::uint32_t guardBegin = 0, guardEnd = 0;
  };
  std::vector<std::size_t> storedInBoth(const Arm &arm, const Arm &other) const;
  void noteOtherArm(const std::vector<std::size_t> &stores, const Arm &arm);
  void executeSwitch(const clang::SwitchStmt &statement);
  void executeReturn(const clang::ReturnStmt &statement);
  void join(const State &before, const Branch &branch, bool isWhole,
            State whenTrue, State whenFalse);
  /// Decides between two values; by default nothing is known of it.
  struct Selection {
    Branch branch = unknownBranch();
    std::optional<Polynomial> condition; ///< 0 or 1, if known
  };
  Selection selectionBy(Branch branch) const;
  Value joinValues(const Selection &selection, const Value &lhs,
                   const Value &rhs) const;
  PointerState joinPointers(const Branch &branch, const PointerState &lhs,
                            const PointerState &rhs) const;
  /// Makes uncertain what the current variables and `others` disagree on.
  void meet(const Variables &others);
  /// Adds to the guard, as far as it has room.
  void assume(const Guard &guard);
  bool isGuardFull() const;
  /// Executes `action` under `guard`; what it changes is uncertain afterwards.
  template <typename Action> auto underGuard(const Guard &guard, Action action);

  // Loops.cpp.
  struct Loop {
    const clang::Stmt *statement;
    const clang::Expr *condition;
    const clang::Expr *increment;
    const clang::Stmt *body;
    bool testsFirst;
  };
  void executeLoop(const Loop &loop);
  bool summariseLoop(const Loop &loop,
                     std::set<const clang::VarDecl *> &modified,
                     const Variables &start, std::uint32_t counter,
                     KnownValues &uncertain,
                     std::set<const clang::VarDecl *> &wrapping);
  IndexExpr tripCount(const Guard &condition, Symbol counter) const;
  std::optional<LoopVariable>
  variableOf(const Loop &loop, const KnownValues &head, Symbol counter) const;
  bool staysInType(const IndexExpr &value, const IndexExpr &limit,
                   clang::QualType type, bool isStrict) const;
  void fitSteps(const Loop &loop, const CodeEffects &effects,
                const std::set<const clang::VarDecl *> &wrapping,
                Symbol counter);
  void forget(const std::set<const clang::VarDecl *> &variables,
              NotPolynomial why);
  /// Executes `action` without recording anything, and takes back what it did
  /// to the state. Returns the variables that were changed, by whatever name.
  template <typename Action>
  std::set<const clang::VarDecl *> speculate(Action action);

  // GridStride.cpp.
  bool executeGridStride(const clang::CompoundStmt &body);
  void findGridShape(const clang::Stmt &body);

  // Expressions.cpp.
  Value evaluate(const clang::Expr *expression);
  Value evaluateDefault(const clang::Expr *expression);
  Value evaluateCast(const clang::CastExpr &cast);
  Value evaluateUnary(const clang::UnaryOperator &operation);
  Value evaluateBinary(const clang::BinaryOperator &operation);
  Value evaluateAssignment(const clang::BinaryOperator &operation);
  Value evaluateConditional(const clang::AbstractConditionalOperator &select);
  Value evaluateStatements(const clang::StmtExpr &block);
  Value addToPointer(const Value &pointer, const IndexExpr &elements,
                     clang::QualType pointee) const;
  Value step(const clang::UnaryOperator &operation);
  Value stepped(const Value &before, const Polynomial &change,
                clang::QualType type);
  void nameFunction(const clang::Expr *function);
  Value viewed(Value pointer, clang::QualType type);

  // Aggregates.cpp.
  Value evaluateConstruct(const clang::CXXConstructExpr &construct);
  Value evaluateInitList(const clang::InitListExpr &list);

  // Numbers.cpp.
  IntegerType integerType(clang::QualType type) const;
  IndexExpr exactly(const IndexExpr &value, clang::QualType type) const;
  IndexExpr displacement(const IndexExpr &value, clang::QualType type) const;
  bool isStep(const IndexExpr &value) const;
  Value convert(const Value &value, clang::QualType from, clang::QualType to);
  Value arithmetic(clang::BinaryOperatorKind operation, const Value &lhs,
                   const Value &rhs, clang::QualType type);

  // Conditions.cpp.
  Branch evaluateCondition(const clang::Expr *expression);
  Branch compare(const clang::BinaryOperator &comparison);
  Value booleanValue(const Branch &branch) const;

  // MemoryLocations.cpp.
  Place place(const clang::Expr *expression);
  Place memberPlace(const clang::MemberExpr &member);
  Place variablePlace(const clang::VarDecl &variable);
  Place pointee(const PointerState &pointer, clang::QualType type) const;
  PointerState addressOf(const Place &place) const;
  Value read(const Place &place, clang::QualType type);
  void assign(const Place &place, const Value &value);
  std::uint32_t devicePointer(const clang::VarDecl &variable);

  // Stores.cpp.
  void store(const Place &place, const Value &value, const clang::Expr *lvalue,
             const clang::Expr *whole, const clang::Expr *stored);
  void update(const Place &place, const Value &value, const clang::Expr *lvalue,
              const clang::Expr *whole, const clang::Expr *stored);
  Access *record(AccessKind kind, AccessForm form, const Place &place,
                 const clang::Expr *lvalue);
  void recordChoice(AccessKind kind, AccessForm form, const Place &place,
                    const clang::Expr *lvalue);

  // Loads.cpp: loads, and the text of elements.
  Value load(const Place &place, const clang::Expr *lvalue);
  Value load(const clang::Expr *lvalue);
  Value loadValue(const clang::Expr *lvalue);
  /// Returns text that can be replaced as a whole: plain text or all of a
  /// macro's use.
  SourceRange wholeText(clang::SourceRange tokens) const;
  /// Checks whether the code at `at` sees the place as an element of its array
  /// or as a part of one. A cast doesn't, nor does a pointer to a member alone.
  bool isPartOfElement(const Place &place, const clang::Expr *at) const;
  bool isSeenAsElement(const Place &place, clang::QualType type) const;
  /// Checks whether the expression, which was just evaluated, changes nothing,
  /// and the functions that it calls read no global memory.
  bool onlyComputes(const clang::Expr &expression) const;
  /// Checks whether `range` is plain text in the file of the kernel's body.
  bool isOwnText(const SourceRange &range) const;

  // NamedValues.cpp.
  /// Checks whether a term in the index differs between threads.
  bool differsInTerm(const Polynomial &index) const;
  std::set<const clang::VarDecl *>
  variablesNear(const clang::Expr &lvalue) const;
  std::vector<NamedValue> namesAt(const clang::Expr &lvalue);

  // Calls.cpp.
  Value evaluateCall(const clang::CallExpr &call);
  Value evaluateCallee(const clang::CallExpr &call);
  std::optional<Value> intrinsic(const clang::CallExpr &call,
                                 llvm::StringRef name);
  Value openClCoordinate(const clang::CallExpr &call, llvm::StringRef name);
  Value unknownCall(const clang::CallExpr &call, llvm::StringRef name);
  Value pureCall(const clang::CallExpr &call);
  Value systemConversion(const clang::CXXMemberCallExpr &call);
  void clobber(const Value &argument, const clang::Expr *expression,
               bool mayWrite);

  // Libraries.cpp: cooperative groups, CUB and cuRAND.
  void warpOperation(const clang::CallExpr &call, Reach reach);
  void lendArguments(const clang::CallExpr &call, bool mayWrite);
  std::optional<Value> groupCall(const clang::CallExpr &call);
  std::optional<Value> collectiveCall(const clang::CallExpr &call);
  Value randomCall(const clang::CallExpr &call);

  // Atomics.cpp: barriers and atomic operations.
  void barrier(const clang::CallExpr &call);
  Value atomic(const clang::CallExpr &call, llvm::StringRef name);
  Value accessByCall(const clang::CallExpr &call, llvm::StringRef name,
                     AccessKind kind);

  // InlinedCalls.cpp: functions that are executed in place.
  Value follow(const clang::FunctionDecl &function,
               llvm::ArrayRef<const clang::Expr *> arguments,
               std::optional<Place> object, const clang::Expr &call);
  void leaveLoops(Value &value, std::size_t loops) const;

  // Analysis.cpp: notes.
  NumberRange rangeOfSymbol(Symbol symbol) const;
  void note(KernelFeature feature, clang::SourceRange range,
            std::string detail = {});
  void giveUp(clang::SourceRange range, std::string why = {});
  /// Counts a step, and returns whether the kernel is too large to be followed
  /// further.
  bool isOver(clang::SourceRange range);
  void giveUpSize(clang::SourceRange range, std::size_t most, const char *what);
  void count(const Operations &operations);
  const clang::ASTContext &ast() const { return Context.ast; }
  std::uint32_t sizeOf(clang::QualType type) const;
  bool isRecording() const { return LoopSummaries == 0; }

  KernelContext &Context;
  unsigned Defaults = 0; ///< of arguments and members being evaluated
  Kernel &Result;
  KernelArithmetic Arithmetic;
  State Current;
  std::vector<Frame> Frames;
  std::map<const clang::VarDecl *, Place> References;
  std::map<const clang::VarDecl *, std::uint32_t> DevicePointers;
  std::set<const clang::VarDecl *> Pinned, SharedVariables;
  /// Counts what calls do beyond computing a value from their arguments.
  std::size_t Effects = 0;
  std::set<const clang::CallExpr *> Computations; ///< calls without effects
  std::vector<std::uint32_t> LoopStack;
  std::vector<double> Trips; ///< of the loops around, for the operation count
  /// The variables at each `continue` and `break`, innermost loop last.
  std::vector<std::vector<Variables>> Continues, Breaks;
  /// The variables that each enclosing switch changes, innermost last.
  std::vector<std::set<const clang::VarDecl *>> Switches;
  /// The loop whose condition is evaluated.
  struct Counting {
    Symbol counter;
    bool mayLeave; ///< other than by its condition
  };
  std::optional<Counting> Condition;
  bool IsStepping = false; ///< evaluates the step of a grid-stride loop
  /// Placeholders of variables that a loop may step out of a signed type, by
  /// way of unsigned numbers.
  std::set<Symbol> WrappingSteps;
  const clang::Expr *DiscardedValue = nullptr; ///< its value is not used
  const clang::Stmt *Statement = nullptr;      ///< the innermost in execution
  Place LastReturned; ///< what the call that was just executed refers to
  /// Assigned to since the outermost rehearsal began, in callees too.
  std::set<const clang::VarDecl *> Changed;
  unsigned LoopSummaries = 0;
  std::size_t LoopDepth = 0; ///< of those that are gone through
  unsigned SwitchDepth = 0;  ///< within the innermost loop
  std::size_t Steps = 0;     ///< statements and expressions so far
};

template <typename Action>
auto KernelExecutor::underGuard(const Guard &guard, Action action) {
  const Variables before = Current.variables;
  const std::size_t size = Current.guard.size();
  assume(guard);
  auto result = action();
  Current.guard.resize(size);
  meet(before);
  return result;
}

template <typename Action>
std::set<const clang::VarDecl *> KernelExecutor::speculate(Action action) {
  const State saved = Current;
  const std::size_t loops = Result.loops.size();
  const std::size_t exits = Frames.back().exits.size();
  const std::size_t continues = Continues.empty() ? 0 : Continues.back().size();
  const std::size_t breaks = Breaks.empty() ? 0 : Breaks.back().size();
  auto outer = std::exchange(Changed, {});
  ++LoopSummaries;
  action();
  --LoopSummaries;
  std::set<const clang::VarDecl *> result = Changed;
  Changed.merge(outer);
  if (!Continues.empty())
    Continues.back().resize(continues);
  if (!Breaks.empty())
    Breaks.back().resize(breaks);
  Frames.back().exits.resize(exits);
  Result.loops.resize(loops);
  Current = saved;
  return result;
}

} // namespace kfuse

#endif
