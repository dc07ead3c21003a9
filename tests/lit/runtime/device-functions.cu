// Votes, matches, groups, intrinsics, vector types, half precision.
// RUN: %kfuse-cpu %s -o %t
// RUN: %t | FileCheck %s
// RUN: env KFUSE_CPU_ORDER=reverse %t | FileCheck %s
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <math_constants.h>

namespace cg = cooperative_groups;

__global__ void votes(unsigned *out) {
  unsigned lane = threadIdx.x;
  unsigned full = 0xffffffff;
  unsigned ballot = __ballot_sync(full, lane % 3 == 0);
  int any = __any_sync(full, lane == 31), all = __all_sync(full, lane < 31);
  unsigned match = __match_any_sync(full, lane / 8);
  unsigned active = 0;
  if (lane < 20)
    active = __activemask();
  else
    active = __activemask();
  int count = __syncthreads_count(lane < 5);
  int both = __syncthreads_and(lane < 32), one = __syncthreads_or(lane == 40);
  double up = __shfl_up_sync(full, lane * 0.5, 1, 8);
  if (lane == 25) {
    out[0] = ballot;
    out[1] = any * 2 + all;
    out[2] = match;
    out[3] = active;
    out[4] = count;
    out[5] = both * 2 + one;
    out[6] = unsigned(up * 100);
    out[7] = __reduce_add_sync(1u << 25, lane);
  }
}

__global__ void groups(int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int sum = block.thread_rank();
  for (int d = tile.size() / 2; d > 0; d /= 2)
    sum += tile.shfl_down(sum, d);
  int total = cg::reduce(tile, int(block.thread_rank()), cg::plus<int>());
  if (tile.thread_rank() == 0) {
    out[tile.meta_group_rank()] = sum - total;
    cg::coalesced_group leaders = cg::coalesced_threads();
    if (tile.meta_group_rank() == 0)
      out[8] = leaders.size();
  }
  block.sync();
  if (threadIdx.x == 0)
    out[9] = total;
}

__global__ void bits(unsigned *out) {
  out[0] = __popc(0xF0F0u);
  out[1] = __clz(1) * 100 + __clz(0);
  out[2] = __ffs(8) * 100 + __ffs(0);
  out[3] = __brev(1);
  out[4] = __umulhi(0x80000000u, 6);
  out[5] = __byte_perm(0x33221100, 0x77665544, 0x7520);
  out[6] = __float_as_uint(1.0f);
  out[7] = __float2int_rn(2.5f) * 100 + __float2int_ru(2.1f);
  out[8] = __funnelshift_l(0x80000000u, 1, 1);
  out[9] = __fadd_ru(1.0f, 1e-10f) > 1.0f;
  out[10] = max(3, 7u) + min(-1, 2) + unsigned(max(1.5f, 2.0));
  float4 v = make_float4(1, 2, 3, 4);
  out[11] = unsigned(v.x + v.w) + sizeof(float3) + alignof(float4);
  out[12] = unsigned(rsqrtf(0.0625f)) + unsigned(__fdividef(8, 2)) +
            unsigned(__expf(0)) + (CUDART_INF_F > 1e30f);
  out[13] = unsigned(__half2float(__float2half(1.5f) * __half(2.0f)));
  out[14] = atomicCAS(&out[0], 8u, 9u) + atomicMax(&out[0], 20u);
  out[15] = atomicInc(&out[0], 20u) + out[0];
}

int main() {
  unsigned *out;
  cudaMallocManaged(&out, 16 * sizeof(unsigned));
  votes<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  // CHECK: 49249249 2 ff000000 fff00000 5 2 1200 25
  printf("%x %u %x %x %u %u %u %u\n", out[0], out[1], out[2], out[3], out[4],
         out[5], out[6], out[7]);
  groups<<<1, 64>>>((int *)out);
  // CHECK: 0 0 0 0 0 0 0 0 4 28
  for (int i = 0; i < 10; ++i)
    printf("%d ", out[i]);
  bits<<<1, 1>>>(out);
  // CHECK-SAME: 0 3132 400 80000000 3 77552200 3f800000 203 3 1 8 33 10 3 17 20
  for (int i = 0; i < 16; ++i)
    printf(i == 3 || i == 5 || i == 6 ? "%x " : "%u ", out[i]);
  printf("\n");
}
