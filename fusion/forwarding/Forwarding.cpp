//===- Forwarding.cpp - Values that pass in registers ---------------------===//

#include "fusion/forwarding/Forwarding.h"

#include "fusion/dependence/ChosenPlaces.h"
#include "fusion/dependence/Names.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace kfuse {
namespace {

/// Returns the accesses of one stage to one array, in program order.
std::vector<const StageAccess *> accessesTo(const Stage &stage, ArrayId array) {
  std::vector<const StageAccess *> found;
  for (const StageAccess &access : stage.accesses)
    if (access.array == array)
      found.push_back(&access);
  return found;
}

const PointerParameter *pointerOf(const Stage &stage,
                                  const StageAccess &access) {
  const std::uint32_t pointer = access.access->pointer;
  return pointer < stage.kernel->pointers.size()
             ? &stage.kernel->pointers[pointer]
             : nullptr;
}

/// One array on its way through the group.
class Forwarder {
public:
  /// Takes the flows through the array, in the order of their readers.
  Forwarder(const Group &group, std::vector<Flow> flows, ArrayId array)
      : Members(group), Flows(std::move(flows)), Storage(array),
        PassesInTile(
            std::any_of(Flows.begin(), Flows.end(),
                        [](const Flow &flow) { return !flow.window.isOwn(); })),
        IsChecked(group.stages.size()) {}

  std::variant<Placement, Obstacle> place();

private:
  /// Returns the flows to one reader.
  std::span<const Flow> flowsTo(std::uint32_t reader) const {
    const auto range =
        std::ranges::equal_range(Flows, reader, {}, &Flow::reader);
    return {range.begin(), range.end()};
  }
  /// Returns the stages that read what an earlier one wrote.
  std::vector<std::uint32_t> consumers() const;
  std::optional<Obstacle> passInBlock() const;
  std::optional<Obstacle> passAmongThreads() const;
  std::optional<Obstacle> forward();
  bool canPassThroughMemory() const;
  const Stage &stage(std::uint32_t number) const {
    return Members.stages[number];
  }
  bool isWriter(std::uint32_t number) const;
  /// Returns the threads whose values a read takes; itself if it takes none.
  /// Every write is at one index, so all flows to the read agree.
  Window windowOf(std::uint32_t reader, const StageAccess &access) const;
  std::optional<Obstacle> placeReads(std::uint32_t reader,
                                     std::uint32_t writer);
  std::optional<Obstacle> checkConsumer(std::uint32_t reader);
  std::optional<Obstacle> checkText(std::uint32_t number, bool wantWrites,
                                    std::uint32_t other) const;
  std::optional<Obstacle> checkOwnReads(std::uint32_t number,
                                        std::uint32_t other) const;
  std::optional<Obstacle> checkPointers(std::uint32_t reader,
                                        std::uint32_t writer) const;
  Obstacle refuse(ObstacleKind kind, std::uint32_t writer, std::uint32_t reader,
                  const StageAccess &at, const std::string &why) const;

  const Group &Members;
  std::vector<Flow> Flows;
  ArrayId Storage;
  bool PassesInTile;           ///< some read is of another thread's element
  std::vector<bool> IsChecked; ///< by writer: its text can make the value
  const IndexExpr *Index = nullptr; ///< where the value lives in memory
  const ElementType *Element = nullptr;
  Placement Placed;
};

bool Forwarder::isWriter(std::uint32_t number) const {
  const auto &accesses = stage(number).accesses;
  return std::any_of(accesses.begin(), accesses.end(),
                     [this](const StageAccess &access) {
                       return access.array == Storage && writes(access);
                     });
}

Window Forwarder::windowOf(std::uint32_t reader,
                           const StageAccess &access) const {
  for (const Flow &flow : flowsTo(reader))
    if (&stage(reader).accesses[flow.read] == &access)
      return flow.window;
  return {};
}

Obstacle Forwarder::refuse(ObstacleKind kind, std::uint32_t writer,
                           std::uint32_t reader, const StageAccess &at,
                           const std::string &why) const {
  const Program &program = Members.problem->program;
  const std::string array = arrayName(program, Storage);
  const std::string one = launchName(program, stage(writer).launch);
  const std::string two = launchName(program, stage(reader).launch);
  Obstacle obstacle;
  obstacle.kind = kind;
  obstacle.first = stage(std::min(writer, reader)).launch;
  obstacle.second = stage(std::max(writer, reader)).launch;
  obstacle.array = Storage;
  if (kind == ObstacleKind::GuardMismatch) {
    obstacle.text = two + " reads " + array +
                    " also where the guard of the write in " + one +
                    " doesn't hold, " + why;
    obstacle.remedy = "give the read the guard of the write";
  } else {
    obstacle.text =
        array + " would pass from " + one + " to " + two +
        (PassesInTile ? " in a tile, but " : " in a register, but ") + why;
    obstacle.remedy = "write and read each element of " + array +
                      " once, as a whole, at one index";
  }
  obstacle.notes.push_back({at.access->range, array + " is accessed here"});
  return obstacle;
}

/// Checks that every write (or read) of the array in stage `number` can become
/// the value. `other` is the stage at the other end.
std::optional<Obstacle> Forwarder::checkText(std::uint32_t number,
                                             bool wantWrites,
                                             std::uint32_t other) const {
  const std::uint32_t writer = wantWrites ? number : other;
  const std::uint32_t reader = wantWrites ? other : number;
  for (const StageAccess *access : accessesTo(stage(number), Storage)) {
    if (writes(*access) != wantWrites)
      continue;
    auto refused = [&](const std::string &why) {
      return refuse(ObstacleKind::NotForwardable, writer, reader, *access, why);
    };
    const bool isNeighbours = !wantWrites && !windowOf(number, *access).isOwn();
    if (access->index != *Index && !isNeighbours)
      return refused("it is accessed at more than one index");
    const std::string why = whyNotReplaceable(stage(number), *access);
    if (!why.empty())
      return refused(why);
  }
  return std::nullopt;
}

/// Checks that the stage reads back no floating-point value through another
/// pointer than it stored it by. The store rounded such a value; kept in a
/// register, it could be contracted with what follows. Through the same
/// pointer, compilers saw the value in the stage's own kernel too, whose sums
/// were found unambiguous.
std::optional<Obstacle> Forwarder::checkOwnReads(std::uint32_t number,
                                                 std::uint32_t other) const {
  if (!Element->hasFloatingPoint)
    return std::nullopt;
  const auto accesses = accessesTo(stage(number), Storage);
  for (auto access = accesses.begin(); access != accesses.end(); ++access) {
    const bool followsWrite =
        std::any_of(accesses.begin(), access, [&](const StageAccess *earlier) {
          return writes(*earlier) &&
                 earlier->access->pointer != (*access)->access->pointer;
        });
    if (!writes(**access) && followsWrite)
      return refuse(ObstacleKind::NotForwardable, std::min(number, other),
                    std::max(number, other), **access,
                    launchName(Members.problem->program, stage(number).launch) +
                        " reads it back through another pointer");
  }
  return std::nullopt;
}

/// Checks that the stage reads the array through one pointer. Reads through two
/// are two values to the compiler, and two products when both are multiplied by
/// another value. As one value they would be one product, which sums need not
/// be contracted with.
std::optional<Obstacle> Forwarder::checkPointers(std::uint32_t reader,
                                                 std::uint32_t writer) const {
  if (!Members.problem->options.exactRounding ||
      stage(reader).kernel->contractions.empty())
    return std::nullopt;
  const StageAccess *first = nullptr;
  for (const StageAccess *access : accessesTo(stage(reader), Storage)) {
    if (writes(*access))
      continue;
    if (first && access->access->pointer != first->access->pointer)
      return refuse(ObstacleKind::NotForwardable, writer, reader, *access,
                    "it is read through two pointers");
    first = access;
  }
  return std::nullopt;
}

std::optional<Obstacle> Forwarder::checkConsumer(std::uint32_t reader) {
  const Flow *last = nullptr;
  for (const Flow &flow : flowsTo(reader)) {
    last = &flow;
    if (!Index) {
      const StageAccess &write = stage(flow.writer).accesses[flow.write];
      Index = &write.index;
      if (const auto *pointer = pointerOf(stage(flow.writer), write))
        Element = &pointer->element;
    }
  }
  if (!Element)
    return refuse(ObstacleKind::NotForwardable, last->writer, reader,
                  stage(reader).accesses[last->read], "its type isn't known");
  if (auto obstacle = checkText(reader, false, last->writer))
    return obstacle;
  if (auto obstacle = checkPointers(reader, last->writer))
    return obstacle;
  // The reader's own writes too: what it reads after them is the register.
  for (std::uint32_t writer = 0; writer <= reader; ++writer) {
    if (IsChecked[writer] || !isWriter(writer))
      continue;
    if (auto obstacle =
            checkText(writer, true, writer == reader ? last->writer : reader))
      return obstacle;
    if (auto obstacle =
            checkOwnReads(writer, writer == reader ? last->writer : reader))
      return obstacle;
    IsChecked[writer] = true;
  }
  return placeReads(reader, last->writer);
}

/// Records how each read of the array in `reader` takes the value. All writes
/// are at one index, so the value is the latest of them as soon as one is sure
/// to have run. Otherwise the read tests whether there is a value, and takes
/// what memory holds if not, since no thread of the grid wrote that.
std::optional<Obstacle> Forwarder::placeReads(std::uint32_t reader,
                                              std::uint32_t writer) {
  for (std::uint32_t read = 0; read < stage(reader).accesses.size(); ++read) {
    const StageAccess &access = stage(reader).accesses[read];
    if (access.array != Storage || writes(access))
      continue;
    ForwardedRead taken{reader, access.number, windowOf(reader, access), true};
    for (Window::Choice &choice : taken.window.choices) {
      auto text = distanceText(choice.distance, access, stage(reader),
                               factsOf(Members));
      if (!text) {
        Obstacle obstacle =
            refuse(ObstacleKind::NotForwardable, writer, reader, access,
                   "no variable holds the place that it is read at");
        obstacle.remedy = "keep the place in a variable";
        return obstacle;
      }
      choice.text = *std::move(text);
    }
    for (const Flow &flow : flowsTo(reader))
      if (flow.read == read && flow.isCovered)
        taken.isPartial = false;
    if (taken.isPartial && access.access->form != AccessForm::Load)
      return refuse(ObstacleKind::GuardMismatch, writer, reader, access,
                    "and updates it in place");
    taken.isAmongContractions =
        Members.problem->options.exactRounding &&
        mayPart(*stage(reader).kernel, access.access->range);
    // For a tile's element the look can do without a branch.
    if (taken.isPartial && taken.isAmongContractions && !PassesInTile)
      return refuse(ObstacleKind::AmbiguousContraction, writer, reader, access,
                    "a look whether there is a value may come between products "
                    "and sums, which the compiler may then not contract");
    Placed.reads.push_back(taken);
  }
  return std::nullopt;
}

std::vector<std::uint32_t> Forwarder::consumers() const {
  std::vector<std::uint32_t> readers;
  for (const Flow &flow : Flows)
    if (readers.empty() || readers.back() != flow.reader)
      readers.push_back(flow.reader);
  return readers;
}

/// Checks whether a stage may load what its own thread stored in an earlier
/// one. The compiler must not be able to tell that it does, so that the value
/// is rounded. For that each stage has a pointer of its own, which a device
/// variable is not.
bool Forwarder::canPassThroughMemory() const {
  if (PassesInTile)
    return false;
  for (const Stage &stage : Members.stages)
    for (const StageAccess *access : accessesTo(stage, Storage))
      if (const PointerParameter *pointer = pointerOf(stage, *access);
          !pointer || pointer->global)
        return false;
  return true;
}

std::variant<Placement, Obstacle> Forwarder::place() {
  Placed.array = Storage;
  Placed.consumers = consumers();
  if (Placed.consumers.empty())
    return std::move(Placed);
  auto obstacle = passInBlock();
  if (!obstacle)
    obstacle = passAmongThreads();
  if (!obstacle)
    obstacle = forward();
  if (!obstacle)
    return std::move(Placed);
  if (!canPassThroughMemory())
    return std::move(*obstacle);
  Placement kept;
  kept.array = Storage;
  kept.kind = PlacementKind::ThroughGlobal;
  kept.consumers = std::move(Placed.consumers);
  for (std::uint32_t writer = 0; writer < kept.consumers.back(); ++writer)
    if (isWriter(writer))
      kept.producers.push_back(writer);
  return kept;
}

/// Checks that a register can hold the value. It can't if other threads of the
/// block access the array too, or if the value passes from one loop over the
/// block's share to another.
std::optional<Obstacle> Forwarder::passInBlock() const {
  std::set<std::uint32_t> accessing; ///< runs of members, those distributed odd
  std::uint32_t run = 0;
  for (std::uint32_t number = 0; number < Members.stages.size(); ++number) {
    run += (run % 2 != 0) != Members.fits[number].chunk.has_value() ? 1 : 0;
    if (!accessesTo(stage(number), Storage).empty())
      accessing.insert(run);
  }
  const bool anyShared =
      std::any_of(accessing.begin(), accessing.end(),
                  [](std::uint32_t each) { return each % 2 != 0; });
  if (!anyShared || accessing.size() < 2)
    return std::nullopt;
  const std::uint32_t reader = Placed.consumers.back();
  return refuse(ObstacleKind::NotForwardable, 0, reader,
                *accessesTo(stage(reader), Storage).front(),
                "other threads of the block may access it too");
}

/// Checks that no other thread of the block takes the value from memory.
std::optional<Obstacle> Forwarder::passAmongThreads() const {
  for (const Flow &flow : Flows)
    if (flow.isInBlock)
      return refuse(ObstacleKind::NotForwardable, flow.writer, flow.reader,
                    stage(flow.reader).accesses[flow.read],
                    "other threads of the block take it");
  return std::nullopt;
}

/// Passes the value to its consumers in a register or tile.
std::optional<Obstacle> Forwarder::forward() {
  for (const std::uint32_t reader : Placed.consumers)
    if (auto obstacle = checkConsumer(reader))
      return obstacle;
  Placed.kind = PlacementKind::Register;
  for (std::uint32_t writer = 0; writer < Members.stages.size(); ++writer) {
    if (!isWriter(writer))
      continue;
    // After the last consumer a write may stay an ordinary one.
    if (writer > Placed.consumers.back() &&
        (checkText(writer, true, Placed.consumers.back()) ||
         checkOwnReads(writer, Placed.consumers.back())))
      continue;
    Placed.producers.push_back(writer);
  }
  return std::nullopt;
}

} // namespace

std::string whyNotReplaceable(const Stage &stage, const StageAccess &access) {
  const Access &bound = *access.access;
  const PointerParameter *pointer = pointerOf(stage, access);
  const bool hasForm =
      writes(access)
          ? bound.form == AccessForm::Store || bound.form == AccessForm::Update
          : bound.form == AccessForm::Load ||
                bound.form == AccessForm::UpdateLoad;
  if (!hasForm)
    return "its address is taken there";
  if (!bound.editable)
    return "the access isn't plain text of the kernel's body";
  if (bound.offset != 0 || bound.width != bound.elementBytes)
    return "only a part of the element is accessed";
  if (!pointer || !pointer->element.trivial ||
      pointer->element.bytes != bound.elementBytes)
    return "its type can't live in a register";
  if (writes(access) && !bound.loops.empty())
    return "it is written in a loop";
  return {};
}

bool mayPart(const Kernel &kernel, const SourceRange &text) {
  return std::any_of(kernel.contractions.begin(), kernel.contractions.end(),
                     [&](const SourceRange &contraction) {
                       return text.file == contraction.file &&
                              text.begin < contraction.end &&
                              contraction.begin < text.end;
                     });
}

std::variant<std::vector<Placement>, Obstacle>
placeArrays(const Group &group, const std::vector<Flow> &flows) {
  std::vector<ArrayId> arrays;
  for (const Stage &stage : group.stages)
    for (const StageAccess &access : stage.accesses)
      if (access.array != noneOf<ArrayId>() &&
          std::find(arrays.begin(), arrays.end(), access.array) == arrays.end())
        arrays.push_back(access.array);
  std::map<ArrayId, std::vector<Flow>> flowsOf;
  for (const Flow &flow : flows)
    flowsOf[group.stages[flow.writer].accesses[flow.write].array].push_back(
        flow);
  std::vector<Placement> placements;
  for (ArrayId array : arrays) {
    auto placed = Forwarder(group, std::move(flowsOf[array]), array).place();
    if (auto *obstacle = std::get_if<Obstacle>(&placed))
      return std::move(*obstacle);
    placements.push_back(std::get<Placement>(std::move(placed)));
  }
  return placements;
}

std::uint32_t forwardedRegisters(const Program &program,
                                 const std::vector<Placement> &placements) {
  constexpr std::uint32_t RegisterBytes = 4;
  std::uint32_t registers = 0;
  for (const Placement &placement : placements)
    if (placement.isForwarded() && !placement.isTile)
      registers +=
          (program[placement.array].element.bytes + RegisterBytes - 1) /
          RegisterBytes;
  return registers;
}

} // namespace kfuse
