//===- block_read.cl - Block reads of a sub-group -------------------------===//

typedef const __global uint *Block;
#if VECTOR == 1
#define AS_VECTOR as_float
#define AS_BLOCK as_uint
#define READ_BLOCK intel_sub_group_block_read
#define WRITE_BLOCK intel_sub_group_block_write
#else
#define AS_VECTOR JOIN(as_float, VECTOR)
#define AS_BLOCK JOIN(as_uint, VECTOR)
#define READ_BLOCK JOIN(intel_sub_group_block_read, VECTOR)
#define WRITE_BLOCK JOIN(intel_sub_group_block_write, VECTOR)
#endif

// The same with block reads: one message loads consecutive elements for the
// whole sub-group, VECTOR for each work-item.
SUB_GROUP_KERNEL block_read(MATRICES) {
  const int row = (get_group_id(1) * GROUP_Y + get_sub_group_id()) * ITEM_M;
  const int column = get_group_id(0) * TILE_N;
  Vector sum[ITEM_M][ITEM_VECTORS];
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_VECTORS; ++n)
      sum[m][n] = 0.0f;
  for (int first = 0; first < K; first += TILE_K) {
    for (int k = first; k < first + TILE_K; k += SUB_GROUP) {
      float a[ITEM_M];
#pragma unroll
      for (int m = 0; m < ITEM_M; ++m)
        a[m] = as_float(
            intel_sub_group_block_read((Block)(A + (row + m) * lda + k)));
#pragma unroll
      for (int i = 0; i < SUB_GROUP; ++i) {
        Vector b[ITEM_VECTORS];
#pragma unroll
        for (int n = 0; n < ITEM_VECTORS; ++n)
          b[n] = AS_VECTOR(READ_BLOCK(
              (Block)(B + (k + i) * ldb + column + n * VECTOR * SUB_GROUP)));
#pragma unroll
        for (int m = 0; m < ITEM_M; ++m) {
          const float shared = SHUFFLE(a[m], i);
#pragma unroll
          for (int n = 0; n < ITEM_VECTORS; ++n)
            sum[m][n] += shared * b[n];
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_VECTORS; ++n)
      WRITE_BLOCK((__global uint *)(C + (row + m) * ldc + column +
                                    n * VECTOR * SUB_GROUP),
                  AS_BLOCK(sum[m][n]));
}
