//===- Host.h - What kfuse knows about the host ---------------------------===//
//
// The storage that launches touch (D), the launches themselves (K), and the
// steps around them: statements in program order, in a tree of regions.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_HOST_H
#define KFUSE_GRAPHS_PROGRAM_HOST_H

#include "graphs/program/Ids.h"
#include "graphs/program/Kernel.h"
#include "graphs/program/Polynomial.h"
#include "graphs/program/Terms.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// One value that a host variable holds between two assignments. Equal ids are
/// equal values; different ids may be equal.
struct HostValue {
  VariableId variable = noneOf<VariableId>();
  std::string text;        ///< how the user spelled it
  bool isPositive = false; ///< known to be at least 1
  IntegerType type = {};   ///< of the variable
  /// Everything that the input gives its variable, as far as it can be seen;
  /// empty if that isn't known. Good for a guess, and for no proof: other files
  /// may give it more.
  std::vector<std::int64_t> usual = {};
};

/// A condition that holds wherever a statement runs.
struct KnownCondition {
  /// Over HostValue and Opaque symbols; Parameter k is the address of array k.
  Constraint statement;
  std::string text; ///< in the user's words: `n > 0`
  /// An assertion says so, which isn't there in every build, or all calls that
  /// can be seen: good for a guess, and for no proof.
  bool isGuess = false;
};

/// A host variable (or a member path of one).
struct Variable {
  std::string name;
};

enum class ArrayOrigin : std::uint8_t {
  Allocation,       ///< cudaMalloc and its kin, seen
  Managed,          ///< host and device may touch it
  DeviceVariable,   ///< `__device__ float a[N]`
  ConstantVariable, ///< `__constant__`
  PointerArgument,  ///< a pointer parameter of the enclosing function
  Unknown,          ///< anything else (a pointer merged at a loop, a member)
};

/// A local variable of the host, by name and spelled type.
struct UniqueOwner {
  std::string name, type;
};

/// D: a piece of device storage as one name for it.
struct Array {
  std::string name;
  ArrayOrigin origin = ArrayOrigin::Unknown;
  ElementType element;
  std::optional<Polynomial> bytes; ///< of the allocation, in host values
  /// Its address is known to code that can't be followed.
  bool escapes = false;
  /// The program knows as a number how far it is from others: a pointer into
  /// one of them, and that number, lead to it.
  bool isMeasured = false;
  /// For Unknown: the arrays it may be, when that set is known to be complete.
  std::vector<ArrayId> candidates;
  /// For __constant__ and never-written data: fusion never changes it.
  bool isReadOnly = false;
  /// The program never asks for the address of a __constant__ variable, so that
  /// no pointer leads to it. Kernels can't assign to it anyway.
  bool isOnlyNamed = false;
  SourceRange range; ///< declaration or allocation
  /// The allocation of storage that a function returned, as traces name it:
  /// `function:variable`. Calls have it in common.
  std::string site;
  /// The statements that exist only for the storage; all are whole statements
  /// of the input. Empty unless the array can be removed with them.
  std::vector<StepId> lifetimeStatements;
  /// The only place that holds a pointer to the storage. It is a variable that
  /// the storage's allocation alone assigns. It is read only where it is passed
  /// to launches and to the runtime's copies, memsets and frees, and in no
  /// loop's header.
  std::optional<UniqueOwner> holder;
};

/// A pointer on the host: element `offset` bytes into `array`.
struct PointerValue {
  ArrayId array = noneOf<ArrayId>();
  IndexExpr offset = Polynomial{}; ///< bytes
  auto operator<=>(const PointerValue &) const = default;
};

/// An expression of the host: the user's text and its value.
struct HostExpr {
  std::string text;
  SourceRange range;
  /// Over HostValue and Opaque symbols. For floating-point numbers, structures
  /// and others that aren't known it is 0.
  Polynomial value;
  /// Variables the text reads; evaluating it later is the same only if none of
  /// them was assigned between.
  std::vector<VariableId> uses;
  bool isPure = true; ///< no call, no side effect
};

struct LaunchArgument {
  HostExpr expression;
  /// Set for each pointer of the kernel that comes in by this argument; the
  /// index is that of Kernel::pointers. See Launch::pointers.
  bool isPointer = false;
  /// Its type is the parameter's: passing it converts nothing.
  bool hasParameterType = false;
  std::string type; ///< in OpenCL, what the host passes
  /// The expression is how many bytes of local memory the argument has.
  bool isLocal = false;
};

/// A grid or block: the text as written, and its three extents.
struct LaunchConfig {
  HostExpr expression;   ///< `value` is unused
  bool isScalar = false; ///< an integer, converted to dim3
  std::array<Polynomial, 3> extent;
};

/// The additional parts of an OpenCL launch, whose `grid` is the address of the
/// global sizes and whose `block` that of the local ones.
struct Enqueue {
  /// The call uses the C++ classes: `grid` and `block` are a cl::NDRange each.
  bool byClasses = false;
  /// The expression by which the kernel's program is known: the kernel object
  /// in C, the program itself in C++.
  HostExpr program;
  std::uint32_t dimensions = 0;
  /// The runtime chooses work-groups, which the kernel can't tell: then these
  /// are the launch's blocks of one thread each.
  bool choosesBlocks = false;
  /// The text around the call: `error = `, or `check(` and `, "step")`.
  std::string before, after;
  bool isPlainCheck = false; ///< that does nothing but after an error
};

/// A condition under which a number of a launch's kernel fits into its type:
/// `more` is at least `less`, both in the kernel's Parameter, BlockDim and
/// GridDim. If kfuse can't prove it, a fused launch tests it.
struct Room {
  Polynomial more, less;
  bool isOfGrid = false; ///< that the threads along an axis fit into an int
  auto operator<=>(const Room &) const = default;
};

/// A member of K.
struct Launch {
  KernelId kernel{};
  StepId step{};
  RegionId region{};
  LaunchConfig grid, block;
  /// Empty text when absent. In OpenCL it has no text, and its value is what
  /// all arguments in local memory have.
  HostExpr sharedBytes;
  HostExpr stream; ///< empty text when absent
  std::vector<LaunchArgument> arguments;
  std::optional<Enqueue> enqueue; ///< in OpenCL
  /// For each entry of Kernel::pointers the storage bound to it.
  std::vector<PointerValue> pointers;
  /// For each entry of Kernel::scalars the value bound to it.
  std::vector<Polynomial> scalars;
  /// Kernel::accesses with parameters and launch shape replaced by values.
  std::vector<Access> accesses;
  /// Kernel::accesses with the numbers that don't wrap in this launch as they
  /// are, if `rooms` hold; empty if these are the kernel's.
  std::vector<Access> unwrapped;
  std::vector<Room> rooms;
  std::vector<KnownCondition> given; ///< what was tested on the way to it
  SourceRange range;                 ///< the launch expression
  /// Its arguments do more on the host than compute: they change storage, may
  /// leave, or call what isn't known.
  bool argumentsAct = false;
};

/// A declaration of local variables: `float *a, *b = nullptr;`.
struct VariableDeclaration {
  SourceRange statement; ///< with its semicolon
  SourceRange scope;     ///< the block that it is in
  struct Declarator {
    SourceRange range; ///< `*b = nullptr`
    /// Empty unless the declarator can go when the scope's text has no other
    /// mention of the name: it has some now, and making it has no effects.
    std::string name;
  };
  std::vector<Declarator> declarators;
};

enum class StepKind : std::uint8_t {
  Launch,
  CopyToHost,
  CopyToDevice,
  CopyOnDevice,
  Set,
  Allocate,
  Free,
  Synchronize,
  Timing,     ///< event record, clock: loses its meaning when crossed
  ErrorCheck, ///< cudaGetLastError and the branch that reports it
  Loop,
  Branch,
  Call,   ///< of a function whose device effects are known or unknown
  Opaque, ///< anything that can't be followed
  Plain,  ///< declarations, arithmetic: touches no device state
};

struct Effect {
  ArrayId array{};
  bool reads = false;
  bool writes = false;
};

/// The effect on device storage of a copy or a memset, alone in its statement.
struct Transfer {
  PointerValue target;
  std::optional<PointerValue> source; ///< of a copy within the device
  IndexExpr bytes = NotPolynomial::Unsupported;
  /// It is none of the user's: a kernel writes `source` instead of `target`
  /// (Renaming.h).
  bool isRenaming = false;
};

/// The content of `target` becomes that of `source`, and the other way round
/// unless nothing reads what `source` holds afterwards.
struct Exchange {
  ArrayId target{}, source{};
  bool sourceIsDead = false;
};

/// Stands for every name in HostStep::declares.
constexpr const char *AnyName = "*";

/// One statement of the host, at its place in a region.
struct HostStep {
  StepKind kind = StepKind::Plain;
  RegionId region{};
  SourceRange range; ///< the whole statement, with its semicolon
  std::string text;  ///< what to call it in a message: `cudaMemcpy(h, d, ...)`
  LaunchId launch = noneOf<LaunchId>();
  std::vector<Effect> effects;    ///< on device arrays, nested regions included
  bool touchesEverything = false; ///< effects unknown
  /// Reads of a step with nested regions, and whether it may touch everything,
  /// outside of these: in the loop's header, say.
  std::vector<ArrayId> ownReads;
  bool ownTouch = false;
  bool mayLeave =
      false; ///< return, break, throw, exit: later steps may not run
  bool mayLeaveLoop = false; ///< nor those after the loop around
  /// Storage that is given back, whenever the step runs.
  std::optional<ArrayId> frees;
  std::vector<VariableId> assigns; ///< host variables that may change
  std::vector<VariableId> uses;    ///< host variables that it may read
  /// Names that mean something else after it in its block; AnyName for all.
  std::vector<std::string> declares;
  /// It computes with host variables and does nothing else: what it is moved
  /// past is known only from `assigns` and `uses`.
  bool isCalculation = false;
  /// It is a calculation, except that the host loads elements of arrays itself.
  bool onlyComputes = false;
  /// It is an error check that does nothing if no call of the runtime failed.
  bool onlyReports = false;
  /// It only assigns the runtime's last error to a variable.
  bool takesError = false;
  std::vector<RegionId> nested; ///< of Loop, Branch, Call
  std::optional<Transfer> transfer;
  /// Instead of running the step the host may swap the pointers to these
  /// arrays: their holders (fusion/rewrites/Exchanges.h).
  std::vector<Exchange> exchanges;
  /// The statement is plain text of the input file: it can be edited.
  bool editable = false;
};

enum class RegionKind : std::uint8_t { Function, LoopBody, BranchArm, Block };

/// A straight line of steps. Launches fuse only within one region.
struct Region {
  RegionKind kind = RegionKind::Function;
  std::optional<RegionId> parent;
  std::vector<StepId> steps; ///< in program order
  std::string function;      ///< the enclosing host function
  SourceRange range;
  /// The start of the enclosing top-level function (its template header
  /// included): declarations that the region's launches need may be inserted
  /// there.
  SourceRange functionRange;
  /// The enclosing function is instantiated more than once, or is otherwise
  /// shared between analyses: its text can't be edited for one of them.
  bool isShared = false;
  std::string whyShared; ///< why its instances have no text of their own
  /// Why calls of the function were left as they are, though its launches may
  /// have been fused with others there. Only in its outermost region.
  std::string notSpecialised;
  /// Its statements stand for all calls of the function: what is counted and
  /// drawn of the program are the copies. Only in its outermost region.
  bool isReplaced = false;
};

} // namespace kfuse

#endif
