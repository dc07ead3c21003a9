// RUN: %kfuse %s -o %t.cu --cost-without=memory,L2,issue,flops,starts,L1 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s --cost-without=memory,L2,issue,flops,starts,L1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse %s --quiet --cost-without=memory,L2,issue,flops,starts,L1 --emit=plan \
// RUN:   | FileCheck %s --check-prefix=PLAN
// RUN: %kfuse %s -o /dev/null --cost-without=memory,L2,issue,flops,starts,L1 -Rkfuse 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
//
// Arrays of which any thread reads any element, and that nobody needs in
// memory: who reads an element computes it. By threads on one axis, in rows,
// in planes, in a loop over the grid; one computed from another; beside a value
// in a register; from a kernel of a namespace to one that is a template.

// CHECK:      10 launches -> 4
// CHECK-NEXT: kfuse_squares_transpose = {{.*}}; never stored: S
// CHECK-NEXT: kfuse_halve_third_ring_backwards = {{.*}}; never stored: Q, R, H
// CHECK-NEXT: kfuse_cube_anyOf = {{.*}}; never stored: E
// CHECK-NEXT: kfuse_twice_anyOf = {{.*}}; never stored: G

// SAME: verified: original and fused leave equal traces
// SAME-SAME: (never stored: S, H, Q, R, E, G)

// PLAN:      schedule compute
// PLAN:      S computed by 'squares' where 'transpose' reads it
// PLAN:      schedule compute
// PLAN-NEXT: Q computed by 'third' where 'ring' and 'backwards' read it
// PLAN-NEXT: R in a register from 'ring' to 'backwards', never stored
// PLAN:      H computed by 'halve' where 'third' reads it

// REMARK: fused 'squares' and 'transpose' into 'kfuse_squares_transpose': S computed where it is read

// OUT:      // kfuse: the body of 'transpose', which computes S where it reads it.
// OUT-NEXT: template <typename T, typename S_array>
// OUT-NEXT: static __device__ __forceinline__ void transpose_at(
// OUT-NEXT:     int x, int y, const S_array &S, T *B, int w, int h) {
// OUT:          B[y * h + x] = S[x * w + y];

// A difference takes what is halved, whose product is rounded.
// OUT:      H_value = __fmul_rn(A[i], 0.5f);

// OUT:      kfuse_halve_third_ring_backwards(
// OUT:      {{^}}  const auto H_array = kfuseComputed([&](unsigned i) {
// OUT-NEXT:   float value = {};
// OUT-NEXT:   halve_stage(A, value, n, i);
// OUT:      {{^}}  const auto Q_array = kfuseComputed([&](unsigned i) {
// OUT-NEXT:   float value = {};
// OUT-NEXT:   third_at(i, H_array, value, n);
// OUT:      {{^}}  float R_value = {};
// OUT-NEXT: ring_stage(Q_array, R_value, n);
// OUT:      backwards_at(i, Q_array, R_value, C, n);

// OUT:      cube_at(i % 37, i / 37 % 21, i / 37 / 21, 

// OUT:      kfuse_squares_transpose(
// OUT:      {{^}}  const auto S_array = kfuseComputed([&](unsigned i) {
// OUT-NEXT:   float value = {};
// OUT-NEXT:   ::rows::squares_at(i % 37, i / 37, A, value, w, h);
// OUT-NEXT:   return value;
// OUT-NEXT: {{^}}  });
// OUT:      transpose_at<float>(x, y, S_array, B, w, h);

// OUT-NOT:  cudaMalloc(&S
// OUT-NOT:  cudaFree(Q
#include <cstdio>
#include <cuda_runtime.h>

namespace rows {
__global__ void squares(const float *A, float *S, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  S[y * w + x] = A[y * w + x] * A[y * w + x];
}
} // namespace rows

// Reads what the thread of the element across the diagonal wrote.
template <typename T>
__global__ void transpose(const T *S, T *B, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < h && y < w)
    B[y * h + x] = S[x * w + y];
}

__global__ void halve(const float *A, float *H, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    H[i] = A[i] * 0.5f;
}

__global__ void third(const float *H, float *Q, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n)
    Q[i] = H[i] / 3;
}

// The neighbours around a ring.
__global__ void ring(const float *Q, float *R, int n) {
  const auto i = int(threadIdx.x + blockDim.x * blockIdx.x);
  if (i < n) {
    const auto right = Q[(i + 1) % n];
    auto left = Q[(i + n - 1) % n];
    R[i] = right - left;
  }
}

__global__ void backwards(const float *Q, const float *R, float *C, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n)
    C[i] = Q[n - 1 - i] + R[i];
}

__global__ void cube(const double *D, double *E, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < a && j < b && k < c)
    E[(k * b + j) * a + i] = D[(k * b + j) * a + i] + 1;
}

__global__ void anyOf(const double *E, const int *index, double *F, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n)
    F[i] += E[index[i]];
}

// The first thread has no element.
__global__ void twice(const double *D, double *G, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= 1 && i <= n)
    G[i - 1] = D[i - 1] * 2;
}

int main() {
  const int w = 37, h = 21, n = w * h;
  static float a[w * h], b[w * h], c[w * h];
  static double d[w * h], f[w * h];
  static int index[w * h];
  for (int i = 0; i < n; ++i) {
    a[i] = i * 0.37f;
    d[i] = i;
    index[i] = i * 101 % n;
  }
  float *A, *S, *B, *H, *Q, *R, *C;
  double *D, *E, *F, *G;
  int *I;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&S, n * sizeof(float));
  cudaMalloc(&B, n * sizeof(float));
  cudaMalloc(&H, n * sizeof(float));
  cudaMalloc(&Q, n * sizeof(float));
  cudaMalloc(&R, n * sizeof(float));
  cudaMalloc(&C, n * sizeof(float));
  cudaMalloc(&D, n * sizeof(double));
  cudaMalloc(&E, n * sizeof(double));
  cudaMalloc(&F, n * sizeof(double));
  cudaMalloc(&G, n * sizeof(double));
  cudaMalloc(&I, n * sizeof(int));
  cudaMemcpy(A, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(D, d, sizeof(d), cudaMemcpyHostToDevice);
  cudaMemcpy(F, d, sizeof(d), cudaMemcpyHostToDevice);
  cudaMemcpy(I, index, sizeof(index), cudaMemcpyHostToDevice);
  const dim3 block(16, 4);
  rows::squares<<<dim3((w + 15) / 16, (h + 3) / 4), block>>>(A, S, w, h);
  transpose<<<dim3((h + 15) / 16, (w + 3) / 4), block>>>(S, B, w, h);
  cudaMemcpy(b, B, sizeof(b), cudaMemcpyDeviceToHost);
  b[0] += 1;
  halve<<<3, 64>>>(A, H, n);
  third<<<(n + 63) / 64, 64>>>(H, Q, n);
  ring<<<(n + 63) / 64, 64>>>(Q, R, n);
  backwards<<<(n + 63) / 64, 64>>>(Q, R, C, n);
  cudaMemcpy(c, C, sizeof(c), cudaMemcpyDeviceToHost);
  cube<<<dim3(10, 6, 1), dim3(4, 4, 2)>>>(D, E, w, h, 1);
  anyOf<<<(n + 63) / 64, 64>>>(E, I, F, n);
  cudaMemcpy(f, F, sizeof(f), cudaMemcpyDeviceToHost);
  twice<<<(n + 64) / 64, 64>>>(D, G, n);
  anyOf<<<(n + 63) / 64, 64>>>(G, I, F, n);
  cudaMemcpy(d, F, sizeof(d), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += b[i] * i + c[i] * f[i] + d[i];
  std::printf("%g\n", sum);
  cudaFree(A);
  cudaFree(S);
  cudaFree(B);
  cudaFree(H);
  cudaFree(Q);
  cudaFree(R);
  cudaFree(C);
  cudaFree(D);
  cudaFree(E);
  cudaFree(F);
  cudaFree(G);
  cudaFree(I);
}
