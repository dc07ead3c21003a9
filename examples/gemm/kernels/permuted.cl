//===- permuted.cl - Operands in registers --------------------------------===//

// The same loops with k outermost: an operand that is loaded once serves a row
// or a column of outputs, which stay in registers.
KERNEL permuted(MATRICES) {
  const int row = get_global_id(1) * ITEM_M;
  const int column = get_global_id(0) * ITEM_N;
  float sum[ITEM_M][ITEM_N] = {{0.0f}};
  for (int k = 0; k < K; ++k)
    for (int m = 0; m < ITEM_M; ++m)
      for (int n = 0; n < ITEM_N; ++n)
        sum[m][n] += A[(row + m) * lda + k] * B[k * ldb + column + n];
  for (int m = 0; m < ITEM_M; ++m)
    for (int n = 0; n < ITEM_N; ++n)
      C[(row + m) * ldc + column + n] = sum[m][n];
}
