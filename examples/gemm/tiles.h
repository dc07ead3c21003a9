//===- tiles.h - What a kernel of the OpenCL ladder is built with ---------===//
#ifndef GEMM_TILES_H
#define GEMM_TILES_H

#include "matrices.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

/// The macros of kernels/common.cl. A work-group computes M x N elements of C
/// from K at a time, a work-item itemM x itemN.
struct Tile {
  int M, N, K, itemM, itemN, vector = 1, subGroup = 0;

  int groupX() const { return N / itemN; }
  int groupY() const { return M / itemM; }
  bool operator<(const Tile &other) const {
    return std::tie(M, N, K, itemM, itemN, vector, subGroup) <
           std::tie(other.M, other.N, other.K, other.itemM, other.itemN,
                    other.vector, other.subGroup);
  }

  std::string macros() const {
    std::string text = "-DTILE_M=" + std::to_string(M) +
                       " -DTILE_N=" + std::to_string(N) +
                       " -DTILE_K=" + std::to_string(K) +
                       " -DITEM_M=" + std::to_string(itemM) +
                       " -DITEM_N=" + std::to_string(itemN) +
                       " -DVECTOR=" + std::to_string(vector);
    if (subGroup)
      text += " -DSUB_GROUP=" + std::to_string(subGroup);
    return text;
  }

  std::string text() const {
    std::string text = std::to_string(M) + "x" + std::to_string(N) + "x" +
                       std::to_string(K) + ", " + std::to_string(itemM) + "x" +
                       std::to_string(itemN);
    if (vector > 1)
      text += " by " + std::to_string(vector);
    if (subGroup)
      text += ", sub-groups of " + std::to_string(subGroup);
    return text;
  }

  bool isWhole() const {
    return std::min({M, N, K, itemM, itemN, vector}) > 0 && subGroup >= 0 &&
           M % itemM == 0 && N % itemN == 0 && itemN % vector == 0;
  }

  /// The matrices' sizes in whole tiles.
  Sizes padded(const Sizes &sizes) const {
    const auto up = [](int size, int tile) {
      return (size + tile - 1) / tile * tile;
    };
    return {up(sizes.M, M), up(sizes.K, K), up(sizes.N, N)};
  }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tile, M, N, K, itemM, itemN, vector,
                                   subGroup)

/// Returns the tiles that differ from this one in one respect, as far as the
/// kernel can be built with them.
inline std::vector<Tile> neighboursOf(const Tile &tile,
                                      const std::string &kernel) {
  std::vector<Tile> found;
  const auto add = [&](int groupX, int groupY, int K, int itemM, int itemN,
                       int vector, int subGroup) {
    const bool hasItems = kernel != "naive" || itemM * itemN == 1;
    const bool fits = kernel != "vectors" || itemN == 4;
    if (hasItems && fits && itemN % vector == 0 &&
        (!subGroup || (groupX == subGroup && K % subGroup == 0)))
      found.push_back(
          {groupY * itemM, groupX * itemN, K, itemM, itemN, vector, subGroup});
  };
  const int x = tile.groupX(), y = tile.groupY();
  const bool isTiled =
      kernel != "naive" && kernel != "outputs" && kernel != "permuted";
  const bool hasVectors = kernel == "registers" || kernel == "block_read";
  for (const int size : {1, 2, 4, 8, 16, 32, 64}) {
    add(size, y, tile.K, tile.itemM, tile.itemN, tile.vector, tile.subGroup);
    add(x, size, tile.K, tile.itemM, tile.itemN, tile.vector, tile.subGroup);
  }
  for (const int K : {8, 16, 32, 64, 128, 256})
    if (isTiled)
      add(x, y, K, tile.itemM, tile.itemN, tile.vector, tile.subGroup);
  for (const int itemM : {1, 2, 3, 4, 6, 8, 12, 16})
    add(x, y, tile.K, itemM, tile.itemN, tile.vector, tile.subGroup);
  for (const int itemN : {1, 2, 4, 8, 16, 32})
    add(x, y, tile.K, tile.itemM, itemN, tile.vector, tile.subGroup);
  for (const int vector : {1, 2, 4, 8, 16}) // block reads have no 16
    if (hasVectors && (vector < 16 || !tile.subGroup))
      add(x, y, tile.K, tile.itemM, std::max(tile.itemN, vector), vector,
          tile.subGroup);
  for (const int subGroup : {8, 16, 32})
    if (tile.subGroup)
      add(subGroup, y, std::max(tile.K, subGroup), tile.itemM, tile.itemN,
          tile.vector, subGroup);
  return found;
}

/// Tuned tiles of a device, by kernel.
struct TunedTiles {
  std::string device;
  std::map<std::string, Tile> tiles;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TunedTiles, device, tiles)

inline TunedTiles readTiles(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("can't read '" + path + "'");
  try {
    const auto tuned = nlohmann::json::parse(file).get<TunedTiles>();
    for (const auto &[kernel, tile] : tuned.tiles)
      if (!tile.isWhole())
        throw std::runtime_error("'" + path + "': the tile of " + kernel +
                                 " isn't made of whole parts");
    return tuned;
  } catch (const nlohmann::json::exception &error) {
    throw std::runtime_error("'" + path + "' has no tiles: " + error.what());
  }
}

inline void writeTiles(const std::string &path, const TunedTiles &tiles) {
  std::ofstream file(path);
  file << nlohmann::json(tiles).dump(2) << "\n";
  file.close();
  if (!file)
    throw std::runtime_error("can't write '" + path + "'");
}

#endif
