//===- TileStorage.h - Where a block's tiles are in shared memory ---------===//
//
// A tile lives from the first pass that leaves values in it to the last that
// takes part. Tiles that live one after the other share a slot.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_PLAN_TILESTORAGE_H
#define KFUSE_FUSION_PLAN_TILESTORAGE_H

#include "fusion/plan/Plan.h"

#include <cstdint>
#include <vector>

namespace kfuse {

/// Returns how many of the program's threads a fused block does the work of, on
/// each axis.
std::array<std::uint32_t, 3> workOf(const FusedKernel &kernel);

/// Counts the threads of the work and its halo.
std::uint64_t cellsOf(const std::array<std::uint32_t, 3> &work,
                      const Halo &halo);

/// Assigns a slot in shared memory to every tile of the kernel.
void placeSlots(const Program &program, FusedKernel &kernel);

/// Returns the bytes of each slot: those of its largest tile.
std::vector<std::uint64_t> slotBytes(const Program &program,
                                     const FusedKernel &kernel);

/// Returns the bytes of shared memory of the group's tiles.
std::uint64_t tileBytes(const Program &program, const FusedKernel &kernel);

} // namespace kfuse

#endif
