//===- outputs.cl - Several outputs a work-item ---------------------------===//

// Several outputs a work-item, one after the other: fewer work-items, and each
// output still loads all of its operands.
KERNEL outputs(MATRICES) {
  const int row = get_global_id(1) * ITEM_M;
  const int column = get_global_id(0) * ITEM_N;
  for (int m = 0; m < ITEM_M; ++m)
    for (int n = 0; n < ITEM_N; ++n) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += A[(row + m) * lda + k] * B[k * ldb + column + n];
      C[(row + m) * ldc + column + n] = sum;
    }
}
