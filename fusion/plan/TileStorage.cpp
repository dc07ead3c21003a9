//===- TileStorage.cpp - Where a block's tiles are in shared memory -------===//

#include "fusion/plan/TileStorage.h"

#include <algorithm>

namespace kfuse {
namespace {

/// The alignment that compilers give the largest types; so much may go between
/// slots.
constexpr std::uint64_t SlotAlignment = 16;

/// The passes from the first that leaves values to the last that takes part.
struct Life {
  std::uint32_t first = 0, last = 0;
};

Life lifeOf(const FusedKernel &kernel, const Placement &tile) {
  Life life;
  life.first = kernel.phases[*std::min_element(tile.producers.begin(),
                                               tile.producers.end())];
  for (const auto *members : {&tile.producers, &tile.consumers})
    for (const std::uint32_t member : *members)
      life.last = std::max(life.last, kernel.phases[member]);
  return life;
}

/// Returns the bytes of the values, and a byte for each if some may be missing.
std::uint64_t bytesOf(const Program &program, const FusedKernel &kernel,
                      const Placement &tile) {
  return cellsOf(workOf(kernel), tile.halo) *
         (program[tile.array].element.bytes + (tile.hasFlags() ? 1 : 0));
}

struct Slot {
  std::uint64_t bytes = 0;
  std::uint32_t last = 0; ///< the pass after which it is free
};

/// Returns how much larger the slot gets and, if it needn't grow, how much of
/// it stays unused.
std::pair<std::uint64_t, std::uint64_t> wasteOf(const Slot &slot,
                                                std::uint64_t bytes) {
  return bytes > slot.bytes ? std::pair(bytes - slot.bytes, std::uint64_t{0})
                            : std::pair(std::uint64_t{0}, slot.bytes - bytes);
}

} // namespace

std::array<std::uint32_t, 3> workOf(const FusedKernel &kernel) {
  std::array<std::uint32_t, 3> work = kernel.block;
  work[kernel.elementsAxis] *= kernel.elementsPerThread;
  return work;
}

std::uint64_t cellsOf(const std::array<std::uint32_t, 3> &work,
                      const Halo &halo) {
  std::uint64_t cells = 1;
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    cells *= std::uint64_t{work[axis]} + halo.low[axis] + halo.high[axis];
  return cells;
}

void placeSlots(const Program &program, FusedKernel &kernel) {
  std::vector<Placement *> tiles;
  for (Placement &placement : kernel.placements)
    if (placement.isTile)
      tiles.push_back(&placement);
  std::sort(tiles.begin(), tiles.end(),
            [&](const Placement *one, const Placement *two) {
              return std::pair(lifeOf(kernel, *one).first, one->array) <
                     std::pair(lifeOf(kernel, *two).first, two->array);
            });
  std::vector<Slot> slots;
  for (Placement *tile : tiles) {
    const Life life = lifeOf(kernel, *tile);
    const std::uint64_t bytes = bytesOf(program, kernel, *tile);
    Slot *best = nullptr;
    for (Slot &slot : slots)
      if (slot.last < life.first &&
          (!best || wasteOf(slot, bytes) < wasteOf(*best, bytes)))
        best = &slot;
    if (!best)
      best = &slots.emplace_back();
    best->bytes = std::max(best->bytes, bytes);
    best->last = life.last;
    tile->slot = static_cast<std::uint32_t>(best - slots.data());
  }
}

std::vector<std::uint64_t> slotBytes(const Program &program,
                                     const FusedKernel &kernel) {
  std::vector<std::uint64_t> bytes;
  for (const Placement &placement : kernel.placements) {
    if (!placement.isTile)
      continue;
    if (bytes.size() <= placement.slot)
      bytes.resize(placement.slot + 1);
    bytes[placement.slot] =
        std::max(bytes[placement.slot], bytesOf(program, kernel, placement));
  }
  return bytes;
}

std::uint64_t tileBytes(const Program &program, const FusedKernel &kernel) {
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : slotBytes(program, kernel))
    sum += (bytes + SlotAlignment - 1) / SlotAlignment * SlotAlignment;
  return sum;
}

} // namespace kfuse
