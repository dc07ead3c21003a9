// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
//
// Grids that cover a width however that is written: what a stencil reads was
// written, so that it is never stored. A grid that leaves out the last columns
// doesn't.
//
// SAME: verified: original and fused
//
// CHECK: 10 launches -> 5
// CHECK-NEXT: never stored: ofMember
// CHECK-NEXT: never stored: ofInt
// CHECK-NEXT: never stored: ofUnsigned
// CHECK-NEXT: never stored: ofLast
// CHECK-NOT:  never stored: ofFloor

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void slope(const float *u, float *s, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
    return;
  int i = y * nx + x;
  s[i] = u[i + 1] - u[i - 1];
}

__global__ void spread(const float *s, float *u, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2)
    return;
  int i = y * nx + x;
  u[i] = s[i - 1] + s[i + 1] + s[i - nx] + s[i + nx];
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? std::atoi(argv[1]) : 70, ny = 45;
  const int all = nx * ny;
  const size_t bytes = all * sizeof(float);
  float *u, *v, *ofMember, *ofInt, *ofUnsigned, *ofLast, *ofFloor;
  cudaMalloc(&u, bytes);
  cudaMalloc(&v, bytes);
  cudaMalloc(&ofMember, bytes);
  cudaMalloc(&ofInt, bytes);
  cudaMalloc(&ofUnsigned, bytes);
  cudaMalloc(&ofLast, bytes);
  cudaMalloc(&ofFloor, bytes);
  std::vector<float> host(all);
  for (int i = 0; i < all; ++i)
    host[i] = 0.125f * (i % 83);
  cudaMemcpy(u, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(v, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(ofFloor, host.data(), bytes, cudaMemcpyHostToDevice);
  const auto show = [&] {
    cudaMemcpy(host.data(), v, bytes, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < all; ++i)
      sum += host[i] * (i % 37);
    std::printf("%.9g\n", sum);
  };
  const dim3 block(16, 8);

  const dim3 byMember((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
  slope<<<byMember, block>>>(u, ofMember, nx, ny);
  spread<<<byMember, block>>>(ofMember, v, nx, ny);
  show();

  const int columns = (nx + block.x - 1) / block.x;
  const int rows = (ny + block.y - 1) / block.y;
  slope<<<dim3(columns, rows), block>>>(u, ofInt, nx, ny);
  spread<<<dim3(columns, rows), block>>>(ofInt, v, nx, ny);
  show();

  const unsigned wide = (nx + 15u) / 16, high = (ny + 7u) / 8;
  slope<<<dim3(wide, high), block>>>(u, ofUnsigned, nx, ny);
  spread<<<dim3(wide, high), block>>>(ofUnsigned, v, nx, ny);
  show();

  const dim3 byLast((nx - 1) / block.x + 1, (ny - 1) / block.y + 1);
  slope<<<byLast, block>>>(u, ofLast, nx, ny);
  spread<<<byLast, block>>>(ofLast, v, nx, ny);
  show();

  const dim3 byFloor(nx / block.x, ny / block.y);
  slope<<<byFloor, block>>>(u, ofFloor, nx, ny);
  spread<<<byFloor, block>>>(ofFloor, v, nx, ny);
  show();
}
