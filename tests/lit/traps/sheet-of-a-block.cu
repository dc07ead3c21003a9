// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Kernels of two dimensions over the cells of three. One knows the plane by its
// block, which is no thread of the other's; the other has columns where the
// volume has rows.

// CHECK-DAG: remark: 'volume' and 'sheets' not fused: DifferentShape: {{.+}} [-Rkfuse-missed]
// CHECK-DAG: remark: 'volume' and 'turned' not fused: CrossThreadFlow: {{.+}} [-Rkfuse-missed]
// OUT: volume<<<
// OUT: sheets<<<
// OUT: volume<<<
// OUT: turned<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void volume(const float *A, float *B, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz)
    B[(z * ny + y) * nx + x] = A[(z * ny + y) * nx + x] + 0.5f;
}

__global__ void sheets(const float *B, float *C, int cells, int planes) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  const int plane = blockIdx.y;
  if (cell < cells && plane < planes)
    C[plane * cells + cell] = B[plane * cells + cell] * 2;
}

__global__ void turned(const float *B, float *C, int nx, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && row < rows)
    C[row * nx + x] = B[row * nx + x] * 2;
}

// Functions that return something are no wrappers: the groups stay apart.
int first(float *A, float *B, float *C, int nx, int ny, int nz) {
  const dim3 block(8, 4, 2);
  const dim3 grid((nx + 7) / 8, (ny + 3) / 4, (nz + 1) / 2);
  const int cells = nx * ny;
  volume<<<grid, block>>>(A, B, nx, ny, nz);
  sheets<<<dim3((cells + 63) / 64, nz), 64>>>(B, C, cells, nz);
  return 0;
}

int second(float *A, float *B, float *C, int nx, int ny, int nz) {
  const dim3 block(8, 4, 2);
  const dim3 grid((nx + 7) / 8, (ny + 3) / 4, (nz + 1) / 2);
  const int rows = ny * nz;
  volume<<<grid, block>>>(C, B, nx, ny, nz);
  turned<<<dim3((rows + 7) / 8, (nx + 7) / 8), dim3(8, 8)>>>(B, A, nx, rows);
  return 0;
}

int main(int argc, char **argv) {
  const int nx = 11 * argc, ny = 7, nz = 5, n = nx * ny * nz;
  static float host[1 << 16];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  for (float **array : {&A, &B, &C}) {
    cudaMalloc(array, n * sizeof(float));
    cudaMemcpy(*array, host, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  first(A, B, C, nx, ny, nz);
  second(A, B, C, nx, ny, nz);
  double sum = 0;
  for (float *array : {A, B, C}) {
    cudaMemcpy(host, array, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 7);
  }
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
