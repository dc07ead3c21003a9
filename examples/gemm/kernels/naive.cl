//===- naive.cl - One output a work-item ----------------------------------===//

// One output a work-item. Each multiply-add takes two loads.
KERNEL naive(MATRICES) {
  const int row = get_global_id(1);
  const int column = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[row * lda + k] * B[k * ldb + column];
  C[row * ldc + column] = sum;
}
