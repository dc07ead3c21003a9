//===- tiles.h - What a kernel of the OpenCL ladder is built with ---------===//
#ifndef GEMM_TILES_H
#define GEMM_TILES_H

#include "matrices.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

/// The macros of gemm.cl. A work-group computes M x N elements of C from K at a
/// time, a work-item itemM x itemN.
struct Tile {
  int M, N, K, itemM, itemN, vector = 1, subGroup = 0;

  int groupX() const { return N / itemN; }
  int groupY() const { return M / itemM; }

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
    return nlohmann::json::parse(file).get<TunedTiles>();
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
