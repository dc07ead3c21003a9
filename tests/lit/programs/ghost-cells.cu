// Arrays with ghost cells have sizes that are sums: rows of n + 2 elements, planes of (n + 2)². Neighbours and elements
// of a thread's own are found in them as in those of plain sizes, also where each size is another sum.
// That the tiles of these blocks don't pay is left out of the cost.
// RUN: %kfuse verify --cost-without=memory,L2,issue,flops,starts,L1 %s -- 13 2>&1 | FileCheck %s
// RUN: sed 's/(n) n + 2, ny = n + 2, nz = n + 2/(n) 2 * n + 1, ny = n + 4, nz = n + argc/' %s > %t.cu
// RUN: %kfuse verify --cost-without=memory,L2,issue,flops,starts,L1 %t.cu -- 9 2>&1 | FileCheck %s
// CHECK: 4 launches -> 1
// CHECK: never stored: dValues, dSquares{{$}}
// CHECK: verified
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define GHOSTS(n) n + 2, ny = n + 2, nz = n + 2

#define FIND_CELL                                                              \
  const int x = blockIdx.x * blockDim.x + threadIdx.x;                         \
  const int y = blockIdx.y * blockDim.y + threadIdx.y;                         \
  const int z = blockIdx.z * blockDim.z + threadIdx.z;                         \
  const int cell = (z * ny + y) * nx + x
#define IS_INSIDE(ghosts)                                                      \
  (x >= ghosts && y >= ghosts && z >= ghosts && x < nx - ghosts &&             \
   y < ny - ghosts && z < nz - ghosts)

__global__ void fill(float *values, int nx, int ny, int nz) {
  FIND_CELL;
  if (IS_INSIDE(0))
    values[cell] = (cell * 7 % 13) * 0.25f;
}

__global__ void square(const float *values, float *squares, int nx, int ny,
                       int nz) {
  FIND_CELL;
  if (IS_INSIDE(0))
    squares[cell] = values[cell] * values[cell];
}

__global__ void compare(const float *squares, float *highest, int nx, int ny,
                        int nz) {
  FIND_CELL;
  if (!IS_INSIDE(1)) {
    if (IS_INSIDE(0))
      highest[cell] = 0;
    return;
  }
  const float beside = fmaxf(squares[cell - 1], squares[cell + 1]);
  const float above = fmaxf(squares[cell - nx], squares[cell + nx]);
  const float behind =
      fmaxf(squares[cell - nx * ny], squares[cell + nx * ny]);
  highest[cell] = fmaxf(fmaxf(beside, above), behind);
}

__global__ void halve(float *highest, int nx, int ny, int nz) {
  FIND_CELL;
  if (IS_INSIDE(0))
    highest[cell] *= 0.5f;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 10;
  const int nx = GHOSTS(n);
  const size_t cells = static_cast<size_t>(nx) * ny * nz;
  float *dValues, *dSquares, *dHighest;
  cudaMalloc(&dValues, cells * sizeof(float));
  cudaMalloc(&dSquares, cells * sizeof(float));
  cudaMalloc(&dHighest, cells * sizeof(float));

  const dim3 block(32, 4, 2);
  const dim3 grid((nx + 31) / 32, (ny + 3) / 4, (nz + 1) / 2);
  fill<<<grid, block>>>(dValues, nx, ny, nz);
  square<<<grid, block>>>(dValues, dSquares, nx, ny, nz);
  compare<<<grid, block>>>(dSquares, dHighest, nx, ny, nz);
  halve<<<grid, block>>>(dHighest, nx, ny, nz);

  float *highest = static_cast<float *>(malloc(cells * sizeof(float)));
  cudaMemcpy(highest, dHighest, cells * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (size_t i = 0; i < cells; ++i)
    sum += highest[i] * (i % 5);
  printf("%.6f\n", sum);
  free(highest);
  cudaFree(dValues);
  cudaFree(dSquares);
  cudaFree(dHighest);
  return 0;
}
