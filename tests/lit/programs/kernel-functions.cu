// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
//
// All functions of kernels are declared. Those of numbers fuse; a cluster of blocks
// is more than a kernel's own threads.

// CHECK-NOT: error
// CHECK: KernelUnsupported: 'clustered' uses a call whose body isn't visible (__clusterRelativeBlockRank)
// CHECK: 4 launches -> 3
// CHECK: kfuse_limit_bend = 'limit', 'bend'
#include <cooperative_groups.h>
#include <curand_kernel.h>
namespace cg = cooperative_groups;

__global__ void limit(const unsigned *in, unsigned *low, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    low[i] = umin(in[i], 77u) + umax(in[i], 5u);
}
__global__ void bend(const unsigned *low, double *bent, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    bent[i] = fmax(jn(2, low[i]), norm4d(1.0, 2.0, 3.0, (double)llmax(low[i], 4)));
}
__global__ void clustered(const double *bent, double *ranks, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ranks[i] = bent[i] + __clusterRelativeBlockRank();
}
__global__ void draw(float4 *numbers, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ cg::block_tile_memory<128> memory;
  auto block = cg::this_thread_block(memory);
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto odd = cg::binary_partition(warp, i & 1);
  bool isLess;
  curandStatePhilox4_32_10_t state;
  curand_init(1, i, 0, &state);
  if (i < n && __vibmin_u32(odd.size(), 9, &isLess) && isLess)
    numbers[i] = curand_uniform4(&state);
}

void run(const unsigned *in, unsigned *low, double *bent, double *ranks, float4 *numbers, unsigned n) {
  limit<<<(n + 127) / 128, 128>>>(in, low, n);
  bend<<<(n + 127) / 128, 128>>>(low, bent, n);
  clustered<<<(n + 127) / 128, 128>>>(bent, ranks, n);
  draw<<<(n + 127) / 128, 128>>>(numbers, n);
}
