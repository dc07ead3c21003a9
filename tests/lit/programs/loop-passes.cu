// RUN: %kfuse %s -o %t.cu --relaxed-rounding -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --relaxed-rounding %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A loop that runs a few times around one launch is written out where its
// passes fuse, and so are blocks in braces. Other loops stay: one that repeats
// a launch as it is, which measures it, those that are left early or whose
// counter is more than a counter, those that run often, and those whose variables
// would need much more of the stack.

// CHECK:     remark: fused 'stage', 'stage', 'stage'
// CHECK:     remark: fused 'stage', 'stage':
// CHECK:     remark: fused 'stage', 'stage':
// CHECK:     remark: fused 'stage', 'stage', 'stage': {{.*}} (line 130)
// CHECK-NOT: remark: fused
// SAME: verified: original and fused

// OUT:      goto done;
// OUT-NEXT: for (int k = 0; k < 3; ++k)
// OUT-NEXT:   stage<<<blocks, 128>>>(u, r, coef[k], n);
// OUT:      {{^}}int main() {
// OUT:      // Three stages.
// OUT-NEXT: kfuse_stage_stage_stage<<<blocks, 128>>>(
// OUT:      // Backwards, by twos, in a block.
// OUT-NEXT: const float factor_2 = coef[4];
// OUT-NEXT: const float factor_3 = coef[2];
// OUT-NEXT: kfuse_stage_stage{{.*}}<<<blocks, 128>>>(
// OUT:      // Blocks of their own.
// OUT-NEXT: int m_2 = n - 1;
// OUT-NEXT: int m_3 = n - 2;
// OUT-NEXT: kfuse_stage_stage{{.*}}<<<blocks, 128>>>(
// OUT:      for (int k = 0; k < 4; ++k)
// OUT-NEXT:   stage<<<blocks, 128>>>(u, r, 0.1f, n);
// OUT:      for (int k = 0; k < 4; ++k) {
// OUT-NEXT:   if (coef[k] > 9)
// OUT-NEXT:     break;
// OUT:      for (int k = 0; k < 5; ++k) {
// OUT-NEXT:   float tail[1000];
// OUT:      for (int k = 0; k < 6; ++k) {
// OUT-NEXT:   stage<<<blocks, 128>>>(u, r, coef[k], n);
// OUT-NEXT:   ++k;
// OUT:      for (int k = 0; k < 9; ++k)
// OUT-NEXT:   stage<<<blocks, 128>>>(u, r, 0.1f * k, n);
// OUT:      kfuse_stage_stage_stage<<<blocks, 128>>>(u, r, coef[0], n, coef[1], coef[2]);
#include <cstdio>
#include <cuda_runtime.h>

#define STAGES 3
#define LAUNCH(number) stage<<<blocks, 128>>>(u, r, coef[number], n)

__global__ void stage(float *u, const float *r, float c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    u[i] = u[i] * 0.5f + c * r[i];
}

void jumps(float *u, const float *r, int n, int argc) {
  const int blocks = (n + 127) / 128;
  const float coef[] = {0.5f, 0.25f, 0.125f};
  if (argc > 5)
    goto done;
  for (int k = 0; k < 3; ++k)
    stage<<<blocks, 128>>>(u, r, coef[k], n);
done:
  cudaDeviceSynchronize();
}

void print(const float *u) {
  float h[1000];
  cudaMemcpy(h, u, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[5], h[999]);
}

int main() {
  const int n = 1000;
  const float coef[] = {0.3f, 0.2f, 0.7f, 0.1f, 0.6f, 0.5f};
  static float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = i % 17;
  float *u, *r;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&r, n * sizeof(float));
  cudaMemcpy(u, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(r, h, sizeof h, cudaMemcpyHostToDevice);
  int blocks = (n + 127) / 128;
  // Three stages.
  for (int k = 0; k < STAGES; ++k)
    stage<<<blocks, 128>>>(u, r, coef[k], n);
  print(u);
  // Backwards, by twos, in a block.
  for (int k = 4; k >= 1; k -= 2) {
    const float factor = coef[k];
    stage<<<blocks, 128>>>(u, r, factor, n);
  }
  print(u);
  // Blocks of their own.
  {
    int m = n - 1;
    stage<<<blocks, 128>>>(u, r, 0.1f, m);
  }
  {
    int m = n - 2;
    stage<<<blocks, 128>>>(u, r, 0.3f, m);
  }
  print(u);
  for (int k = 0; k < 4; ++k)
    stage<<<blocks, 128>>>(u, r, 0.1f, n);
  print(u);
  for (int k = 0; k < 4; ++k) {
    if (coef[k] > 9)
      break;
    stage<<<blocks, 128>>>(u, r, coef[k], n);
  }
  print(u);
  for (int k = 0; k < 5; ++k) {
    float tail[1000];
    tail[k] = coef[k];
    stage<<<blocks, 128>>>(u, r, tail[k], n);
  }
  print(u);
  for (int k = 0; k < 6; ++k) {
    stage<<<blocks, 128>>>(u, r, coef[k], n);
    ++k;
  }
  print(u);
  for (int k = 0; k < 9; ++k)
    stage<<<blocks, 128>>>(u, r, 0.1f * k, n);
  print(u);
  for (int k = 0; k < 3; ++k)
    LAUNCH(k);
  print(u);
  // Those of a function with labels.
  jumps(u, r, n, 3);
  print(u);
  cudaFree(u);
  cudaFree(r);
}
