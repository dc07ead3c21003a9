// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The new values inside, those at the edges by row and by column, and a copy
// back of both arrays by another shape: no kernel overwrites all of the new
// arrays, but all together do.

// CHECK: remark: 'update' becomes a swap of u with uNew and v with vNew of the pointers on the host [-Rkfuse]
// OUT: {{^ *}}kfuseSwap(u, uNew);
// OUT-NEXT: {{^ *}}kfuseSwap(v, vNew);
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define at(i, j) (i) * nx + (j)

__global__ void core(float *uNew, float *vNew, const float *u, const float *v,
                     int nx, int ny) {
  int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (j < nx - 1 && i < ny - 1) {
    uNew[at(i, j)] = 0.25f * (u[at(i - 1, j)] + u[at(i + 1, j)]);
    vNew[at(i, j)] = 0.25f * (v[at(i, j - 1)] + u[at(i, j + 1)]);
  }
}

__global__ void rows(float *uNew, float *vNew, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    uNew[at(0, i)] = 1;
    vNew[at(0, i)] = 2;
    uNew[at(ny - 1, i)] = 3;
    vNew[at(ny - 1, i)] = 4;
  }
}

__global__ void columns(float *uNew, float *vNew, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    uNew[at(j, 0)] = 5;
    vNew[at(j, 0)] = 6;
    uNew[at(j, nx - 1)] = 7;
    vNew[at(j, nx - 1)] = 8;
  }
}

__global__ void update(float *u, float *v, const float *uNew, const float *vNew,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    u[i] = uNew[i];
    v[i] = vNew[i];
  }
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? atoi(argv[1]) : 37, ny = argc > 1 ? nx : 22;
  const int cells = nx * ny;
  float *host = (float *)malloc(cells * sizeof(float));
  for (int i = 0; i < cells; ++i)
    host[i] = (float)(i % 23);
  float *u, *v, *uNew, *vNew;
  cudaMalloc((void **)&u, cells * sizeof(float));
  cudaMalloc((void **)&v, cells * sizeof(float));
  cudaMalloc((void **)&uNew, cells * sizeof(float));
  cudaMalloc((void **)&vNew, cells * sizeof(float));
  cudaMemcpy(u, host, cells * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(v, host, cells * sizeof(float), cudaMemcpyHostToDevice);
  dim3 grid((nx - 2 + 15) / 16, (ny - 2 + 7) / 8), block(16, 8);
  for (int step = 0; step < 3; ++step) {
    core<<<grid, block>>>(uNew, vNew, u, v, nx, ny);
    rows<<<(nx + 63) / 64, 64>>>(uNew, vNew, nx, ny);
    columns<<<(ny + 63) / 64, 64>>>(uNew, vNew, nx, ny);
    update<<<(cells + 63) / 64, 64>>>(u, v, uNew, vNew, cells);
  }
  double sum = 0;
  cudaMemcpy(host, u, cells * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < cells; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, v, cells * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < cells; ++i)
    sum += host[i] * (i % 5);
  printf("%.3f\n", sum);
  cudaFree(u);
  cudaFree(v);
  cudaFree(uNew);
  cudaFree(vNew);
  free(host);
}
