// A tile needs a block of constant size. If the block is a member or a parameter to which the input gives one constant, that is
// tested where the kernels are launched, and so is the depth of the grid. With two constants there is nothing to test.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --orders=2 %s 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CHECK: 6 launches -> 4
// CHECK-NEXT: kfuse_advect_diverge = 'advect', 'diverge'; under 8 conditions tested at run time
// CHECK-NEXT: kfuse_advect_diverge_2 = 'advect', 'diverge'; under 3 conditions tested at run time
// CHECK: as if block_.x = 32, block_.y = 8, block_.z = 1
// VERIFIED: verified
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void advect(const int *from, int *to, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    to[x + y * nx] = from[x + y * nx] * 3;
}

__global__ void diverge(const int *from, int *to, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < nx - 1 && y < ny)
    to[x + y * nx] = from[x + y * nx + 1] - from[x + y * nx - 1];
}

class Fluid {
public:
  Fluid(int nx, int ny) : nx_(nx), ny_(ny), block_(32, 8), grid_((nx + 31) / 32, (ny + 7) / 8) {
    cudaMalloc(&from_, nx * ny * sizeof(int));
    cudaMalloc(&moved_, nx * ny * sizeof(int));
    cudaMalloc(&to_, nx * ny * sizeof(int));
    cudaMemset(to_, 0, nx * ny * sizeof(int));
    std::vector<int> values(nx * ny);
    for (int i = 0; i < nx * ny; ++i)
      values[i] = i * 37 % 101;
    cudaMemcpy(from_, values.data(), nx * ny * sizeof(int), cudaMemcpyHostToDevice);
  }
  ~Fluid() {
    cudaFree(from_);
    cudaFree(moved_);
    cudaFree(to_);
  }
  // OUT-LABEL: void step() {
  // OUT: if (block_.x == 32 &&
  // OUT: block_.y == 8 &&
  // OUT: block_.z == 1 &&
  // OUT: grid_.z == 1 &&
  // OUT: kfuse_advect_diverge<<<
  void step() {
    advect<<<grid_, block_>>>(from_, moved_, nx_, ny_);
    diverge<<<grid_, block_>>>(moved_, to_, nx_, ny_);
  }
  long long sum() const {
    std::vector<int> values(nx_ * ny_);
    cudaMemcpy(values.data(), to_, nx_ * ny_ * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < nx_ * ny_; ++i)
      sum += (long long)values[i] * (i % 97);
    return sum;
  }
  int *from_, *moved_, *to_;

private:
  int nx_, ny_;
  dim3 block_, grid_;
};

static void once(const int *from, int *moved, int *to, int nx, int ny, dim3 block) {
  dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
  advect<<<grid, block>>>(from, moved, nx, ny);
  diverge<<<grid, block>>>(moved, to, nx, ny);
}

// OUT-LABEL: void either(
// OUT: advect<<<grid, block>>>(from, moved, nx, ny);
// OUT-NEXT: diverge<<<grid, block>>>(moved, to, nx, ny);
static void either(const int *from, int *moved, int *to, int nx, int ny, dim3 block) {
  dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
  advect<<<grid, block>>>(from, moved, nx, ny);
  diverge<<<grid, block>>>(moved, to, nx, ny);
}

int main(int argc, char **argv) {
  const int nx = 70, ny = 50;
  Fluid fluid(nx, ny);
  for (int i = 0; i < 3; ++i) {
    fluid.step();
    once(fluid.to_, fluid.moved_, fluid.from_, nx, ny, dim3(16, 16));
    either(fluid.to_, fluid.moved_, fluid.from_, nx, ny, argc > 5 ? dim3(8, 8) : dim3(32, 4));
  }
  printf("%lld\n", fluid.sum());
}
