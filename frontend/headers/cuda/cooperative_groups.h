// Cooperative groups: declarations only.
#pragma once
#pragma GCC system_header
#define _COOPERATIVE_GROUPS_H_
#include "cuda_runtime.h"

namespace cooperative_groups {
class thread_group {
public:
  __device__ void sync() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ bool is_valid() const;
};
class thread_block : public thread_group {
public:
  __device__ dim3 group_index() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_threads() const;
  struct arrival_token {};
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
};
class grid_group : public thread_group {
public:
  struct arrival_token {};
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_blocks() const;
  __device__ dim3 block_index() const;
  __device__ unsigned long long num_blocks() const;
  __device__ unsigned long long block_rank() const;
};
class cluster_group : public thread_group {
public:
  __device__ void barrier_arrive() const;
  __device__ void barrier_wait() const;
  __device__ dim3 block_index() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 dim_blocks() const;
  __device__ dim3 dim_threads() const;
  __device__ unsigned num_blocks() const;
  __device__ unsigned block_rank() const;
  template <typename T> __device__ T *map_shared_rank(T *, int) const;
  __device__ unsigned query_shared_rank(const void *) const;
};
class coalesced_group : public thread_group {
public:
  template <typename T> __device__ T shfl(T, unsigned) const;
  template <typename T> __device__ T shfl_down(T, unsigned) const;
  template <typename T> __device__ T shfl_up(T, unsigned) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned ballot(int) const;
  template <typename T> __device__ unsigned match_any(T) const;
  template <typename T> __device__ unsigned match_all(T, int &) const;
  __device__ unsigned meta_group_size() const;
  __device__ unsigned meta_group_rank() const;
};
template <unsigned Size, typename Parent = void>
class thread_block_tile : public coalesced_group {
public:
  template <typename T> __device__ T shfl_xor(T, unsigned) const;
  __device__ operator thread_block_tile<Size, void>() const;
};
// Shared memory for tiles of more threads than a warp has.
template <unsigned Threads = 1024> struct block_tile_memory {
  char bytes[Threads];
};
__device__ thread_block this_thread_block();
template <unsigned Threads>
__device__ thread_block this_thread_block(block_tile_memory<Threads> &);
__device__ cluster_group this_cluster();
__device__ grid_group this_grid();
__device__ coalesced_group coalesced_threads();
template <unsigned Size, typename Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &);
__device__ thread_group tiled_partition(const thread_group &, unsigned);
__device__ coalesced_group tiled_partition(const coalesced_group &, unsigned);
template <typename Group>
__device__ coalesced_group binary_partition(const Group &, bool);
template <typename Group, typename Label>
__device__ coalesced_group labeled_partition(const Group &, Label);
template <typename Group> __device__ void sync(const Group &);
template <typename Group, typename T, typename Size>
__device__ void memcpy_async(const Group &, T *, const T *, const Size &);
template <typename Group> __device__ void wait(const Group &);
template <unsigned Stages, typename Group>
__device__ void wait_prior(const Group &);
template <typename Group, typename Call>
__device__ void invoke_one(const Group &, Call &&);
template <typename T> struct plus {
  __device__ T operator()(T, T) const;
};
template <typename T> struct greater {
  __device__ T operator()(T, T) const;
};
template <typename T> struct less {
  __device__ T operator()(T, T) const;
};
template <typename T> struct bit_and {
  __device__ T operator()(T, T) const;
};
template <typename T> struct bit_or {
  __device__ T operator()(T, T) const;
};
template <typename T> struct bit_xor {
  __device__ T operator()(T, T) const;
};
template <typename Group, typename T, typename Operation>
__device__ T reduce(const Group &, T, Operation);
template <typename Group, typename T>
__device__ T inclusive_scan(const Group &, T);
template <typename Group, typename T, typename Operation>
__device__ T inclusive_scan(const Group &, T, Operation);
template <typename Group, typename T>
__device__ T exclusive_scan(const Group &, T);
template <typename Group, typename T, typename Operation>
__device__ T exclusive_scan(const Group &, T, Operation);
} // namespace cooperative_groups
