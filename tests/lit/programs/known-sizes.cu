// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT --implicit-check-not='if ({{1073741824}}'
// CHECK: 3 launches -> 1
//
// A line runs along the rows of a plane whose size the text tells: its indices
// needn't be tested to be numbers that an int has.
// OUT: int main() {
// OUT: <<<grid, block>>>(

#include <cstdio>
#include <cuda_runtime.h>

__global__ void slope(const float *height, float *slopes, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
    slopes[y * nx + x] = fmaxf(height[y * nx + x + 1], height[y * nx + x - 1]);
}

__global__ void mark(const float *slopes, unsigned char *marks, int nx,
                     int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
    marks[y * nx + x] = slopes[y * nx + x] > 2;
}

int main() {
  const int nx = 200, ny = 120, n = nx * ny;
  static float host[n];
  static unsigned char found[n];
  float *height, *slopes;
  unsigned char *marks;
  cudaMalloc(&height, n * sizeof(float));
  cudaMalloc(&slopes, n * sizeof(float));
  cudaMalloc(&marks, n);
  for (int i = 0; i < n; ++i)
    host[i] = (i * 7 % 31) / 8.0f;
  cudaMemcpy(height, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(marks, 0, n);
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  slope<<<grid, block>>>(height, slopes, nx, ny);
  mark<<<grid, block>>>(slopes, marks, nx, ny);
  cudaMemcpy(found, marks, n, cudaMemcpyDeviceToHost);
  int count = 0;
  for (int i = 0; i < n; ++i)
    count += found[i];
  printf("%d\n", count);
  cudaFree(height);
  cudaFree(slopes);
  cudaFree(marks);
}
