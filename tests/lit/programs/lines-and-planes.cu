// RUN: %kfuse %s --elements-per-thread=1 -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Kernels of one and two dimensions over the same elements: a thread of the
// line is one of a row. A thread beyond a row's end must not run the first of
// the next.

// CHECK-DAG: remark: fused 'plane', 'line', 'stride'
// CHECK-DAG: remark: fused 'fill', 'tail'
// CHECK-DAG: remark: fused 'plane', 'line', 'heights'
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void plane(const float *A, float *B, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    B[y * nx + x] = A[y * nx + x] + 0.5f;
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
// OUT: static __global__ void kfuse_plane_line_stride(
// OUT: const long long [[COLUMN:column]] = blockIdx.x * blockDim.x + threadIdx.x;
// OUT-NEXT: const long long [[ROW:row]] = blockIdx.y * blockDim.y + threadIdx.y;
// OUT-NEXT: const long long i = [[ROW]] * nx + [[COLUMN]];
// OUT-NEXT: if ([[COLUMN]] < nx) {
// OUT-NEXT: line_at(i, 

__global__ void fill(float *E, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    E[y * nx + x] = 2;
}

// Of the plane's shape, with the extents the other way round: a row is as long
// as the plane says.
__global__ void heights(float *C, int ny, int nx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    C[y * nx + x] *= 0.5f;
}

// Without a guard: fewer threads than elements, or more.
__global__ void tail(float *E, float *F) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  F[i] = E[i] + 1;
}

// Functions that return something are no wrappers: the groups stay apart.
int twoOrThree(float *A, float *B, float *C, float *D, int nx, int ny) {
  const dim3 block(16, 8), grid((nx + 15) / 16, (ny + 7) / 8);
  const int n = nx * ny;
  plane<<<grid, block>>>(A, B, nx, ny);
  line<<<(n + 127) / 128, 128>>>(B, C, n);
  stride<<<3, 64>>>(C, D, n);
  return 0;
}

int aroundALine(float *A, float *B, float *C, int nx, int ny) {
  const dim3 block(16, 8), grid((nx + 15) / 16, (ny + 7) / 8);
  const int n = nx * ny;
  plane<<<grid, block>>>(A, B, nx, ny);
  line<<<(n + 127) / 128, 128>>>(B, C, n);
  heights<<<grid, block>>>(C, ny, nx);
  return 0;
}

int partOfIt(float *E, float *F, int nx, int ny, int blocks) {
  const dim3 block(16, 8), grid((nx + 15) / 16, (ny + 7) / 8);
  fill<<<grid, block>>>(E, nx, ny);
  tail<<<blocks, 32>>>(E, F);
  return 0;
}

int main(int argc, char **argv) {
  const int nx = 41 * argc, ny = 30;
  const size_t bytes = (nx * ny + 64) * sizeof(float);
  std::vector<float> host(nx * ny + 64);
  for (std::size_t i = 0; i < host.size(); ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C, *D, *E, *F;
  for (float **array : {&A, &B, &C, &D, &E, &F}) {
    cudaMalloc(array, bytes);
    cudaMemcpy(*array, host.data(), bytes, cudaMemcpyHostToDevice);
  }
  twoOrThree(A, B, C, D, nx, ny);
  aroundALine(D, B, C, nx, ny);
  partOfIt(E, F, nx, ny, 20);
  partOfIt(E, F, nx, ny, nx * ny / 32);
  partOfIt(E, F, nx, ny, nx * ny / 32 + 2);
  double sum = 0;
  for (float *array : {A, B, C, D, E, F}) {
    cudaMemcpy(host.data(), array, bytes, cudaMemcpyDeviceToHost);
    for (std::size_t i = 0; i < host.size(); ++i)
      sum += host[i] * (i % 7);
  }
  printf("%.3f\n", sum);
}
