//===- AbstractCost.cpp - What a group of abstract kernels costs ----------===//
//
// A block makes a tile of each array that its own kernels read with a halo, and
// makes the halo again. The halo reaches as far from the tile's edge as all the
// reads that follow in the group add up to.
//
//===----------------------------------------------------------------------===//

#include "ga/problem/AbstractCost.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace kfuse {
namespace {

/// A group's use of an array.
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

/// A group's shared memory and moved bytes with one of the tiles.
struct TileSums {
  double shared = 0, bytes = 0;
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
    for (const AbstractTile &tile : Tiles)
      for (std::uint32_t halo = 0; halo < UsualHalos; ++halo)
        Growth.push_back(points(tile, halo) / points(tile, 0));
  }

  std::optional<double> operator()(const ItemSet &group) const {
    if (!fitsRegisters(group))
      return std::nullopt;
    thread_local UseTable uses;
    thread_local std::vector<std::uint32_t> halos;
    uses.begin(Arrays.size());
    halos.assign(group.size(), 0);
    // Readers come after writers, so it starts with the last.
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
    thread_local std::vector<TileSums> sums;
    sums.assign(Tiles.size(), {});
    for (const Use &use : uses.all())
      add(use, sums);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t tile = 0; tile < Tiles.size(); ++tile)
      if (group.size() == 1 || sums[tile].shared <= Limits.sharedBytes)
        best = std::min(best, seconds(group, halos, tile, sums[tile].bytes));
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

  /// Returns the number of points of a tile with its halo.
  static double points(const AbstractTile &tile, std::uint32_t halo) {
    return (tile.x + 2.0 * halo) * (tile.y + 2.0 * halo);
  }

  /// Returns how much is made with a halo, for each point of the tile.
  double growth(std::size_t tile, std::uint32_t halo) const {
    return halo < UsualHalos
               ? Growth[tile * UsualHalos + halo]
               : points(Tiles[tile], halo) / points(Tiles[tile], 0);
  }

  /// Adds an array's bytes: in a block's shared memory, and moved.
  void add(const Use &use, std::vector<TileSums> &sums) const {
    const AbstractArray &array = Arrays[use.array];
    const bool isTile = use.isMade && use.hasNeighbours;
    if (!use.isMade || isTile)
      for (std::size_t tile = 0; tile < Tiles.size(); ++tile) {
        const double grown = growth(tile, use.halo);
        if (isTile)
          sums[tile].shared +=
              points(Tiles[tile], 0) * grown * array.elementBytes;
        else
          sums[tile].bytes +=
              array.bytes * (1 + Device.haloShare * (grown - 1));
      }
    if (use.isMade && (array.kept || use.readers < Readers[use.array]))
      for (TileSums &sum : sums)
        sum.bytes += array.bytes;
  }

  double seconds(const ItemSet &group, const std::vector<std::uint32_t> &halos,
                 std::size_t tile, double bytes) const {
    double flops = 0;
    for (std::size_t i = 0; i < group.size(); ++i)
      flops += Kernels[group[i]].flops * growth(tile, halos[i]);
    return Device.launchSeconds + bytes / Device.bandwidth +
           flops / Device.flopRate;
  }

  /// Smaller halos' growth needn't be divided out for each set again.
  static constexpr std::uint32_t UsualHalos = 32;

  AbstractDevice Device;
  AbstractLimits Limits;
  std::vector<AbstractTile> Tiles;
  std::vector<AbstractArray> Arrays;
  std::vector<AbstractKernel> Kernels;
  std::vector<std::uint32_t> Readers; ///< by array, of all kernels
  std::vector<double> Growth;         ///< by tile and halo
};

} // namespace

std::function<std::optional<double>(const ItemSet &)>
groupCost(const AbstractProblem &problem) {
  auto cost = std::make_shared<const GroupCost>(problem);
  return [cost](const ItemSet &group) { return (*cost)(group); };
}

PartitionProblem partitionProblem(const AbstractProblem &problem) {
  const std::size_t count = problem.kernels.size();
  PartitionProblem result;
  result.size = static_cast<std::uint32_t>(count);
  result.horizontal = problem.horizontal;
  result.hereditary = result.concurrent = true;
  result.reach.assign(count, boost::dynamic_bitset<>(count));
  result.separated = result.kin = result.reach;
  result.cost = groupCost(problem);

  const std::vector<std::size_t> writers = writersOf(problem);
  std::vector<std::vector<std::uint32_t>> users(problem.arrays.size());
  for (std::uint32_t number = 0; number < count; ++number) {
    const AbstractKernel &kernel = problem.kernels[number];
    for (std::uint32_t before : kernel.after)
      result.reach[before].set(number);
    for (const AbstractRead &read : kernel.reads) {
      users[read.array].push_back(number);
      if (writers[read.array] != count)
        result.reach[writers[read.array]].set(number);
    }
    for (std::uint32_t array : kernel.writes)
      users[array].push_back(number);
  }
  for (std::size_t i = count; i-- > 0;) {
    boost::dynamic_bitset<> direct = result.reach[i];
    for (auto j = direct.find_first(); j != boost::dynamic_bitset<>::npos;
         j = direct.find_next(j))
      result.reach[i] |= result.reach[j];
  }
  for (auto [first, second] : problem.separated) {
    result.separated[first].set(second);
    result.separated[second].set(first);
  }
  for (const std::vector<std::uint32_t> &kernels : users)
    for (std::uint32_t i : kernels)
      for (std::uint32_t j : kernels)
        if (i != j && !result.separated[i][j])
          result.kin[i].set(j);
  return result;
}

} // namespace kfuse
