//===- tiles.cl - Operands in local memory --------------------------------===//

// The group's operands in local memory: each is loaded from global memory once
// for the whole group. Adjacent outputs a work-item make neighbours read the
// tile of B at a stride of ITEM_N: several hit the same bank.
KERNEL tiles(MATRICES) {
  __local float tileA[TILE_M][TILE_K];
  __local float tileB[TILE_K][TILE_N];
  const int y = get_local_id(1) * ITEM_M;
  const int x = get_local_id(0) * ITEM_N;
  const int firstRow = get_group_id(1) * TILE_M;
  const int firstColumn = get_group_id(0) * TILE_N;
  float sum[ITEM_M][ITEM_N] = {{0.0f}};
  for (int first = 0; first < K; first += TILE_K) {
    copyTile(A + firstRow * lda + first, lda, TILE_M, TILE_K, tileA[0], TILE_K);
    copyTile(B + first * ldb + firstColumn, ldb, TILE_K, TILE_N, tileB[0],
             TILE_N);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_K; ++k)
      for (int m = 0; m < ITEM_M; ++m)
        for (int n = 0; n < ITEM_N; ++n)
          sum[m][n] += tileA[y + m][k] * tileB[k][x + n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = 0; m < ITEM_M; ++m)
    for (int n = 0; n < ITEM_N; ++n)
      C[(firstRow + y + m) * ldc + firstColumn + x + n] = sum[m][n];
}
