// RUN: %kfuse verify %s -- 45 37 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -- 1 37 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.cu
// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=GROUPS
//
// Kernels for the sides of a grid with a border. Their spans overlap, but no
// element is in two of them, since rows or columns differ.
//
// CHECK: verified: original and fused
//
// GROUPS-DAG: fused 'left', 'right', 'bottom', 'top'
// GROUPS-DAG: fused 'front', 'back'
//
// The first column with its corners, which the first row reads; columns that
// reach into the next row; a row that is in the other's range.
//
// GROUPS-DAG: 'whole_left' and 'whole_bottom' not fused: CrossThread
// GROUPS-DAG: 'bottom' and 'too_long' not fused: NotForwardable
// GROUPS-DAG: 'bottom' and 'rows' not fused: CrossThread
//
// What keeps them apart is tested where nothing says it.
//
// OUT:      if (forRows == forColumns &&
// OUT-NEXT: (long long)nx >= 1 &&
// OUT-NEXT: (long long)ny >= 1) {

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void left(float *h, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < ny + 1)
    h[i * (nx + 2)] = h[i * (nx + 2) + 1] * 0.5f;
}

__global__ void right(float *h, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < ny + 1)
    h[i * (nx + 2) + nx + 1] = h[i * (nx + 2) + nx] + 1.0f;
}

__global__ void bottom(float *h, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > 0 && j < nx + 1)
    h[j] = h[nx + 2 + j] * 0.25f;
}

__global__ void top(float *h, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > 0 && j < nx + 1)
    h[(ny + 1) * (nx + 2) + j] = h[ny * (nx + 2) + j] - 1.0f;
}

__global__ void whole_left(float *h, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < ny + 2)
    h[i * (nx + 2)] = h[i * (nx + 2) + 1] * 0.5f;
}

__global__ void whole_bottom(float *h, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < nx + 1)
    h[j + 1] = h[nx + 2 + j] * 0.25f;
}

__global__ void too_long(float *h, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > 0 && j < nx + 4)
    h[2 * (nx + 2) + j] = h[j - 1] + 2.0f;
}

__global__ void rows(float *h, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < ny)
    h[i * (nx + 2) + 3] = h[i * (nx + 2) + 4] * 0.75f;
}

// Two faces of a volume, with rows in planes.
__global__ void front(float *v, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int z = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && z < nz)
    v[(z * ny) * nx + x] = v[(z * ny + 1) * nx + x] * 0.5f;
}

__global__ void back(float *v, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int z = blockIdx.y * blockDim.y + threadIdx.y;
  if (ny > 3 && x < nx && z < nz)
    v[(z * ny + ny - 1) * nx + x] = v[(z * ny + ny - 2) * nx + x] + 1.0f;
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? std::atoi(argv[1]) : 20;
  const int ny = argc > 2 ? std::atoi(argv[2]) : 20;
  const int nz = 5, all = (nx + 2) * (ny + 2);
  float *h, *v;
  cudaMalloc(&h, all * sizeof(float));
  cudaMalloc(&v, nx * ny * nz * sizeof(float));
  std::vector<float> host(all), volume(nx * ny * nz);
  for (int i = 0; i < all; ++i)
    host[i] = 0.5f * (i % 37);
  for (int i = 0; i < nx * ny * nz; ++i)
    volume[i] = 0.25f * (i % 59);
  cudaMemcpy(h, host.data(), all * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(v, volume.data(), volume.size() * sizeof(float), cudaMemcpyHostToDevice);
  const auto show = [&] {
    cudaMemcpy(host.data(), h, all * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < all; ++i)
      sum += host[i] * (i % 29);
    std::printf("%.9g\n", sum);
  };
  const int forRows = (ny + 2 + 63) / 64, forColumns = (nx + 5 + 63) / 64;
  left<<<forRows, 64>>>(h, nx, ny);
  right<<<forRows, 64>>>(h, nx, ny);
  bottom<<<forColumns, 64>>>(h, nx, ny);
  top<<<forColumns, 64>>>(h, nx, ny);
  show();
  whole_left<<<forRows, 64>>>(h, nx, ny);
  whole_bottom<<<forColumns, 64>>>(h, nx, ny);
  show();
  bottom<<<forColumns, 64>>>(h, nx, ny);
  too_long<<<forColumns, 64>>>(h, nx, ny);
  show();
  bottom<<<forColumns, 64>>>(h, nx, ny);
  rows<<<forRows, 64>>>(h, nx, ny);
  show();
  const dim3 block(16, 4), grid((nx + 15) / 16, (nz + 3) / 4);
  front<<<grid, block>>>(v, nx, ny, nz);
  back<<<grid, block>>>(v, nx, ny, nz);
  cudaMemcpy(volume.data(), v, volume.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (std::size_t i = 0; i < volume.size(); ++i)
    sum += volume[i] * (i % 31);
  std::printf("%.9g\n", sum);
}
