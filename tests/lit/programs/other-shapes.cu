// RUN: %kfuse %s --elements-per-thread=1 -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -- 2 3 4 5 6 7 8
//
// Kernels over one domain in grids and blocks of their own: other blocks, more
// or fewer blocks, a grid-stride loop, a reduction that needs its block, grids
// that only the run time can compare, and two dimensions.

// CHECK-DAG: remark: fused 'scale', 'shift', 'stride'
// CHECK-DAG: remark: fused 'square', 'blockSums'
// CHECK-DAG: remark: fused 'unguarded', 'doubled'
// CHECK-DAG: remark: fused 'plane', 'interior'
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void shift(const float *B, float *C, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n)
    return;
  C[i] = B[i] - 3;
}

__global__ void stride(const float *C, float *D, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    D[i] = C[i] / 2;
}
// The last member's grid and block would be a loop's; the first's serve all.
// OUT: static __global__ void [[ONE:kfuse_scale_shift_stride]](
// OUT-NOT: _grid
// OUT: shift_at(i, 
// OUT: const long long i2 = (long long)blockIdx.x * blockDim.x + threadIdx.x;
// OUT-NEXT: if (i2 < n) {
// OUT-NEXT: stride_stage(

__global__ void square(const float *D, float *E, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    E[i] = D[i] * D[i];
}

// One sum for each block of 64: nothing else will do.
__global__ void blockSums(const float *E, float *sums, int n) {
  __shared__ float part[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = i < n ? E[i] : 0;
  __syncthreads();
  for (unsigned half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

// Without a guard only the threads that there are may write.
__global__ void unguarded(const float *A, float *F) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  F[i] = A[i] * 4;
}

__global__ void doubled(float *F, float *G) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  G[i] = F[i] + F[i];
}

__global__ void plane(const float *A, float *P, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    P[y * nx + x] = A[y * nx + x] + 0.5f;
}

__global__ void interior(const float *P, float *Q, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    Q[y * nx + x] = -P[y * nx + x];
}

// Each in a function of its own that returns something, which keeps the groups
// apart.
struct Data {
  float *A, *B, *C, *D, *E, *F, *G, *P, *Q, *sums;
};

int chain(const Data &d, int n) {
  scale<<<(n + 255) / 256, 256>>>(d.A, d.B, n);
  shift<<<(n + 127) / 128, 128>>>(d.B, d.C, n);
  stride<<<4, 96>>>(d.C, d.D, n);
  return 0;
}

int reduction(const Data &d, int n) {
  square<<<n / 128 + 1, 128>>>(d.D, d.E, n);
  blockSums<<<(n + 63) / 64, 64>>>(d.E, d.sums, n);
  return 0;
}

int exact(const Data &d, int n) {
  unguarded<<<n / 32, 32>>>(d.A, d.F);
  doubled<<<n / 64, 64>>>(d.F, d.G);
  return 0;
}

int planes(const Data &d, int nx, int ny) {
  const dim3 wide(32, 4), tall(8, 16);
  plane<<<dim3((nx + 31) / 32, (ny + 3) / 4), wide>>>(d.A, d.P, nx, ny);
  interior<<<dim3((nx + 7) / 8, (ny + 15) / 16), tall>>>(d.P, d.Q, nx, ny);
  return 0;
}

int main(int argc, char **argv) {
  const int nx = 50, ny = 40 * argc, n = nx * ny;
  const int groups = (n + 63) / 64;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  Data d;
  for (float **array :
       {&d.A, &d.B, &d.C, &d.D, &d.E, &d.F, &d.G, &d.P, &d.Q}) {
    cudaMalloc(array, n * sizeof(float));
    cudaMemcpy(*array, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  }
  cudaMalloc(&d.sums, groups * sizeof(float));
  chain(d, n);
  reduction(d, n);
  exact(d, n);
  planes(d, nx, ny);
  double sum = 0;
  for (float *array : {d.B, d.C, d.D, d.E, d.F, d.G, d.P, d.Q}) {
    cudaMemcpy(host.data(), array, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 7);
  }
  cudaMemcpy(host.data(), d.sums, groups * sizeof(float),
             cudaMemcpyDeviceToHost);
  for (int i = 0; i < groups; ++i)
    sum += host[i];
  printf("%.3f\n", sum);
}
