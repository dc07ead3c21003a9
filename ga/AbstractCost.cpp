//===- ga/AbstractCost.cpp - What a group of abstract kernels costs -------===//
//
// A block makes a tile of each array that its own kernels read with a halo,
// and makes the halo again: so far from the tile's edge as all the reads that
// follow it in the group add up to.
//
//===----------------------------------------------------------------------===//

#include "ga/AbstractProblem.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace kfuse {
namespace {

/// What a group does to an array.
struct Use {
  std::uint32_t array = 0;
  std::uint32_t halo = 0; ///< of all reads in the group, accumulated
  std::uint32_t readers = 0;
  bool isMade = false;        ///< by a kernel of the group
  bool hasNeighbours = false; ///< it is read with a halo
};

/// Uses by array, for one group after the other without clearing.
class UseTable {
public:
  void begin(std::size_t arrays) {
    Uses.clear();
    if (Slots.size() < arrays)
      Slots.resize(arrays);
    ++Epoch;
  }
  Use &operator[](std::uint32_t array) {
    Slot &slot = Slots[array];
    if (slot.epoch != Epoch) {
      slot = {Epoch, static_cast<std::uint32_t>(Uses.size())};
      Uses.push_back({.array = array});
    }
    return Uses[slot.use];
  }
  const std::vector<Use> &all() const { return Uses; }

private:
  struct Slot {
    std::uint64_t epoch = 0;
    std::uint32_t use = 0;
  };
  std::vector<Slot> Slots;
  std::vector<Use> Uses;
  std::uint64_t Epoch = 0;
};

class GroupCost {
public:
  explicit GroupCost(const AbstractProblem &problem)
      : Device(problem.device), Limits(problem.limits), Tiles(problem.tiles),
        Arrays(problem.arrays), Kernels(problem.kernels),
        Readers(problem.arrays.size()) {
    for (const AbstractKernel &kernel : Kernels)
      for (const AbstractRead &read : kernel.reads)
        ++Readers[read.array];
  }

  std::optional<double> operator()(const ItemSet &group) const {
    if (!fitsRegisters(group))
      return std::nullopt;
    thread_local UseTable uses;
    thread_local std::vector<std::uint32_t> halos;
    uses.begin(Arrays.size());
    halos.assign(group.size(), 0);
    // Those that read come after those that write: from the last on.
    for (std::size_t i = group.size(); i-- > 0;) {
      const AbstractKernel &kernel = Kernels[group[i]];
      for (std::uint32_t array : kernel.writes) {
        Use &use = uses[array];
        use.isMade = true;
        halos[i] = std::max(halos[i], use.halo);
      }
      if (halos[i] > Limits.halo)
        return std::nullopt;
      for (const AbstractRead &read : kernel.reads) {
        Use &use = uses[read.array];
        use.halo = std::max(use.halo, halos[i] + read.halo);
        use.hasNeighbours = use.hasNeighbours || read.halo > 0;
        ++use.readers;
      }
    }
    double best = std::numeric_limits<double>::infinity();
    for (const AbstractTile &tile : Tiles)
      best = std::min(best, seconds(group, halos, uses.all(), tile));
    if (best == std::numeric_limits<double>::infinity())
      return std::nullopt;
    return best;
  }

private:
  bool fitsRegisters(const ItemSet &group) const {
    double sum = 0, most = 0;
    for (std::uint32_t item : group) {
      sum += Kernels[item].registers;
      most = std::max<double>(most, Kernels[item].registers);
    }
    // A kernel alone is legal whatever it takes.
    return group.size() == 1 ||
           most + Limits.registerShare * (sum - most) <= Limits.registers;
  }

  /// Points of a tile with its halo.
  static double points(const AbstractTile &tile, std::uint32_t halo) {
    return (tile.x + 2.0 * halo) * (tile.y + 2.0 * halo);
  }

  double seconds(const ItemSet &group, const std::vector<std::uint32_t> &halos,
                 const std::vector<Use> &uses, const AbstractTile &tile) const {
    const double own = points(tile, 0);
    double shared = 0, bytes = 0, flops = 0;
    for (const Use &use : uses) {
      const AbstractArray &array = Arrays[use.array];
      const double grown = points(tile, use.halo) / own;
      if (use.isMade && use.hasNeighbours)
        shared += own * grown * array.elementBytes;
      if (!use.isMade)
        bytes += array.bytes * (1 + Device.haloShare * (grown - 1));
      else if (array.kept || use.readers < Readers[use.array])
        bytes += array.bytes;
    }
    if (group.size() > 1 && shared > Limits.sharedBytes)
      return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < group.size(); ++i)
      flops += Kernels[group[i]].flops * (points(tile, halos[i]) / own);
    return Device.launchSeconds + bytes / Device.bandwidth +
           flops / Device.flopRate;
  }

  AbstractDevice Device;
  AbstractLimits Limits;
  std::vector<AbstractTile> Tiles;
  std::vector<AbstractArray> Arrays;
  std::vector<AbstractKernel> Kernels;
  std::vector<std::uint32_t> Readers; ///< by array, of all kernels
};

} // namespace

std::function<std::optional<double>(const ItemSet &)>
groupCost(const AbstractProblem &problem) {
  auto cost = std::make_shared<const GroupCost>(problem);
  return [cost](const ItemSet &group) { return (*cost)(group); };
}

} // namespace kfuse
