// RUN: %kfuse %s --elements-per-thread=1 -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Kernels of one, two and three dimensions over the same elements: a thread of
// the line is one of a row of a plane. Of two dimensions, one may be rows and
// planes together, or the other columns and rows.

// CHECK-DAG: remark: fused 'volume', 'line', 'stride':
// CHECK-DAG: remark: fused 'volume', 'layers':
// CHECK-DAG: remark: fused 'sheets', 'padded':
// CHECK-DAG: remark: fused 'fill', 'tail':
// CHECK-DAG: remark: fused 'volume', 'line', 'stride', 'volume', 'layers':
// CHECK-DAG: remark: fused 'fill', 'tail', 'fill', 'tail', 'fill', 'tail':
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void volume(const float *A, float *B, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz)
    B[(z * ny + y) * nx + x] = A[(z * ny + y) * nx + x] + 0.5f;
}

__global__ void line(float *B, float *C, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 3;
}

__global__ void stride(const float *C, float *D, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    D[i] += C[i];
}
// OUT: static __global__ void kfuse_volume_line_stride(
// OUT: const long long [[COLUMN:column]] = blockIdx.x * blockDim.x + threadIdx.x;
// OUT-NEXT: const long long [[ROW:row]] = blockIdx.y * blockDim.y + threadIdx.y;
// OUT-NEXT: const long long [[PLANE:plane]] = blockIdx.z * blockDim.z + threadIdx.z;
// OUT-NEXT: const long long i = ([[PLANE]] * ny + [[ROW]]) * nx + [[COLUMN]];
// OUT-NEXT: if ([[COLUMN]] < nx && [[ROW]] < ny) {
// OUT-NEXT: line_at(i, 

// Rows of all planes, one after the other.
__global__ void layers(const float *B, float *C, int nx, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && row < rows)
    C[row * nx + x] = B[row * nx + x] - 1;
}
// OUT: static __global__ void kfuse_volume_layers(
// OUT: const long long [[ROW:row]] = blockIdx.y * blockDim.y + threadIdx.y;
// OUT-NEXT: const long long [[PLANE:plane]] = blockIdx.z * blockDim.z + threadIdx.z;
// OUT-NEXT: const long long i = [[PLANE]] * ny + [[ROW]];
// OUT-NEXT: if ([[ROW]] < ny) {
// OUT-NEXT: layers_at(blockIdx.x * blockDim.x + threadIdx.x, i, 

// The cells of a plane, in one line.
__global__ void sheets(const float *C, float *D, int cells, int planes) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  const int plane = blockIdx.y * blockDim.y + threadIdx.y;
  if (cell < cells && plane < planes)
    D[plane * cells + cell] = C[plane * cells + cell] * 2;
}

// The array's own sizes are two larger than the others'.
__global__ void padded(float *D, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx + 2 && y < ny + 2 && z < nz)
    D[(z * (ny + 2) + y) * (nx + 2) + x] *= 0.25f;
}
// OUT: static __global__ void kfuse_sheets_padded(
// OUT: const long long i = [[ROW:row]] * (nx + 2) + [[COLUMN:column]];
// OUT-NEXT: if ([[COLUMN]] < nx + 2) {
// OUT-NEXT: sheets_at(i, blockIdx.z * blockDim.z + threadIdx.z, 
// A line's index may be an `int`.
// OUT: if (1073741824 >= 2 * (long long)grid.z * nx * ny &&
// OUT: kfuse_volume_line_stride<<<grid, block>>>(

__global__ void fill(float *E, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz)
    E[(z * ny + y) * nx + x] = 2;
}

// Without a guard: fewer threads than elements, or more.
__global__ void tail(float *E, float *F) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  F[i] = E[i] + 1;
}

// Called in a condition, each function fuses its own launches; called in
// statements, one after the other, their launches are fused together.
int threeKinds(float *A, float *B, float *C, float *D, int nx, int ny, int nz) {
  const dim3 block(8, 4, 2);
  const dim3 grid((nx + 7) / 8, (ny + 3) / 4, (nz + 1) / 2);
  const int n = nx * ny * nz;
  volume<<<grid, block>>>(A, B, nx, ny, nz);
  line<<<(n + 127) / 128, 128>>>(B, C, n);
  stride<<<3, 64>>>(C, D, n);
  return 0;
}

int rowsOfAll(float *A, float *B, float *C, int nx, int ny, int nz) {
  const dim3 block(8, 4, 2);
  const dim3 grid((nx + 7) / 8, (ny + 3) / 4, (nz + 1) / 2);
  const int rows = ny * nz;
  volume<<<grid, block>>>(A, B, nx, ny, nz);
  layers<<<dim3((nx + 15) / 16, (rows + 7) / 8), dim3(16, 8)>>>(B, C, nx, rows);
  return 0;
}

int planeByPlane(float *C, int nx, int ny, int nz) {
  const size_t bytes = (nx + 2) * (ny + 2) * nz * sizeof(float);
  float *D;
  cudaMalloc(&D, bytes);
  const dim3 block(8, 4, 2);
  const dim3 grid((nx + 9) / 8, (ny + 5) / 4, (nz + 1) / 2);
  const int cells = (nx + 2) * (ny + 2);
  sheets<<<dim3((cells + 63) / 64, nz), 64>>>(C, D, cells, nz);
  padded<<<grid, block>>>(D, nx, ny, nz);
  cudaMemcpy(C, D, bytes, cudaMemcpyDefault);
  cudaFree(D);
  return 0;
}

int partOfIt(float *E, float *F, int nx, int ny, int nz, int blocks) {
  const dim3 block(8, 4, 2);
  const dim3 grid((nx + 7) / 8, (ny + 3) / 4, (nz + 1) / 2);
  fill<<<grid, block>>>(E, nx, ny, nz);
  tail<<<blocks, 32>>>(E, F);
  return 0;
}

int main(int argc, char **argv) {
  const int nx = 11 * argc, ny = 7, nz = 5;
  const size_t count = (nx + 2) * (ny + 2) * nz + 64;
  const size_t bytes = count * sizeof(float);
  std::vector<float> host(count);
  for (std::size_t i = 0; i < host.size(); ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C, *D, *E, *F;
  for (float **array : {&A, &B, &C, &D, &E, &F}) {
    cudaMalloc(array, bytes);
    cudaMemcpy(*array, host.data(), bytes, cudaMemcpyHostToDevice);
  }
  if (threeKinds(A, B, C, D, nx, ny, nz) || rowsOfAll(D, B, C, nx, ny, nz) ||
      planeByPlane(C, nx, ny, nz) || partOfIt(E, F, nx, ny, nz, 10) ||
      partOfIt(E, F, nx, ny, nz, nx * ny * nz / 32) ||
      partOfIt(E, F, nx, ny, nz, nx * ny * nz / 32 + 2))
    return 1;
  threeKinds(A, B, C, D, nx, ny, nz);
  rowsOfAll(D, B, C, nx, ny, nz);
  planeByPlane(C, nx, ny, nz);
  partOfIt(E, F, nx, ny, nz, 10);
  partOfIt(E, F, nx, ny, nz, nx * ny * nz / 32);
  partOfIt(E, F, nx, ny, nz, nx * ny * nz / 32 + 2);
  double sum = 0;
  for (float *array : {A, B, C, D, E, F}) {
    cudaMemcpy(host.data(), array, bytes, cudaMemcpyDeviceToHost);
    for (std::size_t i = 0; i < host.size(); ++i)
      sum += host[i] * (i % 7);
  }
  printf("%.3f\n", sum);
}
