//===- Plan.h - How each group of a partition becomes a kernel ------------===//
//
// One description of a group from which its legality, its cost and its code
// all come.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_PLAN_PLAN_H
#define KFUSE_FUSION_PLAN_PLAN_H

#include "fusion/device/CostModel.h"
#include "fusion/plan/Obstacle.h"
#include "fusion/plan/Schedule.h"
#include "graphs/ExecutionGraph.h"
#include "graphs/program/Program.h"
#include "profile/ProfileFile.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kfuse {

/// Run-time conditions under which a fused kernel is right; the emitted host
/// code tests them.
enum class ConditionKind : std::uint8_t {
  EqualGrid, ///< of launches `first` and `second`
  EqualBlock,
  /// An extent of launch `first` is `secondIndex`, which the input usually
  /// makes it: that of its block on axis `firstIndex`, or of its grid from 3
  /// on.
  UsualExtent,
  EqualScalar, ///< Kernel::scalars[firstIndex] and [secondIndex]
  /// The bytes spanned through Kernel::pointers [firstIndex] and [secondIndex]
  /// don't overlap, or, without spans, the allocations that these lead into.
  NoOverlap,
  /// `polynomial` of launch `first` is at least `other` of launch `second`,
  /// both in the symbols of their kernels: Parameter, BlockDim, GridDim.
  AtLeast,
  /// The same if a member is distributed: the chunks hold all that has work,
  /// and no index is larger than an `int`.
  WholeShares,
  /// The same of one launch: a row of an array, or a plane, is as long as the
  /// threads reach in it. Then no two of them share an element.
  LongRows,
  /// The same of one launch: a number of its kernel fits into its type, whose
  /// arithmetic would wrap otherwise. Or a pitch in bytes is a whole number of
  /// elements (Launch::rooms).
  NoWrap,
};

/// The elements an access may touch: [low, high] in elements of `elementBytes`,
/// as polynomials in Parameter, BlockDim and GridDim of the launch's kernel.
/// Alternatives in `high` are all upper bounds (the least counts).
struct Span {
  Polynomial low;
  std::vector<Polynomial> high;
  std::uint32_t elementBytes = 0;
};

struct Condition {
  ConditionKind kind{};
  LaunchId first{}, second{};
  std::uint32_t firstIndex = 0, secondIndex = 0;
  std::vector<Span> firstSpans, secondSpans; ///< for NoOverlap, both or none
  Polynomial polynomial, other;              ///< for AtLeast and its kin
};

/// Checks whether the condition is that a remainder, which isn't negative, is
/// 0.
bool isRemainder(const TermTable &terms, const Condition &condition);

/// Checks whether the condition is that two pointers lead into different
/// allocations.
bool isOfAllocations(const Condition &condition);

/// How a member runs in the shape of its kernel, which is another one's.
struct ConfigMapping {
  /// Axes on which the kernel may have threads that the member hasn't, and that
  /// must leave it out.
  std::array<bool, 3> bounds{};
  /// Its blocks are of the kernel's size: whole blocks are left out.
  bool hasBlocks = true;
  /// A thread runs the iteration of its grid-stride loop that has the thread's
  /// global index.
  bool isIteration = false;
  /// The kernel's axes that each of the member's lies on. If these are several,
  /// the member's index runs along the first in rows of rows[0], and the rows
  /// along the second in planes of rows[1]. Thread (x, y, z) runs the member's
  /// (z * rows[1] + y) * rows[0] + x, if x < rows[0] and y < rows[1].
  std::array<std::vector<std::uint32_t>, 3> axes = {{{0}, {1}, {2}}};
  /// In the symbols of the leader's kernel.
  std::vector<Polynomial> rows;
  /// Under Schedule::BlockLocal: how many of the member's threads each block of
  /// the kernel runs, in turn and in its own threads; block b from b * chunk
  /// on. In the symbols of the leader's kernel.
  std::optional<Polynomial> chunk;
  bool hasRows() const { return !rows.empty(); }
  /// Checks whether the member's threads get indices that differ from those of
  /// the kernel's threads.
  bool isRenumbered() const {
    return isIteration || hasRows() || chunk.has_value();
  }
  bool isBounded() const { return bounds[0] || bounds[1] || bounds[2]; }
  auto operator<=>(const ConfigMapping &) const = default;
};

/// From a thread to another, in threads on each axis.
using Offset = std::array<std::int32_t, 3>;

/// The threads whose values a load takes, as seen from the thread that loads:
/// one, or in the loops of a window one for each iteration. On some axes the
/// thread may choose, as near a border.
struct Window {
  /// A window that reaches further, in threads on an axis, has no tile.
  static constexpr std::int32_t Furthest = 1 << 20;
  /// A loop around the load.
  struct Loop {
    std::uint32_t number = 0; ///< into Kernel::loops; it has a LoopVariable
    Offset step{};            ///< for each 1 that its variable grows by
    std::int32_t first = 0, increment = 0; ///< of the variable
    std::int32_t trips = 0;
  };
  /// An axis on which the distance has a term, as `min(x + 1, n - 1) - x`.
  struct Choice {
    std::uint32_t axis = 0;
    Polynomial distance; ///< in canonical coordinates of the launch
    std::int32_t least = 0, most = 0;
    std::string text = {}; ///< of the distance, in words of the load's kernel
  };
  Offset base{}; ///< where all variables are 0, on axes without choice
  std::vector<Loop> loops;
  std::vector<Choice> choices; ///< at most one for each axis
  Offset least() const;
  Offset most() const;
  /// Checks whether it is the loading thread alone.
  bool isOwn() const {
    return loops.empty() && choices.empty() && base == Offset{};
  }
};

/// How far a block's tile goes beyond the block's own threads, on each side of
/// each axis.
struct Halo {
  std::array<std::uint32_t, 3> low{}, high{};
  bool isEmpty() const { return *this == Halo{}; }
  auto operator<=>(const Halo &) const = default;
};

/// The place of a group's array in the fused kernel.
enum class PlacementKind : std::uint8_t {
  Global,        ///< loaded and stored as before
  ThroughGlobal, ///< so too, and a stage loads what its thread, or under
                 ///< Schedule::BlockLocal its block, stored in another
  Register,      ///< forwarded in a register or tile, stored too
  RegisterOnly,  ///< forwarded, never stored
};

/// A load that takes a forwarded value.
struct ForwardedRead {
  std::uint32_t member = 0; ///< index into FusedKernel::launches
  std::uint32_t access = 0; ///< into Launch::accesses
  Window window;            ///< of the threads that made the values
  /// The value may be missing: the guards of all its writes are false, or its
  /// thread is outside the grid. Then the load takes what memory holds.
  bool isPartial = false;
  /// A branch in place of the load could keep compilers from contracting a
  /// product with a sum.
  bool isAmongContractions = false;
};

/// An access of a member.
struct MemberAccess {
  std::uint32_t member = 0; ///< index into FusedKernel::launches
  std::uint32_t access = 0; ///< into Launch::accesses
};

/// The threads that run an access, by the cells of a tile which they access.
struct CellAccess {
  std::uint32_t member = 0; ///< in whose terms the guard is
  Offset offset{};          ///< of the cell, from the thread's own
  Guard guard;
  /// The guard may hold before the first thread on an axis, or after the last.
  std::array<bool, 3> mayBeBefore{}, mayBeBehind{};
  bool operator==(const CellAccess &other) const {
    return offset == other.offset && guard == other.guard;
  }
};

/// How cells of a tile get what memory holds before the producer runs for them:
/// only those that may stay unwritten and that some thread reads.
struct TilePrefill {
  CellAccess write;
  std::uint32_t pointer = 0; ///< into the producer's
  Polynomial index;          ///< in the producer's own terms
  std::vector<CellAccess> reads;
};

/// The thread that would have written an element of an array whose elements are
/// computed where they are read. With i the element less `first`, as counted
/// from the producer's pointer,
///
///   i = x0 + rows[0] * (x1 + rows[1] * x2),   xk on the axis axes[k].
///
/// In the parameters of the producer's kernel.
struct ElementThread {
  Polynomial first;
  std::vector<std::uint32_t> axes;
  std::vector<Polynomial> rows; ///< one fewer than axes
};

struct Placement {
  ArrayId array{};
  PlacementKind kind = PlacementKind::Global;
  /// The members (indices into FusedKernel::launches) that define the value,
  /// and those whose loads take it, unless the array is Global.
  std::vector<std::uint32_t> producers, consumers;
  /// The producers whose stores a later one's replace before anything reads
  /// them: their values only pass in the register.
  std::vector<std::uint32_t> overwritten = {};
  /// One store behind the last member that stores would do: all of them store
  /// to one element, the first one always, and nothing else reads or writes it
  /// in memory.
  bool canStoreLast = false;
  /// If some loads may take what memory holds: one of those in the group's
  /// accesses to the array that runs whenever any of them does. All are to one
  /// element, so it could come before them.
  std::optional<MemberAccess> firstLoad = {};
  std::vector<ForwardedRead> reads = {};
  /// The values of a block's threads and its halo are in shared memory, since
  /// other threads take them; else they are in registers.
  bool isTile = false;
  Halo halo = {}; ///< of the tile
  /// The tile's place in shared memory: tiles that live one after the other
  /// have one slot.
  std::uint32_t slot = 0;
  /// For a tile, what spares its readers from testing whether there is a value.
  std::optional<TilePrefill> fill = {};
  /// No thread keeps the values: its only producer is a function that the
  /// consumers' loads call.
  std::optional<ElementThread> computed = {};
  /// Checks whether any load may take what memory holds.
  bool isPartial() const;
  /// Checks whether the load has to test whether a value is there.
  bool hasFlags() const { return isPartial() && !fill; }
  /// Checks whether the value takes another way than through global memory.
  bool isForwarded() const {
    return kind == PlacementKind::Register ||
           kind == PlacementKind::RegisterOnly;
  }
};

/// A kernel's demands on the device, and their cost by the model.
struct Projection : KernelWork, KernelCost {
  /// The time by the model alone. It equals `seconds` unless times of the
  /// kernel, or of what it is made of, were measured (Measurements.h).
  double modelled = 0;
  /// The kernel's own time, if it was measured: without the gap to the next
  /// one, which `seconds` has.
  std::optional<MeasuredTime> measured = {};
  /// Returns the distinct bytes of global memory that are read.
  double distinctRead() const { return bytesRead - bytesReadAgain; }
};

/// One group of the partition, ready to be generated.
struct FusedKernel {
  std::vector<LaunchId> launches; ///< in program order = stage order
  Schedule schedule = Schedule::Single;
  /// V: elements (logical blocks) a thread works on, 1, 2, 4 or 8; 1 unless
  /// every member's coordinates can be replaced. Measured on an H200, a chain
  /// of three over 268M floats: V = 1 3,429 GB/s, 8 4,311 (a copy: 4,240).
  /// Tests for the logical block between loads and stores made it 2,414. One
  /// body loads for all of them first (codegen/body/EarlyLoads.h); stages load
  /// in the loop of each.
  std::uint32_t elementsPerThread = 1;
  std::uint32_t elementsAxis = 0;    ///< on which a thread's elements lie
  std::vector<Placement> placements; ///< one for each array of the group
  /// Under Schedule::Tile: the threads around the block for which each member
  /// runs too, and the block's extents, in threads.
  std::vector<Halo> halos;
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  /// Under Schedule::Tile: by member, ascending, the phase that runs it. The
  /// members of a phase run for one thread after the other, without a barrier
  /// between.
  std::vector<std::uint32_t> phases;
  std::vector<Condition> conditions;
  /// Conditions that are not tested, since the user promised them.
  std::vector<Condition> promises;
  /// The member with whose grid and block the kernel is launched, and how the
  /// members fit them.
  std::uint32_t leader = 0;
  std::vector<ConfigMapping> fits;
  /// Under Schedule::BlockLocal: members before which the threads of a block
  /// wait for each other, since others of them accessed what these access.
  std::vector<std::uint32_t> waits;
  /// The arrays of which that is so.
  std::vector<ArrayId> sharedInBlock;
  /// Members that get coordinates and integers of their own, since they make
  /// floating-point numbers of these and another does
  /// (fusion/forwarding/IntToFloat.h).
  std::vector<std::uint32_t> isolated;
  std::string name; ///< of the fused `__global__` function
  /// Its launches stay in a call of a function that fuses them, by a kernel of
  /// this name.
  bool isInCall = false;
  Projection projection;
  std::vector<Projection> members; ///< each as its own kernel
};

/// Checks whether no thread runs the member: its values are computed where they
/// are read.
bool isComputed(const FusedKernel &kernel, std::size_t member);

/// Checks whether the compiler stores more of a thread's values for want of
/// registers than it does in any member apart, as far as this is known.
bool spillsMore(const FusedKernel &kernel);

struct FusionPlan {
  static constexpr int Version = 1;
  std::string device;
  std::vector<FusedKernel> kernels; ///< every launch is in exactly one
  /// Arrays that are never stored by any kernel; their allocation, memset and
  /// free are removed.
  std::vector<ArrayId> removed;
  /// Arrays to which some kernel makes no stores, because nobody can see them:
  /// superset of `removed`. What they hold after the program ran is undefined,
  /// and left out by verification.
  std::vector<ArrayId> dead;
  /// Launches and copies in whose place the host swaps pointers.
  std::vector<StepId> swaps;
};

/// Returns the partition of the launches that the plan was made for.
Groups groupsOf(const FusionPlan &plan);

} // namespace kfuse

#endif
