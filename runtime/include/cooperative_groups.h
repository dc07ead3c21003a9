//===- cooperative_groups.h - Groups of threads ---------------------------===//
//
// Supports blocks, tiles of a warp and converged threads. A grid must be a
// single block, because the executor runs blocks one after the other.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_COOPERATIVE_GROUPS_H
#define KFUSE_CPU_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
public:
  static void sync() { __syncthreads(); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return kfuse_cpu::scheduler().current; }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

class grid_group {
public:
  static bool is_valid() { return true; }
  static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) *
               gridDim.x +
           blockIdx.x;
  }
  static unsigned long long size() {
    return num_blocks() * thread_block::size();
  }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
  static void sync() {
    if (num_blocks() != 1) {
      std::fprintf(stderr, "kfuse-cpu: a barrier of a grid of more than one "
                           "block is not supported\n");
      std::abort();
    }
    __syncthreads();
  }
};
inline grid_group this_grid() { return {}; }

/// Represents the lanes of a warp that are in the mask, ranked from the lowest.
class coalesced_group {
public:
  explicit coalesced_group(unsigned mask) : Mask(mask) {}

  void sync() const { __syncwarp(Mask); }
  unsigned size() const { return __popc(Mask); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return __popc(Mask & ((1u << kfuse_cpu::laneId()) - 1));
  }
  template <class T> T shfl(T value, int rank) const {
    return kfuse_cpu::shuffle(Mask, 0, value, laneOf(rank % int(size())));
  }
  template <class T> T shfl_down(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return kfuse_cpu::shuffle(
        Mask, 0, value, laneOf(rank + delta < size() ? rank + delta : rank));
  }
  template <class T> T shfl_up(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return kfuse_cpu::shuffle(Mask, 0, value,
                              laneOf(rank < delta ? rank : rank - delta));
  }
  template <class T> T shfl_xor(T value, unsigned mask) const {
    unsigned from = thread_rank() ^ mask;
    return kfuse_cpu::shuffle(Mask, 0, value,
                              laneOf(from < size() ? from : thread_rank()));
  }
  int any(int predicate) const { return __any_sync(Mask, predicate); }
  int all(int predicate) const { return __all_sync(Mask, predicate); }
  unsigned ballot(int predicate) const {
    return packed(__ballot_sync(Mask, predicate));
  }
  template <class T> unsigned match_any(T value) const {
    return packed(__match_any_sync(Mask, value));
  }
  unsigned mask() const { return Mask; }

private:
  /// Returns the lane that has the given rank in the group.
  unsigned laneOf(unsigned rank) const {
    std::uint32_t rest = Mask;
    for (; rank > 0; --rank)
      rest &= rest - 1;
    return __builtin_ctz(rest);
  }
  /// Returns a mask with a bit for each rank, from one with a bit for each
  /// lane.
  unsigned packed(unsigned lanes) const {
    unsigned result = 0, rank = 0;
    kfuse_cpu::forEachLane(
        Mask, [&](unsigned lane) { result |= (lanes >> lane & 1) << rank++; });
    return result;
  }

  unsigned Mask;
};
inline coalesced_group coalesced_threads(int line = __builtin_LINE()) {
  return coalesced_group(__activemask(line));
}

/// Represents `Size` neighbouring lanes; `Size` is a power of two up to the
/// warp's size.
template <unsigned Size, class Parent = void>
class thread_block_tile : public coalesced_group {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0);

public:
  thread_block_tile()
      : coalesced_group((Size == 32 ? ~0u : (1u << Size % 32) - 1)
                        << (kfuse_cpu::laneId() / Size * Size)) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other> &other)
      : coalesced_group(other) {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return kfuse_cpu::laneId() % Size; }
  static unsigned meta_group_size() {
    return (thread_block::size() + Size - 1) / Size;
  }
  static unsigned meta_group_rank() {
    return thread_block::thread_rank() / Size;
  }
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}
template <class Parent>
coalesced_group tiled_partition(const Parent &, unsigned size) {
  unsigned first = kfuse_cpu::laneId() / size * size;
  return coalesced_group((size >= 32 ? ~0u : (1u << size) - 1) << first);
}

template <class Group> void sync(const Group &group) { group.sync(); }

} // namespace cooperative_groups

#endif
