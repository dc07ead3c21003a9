//===- Walker.h - The regions and steps of one function -------------------===//
//
// Walks a host function once, in program order, with an AbstractState.
// Statements become steps; those that hold launches become regions of steps;
// everything else is summed up in the step that contains it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_HOST_WALKER_H
#define KFUSE_FRONTEND_HOST_WALKER_H

#include "frontend/api/DeviceLibraries.h"
#include "frontend/api/OpenClCalls.h"
#include "frontend/api/RuntimeRoles.h"
#include "frontend/host/AbstractState.h"
#include "frontend/host/Unit.h"
#include "frontend/host/Values.h"
#include "frontend/syntax/ImplicitCalls.h"

#include "clang/Basic/SourceLocation.h"

#include <array>

namespace clang {
class BinaryOperator;
class CompoundStmt;
class CUDAKernelCallExpr;
class CXXConstructExpr;
class CXXTryStmt;
class DeclStmt;
class DoStmt;
class IfStmt;
class SwitchStmt;
class VarDecl;
} // namespace clang

namespace kfuse {

class HostWalker {
public:
  HostWalker(HostUnit &unit, HostFunction &function);
  void walk();

private:
  /// A statement that may get a region: the step it is in, if it has one.
  struct Context {
    StepFacts &facts;
    std::optional<StepId> step;
  };
  struct LoopParts {
    /// `header` runs before the body in each iteration, `end` after it.
    const clang::Stmt *header[2] = {nullptr, nullptr};
    const clang::Stmt *body = nullptr, *end = nullptr;
  };

  // Walker.cpp: statements.
  RegionId addRegion(RegionKind kind, std::optional<StepId> parent,
                     const clang::Stmt &text);
  void sequence(const clang::Stmt &body, RegionId region, StepFacts &outer);
  void step(const clang::Stmt &statement, RegionId region, StepFacts &outer,
            bool isDirect);
  void execute(const clang::Stmt &statement, Context context);
  /// Executes a branch or a body, which becomes a region if it holds launches.
  void arm(const clang::Stmt &statement, RegionKind kind, Context context);
  void loop(const clang::Stmt &statement, const LoopParts &parts,
            Context context);
  bool holdsLaunch(const clang::Stmt &statement) const;
  StepKind compoundKind(const clang::Stmt &statement);
  bool isErrorCheck(const clang::IfStmt &statement);
  bool isReport(const clang::Stmt &arm) const;

  // Branches.cpp: ways through the function.
  void branch(const clang::IfStmt &statement, Context context);
  void choose(const clang::SwitchStmt &statement, Context context);
  /// Notes that what follows runs only if the condition, just evaluated, was
  /// `holds`.
  void suppose(const clang::Expr *condition, bool holds, bool isGuess = false);
  void supposeAsserted(const clang::Expr &statement);
  static const clang::Expr *conditionOf(const clang::Stmt &loop);

  // Try.cpp: blocks that exceptions leave.
  void attempt(const clang::CXXTryStmt &statement, Context context);
  bool isOnlyIn(const clang::ValueDecl &variable,
                const clang::Stmt &block) const;

  // Assign.cpp: what expressions do to the environment.
  void expression(const clang::Expr &expression, StepFacts &facts);
  void noteExact(const clang::Expr &assignment);
  void declare(const clang::DeclStmt &statement, Context context);
  void initialise(const clang::VarDecl &variable, StepFacts &facts);
  void assign(const clang::Expr &target, const clang::Expr &source,
              StepFacts &facts);
  bool movesPlace(const clang::Expr &source, const clang::Expr &target);
  void update(const clang::Expr &target, const clang::Expr *operand, bool isSum,
              bool isDifference, bool isProduct, bool isAlternative = false);
  void escapeInside(const clang::Expr &source);
  void writeArray(const HostPlace &target, const clang::Expr &source);
  void writeRecord(const HostPlace &target, const clang::Expr &source);
  void recordWrite(const clang::Expr &target, HostData data);
  /// Forgets what the scan says may change, except what was written exactly.
  void noteAssigned(VariableId id, StepFacts &facts);
  void forgetOwn(const HostScan &scan, StepFacts &facts);
  void forgetAssigned(const HostScan &scan, StepFacts &facts);
  /// Forgets what the scanned code may change if it runs any number of times.
  void forgetRepeated(const HostScan &scan, StepFacts &facts);
  bool clobbersShared(const HostScan &scan) const;
  std::optional<ObjectId> repeatedPointer(const clang::ValueDecl &variable,
                                          const HostScan &scan);

  // Calls.cpp: what expressions do to the device.
  void effects(const clang::Stmt &expression, StepFacts &facts,
               bool isLoad = false);
  bool isEvaluated(const clang::BinaryOperator &alternative) const;
  /// Adds the effects of an expression that may not be evaluated.
  void effectsIfAny(const clang::Stmt &expression, StepFacts &facts);
  void call(const clang::CallExpr &call, StepFacts &facts);
  void construct(const clang::CXXConstructExpr &expression, StepFacts &facts);
  /// Adds the effects of a callee that may run without being named.
  void implicit(const clang::FunctionDecl &callee, StepFacts &facts);
  void implicit(const FunctionList &functions, StepFacts &facts);
  void implicit(const ImplicitCalls &calls, StepFacts &facts);
  void touchHostMemory(const clang::Expr &pointer, bool writes,
                       StepFacts &facts);
  void escape(const clang::Expr &expression);

  // CalleeEffects.cpp: what callees do to the device.
  void follow(const clang::FunctionDecl &callee,
              const std::vector<const clang::Expr *> &arguments,
              StepFacts &facts);
  void callUnknown(const std::vector<const clang::Expr *> &arguments,
                   StepFacts &facts);
  void callSystem(const clang::FunctionDecl &callee,
                  const std::vector<const clang::Expr *> &arguments,
                  StepFacts &facts);

  // Borrowing.cpp: what libraries do to arrays that they are given.
  std::optional<Borrowing> borrowing(const clang::Expr &use);
  void borrow(const clang::FunctionDecl &callee, const Borrowing &borrowed,
              StepFacts &facts);

  // Distances.cpp: how far arrays are apart.
  void measure(const std::vector<const clang::Expr *> &pointers);
  void measureGiven(const HostFunction &function,
                    const std::vector<const clang::Expr *> &arguments);

  // Runtime.cpp: calls of the runtime.
  void callRuntime(const clang::FunctionDecl &callee, const RuntimeCall &role,
                   const clang::CallExpr &call, StepFacts &facts);
  CopyDirection directionOf(const RuntimeCall &role,
                            const clang::CallExpr &call);
  void noteStream(const RuntimeCall &role, const clang::CallExpr &call);
  void useOnDevice(ObjectId object, bool reads, bool writes, StepFacts &facts);
  void copy(const RuntimeCall &role, const clang::CallExpr &call,
            StepFacts &facts);
  void noteTransfer(const RuntimeCall &role, const clang::CallExpr &call,
                    StepFacts &facts);
  void allocate(const RuntimeCall &role, const clang::CallExpr &call,
                StepFacts &facts);

  // OpenCl.cpp, Enqueue.cpp, Errors.cpp: the same for OpenCL, its launches, and
  // errors.
  void callOpenCl(const RuntimeCall &role, const clang::CallExpr &call,
                  StepFacts &facts);
  struct BufferRequest {
    clang::QualType handle;
    bool isPlain = false; ///< nobody else knows its storage
    const clang::Expr *bytes = nullptr;
  };
  void createBuffer(const clang::Expr &call, const BufferRequest &request,
                    StepFacts &facts);
  bool arePlainFlags(const clang::Expr &flags);
  void createKernel(const clang::Expr &call, llvm::StringRef name,
                    const clang::Expr *program);
  void constructOpenCl(const clang::CXXConstructExpr &made,
                       const RuntimeCall &role, StepFacts &facts);
  void setArgument(const clang::CallExpr &call);
  void enqueue(const clang::CallExpr &call, StepFacts &facts);
  std::string bindEnqueued(const clang::CallExpr &call, Launch &made);
  std::string bindProgram(const EnqueueCall &call, ObjectId object,
                          Launch &made);
  std::string bindShape(const EnqueueCall &call, Launch &made);
  /// An argument of a launch: the expression that gives it, its type and value.
  struct PassedArgument {
    const clang::Expr *expression = nullptr;
    clang::QualType type;
    HostData held;
    bool isLocal = false; ///< the value is a number of bytes
  };
  std::variant<PassedArgument, std::string>
  passedArgument(const EnqueueCall &call, ObjectId object, unsigned index);
  LaunchArgument localArgument(const PassedArgument &passed, Launch &made);
  std::string bindArguments(const EnqueueCall &call, ObjectId object,
                            const clang::FunctionDecl &definition,
                            Launch &made);
  std::optional<std::uint32_t> dimensionsOf(const EnqueueCall &call,
                                            const clang::Expr &range);
  std::optional<std::array<Polynomial, 3>> sizesIn(const EnqueueCall &call,
                                                   const clang::Expr &range,
                                                   std::uint32_t dimensions,
                                                   HostExpr &described);
  std::optional<std::array<Polynomial, 3>> sizesAt(const clang::Expr &pointer,
                                                   std::uint32_t dimensions,
                                                   HostExpr &described);
  /// Drops an OpenCL launch from K if its statement does more than check its
  /// error.
  void keepOnlyLaunch(const clang::Stmt &statement, StepFacts &facts);
  const clang::CallExpr *launchIn(const clang::Stmt &statement) const;
  bool isPlainCheck(const clang::Stmt &statement);
  /// Checks whether the variable holds an OpenCL error at this point of the
  /// walk, or is a parameter that callers may pass one.
  bool holdsError(const clang::VarDecl &variable);
  bool isErrorNow(const clang::Expr &value);
  void recordErrors(const clang::FunctionDecl &callee,
                    const std::vector<const clang::Expr *> &arguments);
  std::optional<ObjectId> heldKernel(const clang::ValueDecl &variable);
  ObjectId kernelObject(const clang::Expr &object);
  bool isOwn(const clang::Expr &lvalue);
  /// Checks whether the names in `expression` mean the same in `statement`.
  bool isNamedIn(const clang::Stmt &expression, const clang::Expr &statement);
  bool isNamedHere(clang::QualType type);
  std::optional<std::int64_t> numberOf(const clang::Expr &expression);
  HostData variableData(const clang::Expr &variable);
  void forgetArguments(const HostScan &scan, StepFacts &facts);
  /// Notes that any argument may have been set.
  void invalidateArguments();

  // ReturnedAllocations.cpp: storage that functions return.
  void returnAllocation(const clang::Expr &value);
  void resolveReturnedAllocation();
  std::optional<Polynomial> giftBytes(const ReturnedAllocation &gift,
                                      const clang::CallExpr &call);
  /// Makes what `call` returned new storage if its function allocated it.
  void receive(const clang::CallExpr &call, StepFacts &facts);
  void bindReturnedAllocation(const clang::ValueDecl &target,
                              const clang::Expr &source);

  // Launch.cpp: members of K.
  void launch(const clang::CUDAKernelCallExpr &call, StepFacts &facts);
  void ignoreLaunch(const clang::CallExpr &call, const std::string &reason,
                    StepFacts &facts);
  /// Returns why the text of a launch can't be edited; empty if it can.
  std::string textObstacle(const clang::CallExpr &call, bool hasErrors) const;
  void addLaunch(Launch made, StepFacts &facts);
  void noteLifetimeStatement(const clang::Stmt &statement, StepId step,
                             const StepFacts &facts);
  PointerValue bindPointer(const HostPointer &pointer,
                           const PointerParameter &parameter);

  HostUnit &Unit;
  HostModel &Model;
  HostFunction &Function;
  bool EndsObjects = false; ///< in inner blocks, by code of their own
  AbstractState Env;
  HostReader Reader;
  SourceRange FunctionRange;
  bool IsShared = false;
  /// Statements are given steps: the function itself launches.
  bool HasLaunches = false;
  /// The call that is the whole statement of the current step; or that and what
  /// its error is assigned to, if it is a launch.
  const clang::CallExpr *WholeCall = nullptr, *WholeLaunch = nullptr;
  const clang::Stmt *Whole = nullptr; ///< the statement
  StepId CurrentStep = noneOf<StepId>();
  RegionId CurrentRegion = noneOf<RegionId>();
  /// A condition that is false if the function goes on: all operands of its
  /// `||` were evaluated.
  const clang::Expr *FalseCondition = nullptr;
  /// Conditions tested on the way to where the walk is.
  std::vector<KnownCondition> Given;
  std::set<const clang::Expr *> ExactAssignments;
  /// Numbers made of pointers that lead nowhere: they are compared, say.
  std::set<const clang::Expr *> Overlooked;
  /// Places written exactly by the current expression.
  std::vector<std::pair<HostPlace, HostData>> KnownWrites;
  /// Places that it may have written.
  std::vector<HostPlace> PossibleWrites;
  bool ClobbersShared = false;
  bool RunsUnknown = false; ///< code of another file, which may call this one's
  /// An argument that an OpenCL kernel object was given: a variable, and what
  /// it held, or how many bytes of local memory. `Arguments` has it by the
  /// value that stands for it.
  struct SetArgument {
    const clang::Expr *variable = nullptr;
    HostData held;
    bool isLocal = false;
  };
  std::map<Symbol, SetArgument> Arguments;
  /// The program that a C++ kernel object was made of, and the program's
  /// handle.
  struct MadeOf {
    const clang::Expr *program = nullptr;
    HostPointer held;
  };
  std::map<ObjectId, MadeOf> KernelPrograms;
  /// Calls that only make an iterator for a library's.
  std::set<const clang::Expr *> Wrappers;
  /// Initialisers in member declarations that an implicit call ran: a class may
  /// lead to itself again.
  std::set<const clang::Expr *> Initialised;
  std::size_t FirstObject = 0; ///< added in this walk
  /// The returns met so far.
  struct {
    std::set<ObjectId> storage;
    unsigned others = 0; ///< returns of something else, null aside
    unsigned count = 0;
  } Results;
};

/// Walks one function (after all it calls): regions, steps, launches.
void walkFunction(HostUnit &unit, HostFunction &function);

} // namespace kfuse

#endif
