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
};
class grid_group : public thread_group {
public:
  __device__ dim3 group_dim() const;
};
class coalesced_group : public thread_group {
public:
  template <typename T> __device__ T shfl(T, unsigned) const;
  template <typename T> __device__ T shfl_down(T, unsigned) const;
  template <typename T> __device__ T shfl_up(T, unsigned) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned ballot(int) const;
};
template <unsigned Size, typename Parent = void>
class thread_block_tile : public coalesced_group {
public:
  template <typename T> __device__ T shfl_xor(T, unsigned) const;
  __device__ unsigned meta_group_size() const;
  __device__ unsigned meta_group_rank() const;
};
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ coalesced_group coalesced_threads();
template <unsigned Size>
__device__ thread_block_tile<Size> tiled_partition(const thread_group &);
__device__ thread_group tiled_partition(const thread_group &, unsigned);
template <typename Group> __device__ void sync(const Group &);
template <typename T> struct plus {
  __device__ T operator()(T, T) const;
};
template <typename T> struct greater {
  __device__ T operator()(T, T) const;
};
template <typename T> struct less {
  __device__ T operator()(T, T) const;
};
template <typename Group, typename T, typename Operation>
__device__ T reduce(const Group &, T, Operation);
} // namespace cooperative_groups
