// Votes, matches, groups, intrinsics, vector types, half precision.
// RUN: %kfuse-cpu %s -o %t
// RUN: %t | FileCheck %s
// RUN: env KFUSE_CPU_ORDER=reverse %t | FileCheck %s
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <initializer_list>
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

/// Prints numbers, each in a line that names it.
static void show(const unsigned *numbers, std::initializer_list<const char *> lines) {
  for (const char *line : lines)
    printf(line, *numbers++);
}

int main() {
  unsigned *out;
  cudaMallocManaged(&out, 16 * sizeof(unsigned));
  votes<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  // CHECK: ballot 49249249
  // CHECK-NEXT: any, not all 2
  // CHECK-NEXT: match ff000000
  // CHECK-NEXT: active fff00000
  // CHECK-NEXT: count 5
  // CHECK-NEXT: both, not one 2
  // CHECK-NEXT: shuffled up 1200
  // CHECK-NEXT: added 25
  show(out, {"ballot %x\n", "any, not all %u\n", "match %x\n", "active %x\n",
             "count %u\n", "both, not one %u\n", "shuffled up %u\n", "added %u\n"});
  groups<<<1, 64>>>((int *)out);
  // CHECK-NEXT: tile 0 differs by 0
  // CHECK-NEXT: tile 1 differs by 0
  // CHECK-NEXT: tile 2 differs by 0
  // CHECK-NEXT: tile 3 differs by 0
  // CHECK-NEXT: tile 4 differs by 0
  // CHECK-NEXT: tile 5 differs by 0
  // CHECK-NEXT: tile 6 differs by 0
  // CHECK-NEXT: tile 7 differs by 0
  for (int i = 0; i < 8; ++i)
    printf("tile %d differs by %d\n", i, out[i]);
  // CHECK-NEXT: leaders 4
  // CHECK-NEXT: total 28
  show(out + 8, {"leaders %u\n", "total %u\n"});
  bits<<<1, 1>>>(out);
  // CHECK-NEXT: incremented 0
  // CHECK-NEXT: leading zeros 3132
  // CHECK-NEXT: first set 400
  // CHECK-NEXT: reversed 80000000
  // CHECK-NEXT: high product 3
  // CHECK-NEXT: bytes 77552200
  // CHECK-NEXT: float 3f800000
  // CHECK-NEXT: rounded 203
  // CHECK-NEXT: shifted 3
  // CHECK-NEXT: rounded up 1
  // CHECK-NEXT: extremes 8
  // CHECK-NEXT: vectors 33
  // CHECK-NEXT: floating 10
  // CHECK-NEXT: half 3
  // CHECK-NEXT: exchanged 17
  // CHECK-NEXT: before 20
  show(out, {"incremented %u\n", "leading zeros %u\n", "first set %u\n",
             "reversed %x\n", "high product %u\n", "bytes %x\n", "float %x\n",
             "rounded %u\n", "shifted %u\n", "rounded up %u\n", "extremes %u\n",
             "vectors %u\n", "floating %u\n", "half %u\n", "exchanged %u\n",
             "before %u\n"});
}
