// The grid comes from a function, whose arithmetic may wrap: that it has a thread for each element is tested. Then every read of
// the window finds a value in the tile, and nothing has to look for what memory holds.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT --implicit-check-not=kfuseInside --implicit-check-not=_written
// RUN: %kfuse verify --orders=2 %s 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %kfuse %s -o %t.plain.cu --no-runtime-checks 2>&1 | FileCheck %s --check-prefix=PLAIN
// CHECK: 2 launches -> 1
// PLAIN: 2 launches -> 2
// OUT: sum += gradient_tile[dy * 34 + dx];
// OUT: (long long)block.x * dim3(gridFor(heat_, block)).x >= (long long)heat_.nx()
// VERIFIED: verified
#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

class Field {
public:
  Field(unsigned nx, unsigned ny) : nx_(nx), ny_(ny) { cudaMalloc(&data_, bytes()); }
  ~Field() { cudaFree(data_); }
  Field(const Field &) = delete;
  Field &operator=(const Field &) = delete;
  int *get() { return data_; }
  const int *get() const { return data_; }
  unsigned nx() const { return nx_; }
  unsigned ny() const { return ny_; }
  std::size_t bytes() const { return std::size_t(nx_) * ny_ * sizeof(int); }

private:
  int *data_ = nullptr;
  unsigned nx_, ny_;
};

inline unsigned ceilDivide(unsigned a, unsigned b) { return (a + b - 1) / b; }

inline dim3 gridFor(const Field &field, dim3 block) {
  return dim3(ceilDivide(field.nx(), block.x), ceilDivide(field.ny(), block.y));
}

__global__ void flow(const int *heat, int *gradient, unsigned nx, unsigned ny) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  if (x + 1 < nx)
    gradient[y * nx + x] = heat[y * nx + x + 1] - heat[y * nx + x];
  else
    gradient[y * nx + x] = 0;
}

__global__ void smooth(const int *gradient, int *soft, unsigned nx, unsigned ny) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= nx || row >= ny)
    return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int x = int(column) + dx, y = int(row) + dy;
      if (x >= 0 && x < int(nx) && y >= 0 && y < int(ny))
        sum += gradient[y * int(nx) + x];
    }
  soft[row * nx + column] = sum / 9;
}

class Plate {
public:
  Plate(unsigned nx, unsigned ny) : heat_(nx, ny), gradient_(nx, ny), soft_(nx, ny) {
    std::vector<int> values(nx * ny);
    for (unsigned i = 0; i < values.size(); ++i)
      values[i] = i * 37 % 101;
    cudaMemcpy(heat_.get(), values.data(), heat_.bytes(), cudaMemcpyHostToDevice);
  }
  void step() {
    const dim3 block = block_;
    flow<<<gridFor(heat_, block), block>>>(heat_.get(), gradient_.get(), heat_.nx(), heat_.ny());
    smooth<<<gridFor(heat_, block), block>>>(gradient_.get(), soft_.get(), heat_.nx(), heat_.ny());
  }
  long long sum() const {
    std::vector<int> values(soft_.nx() * soft_.ny());
    cudaMemcpy(values.data(), soft_.get(), soft_.bytes(), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (unsigned i = 0; i < values.size(); ++i)
      sum += (long long)values[i] * (i % 97);
    return sum;
  }

private:
  Field heat_, gradient_, soft_;
  dim3 block_{32, 8};
};

int main() {
  Plate plate(70, 45);
  plate.step();
  printf("%lld\n", plate.sum());
}
