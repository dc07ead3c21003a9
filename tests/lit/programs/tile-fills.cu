// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// Tiles get what memory holds where nothing is written and something is read:
// at the border of an array, in one to three dimensions, and where there are
// more elements than threads. A read of any other cell would be one that the
// original doesn't do, beyond the array.

// CHECK: 15 launches -> 6
// CHECK-NEXT: kfuse_smooth_smooth_smooth = 'smooth', 'smooth', 'smooth'
// CHECK-NEXT: kfuse_first_ahead_ahead = 'first', 'ahead', 'ahead'
// CHECK-NEXT: kfuse_either_ahead = 'either', 'ahead'
// CHECK-NEXT: kfuse_star_star_star = 'star', 'star', 'star'
// CHECK-NEXT: kfuse_cross_cross = 'cross', 'cross'
// CHECK-NEXT: kfuse_plain_around = 'plain', 'around'
// CHECK: verified

// OUT: {{^}}static __global__ void kfuse_smooth_smooth_smooth(
// OUT-NOT: _written
// OUT: const auto kfuseInside = [&](long long column) {
// OUT-NEXT: return column >= 1 && n >= column + 2;
// OUT: if (!kfuseInside(column))
// OUT-NEXT: if (kfuseInside(column + 1) || kfuseInside(column - 1))
// OUT-NEXT: B_tile[threadIdx.x + 2{{.*}}] = w[column];
// OUT: {{^}}static __global__ void kfuse_first_ahead_ahead(
// OUT: const auto kfuseInside = [&](long long column) {
// OUT-NEXT: return column >= 1 && n >= column + 1;
// OUT: const auto kfuseInside2 = [&](long long column) {
// OUT-NEXT: return column >= 0 && column < 1ll * {{.*}}.x * 128;
// OUT: if (!kfuseInside(column))
// OUT-NEXT: if (kfuseInside2(column - 1) || kfuseInside2(column))
// OUT: if (!kfuseInside2(column))
// OUT-NEXT: if (kfuseInside2(column - 1))
// OUT: {{^}}static __global__ void kfuse_plain_around(
// OUT: return column >= 1 && (long long)nx * ny >= column + 2;
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void smooth(const float *v, float *w, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    w[i] = s * v[i] + (v[i - 1] + v[i + 1]);
}

// There is one element more than threads.
__global__ void first(const float *v, float *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    w[i] = v[i] + 1;
}
__global__ void ahead(const float *v, float *w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  w[i] = v[i + 1] - v[i];
}

// All threads write, in one arm or the other; there are more elements.
__global__ void either(const float *v, float *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    w[i] = v[i] + 2;
  else
    w[i] = 5;
}

// The number of elements may be too large for its factors' type.
__global__ void plain(const float *v, float *w, int nx, int ny) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < (long long)nx * ny - 1)
    w[i] = v[i] * 2;
}
__global__ void around(const float *v, float *w, int nx, int ny) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < (long long)nx * ny - 1)
    w[i] = v[i - 1] - v[i + 1];
}

__global__ void star(const float *v, float *w, float s, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  w[y * nx + x] = s * v[y * nx + x] + (v[y * nx + x - 1] + v[y * nx + x + 1]) +
                  (v[(y - 1) * nx + x] + v[(y + 1) * nx + x]);
}

__global__ void cross(const float *v, float *w, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1) {
    int i = x + nx * (y + ny * z);
    w[i] = v[i] + (v[i - 1] + v[i + 1] + v[i - nx] + v[i + nx] +
                   v[i - nx * ny] + v[i + nx * ny]);
  }
}

int main() {
  const int n = 1024, nx = 41, ny = 23, nz = 9, most = nx * ny * nz;
  static float host[most];
  float *A, *B, *C, *D, *F, *G, *H;
  const auto fill = [&](float **array, int count, int by) {
    for (int i = 0; i < count; ++i)
      host[i] = (i * by % 101) / 64.f;
    cudaMalloc(array, count * sizeof(float));
    // What is behind it; the tests at run time take arrays to reach further.
    float *behind;
    cudaMalloc(&behind, count * sizeof(float));
    cudaMemcpy(*array, host, count * sizeof(float), cudaMemcpyHostToDevice);
  };
  double sum = 0;
  const auto add = [&](const float *array, int count) {
    cudaMemcpy(host, array, count * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i)
      sum += host[i] * (i % 13 + 1);
  };
  fill(&A, n, 37);
  fill(&B, n, 31);
  fill(&C, n, 29);
  fill(&D, n, 23);
  smooth<<<n / 128, 128>>>(A, B, 0.3f, n);
  smooth<<<n / 128, 128>>>(B, C, 0.4f, n);
  smooth<<<n / 128, 128>>>(C, D, 0.5f, n);
  add(B, n);
  add(C, n);
  add(D, n);
  fill(&F, n + 1, 19);
  fill(&G, n + 1, 17);
  fill(&H, n, 13);
  first<<<n / 128, 128>>>(A, F, n);
  ahead<<<n / 128, 128>>>(F, G);
  ahead<<<n / 128, 128>>>(G, H);
  add(F, n + 1);
  add(G, n + 1);
  add(H, n);

  either<<<n / 128, 128>>>(A, F, n - 30);
  ahead<<<n / 128, 128>>>(F, G);
  add(F, n + 1);
  add(G, n + 1);

  float *P, *Q, *R, *S;
  fill(&P, most, 37);
  fill(&Q, most, 41);
  fill(&R, most, 43);
  fill(&S, most, 47);
  const dim3 flat(16, 8), tiles((nx + 15) / 16, (ny + 7) / 8);
  star<<<tiles, flat>>>(P, Q, 0.3f, nx, ny);
  star<<<tiles, flat>>>(Q, R, 0.3f, nx, ny);
  star<<<tiles, flat>>>(R, S, 0.3f, nx, ny);
  add(Q, nx * ny);
  add(R, nx * ny);
  add(S, nx * ny);
  const dim3 block(16, 4, 4), grid((nx + 15) / 16, (ny + 3) / 4, (nz + 3) / 4);
  cross<<<grid, block>>>(P, Q, nx, ny, nz);
  cross<<<grid, block>>>(Q, R, nx, ny, nz);
  add(Q, most);
  add(R, most);
  plain<<<(nx * ny + 127) / 128, 128>>>(P, Q, nx, ny);
  around<<<(nx * ny + 127) / 128, 128>>>(Q, R, nx, ny);
  add(Q, nx * ny);
  add(R, nx * ny);
  printf("%.17g\n", sum);
  return 0;
}
