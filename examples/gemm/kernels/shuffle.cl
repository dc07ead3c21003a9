//===- shuffle.cl - Exchange within a sub-group ---------------------------===//

// Registers instead of local memory: the sub-group's work-items hold one column
// each of SUB_GROUP columns of A, and hand them to each other by shuffles. The
// barrier keeps the group's sub-groups together, so that the cache serves the
// rows of B to all of them.
SUB_GROUP_KERNEL shuffle(MATRICES) {
  const int lane = get_sub_group_local_id();
  const int row = (get_group_id(1) * GROUP_Y + get_sub_group_id()) * ITEM_M;
  const int column = get_group_id(0) * TILE_N + lane;
  float sum[ITEM_M][ITEM_N] = {{0.0f}};
  for (int first = 0; first < K; first += TILE_K) {
    for (int k = first; k < first + TILE_K; k += SUB_GROUP) {
      float a[ITEM_M];
#pragma unroll
      for (int m = 0; m < ITEM_M; ++m)
        a[m] = A[(row + m) * lda + k + lane];
#pragma unroll
      for (int i = 0; i < SUB_GROUP; ++i) {
        float b[ITEM_N];
#pragma unroll
        for (int n = 0; n < ITEM_N; ++n)
          b[n] = B[(k + i) * ldb + column + n * SUB_GROUP];
#pragma unroll
        for (int m = 0; m < ITEM_M; ++m) {
          const float shared = SHUFFLE(a[m], i);
#pragma unroll
          for (int n = 0; n < ITEM_N; ++n)
            sum[m][n] += shared * b[n];
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_N; ++n)
      C[(row + m) * ldc + column + n * SUB_GROUP] = sum[m][n];
}
