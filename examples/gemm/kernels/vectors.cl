//===- vectors.cl - Vectors of four ---------------------------------------===//

// Vectors of four: a quarter of the load and store instructions. A work-item
// computes ITEM_M rows of one float4.
KERNEL vectors(MATRICES) {
  __local float4 tileA[TILE_M][TILE_K / 4];
  __local float4 tileB[TILE_K][TILE_N / 4];
  const int item = get_local_id(1) * GROUP_X + get_local_id(0);
  const int y = get_local_id(1) * ITEM_M;
  const int x = get_local_id(0);
  const int firstRow = get_group_id(1) * TILE_M;
  const int firstColumn = get_group_id(0) * TILE_N;
  float4 sum[ITEM_M];
  for (int m = 0; m < ITEM_M; ++m)
    sum[m] = 0.0f;
  for (int first = 0; first < K; first += TILE_K) {
    for (int i = item; i < TILE_M * TILE_K / 4; i += GROUP_ITEMS) {
      const int row = i / (TILE_K / 4), vector = i % (TILE_K / 4);
      tileA[row][vector] = vload4(vector, A + (firstRow + row) * lda + first);
    }
    for (int i = item; i < TILE_K * TILE_N / 4; i += GROUP_ITEMS) {
      const int row = i / (TILE_N / 4), vector = i % (TILE_N / 4);
      tileB[row][vector] =
          vload4(vector, B + (first + row) * ldb + firstColumn);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_K / 4; ++k) {
      const float4 b0 = tileB[k * 4][x], b1 = tileB[k * 4 + 1][x];
      const float4 b2 = tileB[k * 4 + 2][x], b3 = tileB[k * 4 + 3][x];
      for (int m = 0; m < ITEM_M; ++m) {
        const float4 a = tileA[y + m][k];
        sum[m] += a.s0 * b0;
        sum[m] += a.s1 * b1;
        sum[m] += a.s2 * b2;
        sum[m] += a.s3 * b3;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = 0; m < ITEM_M; ++m)
    vstore4(sum[m], x, C + (firstRow + y + m) * ldc + firstColumn);
}
