//===- registers.cl - Large tiles of registers ----------------------------===//

// Large tiles of registers, all loops over them unrolled: ITEM_M + ITEM_N loads
// serve ITEM_M * ITEM_N multiply-adds. A work-item's vectors are GROUP_X apart.
KERNEL registers(MATRICES) {
  __local float tileA[TILE_M][TILE_K + 4] __attribute__((aligned(64)));
  __local float tileB[TILE_K][TILE_N] __attribute__((aligned(64)));
  const int item = get_local_id(1) * GROUP_X + get_local_id(0);
  const int y = get_local_id(1) * ITEM_M;
  const int x = get_local_id(0) * VECTOR;
  const int firstRow = get_group_id(1) * TILE_M;
  const int firstColumn = get_group_id(0) * TILE_N;
  Vector sum[ITEM_M][ITEM_VECTORS];
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_VECTORS; ++n)
      sum[m][n] = 0.0f;
  for (int first = 0; first < K; first += TILE_K) {
    copyTile(A + firstRow * lda + first, lda, TILE_M, TILE_K, tileA[0],
             TILE_K + 4);
    for (int i = item * VECTOR; i < TILE_K * TILE_N; i += GROUP_ITEMS * VECTOR)
      STORE(LOAD(B + (first + i / TILE_N) * ldb + firstColumn + i % TILE_N),
            tileB[0] + i);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_K; ++k) {
      Vector b[ITEM_VECTORS];
#pragma unroll
      for (int n = 0; n < ITEM_VECTORS; ++n)
        b[n] = LOAD(&tileB[k][x + n * GROUP_X * VECTOR]);
#pragma unroll
      for (int m = 0; m < ITEM_M; ++m) {
        const float a = tileA[y + m][k];
#pragma unroll
        for (int n = 0; n < ITEM_VECTORS; ++n)
          sum[m][n] += a * b[n];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_VECTORS; ++n)
      STORE(sum[m][n], C + (firstRow + y + m) * ldc + firstColumn + x +
                           n * GROUP_X * VECTOR);
}
