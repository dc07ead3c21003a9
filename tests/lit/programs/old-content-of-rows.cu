// A tile takes the old content of cells that its producer leaves out; where the array is passed as rows, it is found by
// cells all the same.
// RUN: %kfuse verify --cost-without=memory,L2,issue,flops,starts,L1 %s 2>&1 | FileCheck %s
// CHECK: 2 launches -> 1
// CHECK: verified
//
// So it is where a type's name hides the rows, in a tile and in a register.
// RUN: sed -e 's/^constexpr.*/&\ntypedef float Row[COLUMNS];/' -e 's/const float from\[\]\[COLUMNS\], float to\[\]\[COLUMNS\]/const Row *from, Row *to/' %s > %t.named.cu
// RUN: grep 'const Row \*from, Row \*to' %t.named.cu
// RUN: %kfuse verify --cost-without=memory,L2,issue,flops,starts,L1 %t.named.cu 2>&1 | FileCheck %s
// RUN: sed 's/x - 1/x/' %t.named.cu > %t.register.cu
// RUN: %kfuse verify --cost-without=memory,L2,issue,flops,starts,L1 %t.register.cu 2>&1 | FileCheck %s
#include <cstdio>
#include <cuda_runtime.h>

constexpr int COLUMNS = 32;

__global__ void shift(const float from[][COLUMNS], float to[][COLUMNS], int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx && y < ny)
    to[y][x] = from[y][x - 1];
}

int main() {
  const int nx = COLUMNS;
  const int ny = 24;
  const int n = nx * ny;
  static float host[n];
  for (int k = 0; k < n; ++k)
    host[k] = float(k * 7 % 23) / 4 - 2;
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host + 1, (n - 1) * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, host + 2, (n - 2) * sizeof(float), cudaMemcpyHostToDevice);
  dim3 grid((nx + 7) / 8, (ny + 7) / 8);
  dim3 block(8, 8);
  shift<<<grid, block>>>((float (*)[COLUMNS])(a), (float (*)[COLUMNS])(b), nx, ny);
  shift<<<grid, block>>>((float (*)[COLUMNS])(b), (float (*)[COLUMNS])(c), nx, ny);
  cudaMemcpy(host, c, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += host[k] * (k % 11);
  std::printf("%f\n", sum);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
