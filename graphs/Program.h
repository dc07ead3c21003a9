//===- graphs/Program.h - What kfuse knows about a GPU program ------------===//
//
// The value that the front end produces and every later pass reads. It is free
// of Clang: source positions are byte offsets, types are spelled strings with
// sizes, and expressions are polynomials with the user's text beside them.
//
//   Program ─┬─ kernels    __global__ functions (one entry per instantiation)
//            ├─ arrays     D: storage the launches touch
//            ├─ launches   K: the members of the partition problem
//            ├─ steps      host steps, in program order
//            └─ regions    the tree of host regions that holds the steps
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_H
#define KFUSE_GRAPHS_PROGRAM_H

#include "graphs/Polynomial.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace kfuse {

/// Strong ids: each is an index into the vector of the same name in Program.
enum class KernelId : std::uint32_t {};
enum class ArrayId : std::uint32_t {};
enum class LaunchId : std::uint32_t {};
enum class StepId : std::uint32_t {};
enum class RegionId : std::uint32_t {};
enum class VariableId : std::uint32_t {};

template <typename Id> constexpr std::uint32_t indexOf(Id id) {
  return static_cast<std::uint32_t>(id);
}
template <typename Id> constexpr Id noneOf() {
  return static_cast<Id>(std::numeric_limits<std::uint32_t>::max());
}

/// A half-open range of bytes in one file. `file` indexes Program::files; file
/// 0 is the input itself, the only one that kfuse may edit. Offsets are those
/// of the file's text (of the expansion, for text that a macro produced).
struct SourceRange {
  std::uint32_t file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t line = 0;   ///< 1-based, of `begin`; 0 when there is no place
  std::uint32_t column = 0; ///< 1-based, of `begin`
  bool inMacro = false;     ///< the text at the range isn't what the parser saw
  auto operator<=>(const SourceRange &) const = default;
};

/// The type of an array's element.
struct ElementType {
  std::string spelling; ///< as it can be written at file scope: `float`
  std::uint32_t bytes = 0;
  /// A floating-point value, or an aggregate that holds one: rounding must be
  /// pinned where the value is forwarded in a register.
  bool hasFloatingPoint = false;
  /// Copyable bit by bit, so that it may live in a register.
  bool trivial = true;
  /// Its default constructor does something, which shared memory can't have.
  bool hasConstructor = false;
  /// A class, enumeration or pointer: calls with such a value look for
  /// functions where the type is declared, too.
  bool isCompound = false;
  auto operator<=>(const ElementType &) const = default;
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Why an index or a guard is not a polynomial.
enum class NotPolynomial : std::uint8_t {
  Indirect,    ///< depends on a value loaded from memory
  LoopVariant, ///< a variable that a loop changes in no linear way
  Call,        ///< the result of a call that was not followed
  Floating,    ///< converted from floating point
  Overflow,    ///< a coefficient beyond 64 bits
  Unsupported, ///< a construct the analysis doesn't know
};

/// An index: a polynomial, or why it is not one (then any element may be
/// meant).
using IndexExpr = std::variant<Polynomial, NotPolynomial>;

enum class Relation : std::uint8_t {
  NonNegative, ///< expression >= 0
  Zero,        ///< expression == 0
  NonZero,     ///< expression != 0
  Unknown,     ///< a condition that could not be expressed: it may hold or not
};

/// One conjunct of a guard.
struct Constraint {
  Relation relation = Relation::Unknown;
  Polynomial expression;
  auto operator<=>(const Constraint &) const = default;
};

/// The conjunction under which a statement runs, in program order.
using Guard = std::vector<Constraint>;

enum class AccessKind : std::uint8_t { Read, Write, Atomic };

/// How an access stands in the text, which decides how it can be rewritten.
enum class AccessForm : std::uint8_t {
  Load,       ///< the value is read: `range` is the lvalue text `A[i]`
  Store,      ///< `A[i] = e`: range is `A[i]`, `whole` the assignment,
              ///< `value` is `e`
  Update,     ///< `A[i] += e`, `A[i]++`: as Store; also recorded as a Read
              ///< with form UpdateLoad and the same range
  UpdateLoad, ///< the reading half of an Update
  Other,      ///< its address is taken, it is bound to a reference, ...
};

/// One access of a kernel to global memory, in the kernel's own symbols (in
/// `Kernel::accesses`) or bound to a launch (in `Launch::accesses`).
struct Access {
  AccessKind kind = AccessKind::Read;
  AccessForm form = AccessForm::Other;
  std::uint32_t pointer = 0; ///< index into Kernel::pointers
  /// Element index from the pointer, in units of `elementBytes`.
  IndexExpr index = NotPolynomial::Unsupported;
  std::uint32_t elementBytes = 0;
  /// The bytes of the element that are touched (a struct's member, a vector's
  /// component): [offset, offset + width).
  std::uint32_t offset = 0;
  std::uint32_t width = 0;
  Guard guard;
  /// Of a store, conjuncts of the guard (indices into it): where the others
  /// hold and these don't, another store of the kernel to the element runs, in
  /// the other arm of an `if`.
  std::vector<std::uint32_t> otherArm;
  /// Counters of the loops around the access, outermost first.
  std::vector<std::uint32_t> loops;
  std::uint32_t atomicOperation = 0; ///< equal operations commute; 0 for none
  /// Of a store of a whole element, the load (an index into the accesses) whose
  /// value it stores unchanged.
  std::optional<std::uint32_t> copyOf;
  SourceRange range, whole, value;
  /// The text at `range` is in the kernel's own body, outside macros, so that
  /// a forwarded value can stand there.
  bool editable = false;
  /// Of a load, its value is taken where the text stands: no reference is bound
  /// to the element.
  bool isValue = false;
  /// It is seen as something else than the pointer's elements, through a cast:
  /// the compiler may take it for another place than it is.
  bool isReinterpreted = false;
  auto operator<=>(const Access &) const = default;
};

/// A scalar that a kernel receives: a parameter, or a member of one.
struct ScalarParameter {
  std::uint32_t parameter = 0; ///< index into Kernel::parameters
  std::string path;            ///< `` or `.size.x`
  auto operator<=>(const ScalarParameter &) const = default;
};

/// A pointer that a kernel receives: a parameter, a member of one, or a
/// `__device__` variable.
struct PointerParameter {
  std::uint32_t parameter = 0; ///< meaningless when `global` is set
  std::string path;
  std::optional<ArrayId> global; ///< a namespace-scope device variable
  ElementType element;
  /// Of the arrays that it points to, by whatever name: one of `float (*)[32]`.
  std::uint32_t dimensions = 0;
  bool pointsToConst = false;
  bool isRestrict = false;
  auto operator<=>(const PointerParameter &) const = default;
};

struct Parameter {
  std::string name;  ///< empty when unnamed
  std::string type;  ///< spelled so that `type name` can be declared,
                     ///< resolved through templates: `const float *`
  SourceRange range; ///< the whole declaration in the parameter list
  bool isPointer = false;
  auto operator<=>(const Parameter &) const = default;
};

/// A loop around accesses: `counter` runs over [0, tripCount).
struct KernelLoop {
  IndexExpr tripCount = NotPolynomial::Unsupported;
  SourceRange range;
  auto operator<=>(const KernelLoop &) const = default;
};

/// `for (T i = first; i < bound; i += stride)` over the whole body, where
/// `first` is the thread's global index and `stride` the size of the grid:
/// symbol StrideIdx(axis) stands for `i`.
struct GridStrideLoop {
  std::uint32_t axis = 0;
  std::string variable;
  std::string type;     ///< of the variable
  SourceRange prologue; ///< statements before the loop (may be empty)
  SourceRange header;   ///< `for (...)`, up to and with the closing paren
  SourceRange body;     ///< the statement that is repeated, braces included
  Polynomial bound;     ///< in the kernel's symbols: i < bound
  auto operator<=>(const GridStrideLoop &) const = default;
};

/// What in a kernel keeps it from being fused or reshaped.
enum class KernelFeature : std::uint8_t {
  Volatile,
  InlineAssembly,
  DeviceLaunch,
  DeviceAllocation,
  Printf,
  Assert,
  Clock,
  Texture,
  WarpOperation, ///< shuffles, votes, activemask, syncwarp
  Fence,         ///< __threadfence and its kin
  CooperativeGroups,
  ReadOnlyLoad, ///< __ldg and the like
  UnknownCall,  ///< a callee whose body is not visible
  Recursion,
  OtherCompiler,   ///< its text asks which compiler reads it, or which version
  EscapingPointer, ///< a global pointer is stored, returned, converted
  SharedAddress,   ///< (informational) shared memory is used
  ReturnBeforeBarrier,
  CoordinatesInCallee, ///< a device function reads threadIdx, blockIdx, ...
  CoordinatesInMacro,  ///< (informational)
  GridShape,           ///< gridDim or blockDim used other than in the usual
                       ///< sums and grid-stride loops
  BlockPlace,          ///< threadIdx or blockIdx used other than in their sum,
                       ///< the thread's global index
  SideEffect,          ///< writes a device variable that can't be followed
};

struct FeatureUse {
  KernelFeature feature;
  SourceRange range;
  std::string detail; ///< the callee, the variable
  auto operator<=>(const FeatureUse &) const = default;
};

/// The text from which a stage is made. All ranges but `include` are in one
/// file.
struct KernelText {
  SourceRange declaration;    ///< from `template`/`__global__` to the last `}`
  std::string templateHeader; ///< `template <typename T>` or empty
  SourceRange name;
  SourceRange parameters;        ///< between the parentheses
  SourceRange body;              ///< `{ ... }`
  std::string templateArguments; ///< `<float, 256>` of this instantiation
  /// The `#include` of the input that brings the kernel, behind which its
  /// stages stand, in these namespaces (an unnamed one is empty). Line 0 for a
  /// kernel of the input, whose stages stand behind it.
  SourceRange include;
  std::vector<std::string> namespaces;
  /// All of it can be copied as text: no part comes from a macro, it isn't a
  /// member, ...; otherwise `obstacle` says why.
  bool copyable = false;
  std::string obstacle;
  auto operator<=>(const KernelText &) const = default;
};

/// One `__global__` function, or one instantiation of a template.
/// What a kernel does of one that the user wrote (Separation.h).
struct KernelPart {
  std::string of;                ///< that kernel's name; empty of a whole one
  std::set<std::string> outputs; ///< parameters that only this part may write
};

struct Kernel {
  std::string name; ///< unqualified
  std::string qualifiedName;
  KernelPart part;
  KernelText text;
  std::vector<Parameter> parameters;
  std::vector<ScalarParameter> scalars;
  std::vector<PointerParameter> pointers;
  std::vector<KernelLoop> loops;
  std::vector<Access> accesses; ///< in program order
  std::optional<GridStrideLoop> gridStride;
  std::vector<FeatureUse> features;
  bool analysed = false;       ///< the body was visible and followed to the end
  double flopsPerThread = 0;   ///< loops of unknown length count as 16 trips
  std::uint32_t registers = 0; ///< estimate a thread
  std::uint64_t staticSharedBytes = 0;
  bool usesDynamicShared = false;
  std::uint32_t barriers = 0;
  std::optional<std::uint32_t> maxThreads; ///< of __launch_bounds__
  /// A floating-point sum that compilers may contract in more than one way
  /// (frontend/Rounding.h).
  bool ambiguousSums = false;
  /// Some sum is ambiguous, or takes a product that other statements may have
  /// too: without these a compiler could contract it otherwise.
  bool sharedProducts = false;
  /// From a product that is rounded to what takes it: compilers contract a sum
  /// with it, unless a branch among these texts parts them.
  std::vector<SourceRange> contractions;
  /// Floating-point numbers are made of integers that don't come from memory or
  /// a parameter, such as the thread's index: converted, or chosen by them.
  bool integersToFloating = false;
  std::vector<SourceRange> calls; ///< bodies of functions that it comes to
};

bool has(const Kernel &kernel, KernelFeature feature);

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

/// One value that a host variable holds between two assignments. Equal ids are
/// equal values; different ids may be equal.
struct HostValue {
  VariableId variable = noneOf<VariableId>();
  std::string text;        ///< how the user spelled it
  bool isPositive = false; ///< known to be at least 1
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
struct Holder {
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
  /// For Unknown: the arrays it may be, when that set is known to be complete.
  std::vector<ArrayId> candidates;
  /// For __constant__ and never-written data: fusion never changes it.
  bool isReadOnly = false;
  SourceRange range; ///< declaration or allocation
  /// Of storage that a function returned: the allocation in it, as traces name
  /// it, `function:variable`. Calls have it in common.
  std::string site;
  /// The statements that exist only for the storage; all are whole statements
  /// of the input. Empty unless the array can be removed with them.
  std::vector<StepId> upkeep;
  /// The only place that holds a pointer to the storage: a variable that its
  /// allocation alone assigns, read only where it is passed to launches and to
  /// the runtime's copies, memsets and frees, and in no loop's header.
  std::optional<Holder> holder;
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
  Polynomial value; ///< over HostValue and Opaque symbols
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
  std::string type; ///< in OpenCL, that of the host's variable
};

/// A grid or block: the text as written, and its three extents.
struct LaunchShape {
  HostExpr expression;   ///< `value` is unused
  bool isScalar = false; ///< an integer, converted to dim3
  std::array<Polynomial, 3> extent;
};

/// What a launch of OpenCL has beside one of CUDA, whose `grid` is the address
/// of the global sizes and whose `block` that of the local ones.
struct Enqueue {
  HostExpr kernel; ///< the kernel object, which has the arguments
  std::uint32_t dimensions = 0;
  /// The runtime chooses work-groups, which the kernel can't tell: then these
  /// are the launch's blocks of one thread each.
  bool choosesBlocks = false;
  /// What stands around the call: `error = `, or `check(` and `, "step")`.
  std::string before, after;
  bool isPlainCheck = false; ///< that does nothing but after an error
};

/// A member of K.
struct Launch {
  KernelId kernel{};
  StepId step{};
  RegionId region{};
  LaunchShape grid, block;
  HostExpr sharedBytes; ///< empty text when absent
  HostExpr stream;      ///< empty text when absent
  std::vector<LaunchArgument> arguments;
  std::optional<Enqueue> enqueue; ///< in OpenCL
  /// For each entry of Kernel::pointers the storage bound to it.
  std::vector<PointerValue> pointers;
  /// For each entry of Kernel::scalars the value bound to it.
  std::vector<Polynomial> scalars;
  /// Kernel::accesses with parameters and launch shape replaced by values.
  std::vector<Access> accesses;
  SourceRange range; ///< the launch expression
  /// Its arguments do more on the host than compute: they change storage, may
  /// leave, or call what isn't known.
  bool argumentsAct = false;
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

/// What a copy or a memset, alone in its statement, does to device storage.
struct Transfer {
  PointerValue target;
  std::optional<PointerValue> source; ///< of a copy within the device
  IndexExpr bytes = NotPolynomial::Unsupported;
  /// It is none of the user's: a kernel writes `source` instead of `target`
  /// (Renaming.h).
  bool isRenaming = false;
};

/// The content of `target` becomes that of `source`, and the other way round
/// unless nobody reads what `source` holds afterwards.
struct Exchange {
  ArrayId target{}, source{};
  bool sourceIsDead = false;
};

/// One statement of the host, at its place in a region.
/// Stands for every name in HostStep::declares.
constexpr const char *AnyName = "*";

struct HostStep {
  StepKind kind = StepKind::Plain;
  RegionId region{};
  SourceRange range; ///< the whole statement, with its semicolon
  std::string text;  ///< what to call it in a message: `cudaMemcpy(h, d, ...)`
  LaunchId launch = noneOf<LaunchId>();
  std::vector<Effect> effects;    ///< on device arrays, nested regions included
  bool touchesEverything = false; ///< effects unknown
  /// Where regions are nested: of both, what is not in these but, say, in the
  /// loop's header.
  std::vector<ArrayId> ownReads;
  bool ownTouch = false;
  bool mayLeave =
      false; ///< return, break, throw, exit: later steps may not run
  bool mayLeaveLoop = false; ///< nor those behind the loop around
  /// Storage that is given back, whenever the step runs.
  std::optional<ArrayId> frees;
  std::vector<VariableId> assigns; ///< host variables that may change
  std::vector<VariableId> uses;    ///< host variables that it may read
  /// Names that mean something else behind it in its block; AnyName for all.
  std::vector<std::string> declares;
  /// It computes with host variables and does nothing else: what it is moved
  /// past can only be told by `assigns` and `uses`.
  bool isCalculation = false;
  std::vector<RegionId> nested; ///< of Loop, Branch, Call
  std::optional<Transfer> transfer;
  /// Instead of running the step the host may swap the pointers to these
  /// arrays: their holders (fusion/Exchanges.h).
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
  /// Where a declaration that the region's launches need may be inserted: the
  /// start of the enclosing top-level function (its template header included).
  SourceRange functionRange;
  /// The enclosing function is instantiated more than once, or is otherwise
  /// shared between analyses: its text can't be edited for one of them.
  bool isShared = false;
  std::string whyShared; ///< why its instances have no text of their own
  /// Of a function's outermost region: why calls of the function were left as
  /// they are, though its launches may have been fused with others there.
  std::string notSpecialised;
};

/// Where the input's text was written otherwise before it was read: the
/// statements of a function for its call, the passes of a loop one by one.
struct Replacement {
  SourceRange range;    ///< of what stands there now
  std::string original; ///< what the user wrote
  /// What is defined there, which goes when nothing mentions it, and the kernel
  /// that it is in other words, or empty.
  std::string defines, standsFor;
  KernelPart part; ///< that is defined there
  /// Those of one name stand together: an edit in one of them keeps all.
  std::string unit;
  /// Sums are written to contract in one way, as in others with this set: one
  /// is proved with all of them, so that all stay or none.
  bool clearsSums = false;
};

enum class Language : std::uint8_t { Cuda, OpenCL };

/// The string of the host's that an OpenCL program's kernels are: a file of its
/// own, to which text can be added.
struct KernelString {
  std::uint32_t file = 0; ///< of what the runtime compiles
  std::uint32_t end = 0;  ///< where the last literal ends, in the input
  bool isRaw = false;     ///< that literal is `R"(...)"`, and ends before `)`
  std::vector<std::string> macros; ///< that it defines, or its options
};

struct SourceFile {
  std::string path;
  std::string text = {}; ///< of the user's own files; empty for the system's
};

struct Program {
  Language language = Language::Cuda;
  std::vector<SourceFile> files; ///< 0 is the input; all of the user's
  std::optional<KernelString> kernelString; ///< of an OpenCL program
  /// Every macro that is defined at the end, the flags' and the system's too,
  /// but for reserved names; and what macros of the flags mention.
  std::vector<std::string> macros;
  std::vector<Kernel> kernels;
  std::vector<Array> arrays;
  std::vector<Launch> launches;
  std::vector<HostStep> steps;
  /// On which copies and the like are made that the host doesn't wait for.
  std::vector<HostExpr> transferStreams;
  std::vector<Region> regions;
  std::vector<Variable> variables;
  std::vector<HostValue> values;
  std::vector<Replacement> replaced; ///< in the order of the text
  TermTable terms;
  /// Launches that were seen but can't be members of K (in a macro, through a
  /// function pointer, kernel not visible), with the reason.
  struct Ignored {
    SourceRange range;
    std::string reason;
  };
  std::vector<Ignored> ignored;

  const Kernel &operator[](KernelId id) const { return kernels[indexOf(id)]; }
  const Array &operator[](ArrayId id) const { return arrays[indexOf(id)]; }
  const Launch &operator[](LaunchId id) const { return launches[indexOf(id)]; }
  const HostStep &operator[](StepId id) const { return steps[indexOf(id)]; }
  const Region &operator[](RegionId id) const { return regions[indexOf(id)]; }
  const Kernel &kernelOf(LaunchId id) const {
    return (*this)[(*this)[id].kernel];
  }
};

/// Whether two names can be the same storage.
enum class Alias : std::uint8_t { Never, Same, May };
Alias alias(const Program &program, ArrayId lhs, ArrayId rhs);

/// `Kernel::accesses` with the launch's values in place of Parameter, BlockDim
/// and GridDim symbols; an index that can't be bound becomes NotPolynomial.
/// A launch shape that isn't constant stays as its host value.
std::vector<Access> bindAccesses(const Kernel &kernel, const Launch &launch,
                                 TermTable &terms);

/// A printable account of the program (`--emit=program`).
std::string print(const Program &program);

} // namespace kfuse

#endif
