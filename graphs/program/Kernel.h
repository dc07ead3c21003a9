//===- Kernel.h - What kfuse knows about a kernel -------------------------===//
//
// Its parameters, the loops around what it does, and each access to global
// memory as a guarded polynomial in its own symbols. Also what keeps it from
// being fused, and the text from which a stage is made.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_KERNEL_H
#define KFUSE_GRAPHS_PROGRAM_KERNEL_H

#include "graphs/program/Ids.h"
#include "graphs/program/Polynomial.h"
#include "graphs/program/Terms.h"
#include "graphs/units/Operations.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace kfuse {

/// The type of an array's element.
struct ElementType {
  std::string spelling;       ///< as it can be written at file scope: `real`
  std::string canonical = {}; ///< without aliases: `float`
  std::uint32_t bytes = 0;
  /// A floating-point value, or an aggregate that holds one: rounding must be
  /// pinned when the value is forwarded in a register.
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
/// The most conjuncts that a kernel's guard holds; an unknown one stands for
/// any beyond. Each access has a copy: a chain of thousands of `else if` would
/// take gigabytes.
inline constexpr std::size_t MostConjuncts = 64;

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

/// A number that the text names where an access stands: by a variable, or by a
/// part of the subscript.
struct NamedValue {
  std::string text;        ///< can stand in a sum: `row` or `min(i + 1, n - 1)`
  Polynomial value;        ///< as Access::index
  bool isUnsigned = false; ///< of a type whose differences wrap
  auto operator<=>(const NamedValue &) const = default;
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
  /// Conjuncts of a store's guard (indices into it). If the others hold and
  /// these don't, another store of the kernel to the element runs, in the other
  /// arm of an `if`.
  std::vector<std::uint32_t> otherArm;
  /// Counters of the loops around the access, outermost first.
  std::vector<std::uint32_t> loops;
  /// Given for a load whose index has a term that differs between threads, such
  /// as one that is clamped at a border.
  std::vector<NamedValue> names;
  std::uint32_t atomicOperation = 0; ///< equal operations commute; 0 for none
  /// The load (an index into the accesses) whose value a store of a whole
  /// element stores unchanged.
  std::optional<std::uint32_t> copyOf;
  SourceRange range, whole, value;
  /// The text at `range` is in the kernel's own body, outside macros, so that
  /// a forwarded value can stand there.
  bool editable = false;
  /// A load's value is taken where the text stands: no reference is bound to
  /// the element.
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
  IntegerType type = {};
  std::string canonical = {}; ///< the type without aliases and qualifiers
  auto operator<=>(const ScalarParameter &) const = default;
};

/// A pointer that a kernel receives: a parameter, a member of one, or a
/// `__device__` variable.
struct PointerParameter {
  std::uint32_t parameter = 0; ///< meaningless when `global` is set
  std::string path;
  std::optional<ArrayId> global; ///< a namespace-scope device variable
  ElementType element;
  /// The dimensions of the arrays that it points to, by whatever name: one for
  /// `float (*)[32]`.
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
  bool isLocal = false; ///< it points to local memory, of OpenCL
  /// All that it holds are entries of Kernel::pointers and Kernel::scalars.
  bool isFollowed = false;
  /// The type without aliases, nor qualifiers of the parameter itself:
  /// `std::uint32_t` and `unsigned` are both `unsigned int`.
  std::string canonical = {};
  auto operator<=>(const Parameter &) const = default;
};

/// A variable that an OpenCL kernel declares in its work-group's local memory.
/// Only kernels can declare one: a stage is given it.
struct LocalVariable {
  std::string name;
  std::string element; ///< the type of an array's elements, or its own
  std::vector<std::uint64_t> dimensions; ///< of an array, the outermost first
  SourceRange declaration;               ///< the whole statement
  std::vector<SourceRange> mentions;     ///< of a variable that is no array
  auto operator<=>(const LocalVariable &) const = default;
};

/// A variable that is `first + step * counter` wherever the body of a loop
/// mentions it, which then means nothing else.
struct LoopVariable {
  std::string text; ///< its value as a signed number: `dy` or `(int)k`
  Polynomial first; ///< in the kernel's symbols
  std::int64_t step = 0;
  auto operator<=>(const LoopVariable &) const = default;
};

/// A loop around accesses: `counter` runs over [0, tripCount).
struct KernelLoop {
  IndexExpr tripCount = NotPolynomial::Unsupported;
  SourceRange range;
  std::optional<LoopVariable> variable = {};
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

/// Features that keep a kernel from being fused or reshaped.
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
  PartedWarp,    ///< one that only some threads of a warp may come to
  WarpsOfRows, ///< one that whole warps come to, if rows of the block are such
  Fence,       ///< __threadfence and its kin
  CooperativeGroups,
  ReadOnlyLoad, ///< __ldg, in text that can't become a plain load
  UnknownCall,  ///< a callee whose body is not visible
  NotFollowed,  ///< other code that isn't understood
  Recursion,
  OtherCompiler,   ///< its text asks which compiler reads it, or which version
  EscapingPointer, ///< a global pointer is stored, returned, converted
  SharedAddress,   ///< (informational) shared memory is used
  ReturnBeforeBarrier,
  CoordinatesInCallee, ///< a device function reads threadIdx, blockIdx, ...
  CoordinatesInMacro,  ///< (informational)
  GridShape,           ///< gridDim or blockDim used other than in the usual
                       ///< sums and grid-stride loops
  GridFactor,          ///< with GridShape: other than as blockDim * gridDim of
                       ///< one axis, the number of its threads
  BlockPlace,          ///< threadIdx or blockIdx used other than in their sum,
                       ///< the thread's global index
  SideEffect,          ///< writes a device variable that can't be followed
  Size,                ///< more than is followed
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
  /// The `#include` of the input that brings the kernel, after which its stages
  /// stand, in these namespaces (an unnamed one is empty). Line 0 for a kernel
  /// of the input, whose stages stand after it.
  SourceRange include;
  std::vector<std::string> namespaces;
  /// The offset in the input (in OpenCL in the kernels' text) from which on a
  /// name of the text may mean something else; nullopt if there is none.
  std::optional<std::uint32_t> changesAt;
  /// The same for the types of its parameters, and the offset behind which all
  /// of them are declared: a template's arguments may be later ones.
  std::optional<std::uint32_t> typesChangeAt;
  std::uint32_t typesFrom = 0;
  /// The names of these types (frontend/kernel/TypeNames.h), the outermost ones
  /// of qualified names.
  std::set<std::string> typeNames;
  /// All of it can be copied as text: no part comes from a macro, it isn't a
  /// member, ...; otherwise `obstacle` says why.
  bool copyable = false;
  std::string obstacle;
  auto operator<=>(const KernelText &) const = default;
};

/// The part that a kernel is of one that the user wrote (FissionCandidate.h).
struct KernelPart {
  std::string of;                ///< that kernel's name; empty of a whole one
  std::set<std::string> outputs; ///< parameters that only this part may write
  /// It is the whole kernel, and its last parameter, which the user's doesn't
  /// have, says whether it runs (PredicateLaunches.h).
  bool hasFlag = false;
};

/// An integer that a kernel's body declares before its other statements, such
/// as the thread's global index. It is computed from coordinates and parameters
/// without side effects, and nothing changes it.
struct BodyCoordinate {
  std::string name, type; ///< without `const`
  std::string canonical;  ///< the type without aliases
  SourceRange value;
  std::uint32_t guardsBefore = 0; ///< how many guards stand before it
};

/// An `if` that all later statements of a body depend on.
struct BodyGuard {
  SourceRange condition; ///< of coordinates and parameters
  /// `if (condition) return;`; else `if (condition) { statements }`.
  bool isExit = false;
};

/// A body of the form
///
///   int i = blockIdx.x * blockDim.x + threadIdx.x;   // coordinates
///   if (i >= n) return;                              // guards
///   statements
///
/// whose statements neither return nor change coordinates or parameters.
struct GuardedBody {
  std::vector<BodyCoordinate> coordinates;
  std::vector<BodyGuard> guards;
  SourceRange statements; ///< with the comments around them
  /// The text `i < n && ` of statements `if (i < n && mask[i]) ...`, if that is
  /// the last guard; else empty.
  SourceRange repeated;
  std::set<std::string> declared; ///< names that the statements declare
  /// The parameters whose uses may mean something else if they, or what they
  /// point to, were constant or not, as arguments of overloaded functions.
  std::set<std::string> typed;
};

/// Names of what a value is computed from: `#2` for the kernel's parameter 2,
/// other variables by their qualified names.
struct Ingredients {
  std::set<std::string> names;
  bool isOpaque = false; ///< it may be computed from anything
};

struct Factor {
  Ingredients of;
  std::optional<double> number = {}; ///< of a constant, its absolute value
};

/// A floating-point product that is rounded.
struct RoundedProduct {
  Ingredients of;
  bool isTaken = false; ///< a sum may take it into an FMA
  /// The factors, if both are written.
  std::optional<std::array<Factor, 2>> factors = {};
  /// The key into MultiplyAdds::stored, if the product is stored.
  std::optional<std::uint32_t> storedAs = {};
};

/// A value that a kernel stores.
struct StoredValue {
  Ingredients of;
  bool mayBeProduct = false;
  /// Compilers know nothing of it, not even on one path.
  bool isPlain = false;
  /// -use_fast_math makes `rsqrt` of the quotient by a square root.
  bool mayBeRoot = false;
  /// An update changes the old value by what compilers know nothing of.
  bool isPlainUpdate = false;
  /// The factors of a product that the stored expression itself is.
  std::optional<std::array<SourceRange, 2>> factors;
};

/// A sum of two operands, as plain text.
struct WrittenSum {
  SourceRange left, sign, right;
  bool isDifference = false, isDouble = false;
  bool hasComment = false; ///< between the operands
};

/// The use of an element that is loaded.
struct LoadUse {
  /// The sum that takes it, and no product; nullopt if it is a factor, or its
  /// value is compared or chosen.
  std::optional<WrittenSum> sum;
};

/// Facts that decide which of a kernel's sums compilers contract, once its text
/// stands beside another kernel's.
struct MultiplyAdds {
  std::vector<RoundedProduct> products;
  /// Keyed by the first byte of Access::value.
  std::map<std::uint32_t, StoredValue> stored;
  /// Keyed by the first byte of Access::range; other loads may come to any use.
  std::map<std::uint32_t, LoadUse> loads;
  bool adds = false;          ///< there is a floating-point sum
  bool contractsLate = false; ///< some sum is contracted only without branches
  bool hasBranches = false;   ///< something is computed with branches
};

/// One `__global__` function, or one instantiation of a template.
struct Kernel {
  std::string name; ///< unqualified
  std::string qualifiedName;
  std::string signature; ///< frontend/syntax/Signature.h
  KernelPart part;
  KernelText text;
  std::vector<Parameter> parameters;
  std::vector<ScalarParameter> scalars;
  std::vector<PointerParameter> pointers;
  std::vector<KernelLoop> loops;
  std::vector<Access> accesses; ///< in program order
  std::optional<GridStrideLoop> gridStride;
  std::vector<FeatureUse> features;
  bool analysed = false; ///< the body was visible and followed to the end
  Operations operations; ///< of a thread; 16 trips of a loop of unknown length
  std::uint32_t registers = 0; ///< estimate a thread
  std::uint64_t staticSharedBytes = 0;
  /// The launch says how many bytes of shared memory more it has; in OpenCL by
  /// arguments, each with its own.
  bool usesDynamicShared = false;
  std::uint32_t barriers = 0;
  bool hasBarrierInBranch = false; ///< of OpenCL, in an `if` or the like
  std::uint32_t statements = 0; ///< that the body consists of, nested ones too
  std::optional<std::uint32_t> maxThreads; ///< of __launch_bounds__
  /// From reqd_work_group_size: launches of other blocks fail.
  std::optional<std::array<std::uint32_t, 3>> requiredBlock;
  std::vector<LocalVariable> locals;
  /// A floating-point sum that compilers may contract in more than one way
  /// (frontend/contraction/Rounding.h).
  bool ambiguousSums = false;
  SourceRange ambiguousSum; ///< the first of them; line 0 if it isn't known
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
  /// Absent if the body has another form.
  std::optional<GuardedBody> guarded;
  /// The types, without aliases, of the integers that the body's outermost
  /// statements declare, keyed by the first byte of the name.
  std::map<std::uint32_t, std::string> declaredIntegers;
  /// Absent unless all that the kernel runs is known.
  std::optional<MultiplyAdds> multiplyAdds;
};

bool has(const Kernel &kernel, KernelFeature feature);

/// Returns the name of the kernel that the user wrote.
inline const std::string &originalName(const Kernel &kernel) {
  return kernel.part.of.empty() ? kernel.name : kernel.part.of;
}

} // namespace kfuse

#endif
